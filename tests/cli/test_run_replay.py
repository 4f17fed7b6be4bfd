from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tabmux.cli.failures import INTERRUPTED
from tests.cli.command_line import daemon, tabmux
from tests.site import Site, _send

PAGE = (
    "<label>Name <input></label><button onclick='p.textContent = `Hello`'>NAME</button><p id=p></p>"
)


def serve(site: Site, button: str) -> str:
    body = PAGE.replace("NAME", button).encode()
    site.serve("/replayed", lambda handler: _send(handler, body))
    return f"{site.origin}/replayed"


def record_greeting(home: dict[str, str], url: str, folder: Path) -> None:
    """Record a run of three steps."""
    calls = folder / "calls"
    calls.write_text(
        f'navigate_page url={url}\n{{"tool": "fill", "arguments": {{"uid": "textbox \\"Name\\"", '
        '"value": "Ann"}}\n{"tool": "click", "arguments": {"uid": "button \\"Greet\\""}}\n'
    )
    made = tabmux(home, "batch", str(calls), "--bail")
    assert made.returncode == 0, made.stdout


def test_a_run_is_done_again_until_the_page_is_another(
    home: dict[str, str], site: Site, tmp_path: Path
) -> None:
    url = serve(site, "Greet")
    with daemon(home, "--headless", "--isolated"):
        record_greeting(home, url, tmp_path)
        same = tabmux(home, "record", "replay", "last", "--set", "name=Bob")
        assert same.returncode == 0, same.stdout
        assert '"value": "Bob"} ok' in same.stdout
        assert "3 steps, as they were recorded, but for name." in same.stdout
        assert "replay-" not in tabmux(home, "session", "list").stdout
        serve(site, "Welcome")
        other = tabmux(home, "record", "replay", "last")
        assert other.returncode == 1
        assert 'Expected: click on button "Greet"' in other.stdout
        assert 'There are: "Welcome"' in other.stdout


def test_the_session_of_a_replay_that_is_broken_off_ends(
    home: dict[str, str], site: Site, tmp_path: Path
) -> None:
    url = serve(site, "Greet")
    command = [sys.executable, "-m", "tabmux", "record", "replay", "last"]
    with daemon(home, "--headless", "--isolated"):
        record_greeting(home, url, tmp_path)
        serve(site, "Welcome")
        with subprocess.Popen(command, env=home, text=True, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline().endswith(" ok\n")
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == INTERRUPTED
        assert "replay-" not in tabmux(home, "session", "list").stdout
