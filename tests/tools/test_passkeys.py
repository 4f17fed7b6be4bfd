"""Passkeys: registered and used for an agent that never sees the key."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.errors import KeyringLocked

from tabmux.content import Reply, SilentClient
from tabmux.errors import ProtocolFault
from tabmux.settings import Settings
from tests.agent import Agent
from tests.secrets.stores import stores
from tests.serving import running
from tests.site import Site, _send

SERVICE, PLACE = "tabmux/passkeys", "keyring:tabmux/passkeys"
SCRIPT = """<script>
  const challenge = new Uint8Array(16);
  function say(text) { document.querySelector('output').textContent = text }
  async function create() {
    try {
      const made = await navigator.credentials.create({publicKey: {
        challenge, rp: {name: 'Shop'}, user: {id: new Uint8Array([1, 2]), name: 'ann', displayName: 'Ann'},
        pubKeyCredParams: [{type: 'public-key', alg: -7}],
        authenticatorSelection: {residentKey: 'required', userVerification: 'required'}}});
      localStorage.id = made.id; say('Registered');
    } catch (error) { say('Failed ' + error.name) }
  }
  async function get(mediation) {
    try {
      const got = await navigator.credentials.get({mediation, publicKey: {challenge, userVerification: 'required'}});
      const count = new DataView(got.response.authenticatorData).getUint32(33);
      say(`Welcome, ${got.id === localStorage.id}, ${count}`);
    } catch (error) { say('Failed ' + error.name) }
  }
