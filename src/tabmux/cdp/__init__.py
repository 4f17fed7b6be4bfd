"""CDP: the Chrome DevTools Protocol; knows nothing of pages."""
