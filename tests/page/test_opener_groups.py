from __future__ import annotations

from asyncio import Future

import pytest

from tabmux.page import opener_groups
from tabmux.page.handle import PageHandle
from tabmux.page.opener_groups import OpenerGroups, RecentDocuments


def tab(groups: OpenerGroups, target: str, opener: str = "", **info: object) -> PageHandle:
    """Make a tab in which a script has run."""
    known = {"targetId": target, "openerId": opener, **info}
    handle = PageHandle(1, known, lambda _: Future(), groups=groups)
    handle.tab.scripted.add(f"document of {target}")
    return handle


def related(handle: PageHandle) -> set[str]:
    return {each.handle.target_id for each in handle.related_tabs() if each.handle is not None}


def test_whole_group_is_related_in_whatever_order_its_tabs_are_found() -> None:
    groups = OpenerGroups()
    third, first = tab(groups, "third", "second"), tab(groups, "first")
    sibling, _ = tab(groups, "sibling", "first"), tab(groups, "second", "first")
    assert related(third) == {"first", "second", "sibling"}
    assert related(first) == {"second", "third", "sibling"}
    assert related(sibling) == {"first", "second", "third"}
    assert related(tab(groups, "another")) == set()
    assert related(tab(groups, "cut off", "first", canAccessOpener=False)) == set()


def test_tabs_without_scripts_and_secrets_are_not_looked_at() -> None:
    groups = OpenerGroups()
    first = tab(groups, "first")
    PageHandle(2, {"targetId": "second", "openerId": "first"}, lambda _: Future(), groups=groups)
    assert related(first) == set()


def test_openers_in_a_circle_end_no_search() -> None:
    groups = OpenerGroups()
    one = tab(groups, "one", "two")
    tab(groups, "two", "one")
    assert related(one) <= {"two"}


def test_tab_that_comes_back_is_known_again() -> None:
    groups = OpenerGroups()
    tab(groups, "one").close()
    assert (
        "document of one"
        in PageHandle(2, {"targetId": "one"}, lambda _: Future(), groups=groups).tab.scripted
    )


def test_closed_tabs_are_forgotten_and_their_groups_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opener_groups, "MOST_CLOSED", 2)
    groups = OpenerGroups()
    first = tab(groups, "first")
    second, third = tab(groups, "second", "first"), tab(groups, "third", "second")
    second.close()
    for number in range(20):
        tab(groups, str(number)).close()
    assert related(first) == {"third"}
    assert related(third) == {"first"}
    assert len(groups._tabs) == 4


def test_latest_documents_are_kept() -> None:
    documents = RecentDocuments()
    for number in range(opener_groups.MOST_DOCUMENTS + 1):
        documents.add(str(number))
        documents.add("1")
    documents.add("")
    assert len(documents) == opener_groups.MOST_DOCUMENTS
    assert "0" not in documents
    assert "1" in documents
