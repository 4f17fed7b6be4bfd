"""Measures tabmux beside its peers: same Chromium, same pages, same client."""
