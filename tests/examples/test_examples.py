"""The examples without frameworks, run as a reader runs them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples.shop import PASSWORD, Shop
from tests.homes import home_in
from tests.site import Site

EXAMPLES = Path(__file__).parents[2] / "examples"
SECONDS = 110

pytestmark = pytest.mark.timeout(150)


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    yield folder
    stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
    subprocess.run(stop, env=home_in(folder), check=False, timeout=40)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Site() as site:
        yield Shop(site)


def run(home: str, words: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder of the user's."""
    folder = Path(home) / "work"
    folder.mkdir(exist_ok=True)
    environment = {**home_in(home), **variables}
    environment.pop("TABMUX_SESSION", None)
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def output(home: str, example: str, *words: str, **variables: str) -> str:
    result = run(home, [str(EXAMPLES / example), *words], **variables)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_hundred_pages_are_scraped_with_sixteen_tabs(home: str, shop: Shop) -> None:
    found = json.loads(output(home, "scraper.py", f"{shop.url}/product/{{}}"))
    assert [each["title"] for each in found] == [f"Product {number}" for number in range(1, 101)]
    assert all("Fine tea." in each["text"] for each in found)
    assert found[0]["text"].count("Fine tea.") == 2_000


def test_login_is_kept_for_later_runs(home: str, shop: Shop) -> None:
    words = ("saved_login.py", shop.url, "state.json")
    assert "Welcome, Ada" in output(home, *words, SHOP_PASSWORD=PASSWORD)
    assert "Welcome, Ada" in output(home, *words)
    assert shop.logins == 1


def test_rows_are_entered_by_page_tools(home: str, shop: Shop) -> None:
    file = Path(home) / "customers.csv"
    file.write_text("name,email\nAda,ada@example.com\nBob,nonsense\nEve,eve@example.com\n")
    report = output(home, "data_entry.py", f"{shop.url}/customers/new", str(file)).splitlines()
    assert [line.partition(":")[0] for line in report] == ["entered", "refused", "entered"], report
    assert shop.added == ["Ada", "Eve"]


def test_slow_page_fails_the_job(home: str, shop: Shop) -> None:
    words = [str(EXAMPLES / "performance_check.py"), f"{shop.url}/product/1"]
    fast = run(home, [*words, "--lcp", "60000"])
    assert (fast.returncode, fast.stdout[:4]) == (0, "LCP "), fast.stderr
    assert run(home, [*words, "--lcp", "0.1"]).returncode == 1
    assert (Path(home) / "work" / "trace.json.gz").exists()


def test_fixture_gives_each_test_a_session(home: str, shop: Shop) -> None:
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-c", os.devnull]
    example = str(EXAMPLES / "test_with_fixture.py")
    result = run(home, [*words, example], SITE=f"{shop.url}/message")
    assert "2 passed" in result.stdout, result.stdout + result.stderr


def test_every_example_is_listed() -> None:
    named = (EXAMPLES / "README.md").read_text()
    assert [file.name for file in EXAMPLES.glob("*.py") if f"({file.name})" not in named] == []
