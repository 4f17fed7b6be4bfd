"""The examples with frameworks, those that `scripts/examples NAME` has installed here."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from tests.examples.__main__ import DRIVERS, PACKAGES, is_installed, run
from tests.examples.shop import Shop
from tests.site import Site

pytestmark = pytest.mark.timeout(200)


def installed(name: str) -> ParameterSet:
    reason = f"`scripts/examples {name}` installs it"
    return pytest.param(name, marks=pytest.mark.skipif(not is_installed(name), reason=reason))


@pytest.mark.parametrize("name", [installed(name) for name in PACKAGES])
def test_example_works_with_the_real_framework(name: str) -> None:
    with Site() as site:
        assert run(name, f"{Shop(site).url}/message") == ""


def test_every_framework_has_a_driver() -> None:
    assert {file.stem.removeprefix("drive_") for file in DRIVERS.glob("drive_*.py")} == {*PACKAGES}
