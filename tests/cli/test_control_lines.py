from __future__ import annotations

import shlex
import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.cli.control_lines import read_answer, read_words, send_line
from tabmux.errors import DaemonTrouble, TabmuxError
from tests.cli.command_line import lock_file


def test_words_have_the_type_of_what_they_say() -> None:
    line = "session=7 page=3 url=http://x/?a='b'&c=d pages=0 front_page= closed=true version=1.0"
    assert read_words(line) == {
        "session": "7",
        "page": 3,
        "url": "http://x/?a='b'&c=d",
        "pages": 0,
        "front_page": None,
        "closed": True,
        "version": "1.0",
    }


@given(st.text(st.characters(exclude_categories=["C"]), min_size=1))
def test_quoted_words_come_back_as_they_were(text: str) -> None:
    line = f"name={shlex.quote(text)} page=1"
    assert read_words(line) == {"name": text, "page": 1}


def test_error_of_the_daemon_is_raised_with_what_to_do() -> None:
    with pytest.raises(TabmuxError) as caught:
        read_answer(["error code=no_such_session message='There is no session '\"'\"'x'\"'\"'.'"])
    assert caught.value.code == "no_such_session"
    assert caught.value.message == "There is no session 'x'."
    assert caught.value.hint == "See tabmux session list."
    with pytest.raises(TabmuxError) as caught:
        read_answer(["error code=bad_request message='No.' hint='Ask for less.'"])
    assert caught.value.hint == "Ask for less."


@pytest.mark.parametrize("said", [b"", b"session=a"])
def test_daemon_that_hangs_up_in_the_middle_is_an_error(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setenv("HOME", home["HOME"])
    lock_file(home).parent.mkdir(parents=True)

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(100)
            connection.sendall(said)

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(lock_file(home).with_name("daemon.sock")))
        server.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(DaemonTrouble, match="ended the connection"):
            send_line("session_list")
        thread.join()
