"""Emulation tools: viewport, network, CPU, location and more."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from tabmux.browsers.browser_view import BrowserView
from tabmux.browsers.window_tabs import resize_window
from tabmux.content import Reply
from tabmux.errors import BadArguments, ProtocolFault
from tabmux.json_text import decoded
from tabmux.page.environment.devices import Device, device_named
from tabmux.page.environment.emulation import EmulationSettings, Viewport
from tabmux.page.page import Page
from tabmux.tools.pipeline.argument_types import Positive
from tabmux.tools.pipeline.tool import tool

RESIZE_MILLISECONDS = 1000
PASSED_ON_MILLISECONDS = 300
# Of Chrome, where the browser does not tell its own.
USUAL_VERSION = 150
_VIEWPORT = re.compile(r"(\d+)x(\d+)(?:x(\d+(?:\.\d+)?))?((?:,(?:mobile|touch|landscape))*)")

Network = Literal["Offline", "Slow 3G", "Fast 3G", "Slow 4G", "Fast 4G"]


@tool(repeatable=True, read_only=True)
async def resize_page(
    page: Page, browsers: BrowserView, width: Positive, height: Positive
) -> Reply:
    """Resize the window so that the page has this size.

    Args:
        width: CSS pixels.
        height: CSS pixels.
    """
    if browser := browsers.browser_of(page.handle):
        await resize_window(browser, page.handle, width, height)
    size = await page.main.call("resized", width, height, PASSED_ON_MILLISECONDS)
    if (size["width"], size["height"]) != (width, height):
        # A tab behind another one hears of its window's size only when it is shown.
        await page.emulation.fit(width, height)
        size = await page.main.call("resized", width, height, RESIZE_MILLISECONDS)
    return Reply(f"The page is now {size['width']} x {size['height']}.")


@tool(repeatable=True, read_only=True)
async def emulate(
    page: Page,
    network_conditions: Network | None = None,
    cpu_throttling_rate: Annotated[float, Field(ge=1, le=20)] = 1,
    geolocation: str | None = None,
    user_agent: str | None = None,
    color_scheme: Literal["dark", "light", "auto"] = "auto",
    prefers_reduced_motion: Literal["reduce", "no-preference", "auto"] = "auto",
    prefers_contrast: Literal["more", "less", "custom", "no-preference", "auto"] = "auto",
    forced_colors: Literal["active", "none", "auto"] = "auto",
    viewport: str | None = None,
    extra_http_headers: str | None = None,
    locale: str | None = None,
    timezone: str | None = None,
) -> Reply:
    """Emulate a network, device or place; each call replaces the last.

    Args:
        network_conditions: Speed.
        cpu_throttling_rate: Times slower.
        geolocation: latitude,longitude
        user_agent: Client hints follow it.
        color_scheme: Media feature.
        prefers_reduced_motion: Media feature.
        prefers_contrast: Media feature.
        forced_colors: Media feature.
        viewport: WxHxSCALE with ,mobile ,touch ,landscape; or a device: iPhone 15.
        extra_http_headers: JSON object; kept when absent, none when empty.
        locale: Such as de-DE.
        timezone: Such as Europe/Berlin.
    """
    media = {
        "prefers-color-scheme": color_scheme,
        "prefers-reduced-motion": prefers_reduced_motion,
        "prefers-contrast": prefers_contrast,
        "forced-colors": forced_colors,
    }
    headers = page.emulation.current.headers
    screen, device = _screen(viewport)
    if device is not None and not user_agent:
        user_agent = device.user_agent(await _version(page) if device.is_chrome else 0)
    wanted = EmulationSettings(
        network=network_conditions,
        cpu=cpu_throttling_rate,
        location=_location(geolocation),
        user_agent=user_agent or None,
        media={name: value for name, value in media.items() if value != "auto"},
        viewport=screen,
        headers=headers if extra_http_headers is None else _headers(extra_http_headers),
        locale=locale or None,
        timezone=timezone or None,
    )
    await page.emulation.apply(wanted)
    return Reply("Emulation configured." if any(wanted.lines) else "Nothing is emulated any more.")


def _location(text: str | None) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        latitude, longitude = (float(part) for part in text.split(","))
    except ValueError as error:
        raise BadArguments(f"{text!r} is not of the form latitude,longitude.") from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise BadArguments(f"{text!r} is not a place on Earth.")
    return latitude, longitude


def _screen(text: str | None) -> tuple[Viewport | None, Device | None]:
    if not text or not text.strip():
        return None, None
    found = _VIEWPORT.fullmatch(text.replace(" ", ""))
    if not found and text.strip()[0].isalpha():
        device = device_named(text)
        size = Viewport(device.width, device.height, device.scale, mobile=True, touch=True)
        return size, device
    if not found or not int(found[1]) or not int(found[2]):
        raise BadArguments(
            f"{text!r} is not a viewport.", hint="Write it as 412x823x2,mobile,touch."
        )
    words = found[4].split(",")
    size = Viewport(
        int(found[1]),
        int(found[2]),
        float(found[3] or 1),
        "mobile" in words,
        "touch" in words,
        "landscape" in words,
    )
    return size, None


async def _version(page: Page) -> int:
    """Return the version of the browser, which a device is to share."""
    try:
        product = str((await page.channel.call("Browser.getVersion"))["product"])
    except ProtocolFault:
        return USUAL_VERSION
    found = re.search(r"/(\d+)", product)
    return int(found[1]) if found else USUAL_VERSION


def _headers(text: str) -> dict[str, str]:
    if not text.strip():
        return {}
    try:
        found = decoded(text)
    except ValueError as error:
        raise BadArguments(f"extraHttpHeaders is not JSON: {error}.") from error
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise BadArguments("extraHttpHeaders must be a JSON object of strings.")
    return {name.lower(): value for name, value in found.items()}
