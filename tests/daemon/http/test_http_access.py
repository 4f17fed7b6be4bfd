from __future__ import annotations

from typing import Any

import pytest

from tabmux.daemon.http.http_access import AccessMiddleware, HttpAccess
from tabmux.errors import Misuse


def scope(
    *, path: str = "/mcp", query: str = "", method: str = "POST", **headers: str | list[str]
) -> dict[str, Any]:
    given = {"host": "127.0.0.1:3000", **headers}
    pairs = [
        (key.replace("_", "-").encode(), value.encode())
        for key, values in given.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": pairs,
    }


def status(door: HttpAccess, **request: Any) -> int | None:
    refusal = door.refusal(scope(**request))
    return None if refusal is None else refusal.status_code


OPEN = HttpAccess.at("127.0.0.1", 3000, None)
LOCKED = HttpAccess.at("127.0.0.1", 3000, "s3cret", token_place="~/.config/tabmux/token")


@pytest.mark.parametrize("host", ["127.0.0.1:3000", "localhost:3000", "[::1]:3000"])
def test_our_own_names_are_let_in(host: str) -> None:
    assert status(OPEN, host=host) is None
    assert status(OPEN, host=host, origin=f"http://{host}") is None


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:3000",
        "127.0.0.1.evil.example:3000",
        "localhost.evil.example:3000",
        "localhost.:3000",
        "LOCALHOST:3000",
        "localhost",
        "localhost:3001",
        "localhost:3000@evil.example",
        "127.0.0.1:3000 ",
        "0.0.0.0:3000",
        "[::1].evil:3000",
        "",
        "x" * 10_000,
        [],
        ["127.0.0.1:3000", "127.0.0.1:3000"],
    ],
)
def test_any_other_host_is_misdirected(host: Any) -> None:
    assert status(OPEN, host=host) == 421


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost:9999",
        "http://localhost",
        "https://localhost:3000",
        "http://localhost:3000.evil.example",
        "http://localhost:3000@evil.example",
        "http://evil.example#localhost:3000",
        "http://LOCALHOST:3000",
        "http://localhost:3000/",
        "http://127.0.0.1.evil.example",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
        "null",
        "",
        "x" * 10_000,
        ["http://localhost:3000", "http://localhost:3000"],
    ],
)
def test_any_other_origin_is_forbidden(origin: Any) -> None:
    assert status(OPEN, origin=origin) == 403
    assert status(OPEN, origin=origin, path="/health", method="GET") == 403


@pytest.mark.parametrize(
    ("site", "expected"),
    [("cross-site", 403), ("same-site", 403), ("same-origin", None), ("none", None)],
)
def test_a_page_that_hides_its_origin_is_still_a_page(site: str, expected: int | None) -> None:
    assert status(OPEN, sec_fetch_site=site, method="GET") == expected


@pytest.mark.parametrize(
    "shown",
    [
        {"authorization": "Bearer s3cret"},
        {"authorization": "bearer s3cret"},
        {"query": "token=s3cret"},
        {"query": "sessionId=x&token=s3cret"},
    ],
)
def test_the_token_opens(shown: dict[str, str]) -> None:
    assert status(LOCKED, **shown) is None


@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"authorization": "Bearer "},
        {"authorization": "Bearer s3cre"},
        {"authorization": "Bearer s3crets"},
        {"authorization": "Bearer S3CRET"},
        {"authorization": "Basic s3cret"},
        {"authorization": "s3cret"},
        {"authorization": "Bearer ß3cret"},
        {"query": "token="},
        {"query": "token=s3cre"},
        {"query": "token=%73%33cre%00"},
        {"query": "Token=s3cret"},
        {"cookie": "token=s3cret"},
    ],
)
def test_nothing_else_opens(shown: dict[str, str]) -> None:
    assert status(LOCKED, **shown) == 401


def test_a_refusal_says_what_to_add_and_where_it_is() -> None:
    refusal = LOCKED.refusal(scope())

    assert refusal is not None
    body = bytes(refusal.body).decode()
    assert "Authorization: Bearer <token>" in body
    assert "?token=<token>" in body
    assert "~/.config/tabmux/token" in body
    assert "s3cret" not in body
    assert refusal.headers["www-authenticate"].startswith("Bearer")


def test_health_needs_no_token_but_the_right_host() -> None:
    assert status(LOCKED, path="/health", method="GET") is None
    assert status(LOCKED, path="/health", host="evil.example") == 421
    assert status(LOCKED, path="/health/") == 401
    assert status(LOCKED, path="/nothing") == 401


def test_further_names_are_let_in_when_given() -> None:
    door = HttpAccess.at(
        "0.0.0.0",
        3000,
        "t",
        allowed_hosts=["box.lan:3000"],
        allowed_origins=["https://app.example"],
    )

    assert status(door, host="box.lan:3000", query="token=t") is None
    assert status(door, host="box.lan:3000", origin="https://app.example", query="token=t") is None
    assert status(door, host="0.0.0.0:3000", query="token=t") == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com", ""])
def test_serving_others_without_a_token_is_refused(host: str) -> None:
    with pytest.raises(Misuse):
        HttpAccess.at(host, 3000, None)


def test_on_port_80_the_port_may_be_left_out() -> None:
    assert status(HttpAccess.at("127.0.0.1", 80, None), host="localhost") is None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("token=s3cret", ["websocket.accept"]),
        ("token=wrong", ["websocket.close"]),
    ],
)
async def test_a_socket_is_guarded_like_everything_else(query: str, expected: list[str]) -> None:
    sent: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    await AccessMiddleware(app, LOCKED)({**scope(query=query), "type": "websocket"}, receive, send)

    assert sent == expected


def test_page_that_the_user_allowed_may_talk_to_us_with_the_token() -> None:
    door = HttpAccess.at(
        "127.0.0.1", 3000, "s3cret", allowed_origins=["https://claude.ai/", "http://box.lan:80"]
    )
    token = {"authorization": "Bearer s3cret"}
    assert status(door, origin="https://claude.ai", **token) is None
    assert status(door, origin="http://box.lan", **token) is None
    assert status(door, origin="https://claude.ai") == 401
    assert status(door, origin="https://claude.ai.evil.example", **token) == 403
    assert status(door, origin="http://claude.ai", **token) == 403


@pytest.mark.parametrize(
    "origin", ["*", "https://*.ai", "claude.ai", "https://", "file:///x", "https://a/path", "null"]
)
def test_what_is_no_origin_is_not_allowed_in_silence(origin: str) -> None:
    with pytest.raises(Misuse):
        HttpAccess.at("127.0.0.1", 3000, "s3cret", allowed_origins=[origin])


def test_host_that_the_user_allowed_means_us() -> None:
    door = HttpAccess.at("127.0.0.1", 3000, None, allowed_hosts=["Box.lan:3000"])
    assert status(door, host="box.lan:3000") is None
    assert status(door, host="box.lan") == 421


@pytest.mark.parametrize("host", ["*", "http://box.lan", "box.lan/", "", "a b"])
def test_what_is_no_host_is_not_allowed_in_silence(host: str) -> None:
    with pytest.raises(Misuse):
        HttpAccess.at("127.0.0.1", 3000, None, allowed_hosts=[host])
