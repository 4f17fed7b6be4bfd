"""Terminal: runs commands in an empty home and draws what they print as an animated SVG."""

from __future__ import annotations

import html
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = (
    "data:text/html,<title>Shop</title><h1>Shop</h1><label>Email <input></label>"
    "<button onclick=\"this.after(' Saved for '+document.querySelector('input').value)\">"
    "Save</button>"
)
# What is typed, and what is run instead where an address is too long to show.
COMMANDS = (
    ("tabmux call navigate_page url=https://shop.example --session ada", f"url={PAGE}"),
    ("tabmux call take_snapshot --session ada", ""),
    ("tabmux call fill 'uid=textbox \"Email\"' value=ada@example.com --session ada", ""),
    ("tabmux call click 'uid=button \"Save\"' --session ada", ""),
    ("tabmux call navigate_page url=https://shop.example --session bob", f"url={PAGE}"),
    ("tabmux session list", ""),
)
COLUMNS, LINES_OF_EACH, LINE_HEIGHT = 98, 6, 18
TYPING_SECONDS, PAUSE_SECONDS, LINE_SECONDS = 1.0, 0.5, 0.06
_STYLE = (
    "text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d9e2ec;"
    "white-space:pre;opacity:0;animation:show .01s forwards}.p{fill:#5eead4}"
    "@keyframes show{to{opacity:1}}"
    "@media (prefers-reduced-motion:reduce){text{animation-delay:0s !important}}"
)


def run(typed: str, instead: str, environment: dict[str, str]) -> list[str]:
    """Run a command; returns the first lines that it printed."""
    words = shlex.split(typed)
    if instead:
        words = [instead if word.startswith("url=") else word for word in words]
    done = subprocess.run(
        [sys.executable, "-m", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=True,
    )
    shown = [line for line in done.stdout.splitlines() if line.strip()]
    # The page stands for one on the web.
    lines = [line.replace(PAGE, "https://shop.example/") for line in shown]
    return [_without_data(line)[:COLUMNS] for line in lines[:LINES_OF_EACH]]


def draw(transcript: list[tuple[str, list[str]]]) -> str:
    """Draw commands and what they printed, one line after the other."""
    texts, clock, row = [], 0.0, 0
    for command, printed in transcript:
        texts.append(_text(row, clock, f'<tspan class="p">$ </tspan>{html.escape(command)}'))
        clock, row = clock + TYPING_SECONDS, row + 1
        for line in printed:
            texts.append(_text(row, clock, html.escape(line)))
            clock, row = clock + LINE_SECONDS, row + 1
        clock += PAUSE_SECONDS
    height, width = row * LINE_HEIGHT + 60, COLUMNS * 8 + 30
    dots = "".join(
        f'<circle cx="{20 + 18 * place}" cy="18" r="5" fill="{colour}"/>'
        for place, colour in enumerate(("#f87171", "#fbbf24", "#34d399"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="tabmux in a terminal">'
        f"<style>{_STYLE}</style>"
        f'<rect width="{width}" height="{height}" rx="8" fill="#102a43"/>{dots}'
        f"{''.join(texts)}</svg>\n"
    )


def record() -> list[tuple[str, list[str]]]:
    """Run the commands with a daemon of their own."""
    with tempfile.TemporaryDirectory(prefix="tabmux-terminal-") as home:
        environment = {**os.environ, "HOME": home, "TABMUX_HEADLESS": "1"}
        try:
            return [(typed, run(typed, instead, environment)) for typed, instead in COMMANDS]
        finally:
            stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
            subprocess.run(stop, env=environment, check=False, timeout=60)


def _text(row: int, clock: float, content: str) -> str:
    place = 48 + row * LINE_HEIGHT
    return f'<text x="16" y="{place}" style="animation-delay:{clock:.2f}s">{content}</text>'


def _without_data(line: str) -> str:
    """Shorten the address of the page, however it was written."""
    start = line.find("data:text/html")
    if start < 0:
        return line
    return line[:start] + "https://shop.example/" + ('"' if line[start - 1] == '"' else "")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(record()), encoding="utf-8")