</script>"""
HEAD = f"<!doctype html><title>Keys</title><output></output>{SCRIPT}"
REGISTER = f"{HEAD}<button onclick=create()>Create a passkey</button>"
BUTTON = f"""{HEAD}<form><label>User <input autocomplete=username></label><button>Log in</button></form>
  <button onclick="get('optional')">Sign in with a passkey</button>"""
BY_ITSELF = f"""{HEAD}<label>User <input autocomplete="username webauthn"></label>
  <script>get('conditional')</script>"""
NAME_FIRST = f"""{HEAD}<form onsubmit="event.preventDefault(); get('optional')">
  <label>User <input autocomplete=username></label><button>Next</button></form>"""


class Person(SilentClient):
    """A client whose user answers."""

    def __init__(self, answer: bool | None) -> None:
        self.answer, self.asked = answer, list[str]()

    async def confirm(self, question: str, *, about: str = "confirm") -> bool | None:
        self.asked.append(question)
        return self.answer


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("keys")
    with stores(folder):
        yield folder


@pytest.fixture(scope="module")
async def app(site: Site, kept: Path) -> AsyncIterator[Any]:
    def table(name: str, origin: str, approve: str, **parts: str) -> tuple[tuple[str, Any], ...]:
        made = {"name": name, "origins": (origin,), "approve": approve, **parts}
        return tuple(sorted(made.items()))

    monkey = pytest.MonkeyPatch()
    monkey.setenv("TABMUX_TEST_NAME", "ann@canary.example")
    # WebAuthn wants a name, which 127.0.0.1 is not.
    origin = site.other_origin
    tables = (
        table("shop", origin, "always", passkey=f"{PLACE}/shop"),
        table("asks", origin, "ask", passkey=f"{PLACE}/shop"),
        table("named", origin, "always", passkey=f"{PLACE}/shop", username="env:TABMUX_TEST_NAME"),
        table("empty", origin, "always", passkey=f"{PLACE}/nothing"),
        table(
            "site",
            f"http://login.shop.localhost:{site.port}",
            "always",
            passkey=f"{PLACE}/site",
        ),
        table("elsewhere", "https://shop.example", "always", passkey=f"{PLACE}/shop"),
    )
    settings = Settings(launch=True, headless=True, isolated=True, tools="+storage", secret=tables)
    async with running(settings, bridged=False) as made:
        yield made
    monkey.undo()


@pytest.fixture
async def agent(app: Any, site: Site) -> AsyncIterator[Agent]:
    async with Agent.joined(app, site) as agent:
        yield agent
        await agent.session.close()


@pytest.fixture
async def passkey(agent: Agent) -> dict[str, Any]:
    """Register one; returns what the keyring has of it."""
    keyring.set_password(SERVICE, "shop", "")
    await opened(agent, REGISTER)
    uid = agent.uid('button "Create a passkey"')
    text = await agent("register_passkey", secret="shop", uid=uid)
    assert "Registered and kept" in text
    return stored()


def stored() -> dict[str, Any]:
    return json.loads(keyring.get_password(SERVICE, "shop") or "{}")  # type: ignore[no-any-return]


async def opened(agent: Agent, html: str, *, other: bool = True) -> None:
    await agent("navigate_page", url=agent.site.page(html, other=other))
    await agent("take_snapshot")


async def called(agent: Agent, person: Person, name: str, **arguments: Any) -> Reply:
    return await agent.session.call(name, arguments, person)


async def test_registered_passkey_is_in_the_keyring_alone(
    agent: Agent, passkey: dict[str, Any]
) -> None:
    assert passkey["rpId"] == "localhost"
    key = passkey["privateKey"]
    for name in ("take_snapshot", "list_console_messages", "list_storage", "list_secrets"):
        assert key[:24] not in (await agent.reply(name)).text
    uid = agent.uid('button "Create')
    code, _ = await agent.fails("register_passkey", secret="shop", uid=uid)
    assert code == "refused_by_policy"
    assert stored() == passkey


@pytest.mark.parametrize(
    ("html", "secret"), [(BUTTON, "shop"), (BY_ITSELF, "shop"), (NAME_FIRST, "named")]
)
async def test_login_by_passkey_counts_on(
    agent: Agent, passkey: dict[str, Any], html: str, secret: str
) -> None:
    for _ in range(2):
        before = stored()["signCount"]
        await opened(agent, html)
        text = await agent("log_in", secret=secret)
        assert "was given the passkey" in text
        assert passkey["privateKey"][:24] not in text
        assert stored()["signCount"] == before + 1
        assert f"Welcome, true, {before + 1}" in await agent("take_snapshot")


async def test_authenticator_is_gone_after_the_login(agent: Agent, passkey: dict[str, Any]) -> None:
    await opened(agent, BUTTON)
    await agent("log_in", secret="shop")
    (handle,) = agent.session.pages.values()
    with pytest.raises(ProtocolFault, match="not been enabled"):
        await handle.attached_page.main.channel.call(
            "WebAuthn.addVirtualAuthenticator",
            {"options": {"protocol": "ctap2", "transport": "internal"}},
        )


async def test_user_is_asked_and_nobody_to_ask_is_no_permission(
    agent: Agent, passkey: dict[str, Any]
) -> None:
    await opened(agent, BUTTON)
    for answer, code in ((None, "needs_human"), (False, "refused_by_user")):
        person = Person(answer)
        assert (await called(agent, person, "log_in", secret="asks")).code == code
        assert len(person.asked) == 1
    assert stored() == passkey
    assert not (await called(agent, Person(True), "log_in", secret="asks")).failed


async def test_passkey_is_kept_from_other_origins_scripts_and_fields(
    agent: Agent, passkey: dict[str, Any]
) -> None:
    await opened(agent, BUTTON)
    assert (await agent.fails("log_in", secret="elsewhere"))[0] == "refused_by_policy"
    await opened(agent, BUTTON, other=False)
    assert (await agent.fails("log_in", secret="shop"))[0] == "refused_by_policy"
    await opened(agent, BUTTON)
    uid = agent.uid('textbox "User')
    for value in ("$secret:shop.passkey", "$secret:named.passkey"):
        assert (await agent.fails("fill", uid=uid, value=value))[0] == "no_such_secret"
    await agent("evaluate_script", function="() => 1")
    assert (await agent.fails("log_in", secret="shop"))[0] == "secret_in_page"
    assert stored() == passkey


async def test_page_that_leaves_for_another_origin_of_its_site_gets_no_passkey(
    agent: Agent, site: Site
) -> None:
    """Both hosts may use a passkey of shop.localhost; only one of them is the secret's."""
    of_site = HEAD.replace("rp: {name: 'Shop'}", "rp: {name: 'Shop', id: 'shop.localhost'}")
    of_site = of_site.replace(
        "publicKey: {challenge, user", "publicKey: {challenge, rpId: 'shop.localhost', user"
    )
    pages = {
        "/register": of_site + "<button onclick=create()>Create a passkey</button>",
        "/log-in": of_site + "<button onclick=\"get('optional')\">Sign in with a passkey</button>",
        "/asks": of_site + "<script>get('optional')</script>",
        "/leaves": f"""<button onclick="location = 'http://other.shop.localhost:{site.port}/asks'">
          Sign in with a passkey</button>""",
    }
    for path, html in pages.items():
        site.serve(path, partial(_send, body=html.encode()))
    origin = f"http://login.shop.localhost:{site.port}"
    keyring.set_password(SERVICE, "site", "")
    await agent("navigate_page", url=f"{origin}/register")
    await agent("take_snapshot")
    await agent("register_passkey", secret="site", uid=agent.uid('button "Create'))
    await agent("navigate_page", url=f"{origin}/log-in")
    await agent("log_in", secret="site")
    assert "Welcome" in await agent("take_snapshot")
    kept = keyring.get_password(SERVICE, "site")
    await agent("navigate_page", url=f"{origin}/leaves")
    code, _ = await agent.fails("log_in", secret="site")
    assert code == "login_failed"
    assert "Welcome" not in await agent("take_snapshot")
    assert keyring.get_password(SERVICE, "site") == kept


async def test_nothing_is_registered_that_could_not_be_kept(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*place: str) -> None:
        raise KeyringLocked("locked")

    keyring.set_password(SERVICE, "shop", "")
    await opened(agent, REGISTER)
    uid = agent.uid('button "Create a passkey"')
    monkeypatch.setattr(keyring.get_keyring(), "set_password", locked)
    code, text = await agent.fails("register_passkey", secret="shop", uid=uid)
    assert code == "secret_unavailable"
    assert "unlock" in text
    assert "Registered" not in await agent("take_snapshot")


async def test_missing_passkey_and_page_that_takes_none_are_told(
    agent: Agent, passkey: dict[str, Any]
) -> None:
    await opened(agent, BUTTON)
    assert (await agent.fails("log_in", secret="empty"))[0] == "secret_unavailable"
    await opened(agent, "<p>Nothing</p><button>Create a passkey</button>")
    assert (await agent.fails("log_in", secret="shop"))[0] == "login_failed"
    await agent("take_snapshot")
    uid = agent.uid('button "Create')
    assert (await agent.fails("register_passkey", secret="empty", uid=uid))[0] == "login_failed"
