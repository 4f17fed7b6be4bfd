from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.browsers.launched import LaunchOptions, running_chrome
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.errors import BadArguments
from tabmux.policy.url_parser import (
    ParsedUrl,
    canonical_host,
    is_loopback,
    leads_to_this_machine,
    parse_url,
    resolve_path,
    strip_url,
)
from tests.hostile.corpora import LOOPBACK


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://EXAMPLE.com/", "example.com"),
        ("http://example.com./", "example.com"),
        ("http://a@b@example.com/", "example.com"),
        ("http://evil.com\\@example.com/", "evil.com"),
        ("http://evil.com#@example.com/", "evil.com"),
        ("http://e%78ample.com/", "example.com"),
        ("http://bücher.de/", "xn--bcher-kva.de"),
        ("http://BÜCHER.de/", "xn--bcher-kva.de"),
        ("http://faß.de/", "xn--fa-hia.de"),
        ("http://FAẞ.de/", "xn--fa-hia.de"),
        ("http://a\u01f0b.de/", "xn--ab-u5a.de"),
        ("http://a\u03f2b.gr/", "xn--ab-vbc.gr"),
        ("http://☃.net/", "xn--n3h.net"),
        ("http://ex\u200bample.com/", "example.com"),
        ("http://ex\U000e0100ample.com/", "example.com"),
        ("http://ｅｘａｍｐｌｅ.com/", "example.com"),
        ("http://example。com/", "example.com"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://017700000001/", "127.0.0.1"),
        ("http://3232235777/", "192.168.1.1"),
        ("http://[::FFFF:192.168.1.1]/", "192.168.1.1"),
        ("http://[2001:DB8::0:1]/", "[2001:db8::1]"),
        ("http://1.2.3.4.example.com/", "1.2.3.4.example.com"),
    ],
)
def test_host_has_one_spelling(url: str, host: str) -> None:
    assert parse_url(url).host == host


async def test_chrome_reads_no_host_as_another_one() -> None:
    """A host that both accept must be the same for both: else a pattern could be evaded."""
    letters = [chr(code) for code in range(0x80, 0x30000) if chr(code).isprintable()]
    hosts = [f"a{letter}b.example" for letter in letters[::7]]
    # Chrome escapes stars, so its answer is read once more.
    seen = [host and canonical_host_or_none(host) for host in await hosts_in_chrome(hosts)]
    ours = [canonical_host_or_none(host) for host in hosts]
    pairs = zip(hosts, ours, seen, strict=True)
    differing = [each for each in pairs if None not in each and each[1] != each[2]]
    assert differing == []


def canonical_host_or_none(host: str) -> str | None:
    try:
        return canonical_host(host)
    except ValueError:
        return None


async def hosts_in_chrome(hosts: list[str]) -> list[str | None]:
    script = "(hosts) => hosts.map((host) => URL.parse(`http://${host}/`)?.hostname ?? null)"
    async with running_chrome(LaunchOptions(headless=True)) as transport:
        browser = CdpConnection(transport).browser
        target = (await browser.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
        attach = {"targetId": target, "flatten": True}
        session = (await browser.call("Target.attachToTarget", attach))["sessionId"]
        page = browser.child(session)
        assert page is not None
        ask = {"expression": f"({script})({json.dumps(hosts)})", "returnByValue": True}
        answer = await page.call("Runtime.evaluate", ask)
        return list(answer["result"]["value"])


@pytest.mark.parametrize("url", LOOPBACK)
def test_every_spelling_of_this_machine_is_known_as_it_or_refused(url: str) -> None:
    try:
        address = parse_url(url.format(port=80))
    except BadArguments:
        return
    assert any(leads_to_this_machine(each.host) for each in address.chain())


@pytest.mark.parametrize(
    "url",
    [
        "", " ", "example.com", "localhost:3000", "example.com:80/x", "/path", "http:x", "http:/x",
        "http://", "https:///x", "http://[bad", "http://[::1%25lo]/", "http://a b/", "http://x:65536/",
        "http://x:99999999999/", "http://x:-1/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://0x/x/../",
        "http://08.1.1.1/", "http://%00/", "http://%ff/", "http://a%2fb/", "http://a<b/", "http://./",
    ],
)  # fmt: skip
def test_what_is_no_address_is_an_error(url: str) -> None:
    if url == "http://0x/x/../":
        assert parse_url(url).host == "0.0.0.0"
        return
    with pytest.raises(BadArguments):
        parse_url(url)


def test_too_long_an_address_is_an_error_and_not_repeated_whole() -> None:
    with pytest.raises(BadArguments) as caught:
        parse_url("http://x/" + "a" * 3_000_000)
    assert len(caught.value.message) < 500


def test_wrapped_addresses_are_seen() -> None:
    address = parse_url("view-source:blob:http://LOCALHOST/x")
    assert [each.scheme for each in address.chain()] == ["view-source", "blob", "http"]
    assert list(address.chain())[-1].host == "localhost"


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("", "/"),
        ("/a/b", "/a/b"),
        ("/a/../b", "/b"),
        ("/../../b", "/b"),
        ("/a/%2e%2E/b/.", "/b/"),
        ("/a/..", "/"),
        ("//a", "//a"),
    ],
)
def test_dots_of_a_path_are_resolved(path: str, plain: str) -> None:
    assert resolve_path(path) == plain


@given(st.text())
def test_any_text_is_read_or_an_error(text: str) -> None:
    try:
        address = parse_url(text)
    except BadArguments:
        return
    assert isinstance(address, ParsedUrl)
    assert address.scheme == address.scheme.lower()


@given(st.integers(min_value=0, max_value=2**32 - 1), st.sampled_from(["{}", "0x{:x}", "0{:o}"]))
def test_every_number_is_the_same_host_in_every_base(number: int, form: str) -> None:
    dotted = ".".join(str(byte) for byte in number.to_bytes(4, "big"))
    assert canonical_host(form.format(number) if number else "0") == dotted


@given(st.text(alphabet="abc.0123456789xX%éß。:[]@\\/ \t", max_size=30))
def test_canonical_hosts_stay_as_they_are(text: str) -> None:
    try:
        host = canonical_host(text)
    except ValueError:
        return
    assert canonical_host(host) == host


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert strip_url(strip_url(text)) == strip_url(text)


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
