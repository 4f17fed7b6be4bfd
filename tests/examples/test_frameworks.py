"""Playwright with the real package, where `scripts/examples playwright` has installed it."""

from __future__ import annotations

import pytest

from tests.examples.__main__ import CACHE, run
from tests.examples.shop import Shop
from tests.site import Site

pytestmark = pytest.mark.timeout(200)


@pytest.mark.skipif(
    not (CACHE / "playwright" / "installed").exists(),
    reason="`scripts/examples playwright` installs it",
)
def test_playwright_works_beside_the_agent_and_reaches_nothing_else() -> None:
    with Site() as site:
        assert run("playwright", f"{Shop(site).url}/message") == ""
