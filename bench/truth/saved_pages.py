"""Saved pages: demos, documentation and templates that come with packages."""

from __future__ import annotations

from bench.truth.saved_page import SavedPage

SAVED: tuple[SavedPage, ...] = ()
