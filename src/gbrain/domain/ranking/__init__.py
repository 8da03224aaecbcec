"""How passages that may answer a question are ordered. Pure: counts and cosines come in, an order goes out."""
