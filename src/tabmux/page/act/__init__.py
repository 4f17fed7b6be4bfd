"""Actions on a page: mouse, keyboard."""
