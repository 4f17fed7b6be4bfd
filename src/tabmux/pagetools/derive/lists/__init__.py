"""Lists of a page: what is an entry, what opens it, and what the list is called."""
