from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import tabmux.sync
from tabmux import daemon_connection, exceptions
from tests.library.conftest import FLAGS
from tests.site import Site

pytestmark = pytest.mark.usefixtures("daemon")


def test_blocking_methods_do_the_same(site: Site) -> None:
    html = "<title>A</title><button onclick=\"document.body.append('Saved')\">Save</button>"
    with tabmux.sync.session(flags=FLAGS) as tab:
        tab.goto(site.page(html))
        assert 'button "Save"' in (tab.snapshot().snapshot or "")
        assert "Saved" in tab.click('button "Save"').diff
        assert tab.evaluate("() => document.title") == "A"
        with pytest.raises(exceptions.NotFound):
            tab.click('button "No"')
        assert "no cookies" in tab.cookies().text


def test_several_blocking_sessions_end_with_their_block(site: Site) -> None:
    with tabmux.sync.sessions(2, flags=FLAGS) as (one, other):
        one.goto(site.page("<title>one</title>"))
        other.goto(site.page("<title>other</title>"))
        assert one.evaluate("() => document.title") == "one"
        count = len(daemon_connection.ask("session_list"))
    assert len(daemon_connection.ask("session_list")) == count - 2


def test_threads_can_share_a_tab(site: Site) -> None:
    with tabmux.sync.session(flags=FLAGS) as tab:
        tab.goto(site.page("<p>Hello</p>"))
        found: list[int] = []

        def work(number: int) -> None:
            found.append(tab.evaluate(f"() => {number}"))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sorted(found) == list(range(8))


def test_threads_can_call_tools_of_a_group_that_is_off(site: Site) -> None:
    with (
        tabmux.sync.session(flags=FLAGS) as tab,
        ThreadPoolExecutor(8) as threads,
    ):
        tab.goto(site.page("<p>Hello</p>"))
        list(threads.map(lambda name: tab.set_cookie(name, "b"), "abcdefgh"))
        assert {each.name for each in tab.cookies().cookies} >= set("abcdefgh")


def test_page_tools_of_the_blocking_twin(site: Site) -> None:
    html = """<form role=search onsubmit="event.preventDefault();
      out.textContent = 'Found ' + this.q.value"><input name=q type=search aria-label="Search tea">
      <button>Search</button></form><p id=out role=status></p>"""
    with tabmux.sync.session(flags=FLAGS) as tab:
        tab.goto(site.page(html))
        name = next(t.name for t in tab.list_page_tools().tools if "query" in str(t.arguments))
        assert "Found oolong" in tab.tools[name](query="oolong").text


def test_calls_after_the_block_say_that_it_has_ended() -> None:
    with tabmux.sync.session(flags=FLAGS) as tab:
        tab.pages()
    with pytest.raises(exceptions.TabmuxError, match="block of this session has ended"):
        tab.pages()
