"""The only room that talks to models: small contracts, and the adapters that meet them."""
