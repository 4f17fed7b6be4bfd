"""Speaks the Chrome DevTools Protocol and knows nothing of pages."""
