"""Playwright locators: how Playwright finds the elements of a run."""

from __future__ import annotations

from tabmux.record.call_entry import TouchedElement
from tabmux.record.strict_locators import plain_locator

# Roles of snapshots that ARIA does not know; their elements are found by their text.
_NO_ARIA = frozenset({"LabelText", "StaticText", "generic", "clickable", "none", "text"})
_TEST_IDS = ("data-testid", "data-test-id", "data-test", "data-cy")


def located(page: str, element: TouchedElement) -> str:
    """Return the code that finds an element of a page."""
    if element.frame:
        page = f"next(each for each in {page}.frames if each.url == {element.frame!r})"
    locator = plain_locator(element.locator)
    kind, equals, value = locator.partition("=")
    if equals and kind == "css":
        return f"{page}.locator({value!r})"
    if equals and kind == "testid":
        selector = ", ".join(f'[{each}="{value}"]' for each in _TEST_IDS)
        return f"{page}.locator({selector!r})"
    role, name = element.role, element.name
    if not role:
        role, _, quoted = locator.partition(" ")
        name = quoted.strip('"')
    if role in _NO_ARIA:
        return f"{page}.get_by_text({name!r}, exact=True)"
    cut = name.endswith("…")
    exact = "" if cut else ", exact=True"
    return f"{page}.get_by_role({role!r}, name={name.removesuffix('…')!r}{exact})"
