"""How two pages are related, from the words between them."""
