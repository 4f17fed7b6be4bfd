from __future__ import annotations

from pathlib import Path

import pytest

from tabmux.errors import Misuse, Refused
from tabmux.policy.policy import Policy
from tabmux.policy.policy_file import PolicyFile, parse_policy, read_policy_file
from tabmux.policy.session_policies import SessionPolicies
from tabmux.settings import Settings

GROUPS = {
    "navigation": ["navigate_page", "new_page"],
    "debugging": ["take_snapshot", "evaluate_script"],
    "page tools": ["call_page_tool"],
}
WHOLE = """\
[default]                     # everybody
urls = ["https://*.example.com"]
tools = ["-evaluate_script"]
calls = 2000

[client."claude-code*"]
read_only = true

[session.work]
urls = [
  "https://shop.example.com",
  "https://mail.example.com/inbox/*",
]
minutes = 1.5
"""


def parsed(text: str) -> PolicyFile:
    return parse_policy(text, "/etc/tabmux/policy.toml", GROUPS)


def wrong(text: str) -> list[str]:
    """Return what is wrong, with its line."""
    return [f"{each.line}: {each.text} {each.hint}" for each in parsed(text).problems]


def policy(text: str, *, session: str = "", client: str = "", **settings: object) -> Policy:
    own = Settings(**settings)  # type: ignore[arg-type]
    clients = client.split(",") if client else []
    return SessionPolicies(own, parsed(text).checked()).of(own, session, clients)


def test_every_section_that_applies_narrows_the_others() -> None:
    found = policy(WHOLE, session="work", client="claude-code/2.1")
    assert found.read_only
    assert not found.scripts
    assert (found.calls, found.minutes) == (2000, 1.5)
    assert found.urls.permits("https://shop.example.com/cart")
    assert not found.urls.permits("https://docs.example.com/")
    assert not found.urls.permits("https://mail.example.com/sent")


def test_those_whom_no_section_names_have_the_default() -> None:
    found = policy(WHOLE, session="play", client="cursor/1")
    assert not found.read_only
    assert found.urls.permits("https://docs.example.com/")
    assert not found.urls.permits("https://other.test/")
    assert found.tool_limit_against("take_snapshot") is None


def test_errors_name_section_key_and_line() -> None:
    found = policy(WHOLE, session="work")
    with pytest.raises(Refused, match=r"`urls` of \[session.work\] \(policy.toml:10\)"):
        found.urls.check("https://docs.example.com/")
    limit = found.tool_limit_against("evaluate_script")
    assert limit is not None
    assert str(limit.source) == "`tools` of [default] (policy.toml:3)"
    assert found.sources["minutes"].line == 14


def test_file_never_goes_beyond_the_command_line() -> None:
    found = policy(
        '[default]\nurls = ["*.example.com"]\nscripts = true',
        allow_url=("https://example.com",),
        no_javascript_evaluation=True,
    )
    assert not found.scripts
    assert found.urls.permits("https://example.com/")
    assert not found.urls.permits("https://www.example.com/")


@pytest.mark.parametrize(
    ("pattern", "client", "applies"),
    [
        ("claude-code", "claude-code/2.1", True),
        ("claude-code*", "Claude-Code/2.1", True),
        ("claude-code/2.*", "claude-code/2.1", True),
        ("claude", "claude-code/2.1", False),
        ("*", "", False),
    ],
)
def test_clients_are_meant_by_name_and_by_version(pattern: str, client: str, applies: bool) -> None:
    assert policy(f'[client."{pattern}"]\nread_only = true', client=client).read_only is applies


def test_session_that_two_clients_have_used_keeps_the_rules_of_both() -> None:
    text = "[client.strict]\nread_only = true\n[client.lax]\ncalls = 5"
    found = policy(text, client="strict/1,lax/1")
    assert found.read_only
    assert found.calls == 5


WIDENING = """
[default]
urls = ["https://example.com"]
deny_urls = ["https://example.com/admin/*"]
scripts = false
calls = 10
[client.trusted]
widens = true
urls = ["https://other.test"]
scripts = true
calls = 50
"""


def test_section_that_widens_stands_in_the_place_of_less_specific_ones() -> None:
    found = policy(WIDENING, client="trusted")
    assert found.urls.permits("https://other.test/")
    assert not found.urls.permits("https://example.com/")
    assert found.scripts
    assert found.calls == 50
    assert [section.title for section in parsed(WIDENING).widening] == ["[client.trusted]"]


def test_what_widens_for_one_client_does_not_for_another_in_the_same_session() -> None:
    found = policy(WIDENING, client="trusted,stranger")
    assert not found.urls.permits("https://other.test/")
    assert found.calls == 10


def test_rules_of_a_session_change_with_those_who_come() -> None:
    own = Settings()
    rules = SessionPolicies(own, parsed(WIDENING).checked()).open(own, "")
    assert rules.policy.calls == 10
    assert rules.joined("trusted/1").calls == 50
    assert rules.joined("trusted/2") is rules.policy
    assert rules.joined("").calls == 10
    assert rules.joined("trusted/1").calls == 10


def test_whole_browsers_are_held_to_what_no_section_widens() -> None:
    own = Settings()
    urls = SessionPolicies(own, parsed(WIDENING).checked()).browser_urls
    assert urls.permits("https://other.test/")
    assert not urls.permits("https://example.com/admin/x")
    assert SessionPolicies(own, parsed(WIDENING)).has_session_urls
    assert not SessionPolicies(own, parsed('[default]\nurls = ["a.test"]')).has_session_urls


