"""Heavy pages, and what a neighbour's calls take beside them."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

PAUSE_SECONDS = 0.01

SMALL = """<!doctype html><title>Neighbour</title><h1>Small</h1><p id=count>0</p>
  <button onclick="document.getElementById('count').textContent++">Count</button>"""
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_WORDS = f"""<body><script>const letters = '{_LETTERS}'; let text = '';
  for (const a of letters) for (const b of letters) {{ for (const c of letters)
    for (const d of letters) text += a + b + c + d + ' ';
    const p = document.createElement('p'); p.textContent = text; document.body.append(p);
    text = '' }}
  </script>"""
_EQUAL = """<body><button onclick="for (const p of document.querySelectorAll('p'))
  p.textContent = p.textContent === 'one' ? 'two' : 'one'">Change</button>
  <script>document.write('<p>one</p>'.repeat(1600))</script>"""
_WRITES = "<script>document.write('%s'.repeat(%d))</script>"
_MIXED = _EQUAL.replace("? 'two'", "? ['two', 'one', 'six'][Math.floor(3 * Math.random())]")
PAGES = {
    "/small": SMALL,
    "/words": _WORDS,
    "/equal": _EQUAL,
    "/mixed": _MIXED,
    "/letters": f"<p>{'a' * 50_000}!</p>",
    "/nodes": "<button>Change</button>" + _WRITES % ("<p>text <a href=x>link</a></p>", 70_000),
    "/lines": _WRITES % ("<p>line</p>", 100_000),
    "/frames": _WRITES % ("<iframe></iframe>", 1000),
    "/passwords": "".join(f"<input type=password aria-label={n}>" for n in range(20)),
    "/high": "<body style='height: 30000px; background: linear-gradient(red, blue)'>x",
    "/works": "<script>for (let i = 0; i < 1e7; i++);</script>",
    "/json/version": "[" * 200_000,
    "/json/list": "[" * 200_000,
}


@dataclass
class Round:
    """What the neighbour's calls took, and the longest stretch of the loop."""

    name: str
    latencies: list[float] = field(default_factory=list)
    stretch: float = 0.0
    stack: str = ""

    @property
    def late(self) -> float:
        """What the slowest of a hundred took."""
        return statistics.quantiles(self.latencies, n=100)[98]

    @property
    def line(self) -> str:
        """One row of the table."""
        median = statistics.median(self.latencies)
        return (
            f"{self.name:<32} {len(self.latencies):>5} calls  p50 {median * 1000:6.1f} ms  "
            f"p99 {self.late * 1000:6.1f} ms  loop {self.stretch * 1000:5.0f} ms"
        )
