from __future__ import annotations

import asyncio

import pytest

from tabmux.bridge import proofs
from tabmux.bridge.extension_package import extension_origin
from tests.bridge.served_bridge import BROWSER, SECONDS, ServedBridge


async def test_a_paired_extension_becomes_a_link_with_its_name_and_browser(
    served: ServedBridge,
) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")

    async with served.extension(key) as extension:
        link = await served.link()

        assert extension.welcome == {"type": "welcome", "name": "work"}
        assert (link.name, link.browser.name, link.browser.profile_id) == ("work", "Chromium", "p1")
        assert link.capabilities == {"cdp"}
        assert served.bridge.links == {"work": link}
    async with asyncio.timeout(SECONDS):
        assert "disconnected" in await link.closed
    assert served.bridge.links == {}


async def test_messages_go_both_ways_and_pings_are_answered(served: ServedBridge) -> None:
    async with served.socket() as stub:
        link = await served.link()
        heard: asyncio.Queue[object] = asyncio.Queue()
        link.on_message(heard.put_nowait)
        link.send({"type": "connect"})
        asked = await stub.receive()
        await stub.send({"type": "tabClosed", "tabId": 4})
        await stub.send({"type": "ping"})

        assert asked == {"type": "connect"}
        assert await stub.receive() == {"type": "pong"}
        assert heard.get_nowait() == {"type": "tabClosed", "tabId": 4}


async def test_several_extensions_are_several_browsers(served: ServedBridge) -> None:
    keys = [proofs.new_key(), proofs.new_key()]
    names = [served.keys.add(key, "chrome").name for key in keys]

    async with (
        served.extension(keys[0]),
        served.extension(keys[1], browser={**BROWSER, "profileId": "p2"}),
    ):
        links = [await served.link(), await served.link()]

        assert names == ["chrome", "chrome-2"]
        assert {(link.name, link.browser.profile_id) for link in links} == {
            ("chrome", "p1"),
            ("chrome-2", "p2"),
        }


async def test_a_live_extension_is_not_replaced_by_a_second_one(served: ServedBridge) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    async with served.extension(key) as first:
        link = await served.link()
        async with served.socket(token=None, origin=extension_origin()) as second:
            challenge = await second.hello(key.id)
            nonces = challenge["clientNonce"], challenge["nonce"]
            transcript = proofs.HandshakeTranscript(served.port, key.id, *nonces)
            proof = transcript.proof(key.secret, "extension")
            await second.send({"type": "proof", "proof": proof, "browser": BROWSER})
            code, said = await second.end()
        link.send({"type": "connect"})

        assert (code, said) == (4409, [])
        assert await first.receive() == {"type": "connect"}
    async with served.extension(key) as again:
        assert again.welcome["name"] == "work"


@pytest.mark.parametrize("path", ["/", "/session/s1"])
async def test_who_hangs_up_in_the_middle_of_the_handshake_blocks_nobody(
    served: ServedBridge, path: str
) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    for _ in range(20):
        async with served.socket(path, token=None, origin=extension_origin()) as rude:
            challenge = await rude.hello(key.id)
            nonces = challenge["clientNonce"], challenge["nonce"]
            proof = proofs.HandshakeTranscript(served.port, key.id, *nonces).proof(
                key.secret, "extension"
            )
            await rude.send({"type": "proof", "proof": proof, "browser": BROWSER})
            rude.websocket.transport.abort()
    async with asyncio.timeout(SECONDS):
        while served.bridge.links or served.bridge.session_sockets.sessions():
            await asyncio.sleep(0)

    async with served.extension(key, path) as polite:
        assert polite.welcome["name"] == "work"


async def test_a_pairing_code_is_good_for_one_extension_once(served: ServedBridge) -> None:
    offer = served.pairing.offer("laptop")
    async with served.extension(proofs.key_of_code(offer.code)) as extension:
        key_id = extension.welcome["keyId"]
        assert extension.transcript is not None
        key = proofs.SharedKey(key_id, extension.transcript.derived_secret(offer.key.secret))
    await served.link()

    assert [each.name for each in served.keys.all()] == ["laptop"]
    async with served.extension(key) as later:
        assert later.welcome == {"type": "welcome", "name": "laptop"}
    async with served.socket(token=None, origin=extension_origin()) as other:
        await other.send(_hello("pairing"))
        assert await other.end() == (4401, [])


async def test_an_expired_code_is_worth_nothing(served: ServedBridge) -> None:
    offer = served.pairing.offer(seconds=-1)
    async with served.socket(token=None, origin=extension_origin()) as client:
        await client.send(_hello("pairing"))

        assert await client.end() == (4401, [])
    assert served.pairing.pending() is None
    assert offer.code.count("-") == 3


async def test_a_revoked_extension_is_told_and_let_go(served: ServedBridge) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    async with served.extension(key) as extension:
        await served.link()
        served.keys.remove("work")

        assert await extension.end() == (4403, [{"type": "revoked"}])


async def test_a_revoked_extension_loses_its_sessions_too(served: ServedBridge) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    async with served.extension(key, "/session/s1") as extension:
        served.keys.remove("work")

        assert (await extension.end())[0] == 4403


async def test_an_extension_can_unpair_itself(served: ServedBridge) -> None:
    key = proofs.new_key()
    served.keys.add(key, "work")
    async with served.extension(key) as extension:
        await served.link()
        await extension.send({"type": "unpair"})
        await extension.end()

    assert served.keys.all() == []


async def test_a_message_of_20_mb_arrives_whole(served: ServedBridge) -> None:
    async with served.socket() as stub:
        link = await served.link()
        heard: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        link.on_message(heard.put_nowait)
        await stub.send({"type": "cdpResult", "id": 1, "result": "x" * 20_000_000})
        async with asyncio.timeout(SECONDS):
            result = (await heard.get())["result"]

    assert isinstance(result, str)
    assert len(result) == 20_000_000


async def test_health_says_how_many_extensions_there_are(served: ServedBridge) -> None:
    async with served.socket(), served.socket("/session/s1"):
        await served.link()
        answer = await served.get("/health")

    assert answer.json() == {
        "status": "ok", "service": "tabmux-bridge", "version": "1.2.3", "extensions": 1, "sessions": 1,
    }  # fmt: skip


def _hello(key_id: str) -> dict[str, object]:
    return {"type": "hello", "protocol": 1, "keyId": key_id, "nonce": proofs.new_nonce()}
