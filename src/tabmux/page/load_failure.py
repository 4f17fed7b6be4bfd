"""Load failure: what Chrome's names of network errors mean, and what to do about them."""

from __future__ import annotations

from collections.abc import Iterator

from tabmux.errors import NavigationFailed
from tabmux.page_text import address, visible_line

_INSECURE = "If it is a test site of yours, start the browser with --accept-insecure-certs."
_HUNG_UP = "The server hung up without an answer; look at its log."
_PROXY = "The proxy cannot be reached; check it."
# By the beginning of the name, the first that fits counts.
_HINTS = {
    "CONNECTION_REFUSED": "Nothing listens at that port; start the server, or check the port.",
    "NAME_NOT_RESOLVED": "No such host is known; check its name.",
    "INTERNET_DISCONNECTED": "There is no network, or the page is emulated to be offline.",
    "INVALID_AUTH_CREDENTIALS": "The server asks for a name and a password; they can stand in the "
    "address: http://NAME:PASSWORD@host/.",
    "CERT_": _INSECURE,
    "SSL_PROTOCOL_ERROR": "The server speaks no TLS at that port; try http://.",
    "TOO_MANY_REDIRECTS": "The server sends the page in a circle; it may want a login or cookies.",
    "UNSAFE_PORT": "Chrome opens no page at this port; serve the site at another one.",
    "EMPTY_RESPONSE": _HUNG_UP,
    "CONNECTION_RESET": _HUNG_UP,
    "CONNECTION_CLOSED": _HUNG_UP,
    "PROXY": _PROXY,
    "TUNNEL": _PROXY,
    "FILE_NOT_FOUND": "There is no such file.",
    "BLOCKED_BY_CLIENT": "A rule of route_requests or an extension blocks it.",
    "HTTP_RESPONSE_CODE_FAILURE": "The server answered with an error and without a page.",
}


def load_failure(url: str, error: str, status: int | None) -> NavigationFailed:
    """Return the error of a page that could not be loaded.

    Args:
        url: Where it was to come from.
        error: What Chrome calls the failure.
        status: With which status the server answered, if it did.
    """
    if error == "net::ERR_ABORTED" and status in {204, 205}:
        return NavigationFailed(
            f"{address(url)} has no page: the server answered {status}.",
            hint="The tab shows what it showed before.",
        )
    name = error.removeprefix("net::ERR_")
    hint = next(_fitting(name), "Check the URL and try again.")
    return NavigationFailed(f"Could not load {address(url)}: {visible_line(error)}", hint=hint)


def _fitting(name: str) -> Iterator[str]:
    return (hint for beginning, hint in _HINTS.items() if name.startswith(beginning))
