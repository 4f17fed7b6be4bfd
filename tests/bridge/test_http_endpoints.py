from __future__ import annotations

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from tabmux.bridge.http_endpoints import notifications_endpoint
from tests.bridge.served_bridge import Message, ServedBridge

NAVIGATE = {"id": "c1", "type": "browser_navigate", "payload": {"url": "https://example.com"}}


class Session:
    """Keeps the notifications that it gets."""

    def __init__(self) -> None:
        self.received: list[tuple[Message, int | None]] = []

    def receive(self, message: Message, tab: int | None) -> None:
        self.received.append((message, tab))


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (NAVIGATE, {}),
        (NAVIGATE, {"x_instance_id": "s1", "x_tab_id": "x"}),
        (NAVIGATE, {"x_instance_id": "s1", "x_tab_id": "-1"}),
        ([], {"x_instance_id": "s1"}),
        ({"payload": {}}, {"x_instance_id": "s1"}),
        ({"type": "x", "payload": []}, {"x_instance_id": "s1"}),
        ({"type": 7}, {"x_instance_id": "s1"}),
    ],
)
async def test_a_command_that_is_none_reaches_nobody(
    served: ServedBridge, body: object, headers: dict[str, str]
) -> None:
    async with served.socket("/session/s1") as stub:
        answer = await served.post("/commands", body, **headers)
        await stub.send({"type": "ping"})

        assert answer.status_code == 400
        assert await stub.receive() == {"type": "pong"}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"type": "console"}, {}, 400),
        ({"type": "console"}, {"X-Instance-ID": "s1", "X-Tab-ID": "x"}, 400),
        ({"payload": {}}, {"X-Instance-ID": "s1"}, 400),
        ([], {"X-Instance-ID": "s1"}, 400),
        ({"type": "console"}, {"X-Instance-ID": "nobody"}, 404),
    ],
)
def test_a_notification_that_is_none_or_for_nobody_is_refused(
    body: Any, headers: dict[str, str], status: int
) -> None:
    session = Session()

    assert posted(session, body, headers) == status
    assert session.received == []


def test_a_notification_is_for_the_tab_of_its_header_or_else_of_its_payload() -> None:
    session = Session()
    body = {"type": "tab", "payload": {"tabId": 42}}

    assert posted(session, body, {"X-Instance-ID": "s1"}) == 202
    assert posted(session, body, {"X-Instance-ID": "s1", "X-Tab-ID": "7"}) == 202
    assert session.received == [(body, 42), (body, 7)]


def posted(session: Session, body: Any, headers: dict[str, str]) -> int:
    endpoint = notifications_endpoint(lambda name: session if name == "s1" else None)
    app = Starlette(routes=[Route("/ws-message", endpoint, methods=["POST"])])
    return TestClient(app).post("/ws-message", json=body, headers=headers).status_code
