from __future__ import annotations

import os
from typing import Any

import pytest

from tabmux.errors import Misuse
from tabmux.settings import parse_flags


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("-u http://127.0.0.1:9222", {"browser_url": ("http://127.0.0.1:9222",)}),
        ("-e chromium -w=ws://a/b", {"executable_path": "chromium", "ws_endpoint": ("ws://a/b",)}),
        ("--acceptInsecureCerts", {"accept_insecure_certs": True}),
        ("--isolated true --headless false", {"isolated": True, "headless": False}),
        ("--no-headless", {"headless": False}),
        ("--no-usage-statistics --usageStatistics=false --no-performanceCrux", {}),
        ("--categoryMemory --no-categoryInput", {"tools": "+memory,-input"}),
        ("--tools +pwa --categoryPerformance=false", {"tools": "+pwa,-performance"}),
        ("--redactNetworkHeaders --port 7", {"port": 7}),
        ("--redactNetworkHeaders false --port 7", {"redact_headers": ("off",), "port": 7}),
        ("--allowUnrestrictedPaths", {"allow_path": (os.sep,)}),
        ("--experimentalStructuredContent", {"structured": True}),
        ("--no-javascript-evaluation", {"no_javascript_evaluation": True}),
    ],
)
def test_command_lines_of_the_peer_mean_the_same_here(words: str, found: dict[str, Any]) -> None:
    assert parse_flags(words.split()) == found


def test_value_of_a_flag_is_no_flag_of_the_peer() -> None:
    words = ["--chrome-arg", "--no-usage-statistics", "--chrome-arg", "-u"]
    assert parse_flags(words) == {"chrome_arg": ("--no-usage-statistics", "-u")}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("--screenshotFormat=jpeg", "take_screenshot"),
        ("--no-sourceMaps", "leave it out"),
        ("--isolated=perhaps", "right kind"),
        ("--categoryMemory=perhaps", "neither true nor false"),
    ],
)
def test_what_means_nothing_here_is_said(word: str, hint: str) -> None:
    with pytest.raises(Misuse) as caught:
        parse_flags([word])
    assert hint in f"{caught.value.message} {caught.value.hint}"
