"""Generated inputs: what tools, transports and files are given that nobody should send.

Everything follows from a seed, so that an input that did harm can be made again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

JUNK: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 2**70, 10**400, 0.5, -0.0, 1e308,
    float("nan"), float("inf"), "", " ", "\0", "\n", "x" * 300, "x" * 70_000, "\ud800", "\udfff\ud800",
    "\u202e\u2066evil", "a\u0301" * 500, "\U0001f600", "\ufeff", "\u2028", "../../etc/passwd",
    "/dev/zero", "/proc/self/mem", "file:///etc/passwd", "javascript:alert(1)", "http://[", "chrome://crash",
    "$(touch /tmp/tabmux-canary)", "`id`", "; touch /tmp/tabmux-canary", "x|touch /tmp/tabmux-canary", "|", "%00", "%n%s", "${HOME}", "~",
    "__proto__", "constructor", "toString", "null", "undefined", "NaN", "9" * 40, "²", "٣", "１", "(" * 200, "(a+)+$",
    "[", "\\", "*" * 1000, "<script>alert(1)</script>", "</page>", "uid=a1_1", "a1_1", "z9_99999999999",
    "css=" + "div " * 3000, "role=button", "() => { throw 1 }", "((((", "() => document.title", "about:blank",
    "data:text/html,<h1>x</h1>", [], {}, [None], [[]], ["x"] * 1000, {"": ""}, {"a": {"b": {}}}, ["\ud800"],
    [{"uid": 1}], {"x": "y" * 10_000}, [1, "a", None, {}], {"__proto__": {}}, "{}", "[]", '{"a": 1}', "{", "1",
]  # fmt: skip
# How many levels something may be nested that is nested for its own sake.
DEPTHS = (3, 50, 99, 101, 500)
# What an argument means that would otherwise make a call wait, or start a browser.
_QUICK = {"timeout": 200, "delay": 10}
_NEVER = {"launch", "profile"}


def junk(dice: random.Random) -> Any:
    """Return some value."""
    if dice.random() < 0.05:
        return nested(dice.choice(DEPTHS), dice.choice(("list", "object")))
    if dice.random() < 0.1:
        letters = (
            chr(dice.choice((dice.randrange(128), dice.randrange(0x11000)))) for _ in range(20)
        )
        return "".join(letters)
    return dice.choice(JUNK)


def nested(depth: int, kind: str) -> Any:
    """Return something that is nested so deeply."""
    value: Any = 1
    for _ in range(depth):
        value = [value] if kind == "list" else {"a": value}
    return value


def fitting(schema: Mapping[str, Any], name: str, dice: random.Random, folder: str) -> Any:
    """Return a value that a property may have."""
    if "enum" in schema:
        return dice.choice(schema["enum"])
    kinds = schema.get("type") or [part.get("type", "string") for part in schema.get("anyOf", [{}])]
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if name in _QUICK:
        return _QUICK[name]
    plain: dict[str, Any] = {
        "boolean": dice.random() < 0.5,
        "integer": dice.randrange(1, 5),
        "number": dice.random() * 100,
        "object": {},
        "null": None,
    }
    if kind == "array":
        items = schema.get("items", {})
        return [fitting(items, name, dice, folder) for _ in range(dice.randrange(1, 3))]
    if kind == "object" and "properties" in schema:
        return {key: fitting(part, key, dice, folder) for key, part in schema["properties"].items()}
    return plain.get(kind, _text(name, dice, folder))


def _text(name: str, dice: random.Random, folder: str) -> str:
    lower = name.lower()
    if "path" in lower or "file" in lower:
        return f"{folder}/input-{dice.randrange(5)}"
    if "uid" in lower:
        return dice.choice(("a1_1", "a1_2", "text=Go", "css=button", "role=button"))
    if "url" in lower:
        return dice.choice(
            ("about:blank", "http://127.0.0.1:1/", "data:text/html,<button>Go</button>")
        )
    if lower == "function":
        return dice.choice(("() => 1", "() => document.title", "(x) => x"))
    return dice.choice(("x", "Go", "button", "Enter", "1", "dark"))


def fitted(schema: Mapping[str, Any], dice: random.Random, folder: str) -> dict[str, Any]:
    """Return arguments that a tool may be given."""
    parts = {key: part for key, part in schema["properties"].items() if key not in _NEVER}
    required = schema.get("required", [])
    keys = [key for key in parts if key in required or dice.random() < 0.3]
    given = {key: fitting(parts[key], key, dice, folder) for key in keys}
    return given | {key: value for key, value in _QUICK.items() if key in parts}


def arguments(schema: Mapping[str, Any], dice: random.Random, folder: str) -> dict[str, Any]:
    """Return arguments of a tool, of which at least one is wrong."""
    parts = [key for key in schema["properties"] if key not in _NEVER]
    given = fitted(schema, dice, folder)
    for _ in range(dice.randrange(1, 3)):
        key = dice.choice([*parts, "unknown", "pageId", "browserIndex"])
        if key in _QUICK:
            given[key] = dice.choice((-1, 0, 50, "x", [], 1.5, 2**70))
        elif dice.random() < 0.2 and key not in _QUICK:
            given.pop(key, None)
        else:
            given[key] = junk(dice)
    return given


VALID_MESSAGES: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
    {"jsonrpc": "2.0", "id": 2, "method": "ping"},
    {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "list_pages", "arguments": {}}},
    {"jsonrpc": "2.0", "id": 4, "method": "prompts/list", "params": {}},
    {"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": "x:y"}},
    {"jsonrpc": "2.0", "id": 6, "method": "logging/setLevel", "params": {"level": "info"}},
    {"jsonrpc": "2.0", "id": 7, "method": "completion/complete", "params": {"ref": {}, "argument": {}}},
    {"jsonrpc": "2.0", "id": 8, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
    {"jsonrpc": "2.0", "id": 9, "method": "server/discover", "params": {"_meta": {}}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 10, "result": {}},
    {"jsonrpc": "2.0", "id": 11, "error": {"code": 1, "message": "x"}},
]  # fmt: skip


def mutated(value: Any, dice: random.Random) -> Any:
    """Return a JSON value with one place in it changed, dropped or replaced."""
    if isinstance(value, dict) and value and dice.random() < 0.85:
        copy = dict(value)
        key = dice.choice(list(copy))
        fate = dice.random()
        if fate < 0.2:
            del copy[key]
        elif fate < 0.3:
            copy[str(junk(dice))[:50]] = copy[key]
        else:
            copy[key] = mutated(copy[key], dice)
        return copy
    if isinstance(value, list) and value and dice.random() < 0.85:
        place = dice.randrange(len(value))
        return [*value[:place], mutated(value[place], dice), *value[place + 1 :]]
    return junk(dice)


def broken(text: str, dice: random.Random) -> bytes:
    """Return a text with bytes of it changed, as files and lines may be."""
    data = bytearray(text.encode("utf-8", "replace"))
    fate = dice.randrange(6)
    if fate == 0:
        return bytes(data[: dice.randrange(len(data) + 1)])
    for _ in range(dice.randrange(1, 8)):
        place = dice.randrange(len(data) + 1)
        if fate == 1:
            data[place:place] = dice.randbytes(dice.randrange(1, 9))
        elif fate == 2:
            del data[place : place + dice.randrange(1, 20)]
        elif fate == 3:
            data[place:place] = data[place : place + dice.randrange(1, 60)]
        elif fate == 4:
            data[place : place + 1] = dice.choice(
                (b"\0", b'"', b"[", b"{", b"\\", b"\xff", b"9" * 400)
            )
        else:
            data[place:place] = b"[" * dice.choice((1, 50, 3000))
    return bytes(data)


def line(dice: random.Random) -> bytes:
    """Return one line of the stdio transport that is no proper message."""
    message = dice.choice(VALID_MESSAGES)
    fate = dice.random()
    if fate < 0.6:
        found = as_json(mutated(message, dice))
    elif fate < 0.9:
        found = broken(json.dumps(message), dice)
    else:
        found = dice.randbytes(dice.randrange(1, 300))
    return found.replace(b"\n", b" ").replace(b"\r", b" ")


def as_json(value: Any) -> bytes:
    """Write JSON as careless programs do: with NaN, and with halves of characters."""
    return json.dumps(value, ensure_ascii=random.Random(repr(value)[:50]).random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )


_HEADERS = (
    "Host", "Origin", "Content-Type", "Content-Length", "Transfer-Encoding", "Accept", "Expect",
    "Connection", "Upgrade", "Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name",
    "Last-Event-Id", "Authorization", "Cookie", "X-Forwarded-For", "Sec-WebSocket-Key", "Range",
)  # fmt: skip
_VALUES = (
    "", "x", "0", "-1", "1e9", "chunked", "identity, chunked", "close", "Upgrade", "websocket", "h2c",
    "application/json", "text/plain", "multipart/form-data; boundary=x", "text/event-stream", "*/*",
    "100-continue", "2025-11-25", "2026-07-28", "9999-99-99", "Bearer x", "null", "http://evil.example",
    "x" * 9000, "\x7f", "\xe9\xff", "a, b, c", "=?utf-8?b?eA==?=", "tools/call", "99999999999999999999",
)  # fmt: skip
_TARGETS = (
    "/mcp", "/mcp/", "//mcp", "/mcp?session=x", "/mcp?session=%00", "/mcp?session=" + "x" * 3000, "/sse",
    "/messages?session_id=x", "/health", "/metrics", "/debug/session/x", "/mcp/ws", "/ws-message", "*",
    "/%2e%2e/mcp", "/mcp\x00", "http://evil.example/mcp", "/" + "x" * 5000, "/mcp#x", "mcp", "",
)  # fmt: skip


def http_request(dice: random.Random, port: int) -> bytes:
    """Return the bytes of one request that is wrong somewhere."""
    method = dice.choice(
        ("POST",) * 6 + ("GET", "DELETE", "PUT", "OPTIONS", "HEAD", "PATCH", "X" * 40)
    )
    target = "/mcp" if dice.random() < 0.6 else dice.choice(_TARGETS)
    body = line(dice)
    headers = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    for _ in range(dice.randrange(0, 4)):
        headers[dice.choice(_HEADERS)] = dice.choice(_VALUES)
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items())
    request = head.encode("latin-1", "replace") + b"\r\n" + body
    return broken(request.decode("latin-1"), dice) if dice.random() < 0.25 else request


def frame(dice: random.Random) -> bytes:
    """Return one WebSocket frame, masked or not, of any kind and length."""
    body = line(dice)[: dice.choice((0, 10, 125, 126, 5000))]
    first = dice.choice((0x81,) * 6 + (0x82, 0x01, 0x80, 0x88, 0x89, 0x8A, 0x83, 0xF1, 0x8F))
    length = dice.choice((len(body),) * 9 + (2**62, 2**31, 127))
    masked = 0x80 if dice.random() < 0.9 else 0
    if length < 126:
        head = bytes((first, masked | length))
    elif length < 65536:
        head = bytes((first, masked | 126)) + length.to_bytes(2, "big")
    else:
        head = bytes((first, masked | 127)) + length.to_bytes(8, "big")
    mask = dice.randbytes(4) if masked else b""
    data = bytes(byte ^ mask[n % 4] for n, byte in enumerate(body)) if masked else body
    return head + mask + data


_COMMANDS = (
    "status", "browser_list", "session_list", "session_new", "session_close", "session_page",
    "session_attach", "session_new_page", "session_release_page", "session_cdp", "bridge_list",
)  # fmt: skip
_WORDS = ("name", "session", "page", "url", "browser", "background", "debug")


def control_line(dice: random.Random) -> str:
    """Return a line of the line protocol."""
    words = [dice.choice(_COMMANDS), *(["session=main"] if dice.random() < 0.5 else [])]
    for _ in range(dice.randrange(0, 4)):
        value = str(junk(dice))[: dice.choice((20, 5000))]
        word = dice.choice((f"{dice.choice(_WORDS)}={value}", value, f"{value}={value}", "'", '"x'))
        words.append(word.replace("\n", " "))
    return " ".join(words)


def toml(keys: list[str], tables: Mapping[str, list[str]], dice: random.Random) -> bytes:
    """Return a file of settings: some keys, and perhaps a table of some kind with its own."""
    lines = [f"{dice.choice(keys)} = {_toml_value(dice)}" for _ in range(dice.randrange(0, 3))]
    if dice.random() < 0.6:
        head = dice.choice(list(tables))
        own = dice.sample(tables[head], min(len(tables[head]), dice.randrange(1, 4)))
        lines += [head, *(f"{key} = {_toml_value(dice)}" for key in own)]
    text = "\n".join(lines)
    return broken(text, dice) if dice.random() < 0.3 else text.encode("utf-8", "surrogatepass")


def _toml_value(dice: random.Random) -> str:
    value = junk(dice)
    if isinstance(value, dict):
        return "{ a = 1 }"
    return json.dumps(value, ensure_ascii=False)


def seeds(first: int, count: int) -> Iterator[random.Random]:
    """Return the dice of so many inputs; each can be thrown again by its number alone."""
    return (random.Random(number) for number in range(first, first + count))
