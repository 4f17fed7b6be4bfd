"""Derivation: tools made from forms, lists, menus and links."""
