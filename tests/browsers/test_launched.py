from __future__ import annotations

from pathlib import Path

from tabmux.browsers.chrome_process import LaunchOptions
from tabmux.browsers.launched import LaunchedSpec


def test_same_profile_is_the_same_browser() -> None:
    folder = LaunchOptions(user_data_dir=Path("/x"))
    assert LaunchedSpec(folder).same_as(LaunchedSpec(folder))
    assert not LaunchedSpec().same_as(LaunchedSpec())


def test_launched_browser_is_named_by_what_it_is() -> None:
    assert LaunchedSpec().label == "launched"
    headless = LaunchOptions(headless=True, user_data_dir=Path("/profiles/work"))
    assert LaunchedSpec(headless).label == "launched headless on work"
