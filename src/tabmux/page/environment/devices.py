"""Devices and user agents: screens of phones and tablets, and what a browser calls itself."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from typing import Any

from tabmux.cdp.channel import Params
from tabmux.errors import BadArguments
from tabmux.page.library import source

_IOS = (
    "Mozilla/5.0 ({kind}; CPU {system} 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
# Chrome on Android names neither its system's version nor the phone any more.
_ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{version}.0.0.0{mobile} Safari/537.36"
)


@dataclass(frozen=True)
class Device:
    """A device with a touch screen, held upright."""

    width: int
    height: int
    scale: float
    system: str

    @property
    def is_chrome(self) -> bool:
        """Whether its browser is Chrome, of a version that must be filled in."""
        return self.system.startswith("Android")

    def user_agent(self, version: int) -> str:
        """Return what its browser calls itself."""
        if self.is_chrome:
            mobile = "" if "tablet" in self.system else " Mobile"
            return _ANDROID.format(version=version, mobile=mobile)
        system = "iPhone OS" if self.system == "iPhone" else "OS"
        return _IOS.format(kind=self.system, system=system)


DEVICES = {
    "iPhone SE": Device(375, 667, 2, "iPhone"),
    "iPhone 13": Device(390, 844, 3, "iPhone"),
    "iPhone 14": Device(390, 844, 3, "iPhone"),
    "iPhone 15": Device(393, 852, 3, "iPhone"),
    "iPhone 15 Pro Max": Device(430, 932, 3, "iPhone"),
    "iPhone 16": Device(393, 852, 3, "iPhone"),
    "iPhone 16 Pro": Device(402, 874, 3, "iPhone"),
    "iPad Mini": Device(768, 1024, 2, "iPad"),
    "iPad Air": Device(820, 1180, 2, "iPad"),
    "iPad Pro 11": Device(834, 1194, 2, "iPad"),
    "Pixel 5": Device(393, 851, 2.75, "Android"),
    "Pixel 7": Device(412, 915, 2.625, "Android"),
    "Pixel 8": Device(412, 915, 2.625, "Android"),
    "Galaxy S9+": Device(320, 658, 4.5, "Android"),
    "Galaxy S24": Device(360, 780, 3, "Android"),
    "Galaxy Tab S4": Device(712, 1138, 2.25, "Android tablet"),
}


def device_named(name: str) -> Device:
    """Return a device, whatever the case of its name."""
    known = {each.lower(): device for each, device in DEVICES.items()}
    wanted = " ".join(name.lower().split())
    if device := known.get(wanted):
        return device
    close = difflib.get_close_matches(wanted, known, 1)
    near = next((each for each in DEVICES if close and each.lower() == close[0]), None)
    raise BadArguments(
        f"{name!r} is neither a viewport nor a device.",
        hint=f"Did you mean {near}?"
        if near
        else f"Write it as 412x823x2,mobile,touch, or name one of: {', '.join(DEVICES)}.",
    )


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


def worker_user_agent(text: str) -> tuple[str, Params]:
    """Return the command by which a worker that exists already learns of its browser."""
    return "Runtime.evaluate", {"expression": f"({source('set_user_agent')})({json.dumps(text)})"}


def _platform(user_agent: str) -> str:
    known = {"Android": "Android", "iPhone": "iOS", "iPad": "iOS", "Windows": "Windows",
             "Mac OS": "macOS", "CrOS": "Chrome OS", "Linux": "Linux"}  # fmt: skip
    return next((name for word, name in known.items() if word in user_agent), "Unknown")


def _navigator_platform(user_agent: str) -> str:
    known = {"Android": "Linux armv81", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Win32",
             "Mac OS": "MacIntel", "Linux": "Linux x86_64"}  # fmt: skip
    return next((name for word, name in known.items() if word in user_agent), "")