def test_list_of_tools_is_read_from_left_to_right() -> None:
    def left(tools: str) -> set[str]:
        (limit,) = policy(f"[default]\ntools = {tools}").tools
        return set(limit.allowed)

    assert left('["navigation"]') == {"navigate_page", "new_page"}
    assert left('["-debugging", "+take_snapshot"]') == {
        "navigate_page", "new_page", "take_snapshot", "call_page_tool",
    }  # fmt: skip
    assert left('["debugging", "-evaluate_script"]') == {"take_snapshot"}


def test_names_that_pages_give_their_tools_count_as_calls_of_page_tools() -> None:
    found = policy('[default]\ntools = ["-page tools"]')
    assert found.tool_limit_against("search_the_shop") is not None
    assert policy('[default]\ntools = ["-debugging"]').tool_limit_against("search") is None


def test_files_are_granted_by_the_default_and_narrowed_by_sections(tmp_path: Path) -> None:
    for name in ("work/deep", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    text = f'[default]\nfiles = ["{tmp_path}/work"]\n[session.s]\nfiles = ["{tmp_path}/work/deep"]'
    outside = str(Path("/var/x.txt"))
    found = policy(text).files.joined([Path("/var")])
    assert tmp_path / "work" in found.roots
    with pytest.raises(Refused, match=r"`files` of \[default\]"):
        found.writable(outside)
    assert {limit.source.section for limit in policy(text, session="s").files.limits} == {
        "[default]", "[session.s]",
    }  # fmt: skip


def test_secrets_of_all_sections_must_agree() -> None:
    text = '[default]\nsecrets = ["A", "B"]\n[session.s]\nsecrets = ["B"]\ndownloads = false'
    assert policy(text).secrets == frozenset({"A", "B"})
    assert policy(text, session="s").secrets == frozenset({"B"})
    assert not policy(text, session="s").downloads
    assert policy("[default]\ncalls = 1").secrets is None


def test_secret_is_named_as_its_table_names_it() -> None:
    assert policy('[default]\nsecrets = ["shop-admin"]').secrets == frozenset({"shop-admin"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[default]\nurl = []", "2: [default] has an unknown key 'url'. Did you mean urls?"),
        ("\n[defualt]\ncalls = 1", "2: unknown section [defualt]. Did you mean default?"),
        ("calls = 1", "1: 'calls' is in no section"),
        ("[client]\nread_only = true", "2: [client] names nobody. Write [client.NAME]."),
        ("[session.a]", "1: [session.a] has no rules."),
        ('[client." "]\ncalls = 1', '1: [client." "] can never apply'),
        ('[session."a/b"]\ncalls = 1', '1: [session."a/b"] can never apply'),
        ('[default]\ntools = [\n"-evaluate_scirpt"]', "Did you mean evaluate_script?"),
        ('[default]\ntools = ["-navigation", "-debugging", "-page tools"]', "leaves no tool"),
        ('[default]\nurls = [\n"a.test",\n"*example.com"]', "4: [default] urls: '*example.com' would"),
        ('[default]\nurls = ["https://a.test/#x"]', "can match no address, because of '#'"),
        ('[default]\nurls = ["a.test, b.test"]', "can match no address, because of ','"),
        ('[default]\nurls = "a.test"', "2: [default] urls: 'a.test' is not a list of texts."),
        ('[default]\nurls = ["https://a.test"]\ndeny_urls = ["a.test"]', "denies all of it"),
        ("[default]\ncalls = 0", "2: [default] calls: 0 is not a whole number from 1."),
        ("[default]\nminutes = true", "True is not a number of minutes."),
        ('[default]\nscripts = "no"', "'no' is neither true nor false."),
        ('[default]\nsecrets = ["a b"]', "'a b' is not the name of a secret."),
        ('[default]\nfiles = ["~/*"]', "'~/*' is not a folder."),
        ("[default]\nwidens = true\ncalls = 1", "[default] is what others widen."),
        ("[session.a]\nwidens = true", "1: [session.a] widens nothing."),
        ("[default]\ncalls = 1\n[default]\ncalls = 2", "3: "),
        ("[default", "1: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line_and_what_was_meant(text: str, problem: str) -> None:
    (found,) = wrong(text)
    assert problem in found


@pytest.mark.parametrize(
    ("default", "section"),
    [
        ('urls = ["https://*.example.com"]', 'urls = ["https://other.test"]'),
        ("scripts = false", "scripts = true"),
        ("read_only = true", "read_only = false"),
        ("downloads = false", "downloads = true"),
        ("calls = 5", "calls = 6"),
        ("minutes = 5", "minutes = 5.5"),
        ('secrets = ["A"]', 'secrets = ["A", "B"]'),
        ('files = ["/srv/a"]', 'files = ["/srv/b"]'),
        ('tools = ["-evaluate_script"]', 'tools = ["debugging"]'),
    ],
)
def test_section_that_would_allow_more_must_say_so(default: str, section: str) -> None:
    (found,) = wrong(f"[default]\n{default}\n[session.a]\n{section}")
    assert found.startswith("4: [session.a]")
    assert "more than [default] allows in policy.toml:2" in found
    assert not wrong(f"[default]\n{default}\n[session.a]\nwidens = true\n{section}")


def test_every_problem_is_noted_and_a_daemon_says_the_first() -> None:
    text = "[default]\ncalls = 0\nfoo = 1\n[sesion.a]\ncalls = 1"
    assert len(wrong(text)) == 3
    with pytest.raises(Misuse, match=r"line 2: .*line 3: .*line 4: "):
        parsed(text).checked()


def test_file_that_is_not_there_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="Could not read the policy file"):
        read_policy_file(str(tmp_path / "none.toml"), GROUPS)
