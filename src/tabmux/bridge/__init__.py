"""The browser extension as a CDP transport."""
