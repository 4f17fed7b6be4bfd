"""A small web shop on loopback, for the examples."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs

from tests.site import Site

MESSAGE = """<title>Messages</title><main><h1>Messages</h1>
<form onsubmit="event.preventDefault(); if (this.m.value) out.textContent = 'Sent: ' + this.m.value">
<label>Message <input name=m></label><button>Send</button></form><p id=out role=status></p></main>"""
LOGIN = """<title>Log in</title><form method=post action=/login><label>Email <input name=email></label>
<label>Password <input type=password name=password></label><button>Log in</button></form>"""
CUSTOMERS = """<title>Customers</title><h1>Customers</h1><form aria-label="Add customer"
onsubmit="event.preventDefault(); const bad = !this.email.value.includes('@');
 this.email.setAttribute('aria-invalid', bad); error.textContent = bad ? 'Email is not valid' : '';
 if (!bad) { fetch('/added?' + new URLSearchParams(new FormData(this))); done.textContent = 'Added ' + this.name.value }">
<label>Name <input name=name required></label>
<label>Email <input name=email aria-errormessage=error></label><span id=error role=alert></span>
<button>Add customer</button></form><p id=done role=status></p>"""
PASSWORD = "tea-and-milk"


class Shop:
    """Its routes, and what has happened there."""

    def __init__(self, site: Site) -> None:
        self.url = site.origin
        self.logins = 0
        self.added: list[str] = []
        for number in range(1, 101):
            text = "Fine tea. " * (2_000 if number == 1 else 1)
            page = f"<title>Product {number}</title><main><h1>Product {number}</h1><p>{text}</p></main>"
            site.serve(f"/product/{number}", _Page(page))
        site.serve("/message", _Page(MESSAGE))
        site.serve("/customers/new", _Page(CUSTOMERS))
        site.serve("/account", self._account)
        site.serve("/login", self._login)
        site.serve("/added", self._add)
        site.serve("/", _Page("<title>Shop</title><h1>Shop</h1>"))

    def _account(self, handler: BaseHTTPRequestHandler) -> None:
        known = "login=yes" in handler.headers.get("Cookie", "")
        text = "<title>Account</title><main><h1>Welcome, Ada</h1><p>3 orders.</p></main>"
        _Page(text if known else LOGIN)(handler)

    def _login(self, handler: BaseHTTPRequestHandler) -> None:
        form = parse_qs(handler.body.decode())  # type: ignore[attr-defined]  # set by the site
        right = form.get("password") == [PASSWORD]
        self.logins += right
        handler.send_response(302)
        handler.send_header("Location", "/account")
        if right:
            handler.send_header("Set-Cookie", "login=yes; Path=/; Max-Age=86400; HttpOnly")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def _add(self, handler: BaseHTTPRequestHandler) -> None:
        self.added += parse_qs(handler.path.partition("?")[2]).get("name", [])
        _Page("ok")(handler)


class _Page:
    def __init__(self, html: str) -> None:
        self._body = html.encode()

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(self._body)))
        handler.end_headers()
        handler.wfile.write(self._body)
