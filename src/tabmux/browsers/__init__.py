"""The browsers we can reach, and how we start them."""
