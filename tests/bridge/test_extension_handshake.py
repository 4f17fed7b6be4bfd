from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tabmux.bridge import proofs
from tabmux.bridge.bridge_limits import BridgeLimits
from tabmux.bridge.extension_package import extension_origin
from tests.bridge.served_bridge import BROWSER, SECONDS, ServedBridge, serve_bridge


async def test_a_program_that_claims_to_be_the_extension_hears_only_a_challenge(
    served: ServedBridge,
) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    async with served.socket(token=None, origin=extension_origin()) as client:
        challenge = await client.hello(key.id)
        wrong = {"type": "proof", "proof": challenge["proof"], "browser": BROWSER}
        await client.send(wrong)
        code, said = await client.end()

    assert set(challenge) == {"type", "nonce", "proof", "clientNonce"}
    assert (code, said) == (4401, [])
    assert served.links.empty()


@pytest.mark.parametrize(
    "first",
    [{"type": "connected", "browser": {}, "tabs": []}, {"type": "ping"}, [], 7, "{", {"type": "hello"},
     {"type": "hello", "protocol": 2, "keyId": "x", "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": "x", "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": ["x"], "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": "../keys", "nonce": "A" * 43},
     {"type": "hello", "protocol": 1, "keyId": "pairing", "nonce": "A" * 43},
     {"type": "hello", "padding": "x" * 5000}],
)  # fmt: skip
async def test_nothing_is_said_to_who_does_not_prove_itself(
    served: ServedBridge, first: object
) -> None:
    async with served.socket(token=None, origin=extension_origin()) as client:
        await client.send(first)
        code, said = await client.end()

    assert code in (4400, 4401, 4406)
    assert said == []
    assert served.links.empty()


async def test_who_says_nothing_is_cut_off(tmp_path: Path) -> None:
    limits = BridgeLimits(handshake_seconds=0.1)
    async with (
        serve_bridge(tmp_path, limits=limits) as served,
        served.socket(token=None, origin=extension_origin()) as client,
    ):
        assert await client.end() == (4400, [])


async def test_strangers_cannot_take_up_every_place(served: ServedBridge) -> None:
    how: dict[str, Any] = {"token": None, "origin": extension_origin()}
    async with asyncio.TaskGroup() as group:
        release, everyone = asyncio.Event(), asyncio.Barrier(17)

        async def loiter() -> int:
            async with served.socket(**how):
                await everyone.wait()
                await release.wait()
            return 101

        crowd = [group.create_task(loiter()) for _ in range(16)]
        async with asyncio.timeout(SECONDS):
            await everyone.wait()
        refused = await served.status(**how)
        known = await served.status()
        release.set()

    assert (refused, known) == (403, 101)
    assert len(crowd) == 16


async def test_strangers_that_come_at_once_are_counted_too(served: ServedBridge) -> None:
    how: dict[str, Any] = {"token": None, "origin": extension_origin()}
    answered, inside, release = 0, 0, asyncio.Event()

    async def loiter() -> None:
        nonlocal answered, inside
        try:
            async with served.socket(**how):
                answered, inside = answered + 1, inside + 1
                await release.wait()
        except InvalidStatus:
            answered += 1

    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        for _ in range(40):
            group.create_task(loiter())
        while answered < 40:
            await asyncio.sleep(0)
        release.set()

    assert inside == 16
