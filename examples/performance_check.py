"""Fails a CI job when a page has become slow.

    python examples/performance_check.py https://shop.example --lcp 2500 --cls 0.1

The trace is written beside the job's results, for Chrome's DevTools to open.
"""

from __future__ import annotations

import argparse
import re
import sys

import tabmux.sync


def measure(url: str, trace: str) -> dict[str, float]:
    """Load a page as on a first visit and return its Core Web Vitals."""
    with tabmux.sync.session(headless=True) as tab:
        tab.goto(url)
        summary = tab.performance_start_trace(ignore_cache=True, file_path=trace).text
    found = re.findall(r"^(LCP|CLS) (\d+(?:\.\d+)?)", summary, re.MULTILINE)
    return {name: float(value) for name, value in found}


def main() -> int:
    """Compare what was measured with what is allowed; returns the exit code."""
    parser = argparse.ArgumentParser(description="Fail when a page is slow.")
    parser.add_argument("url")
    parser.add_argument("--lcp", type=float, default=2500, help="milliseconds")
    parser.add_argument("--cls", type=float, default=0.1)
    parser.add_argument("--trace", default="trace.json.gz")
    wanted = parser.parse_args()
    found = measure(wanted.url, wanted.trace)
    sys.stdout.write(f"LCP {found['LCP']:g} ms, CLS {found.get('CLS', 0):g}\n")
    return int(found["LCP"] > wanted.lcp or found.get("CLS", 0) > wanted.cls)


if __name__ == "__main__":
    sys.exit(main())
