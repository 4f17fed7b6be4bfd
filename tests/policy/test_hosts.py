from __future__ import annotations

import pytest

from tabmux.policy.hosts import is_loopback, leads_to_this_machine


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost"])
def test_loopback_is_reached_from_this_machine_only(host: str) -> None:
    assert is_loopback(host)
    assert leads_to_this_machine(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]", "app.localhost"])
def test_what_leads_to_this_machine_may_be_reached_from_others(host: str) -> None:
    assert not is_loopback(host)
    assert leads_to_this_machine(host)


@pytest.mark.parametrize(
    "host",
    ["", "localhost.evil.example", "notlocalhost", "192.168.1.5", "example.com", "[2001:db8::1]"],
)
def test_other_machines_are_neither(host: str) -> None:
    assert not is_loopback(host)
    assert not leads_to_this_machine(host)
