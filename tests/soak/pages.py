"""Pages of the soak: generated at random, among them ones that misbehave."""

from __future__ import annotations

import random
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

from tests.site import Server

_NASTY = (
    "<script>setTimeout(() => alert('wait'), 50)</script>",
    "<script>for (let i = 0; i < 5000; i++) console.log('flood', i)</script>",
    "<script>setInterval(() => { for (let i = 0; i < 50; i++) fetch('/small?' + i) }, 200)</script>",
    "<script>onbeforeunload = event => event.preventDefault()</script>",
    "<script>setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }, 99)"
    "</script>",
    "<script>setTimeout(() => window.close(), 300)</script>",
    "<script>setTimeout(() => open('/page?seed=7'), 50)</script>",
    "<script>let kept = []; setInterval(() => kept.push(new Array(9999).fill('x')), 20)</script>",
    "<script>new Worker(URL.createObjectURL(new Blob(['setInterval(() => console.log(1), 99)'])))"
    "</script>",
    "<script>throw new Error('page')</script>",
    "<a download href='/file'>Save</a>",
    "<script>localStorage.x = 'y'.repeat(1000); document.cookie = 'a=' + Math.random()</script>",
)


def page(seed: int) -> str:
    """Write the page of a seed."""
    chance = random.Random(seed)
    parts = [f"<!doctype html><title>Page {seed}</title><h1>Page {seed}</h1>"]
    parts += [_part(chance, number) for number in range(chance.randint(3, 40))]
    parts += [f"<p>{'text ' * chance.randint(1, 200)}</p>" for _ in range(chance.randint(0, 50))]
    parts += [f"<img src='/small?{seed}.{n}'>" for n in range(chance.randint(0, 10))]
    if chance.random() < 0.3:
        parts.append(f"<iframe src='/page?seed={chance.randint(1000, 2000)}&leaf=1'></iframe>")
    if chance.random() < 0.4:
        parts.append(chance.choice(_NASTY))
    return "\n".join(parts)


def _part(chance: random.Random, number: int) -> str:
    return chance.choice(
        (
            f"<button onclick='this.textContent += 1'>Button {number}</button>",
            f"<label>Field {number} <input value='{number}'></label>",
            f"<select aria-label='Choice {number}'><option>a<option>b</select>",
            f"<a href='/page?seed={chance.randint(1, 500)}'>Link {number}</a>",
            f"<label><input type=checkbox> Box {number}</label>",
            f"<button onclick='document.body.append(Date.now())'>Grow {number}</button>",
            f"<button onclick='fetch(`/small?{number}`)'>Fetch {number}</button>",
        )
    )


class QuietServer(Server):
    """Browsers that are killed hang up in the middle."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of it."""


class Pages:
    """Serves them on loopback."""

    def __init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                try:
                    _respond(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"


def _respond(handler: BaseHTTPRequestHandler) -> None:
    url = urlsplit(handler.path)
    if url.path == "/page":
        seed = int(url.query.removeprefix("seed=").partition("&")[0])
        body, kind = page(seed).encode(), "text/html; charset=utf-8"
        if "leaf=1" in url.query:
            body = b"<button>In a frame</button>"
    elif url.path == "/file":
        body, kind = b"x" * 100_000, "application/octet-stream"
    else:
        body, kind = b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
