from __future__ import annotations

import os
import shutil
import stat
import time
from pathlib import Path

import pytest

from tabmux.errors import OutcomeUnknown
from tabmux.sessions.file_journal import FileJournal


async def test_action_that_a_server_before_had_begun_is_not_begun_again(tmp_path: Path) -> None:
    file = tmp_path / "calls"
    await FileJournal(file).begin("client 1")
    later = FileJournal(file)
    with pytest.raises(OutcomeUnknown):
        await later.begin("client 1")
    await later.begin("client 2")


async def test_whoever_was_told_may_ask_again(tmp_path: Path) -> None:
    """A client that counts every request as the first would otherwise never act again."""
    file = tmp_path / "calls"
    await FileJournal(file).begin("client 1")
    later = FileJournal(file)
    with pytest.raises(OutcomeUnknown):
        await later.begin("client 1")
    await later.begin("client 1")


async def test_action_whose_client_has_the_answer_may_be_repeated(tmp_path: Path) -> None:
    file = tmp_path / "calls"
    first = FileJournal(file)
    await first.begin("client 1")
    first.answered("client 1")
    later = FileJournal(file)
    assert later.unanswered("client") == []
    await later.begin("client 1")


async def test_requests_of_one_server_are_not_compared(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "calls")
    await journal.begin("client 1")
    await journal.begin("client 1")


async def test_what_was_begun_is_known_when_the_file_is_full(tmp_path: Path) -> None:
    file = tmp_path / "calls"
    journal = FileJournal(file, most_bytes=100)
    for number in range(10):
        await journal.begin(f"client {number}")
    assert file.stat().st_size <= 100
    assert FileJournal(file).unanswered("client 9") == ["client 9"]


async def test_answer_in_the_file_after_the_one_of_its_action_counts(tmp_path: Path) -> None:
    file = tmp_path / "calls"
    journal = FileJournal(file, most_bytes=20)
    await journal.begin("client 1")
    await journal.begin("client 2, which fills it")
    journal.answered("client 1")
    assert FileJournal(file).unanswered("client 1") == []


async def test_journal_whose_folder_was_deleted_writes_into_no_other_file(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "calls"
    file.parent.mkdir()
    journal = FileJournal(file, most_bytes=20)
    shutil.rmtree(file.parent)
    await journal.begin("client 1, which is long")
    other = os.open(tmp_path / "other", os.O_WRONLY | os.O_CREAT)
    await journal.begin("client 2, which is long")
    assert (tmp_path / "other").read_bytes() == b""
    os.close(other)
    file.parent.mkdir()
    await journal.begin("client 3")
    await journal.begin("client 4, which is long")
    await journal.begin("client 5")
    assert FileJournal(file).unanswered("client 5") == ["client 5"]
    journal.close()


@pytest.mark.parametrize("key", ["a\nb", "é\\x", "x" * 1000, "'quoted'"])
async def test_any_key_is_read_back(tmp_path: Path, key: str) -> None:
    file = tmp_path / "calls"
    await FileJournal(file).begin(key)
    assert FileJournal(file).unanswered("") == [key]


async def test_half_a_line_and_noise_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "calls"
    await FileJournal(file).begin("client 1")
    with file.open("ab") as end:
        end.write(b"\n\xff\xfe\n+client")
    assert "client 1" in FileJournal(file).unanswered("client")


async def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    FileJournal(tmp_path / "calls")
    assert stat.S_IMODE((tmp_path / "calls").stat().st_mode) == 0o600


async def test_an_action_costs_less_than_a_tenth_of_a_millisecond(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "calls")
    took = []
    for number in range(1000):
        began = time.perf_counter()
        await journal.begin(f"0123456789abcdef0123456789abcdef {number}")
        took.append(time.perf_counter() - began)
    assert sorted(took)[500] < 0.0001
