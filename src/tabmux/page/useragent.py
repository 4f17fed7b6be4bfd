"""What a page is told of the browser that shows it."""

from __future__ import annotations

import json
import re
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.page.library import source


def user_agent_override(text: str | None, locale: str | None) -> Params:
    """Give the client hints that go with a user agent, so that both tell the same story."""
    languages = {"acceptLanguage": locale} if locale else {}
    if not text:
        return {"userAgent": "", **languages}
    found = re.search(r"(Edg|Chrome|CriOS)/(\d+)(\.[\d.]+)?", text)
    version = found[2] if found else "0"
    full = f"{version}{found[3] or '.0.0.0'}" if found else "0.0.0.0"
    names = ("Chromium", "Microsoft Edge" if "Edg/" in text else "Google Chrome")
    brands: list[dict[str, Any]] = [{"brand": name, "version": version} for name in names]
    mobile = "Mobile" in text
    return {
        "userAgent": text,
        **languages,
        "platform": _navigator_platform(text),
        "userAgentMetadata": {
            "brands": brands if found else [],
            "fullVersionList": [{**brand, "version": full} for brand in brands] if found else [],
            "platform": _platform(text),
            "platformVersion": "",
            "architecture": "" if mobile else "x86",
            "model": "",
            "mobile": mobile,
        },
    }


def introduction(text: str) -> tuple[str, Params]:
    """Return the command by which a worker that exists already learns of its browser."""
    return "Runtime.evaluate", {"expression": f"({source('introduce')})({json.dumps(text)})"}


def _platform(user_agent: str) -> str:
    known = {"Android": "Android", "iPhone": "iOS", "iPad": "iOS", "Windows": "Windows",
             "Mac OS": "macOS", "CrOS": "Chrome OS", "Linux": "Linux"}  # fmt: skip
    return next((name for word, name in known.items() if word in user_agent), "Unknown")


def _navigator_platform(user_agent: str) -> str:
    known = {"Android": "Linux armv81", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Win32",
             "Mac OS": "MacIntel", "Linux": "Linux x86_64"}  # fmt: skip
    return next((name for word, name in known.items() if word in user_agent), "")
