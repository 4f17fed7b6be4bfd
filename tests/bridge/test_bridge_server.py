from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from tabmux.bridge import conversation, proofs
from tabmux.bridge.extension_package import extension_origin
from tests.bridge.place import BROWSER, SECONDS, Place


async def test_a_paired_extension_becomes_a_link_with_its_name_and_browser(place: Place) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")

    async with place.extension(key) as extension:
        link = await place.link()

        assert extension.welcome == {"type": "welcome", "name": "work"}
        assert (link.name, link.browser.name, link.browser.profile_id) == ("work", "Chromium", "p1")
        assert link.capabilities == {"cdp"}
        assert place.bridge.links == {"work": link}
    async with asyncio.timeout(SECONDS):
        assert "disconnected" in await link.closed
    assert place.bridge.links == {}


async def test_messages_go_both_ways_and_pings_are_answered(place: Place) -> None:
    async with place.socket() as stub:
        link = await place.link()
        heard: asyncio.Queue[object] = asyncio.Queue()
        link.on_message(heard.put_nowait)
        link.send({"type": "connect"})
        asked = await stub.receive()
        await stub.send({"type": "tabClosed", "tabId": 4})
        await stub.send({"type": "ping"})

        assert asked == {"type": "connect"}
        assert await stub.receive() == {"type": "pong"}
        assert heard.get_nowait() == {"type": "tabClosed", "tabId": 4}


async def test_several_extensions_are_several_browsers(place: Place) -> None:
    keys = [proofs.new_key(), proofs.new_key()]
    names = [place.keys.add(key, "chrome").name for key in keys]

    async with (
        place.extension(keys[0]),
        place.extension(keys[1], browser={**BROWSER, "profileId": "p2"}),
    ):
        links = [await place.link(), await place.link()]

        assert names == ["chrome", "chrome-2"]
        assert {(link.name, link.browser.profile_id) for link in links} == {
            ("chrome", "p1"),
            ("chrome-2", "p2"),
        }


async def test_a_live_extension_is_not_replaced_by_a_second_one(place: Place) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    async with place.extension(key) as first:
        link = await place.link()
        async with place.socket(token=None, origin=extension_origin()) as second:
            challenge = await second.hello(key.id)
            nonces = challenge["clientNonce"], challenge["nonce"]
            exchange = proofs.HandshakeTranscript(place.port, key.id, *nonces)
            proof = exchange.proof(key.secret, "extension")
            await second.send({"type": "proof", "proof": proof, "browser": BROWSER})
            code, said = await second.end()
        link.send({"type": "connect"})

        assert (code, said) == (4409, [])
        assert await first.receive() == {"type": "connect"}
    async with place.extension(key) as again:
        assert again.welcome["name"] == "work"


@pytest.mark.parametrize("path", ["/", "/session/s1"])
async def test_who_hangs_up_in_the_middle_of_the_handshake_blocks_nobody(
    place: Place, path: str
) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    for _ in range(20):
        async with place.socket(path, token=None, origin=extension_origin()) as rude:
            challenge = await rude.hello(key.id)
            nonces = challenge["clientNonce"], challenge["nonce"]
            proof = proofs.HandshakeTranscript(place.port, key.id, *nonces).proof(
                key.secret, "extension"
            )
            await rude.send({"type": "proof", "proof": proof, "browser": BROWSER})
            rude.websocket.transport.abort()
    async with asyncio.timeout(SECONDS):
        while place.bridge.links or place.bridge.commands.sessions():
            await asyncio.sleep(0)

    async with place.extension(key, path) as polite:
        assert polite.welcome["name"] == "work"


async def test_a_pairing_code_is_good_for_one_extension_once(place: Place) -> None:
    offer = place.pairing.offer("laptop")
    async with place.extension(proofs.key_of_code(offer.code)) as extension:
        key_id = extension.welcome["keyId"]
        assert extension.exchange is not None
        key = proofs.SharedKey(key_id, extension.exchange.granted(offer.key.secret))
    await place.link()

    assert [each.name for each in place.keys.all()] == ["laptop"]
    async with place.extension(key) as later:
        assert later.welcome == {"type": "welcome", "name": "laptop"}
    async with place.socket(token=None, origin=extension_origin()) as other:
        await other.send(_hello("pairing"))
        assert await other.end() == (4401, [])


