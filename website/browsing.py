"""Browsing: opens every page of a built site, and says what it fetched from other hosts.

It also says which page is wider than its window, in a wide one and in that of a phone.
With a second folder it puts pictures there: wide, dark and narrow.
"""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tabmux.sync

# What a page is looked at with: viewport and colour scheme.
LOOKS = {
    "wide": ("1300x900x1", "light"),
    "dark": ("1300x900x1", "dark"),
    "narrow": ("390x800x1", "light"),
}
OVERHANG = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without writing a line for each."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder on loopback; yields its address."""
    handler = functools.partial(QuietHandler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def troubles(site: Path, pictures: Path | None) -> Iterator[str]:
    """Look at every page, and say what is wrong with it."""
    flags = ("--isolated", *(("--allow-path", str(pictures)) if pictures else ()))
    pages = sorted(file.relative_to(site).as_posix() for file in site.rglob("*.html"))
    with served(site) as address, tabmux.sync.session(headless=True, flags=flags) as tab:
        for look, (viewport, scheme) in LOOKS.items():
            if look == "dark" and not pictures:
                continue
            # Of its own, because the site keeps the colours that it was first shown in.
            tab.new_page("about:blank", isolated_context=look)
            tab.emulate(viewport=viewport, color_scheme="dark" if scheme == "dark" else "light")
            for page in pages:
                tab.goto(address + page)
                if tab.evaluate(OVERHANG) > 0:
                    yield f"{page}: wider than its window ({look})"
                for request in tab.requests(page_size=500).requests:
                    if request.url.startswith("http") and not request.url.startswith(address):
                        yield f"{page}: fetches {request.url}"
                if pictures:
                    name = page.removesuffix(".html").replace("/", "-")
                    tab.screenshot(full_page=True, file_path=pictures / f"{name}-{look}.png")


def main() -> int:
    """Print what is wrong; returns the exit code."""
    site, *rest = (Path(word).resolve() for word in sys.argv[1:])
    # In an empty home there is no daemon of the user's to join.
    with tempfile.TemporaryDirectory(prefix="tabmux-browsing-") as home:
        os.environ["HOME"] = home
        try:
            found = [*troubles(site, rest[0] if rest else None)]
        finally:
            stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
            subprocess.run(stop, check=False, timeout=60, stdout=subprocess.DEVNULL)
    sys.stderr.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
