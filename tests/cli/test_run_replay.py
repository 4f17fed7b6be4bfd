from __future__ import annotations

from pathlib import Path

from tests.cli.command_line import daemon, tabmux
from tests.site import Site, _send

PAGE = (
    "<label>Name <input></label><button onclick='p.textContent = `Hello`'>NAME</button><p id=p></p>"
)


def serve(site: Site, button: str) -> str:
    body = PAGE.replace("NAME", button).encode()
    site.serve("/replayed", lambda handler: _send(handler, body))
    return f"{site.origin}/replayed"


def test_a_run_is_done_again_until_the_page_is_another(
    home: dict[str, str], site: Site, tmp_path: Path
) -> None:
    url = serve(site, "Greet")
    calls = tmp_path / "calls"
    calls.write_text(
        f'navigate_page url={url}\n{{"tool": "fill", "arguments": {{"uid": "textbox \\"Name\\"", '
        '"value": "Ann"}}\n{"tool": "click", "arguments": {"uid": "button \\"Greet\\""}}\n'
    )
    with daemon(home, "--headless", "--isolated"):
        made = tabmux(home, "batch", str(calls), "--bail")
        assert made.returncode == 0, made.stdout
        same = tabmux(home, "record", "replay", "last", "--set", "name=Bob")
        assert same.returncode == 0, same.stdout
        assert "3 steps, as they were recorded." in same.stdout
        assert "replay-" not in tabmux(home, "session", "list").stdout
        serve(site, "Welcome")
        other = tabmux(home, "record", "replay", "last")
        assert other.returncode == 1
        assert 'Expected: click on button "Greet"' in other.stdout
        assert 'There are: "Welcome"' in other.stdout
