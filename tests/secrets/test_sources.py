from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pyotp
import pytest

from tabmux.errors import DeadlineExceeded, TabmuxError
from tabmux.secrets.sources import fetched
from tests.secrets.stores import OP_CODE, OP_ITEM, Stores, stores

SEED = "JBSWY3DPEHPK3PXP"
SECONDS = 20.0
OTP = f"{OP_ITEM}/{OP_CODE}"
VALUES = {
    "op": {f"{OP_ITEM}/password": "op-canary", OTP: "123456"},
    "bw": {"username Shop": "bw-user", "password Shop": "bw-canary", "totp Shop": "654321"},
}


class MemoryKeyring(keyring.backend.KeyringBackend):
    """A keyring as the library wants one."""

    priority = 1
    locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked("locked, with kr-canary inside")
        return {("shop", "user"): "kr-user", ("a/b", "seed"): SEED}.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


@pytest.fixture
def kept() -> Iterator[MemoryKeyring]:
    before, own = keyring.get_keyring(), MemoryKeyring()  # type: ignore[no-untyped-call]  # its library
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    Stores(tmp_path)
    (tmp_path / "values.json").write_text(json.dumps(VALUES))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


async def test_environment_has_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "env-canary")
    assert await fetched("env:SHOP_PASSWORD", "password", SECONDS) == "env-canary"


async def test_keyring_has_values_and_seeds(kept: MemoryKeyring) -> None:
    assert await fetched("keyring:shop/user", "username", SECONDS) == "kr-user"
    code = await fetched("keyring:a/b/seed", "totp", SECONDS)
    assert pyotp.TOTP(SEED).verify(code, valid_window=1)


async def test_keyring_in_a_file_has_values_and_addresses_of_seeds(tmp_path: Path) -> None:
    with stores(tmp_path) as kept:
        canaries = kept.canaries("keyring")
        places = kept.sources["keyring"]
        assert await fetched(places["password"], "password", SECONDS) == canaries.password
        code = await fetched(places["totp"], "totp", SECONDS)
        assert pyotp.TOTP(canaries.seed, digits=8).verify(code, valid_window=1)


async def test_one_password_and_bitwarden_are_asked_for_each_part(programs: Path) -> None:
    assert await fetched("op://Work/Shop/password", "password", SECONDS) == "op-canary"
    assert await fetched(OTP, "totp", SECONDS) == "123456"
    assert await fetched("bw:Shop", "username", SECONDS) == "bw-user"
    assert await fetched("bw:Shop", "password", SECONDS) == "bw-canary"
    assert await fetched("bw:Shop", "totp", SECONDS) == "654321"


async def test_seed_makes_the_code_of_now() -> None:
    for seed in (f"otpauth://totp/Shop:ann?secret={SEED}&issuer=Shop", "jbsw y3dp ehpk 3pxp"):
        reference = seed if seed.startswith("otpauth:") else f"command:printf '%s' '{seed}'"
        code = await fetched(reference, "totp", SECONDS)
        assert pyotp.TOTP(SEED).verify(code, valid_window=1)


async def test_command_gives_its_output_without_the_end_of_line() -> None:
    assert await fetched("command:echo 'a canary'", "password", SECONDS) == "a canary"


async def test_output_that_comes_in_pieces_is_taken_whole() -> None:
    slow = "command:sh -c 'printf first-; sleep 0.2; printf second'"
    assert await fetched(slow, "password", SECONDS) == "first-second"


@pytest.mark.parametrize(
    "reference",
    ["op://Work/Other/password", "bw:Other", "env:NO_SUCH_NAME", "keyring:no/one", "command:false",
     "command:/no/such/program", "command:true"],
)  # fmt: skip
async def test_source_without_a_value_says_so_without_its_words(
    reference: str, programs: Path, kept: MemoryKeyring
) -> None:
    with pytest.raises(TabmuxError) as caught:
        await fetched(reference, "password", SECONDS)
    assert caught.value.code == "secret_unavailable"
    assert "canary" not in caught.value.text


async def test_locked_keyring_and_bad_seed_say_nothing_of_what_they_hold(
    kept: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.locked = True
    monkeypatch.setenv("SEED", "not-a-canary-seed!")
    never = f"otpauth://totp/x?secret={SEED}&period=0&issuer=canary"
    for reference, part in (
        ("keyring:shop/user", "username"), ("env:SEED", "totp"), (never, "totp"),
    ):  # fmt: skip
        with pytest.raises(TabmuxError) as caught:
            await fetched(reference, part, SECONDS)
        assert caught.value.code == "secret_unavailable"
        assert "canary" not in caught.value.text


async def test_program_that_does_not_answer_is_ended(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        await fetched(f"command:sh -c 'sleep 40; touch {mark}'", "password", 0.3)
    assert time.monotonic() - began < 30
    assert not mark.exists()


async def test_keyring_that_never_answers_keeps_no_other_work_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlocked, asked = threading.Event(), 0

    def waiting(*place: str) -> str:
        nonlocal asked
        asked += 1
        unlocked.wait(20)
        return "late-canary"

    monkeypatch.setattr(keyring, "get_password", waiting)
    try:
        for _ in range(40):
            with pytest.raises(TabmuxError) as caught:
                await fetched("keyring:shop/user", "password", 0.01)
            assert caught.value.code in ("deadline", "secret_unavailable")
        assert asked < 10
        async with asyncio.timeout(5):
            assert await asyncio.to_thread(lambda: "done") == "done"
    finally:
        unlocked.set()
