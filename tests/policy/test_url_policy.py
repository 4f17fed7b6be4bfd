from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import BadArguments, Misuse, Refused, TabmuxError
from tabmux.policy.url_policy import OPEN_SCHEMES, UrlPolicy
from tests.hostile.corpora import LOOPBACK, SCHEMES


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "https://a.b:8443/x?y#z",
        "about:blank",
        "data:text/html,hi",
        "HTTP://X/",
    ],
)
def test_ordinary_addresses_pass(url: str) -> None:
    assert UrlPolicy().check(url) == url


@pytest.mark.parametrize("url", SCHEMES)
def test_what_no_page_may_be_sent_to_is_refused(url: str) -> None:
    with pytest.raises((Refused, BadArguments)):
        UrlPolicy().check(url)


@pytest.mark.parametrize("url", LOOPBACK)
def test_denied_machine_is_denied_in_every_spelling(url: str) -> None:
    with pytest.raises((Refused, BadArguments)):
        UrlPolicy.of(deny=["localhost"]).check(url.format(port=8080))
    assert not UrlPolicy.of(allow=["example.com"]).permits(url.format(port=8080))


def test_scheme_can_be_allowed_and_what_it_wraps_is_still_checked() -> None:
    assert UrlPolicy.of(schemes=["file:"]).check("file:///tmp/x") == "file:///tmp/x"
    viewing = UrlPolicy.of(schemes=["view-source"])
    assert viewing.check("view-source:http://x/") == "view-source:http://x/"
    with pytest.raises(Refused):
        viewing.check("view-source:file:///etc/passwd")


def test_only_what_is_allowed_passes_where_something_is() -> None:
    policy = UrlPolicy.of(allow=["https://*.example.com/*"])
    assert policy.permits("https://www.example.com/a?b")
    assert not policy.permits("http://www.example.com/")
    assert not policy.permits("https://example.org/")
    assert not policy.permits("blob:https://example.org/1")
    assert policy.permits("about:blank")
    assert policy.permits("data:text/plain,x")


def test_denial_beats_permission() -> None:
    policy = UrlPolicy.of(allow=["example.com"], deny=["example.com/private/*"])
    assert policy.permits("http://example.com/public")
    assert not policy.permits("http://example.com/private/x")


def test_refusal_says_where_the_rule_comes_from() -> None:
    with pytest.raises(Refused) as caught:
        UrlPolicy.of(allow=["example.com"]).check("http://other.org/")
    assert "http://other.org/" in caught.value.message
    assert "--allow-url" in caught.value.hint


def test_browser_of_its_own_list_has_more_denied_and_its_own_allowed() -> None:
    common = UrlPolicy.of(allow=["a.com", "b.com"], deny=["c.com"])
    own = common.within(["d.com"], ["e.com"])
    assert [own.permits(f"http://{name}.com/") for name in "abcde"] == [
        False,
        False,
        False,
        True,
        False,
    ]
    assert common.within([], []) == common


def test_without_scripts_no_data_either() -> None:
    with pytest.raises(Refused):
        UrlPolicy.of(scripts=False).check("data:text/html,<script>1</script>")


def test_pages_elsewhere_are_not_shown_but_blank_and_first_pages_are() -> None:
    policy = UrlPolicy()
    for url in ("", "about:blank", "chrome://newtab/", "http://x/"):
        assert policy.shows(url)
    for url in (
        "file:///etc/passwd",
        "chrome://settings/",
        "view-source:http://x/",
        "devtools://x",
    ):
        assert not policy.shows(url)


def test_workers_of_hosts_that_cannot_be_visited_are_not_ours() -> None:
    policy = UrlPolicy.of(allow=["example.com/app/*"])
    assert policy.may_host("https://example.com/worker.js")
    assert not policy.may_host("https://mail.example.org/worker.js")
    assert not policy.may_host("blob:https://mail.example.org/1")
    assert policy.may_host("data:text/javascript,1")
    assert not policy.may_host("chrome-extension://abc/worker.js")
    assert UrlPolicy.of(deny=["x.com"]).may_host("https://mail.example.org/worker.js")


def test_network_service_lets_through_what_is_allowed_and_nothing_else() -> None:
    rules = UrlPolicy.of(allow=["https://example.com"], deny=["https://example.com/x"]).conditions()
    cut = [(rule["urlPattern"], rule["offline"]) for rule in rules]
    assert cut[0] == ("https://example.com{.}?:*/x", True)
    assert ("wss://example.com{.}?:*/*", False) in cut
    assert cut[-1] == ("", True)


def test_browser_we_start_resolves_only_hosts_that_are_allowed() -> None:
    (argument,) = UrlPolicy.of(allow=["*.example.com"]).launch_arguments(has_proxy=False)
    assert argument == (
        "--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE *.example.com,EXCLUDE example.com"
    )
    assert UrlPolicy().launch_arguments(has_proxy=False) == []
    assert UrlPolicy.of(allow=["x.com"]).launch_arguments(has_proxy=True) == []


@pytest.mark.parametrize(
    ("denied", "unresolved"),
    [
        ("example.com", ["example.com", "example.com."]),
        ("example.com:8080", ["example.com:8080", "example.com.:8080"]),
        ("*:22", ["*:22", "*.:22"]),
        ("10.*", ["10.*", "10.*."]),
        # Of these the browser may still reach something.
        ("https://example.com", []),
        ("example.com/admin/*", []),
    ],
)
def test_browser_we_start_resolves_no_host_or_port_that_is_denied(
    denied: str, unresolved: list[str]
) -> None:
    arguments = UrlPolicy.of(deny=[denied]).launch_arguments(has_proxy=False)
    rules = ",".join(f"MAP {name} ~NOTFOUND" for name in unresolved)
    assert arguments == ([f"--host-resolver-rules={rules}"] if rules else [])


@pytest.mark.parametrize("denied", ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
def test_browser_we_start_resolves_no_name_of_this_machine_with_a_port_that_is_denied(
    denied: str,
) -> None:
    (argument,) = UrlPolicy.of(deny=[denied]).launch_arguments(has_proxy=False)
    for name in ("localhost", "*.localhost", "127.*.*.*", "[::1]", "[::ffff:7f*]"):
        assert f"MAP {name}:3000 ~NOTFOUND" in argument


def test_bad_pattern_is_a_mistake_of_the_user() -> None:
    with pytest.raises(Misuse):
        UrlPolicy.of(allow=["*example.com"])


@given(st.text())
def test_any_text_is_passed_or_refused_cleanly(text: str) -> None:
    try:
        checked = UrlPolicy().check(text)
    except TabmuxError:
        return
    assert checked.split(":")[0].lower() in OPEN_SCHEMES


@given(st.text(), st.sampled_from(["localhost", "example.com", "*.a.b", "10.*"]))
def test_nothing_is_both_denied_and_permitted(text: str, pattern: str) -> None:
    url = f"http://{text}"
    if UrlPolicy.of(allow=[pattern]).permits(url):
        assert not UrlPolicy.of(deny=[pattern]).permits(url)