async def test_an_expired_code_is_worth_nothing(place: Place) -> None:
    offer = place.pairing.offer(seconds=-1)
    async with place.socket(token=None, origin=extension_origin()) as client:
        await client.send(_hello("pairing"))

        assert await client.end() == (4401, [])
    assert place.pairing.pending() is None
    assert offer.code.count("-") == 3


async def test_a_revoked_extension_is_told_and_let_go(place: Place) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    async with place.extension(key) as extension:
        await place.link()
        place.keys.remove("work")

        assert await extension.end() == (4403, [{"type": "revoked"}])


async def test_a_revoked_extension_loses_its_sessions_too(place: Place) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    async with place.extension(key, "/session/s1") as extension:
        place.keys.remove("work")

        assert (await extension.end())[0] == 4403


async def test_an_extension_can_unpair_itself(place: Place) -> None:
    key = proofs.new_key()
    place.keys.add(key, "work")
    async with place.extension(key) as extension:
        await place.link()
        await extension.send({"type": "unpair"})
        await extension.end()

    assert place.keys.all() == []


async def test_a_message_of_20_mb_arrives_whole(place: Place) -> None:
    async with place.socket() as stub:
        link = await place.link()
        heard: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        link.on_message(heard.put_nowait)
        await stub.send({"type": "cdpResult", "id": 1, "result": "x" * 20_000_000})
        async with asyncio.timeout(SECONDS):
            result = (await heard.get())["result"]

    assert isinstance(result, str)
    assert len(result) == 20_000_000


async def test_too_long_a_message_is_counted_and_ends_only_its_own_link(place: Place) -> None:
    async with place.socket("/?name=one") as one, place.socket("/?name=two") as two:
        await place.link(), await place.link()
        await one.send(
            {"type": "tabUpdated", "tab": {"id": 1, "title": "x", "url": "y" * 5_000_000}}
        )
        assert (await one.receive())["type"] == "error"
        with suppress(ConnectionClosed):
            await one.send("x" * (64 * 1024 * 1024 + 1))
        assert (await one.end())[0] == 1009
        await two.send({"type": "ping"})

        assert await two.receive() == {"type": "pong"}
    assert (place.bridge.tally["malformed"], place.bridge.tally["oversized"]) == (1, 1)


async def test_an_extension_that_does_not_read_is_given_up(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabmux.bridge.extension_link.MOST_WAITING_BYTES", 1_000_000)
    async with place.socket() as lazy:
        link = await place.link()
        lazy.websocket.transport.pause_reading()
        for _ in range(10):
            link.send({"type": "connect", "padding": "x" * 900_000})
        async with asyncio.timeout(SECONDS):
            assert "too slowly" in await link.closed
        lazy.websocket.transport.abort()


async def test_an_extension_that_is_silent_for_too_long_is_not_there(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "LOOK_SECONDS", 0.05)
    async with place.socket("/?name=quiet") as quiet, place.socket("/?name=lively") as lively:
        links = {link.name: link for link in (await place.link(), await place.link())}
        begun = links["lively"].last_heard
        await lively.send({"type": "ping"})
        await lively.receive()
        assert links["lively"].last_heard > begun
        links["quiet"].last_heard -= conversation.SILENT_SECONDS

        assert await quiet.end() == (1000, [])
        assert set(place.bridge.links) == {"lively"}


async def test_a_listener_that_fails_does_not_harm_the_link(place: Place) -> None:
    def fail(message: object) -> None:
        raise ZeroDivisionError

    async with place.socket() as stub:
        (await place.link()).on_message(fail)
        await stub.send({"type": "disconnected"})
        await stub.send({"type": "ping"})

        assert await stub.receive() == {"type": "pong"}


async def test_health_says_how_many_extensions_there_are(place: Place) -> None:
    async with place.socket(), place.socket("/session/s1"):
        await place.link()
        answer = await place.get("/health")

    assert answer.json() == {
        "status": "ok", "service": "tabmux-bridge", "version": "1.2.3", "extensions": 1, "sessions": 1,
    }  # fmt: skip


def _hello(key_id: str) -> dict[str, object]:
    return {"type": "hello", "protocol": 1, "keyId": key_id, "nonce": proofs.new_nonce()}
