"""ImageDelivery: images that carry more bytes than the page shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tabmux.analysis.insights.insight import Insight, Savings, element, size
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.handlers.paints import PaintedImage
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "ImageDelivery"
# What a photograph needs in AVIF, twice as generous as is usual.
BYTES_PER_PIXEL = 2 / 12
LEAST_BYTES = 4096
LEAST_BYTES_WITH_CHOICES = 12288
LARGE_GIF = 100 * 1024


@dataclass(frozen=True, slots=True)
class ImageRemedy:
    """One way to make an image smaller."""

    text: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ImageFinding:
    """What can be done about one image; its remedies overlap, so `bytes` is less than their sum."""

    image: PaintedImage
    request: TraceRequest
    bytes: int
    remedies: tuple[ImageRemedy, ...]


def analyse(part: InsightSet) -> Insight:
    """List the images that could be smaller, the largest gain first."""
    found = sorted(findings(part), key=lambda finding: -finding.bytes)
    if not found:
        return Insight(NAME, "the images are as small as they need to be")
    total = sum(finding.bytes for finding in found)
    return Insight(
        NAME,
        f"{count(len(found), 'image')} could be {size(total)} smaller in all",
        noteworthy=True,
        details=tuple(line for finding in found for line in _lines(finding)),
        savings=Savings(bytes=total),
        resources=tuple(finding.request.url for finding in found),
        nodes=tuple(finding.image.node for finding in found if finding.image.node),
    )


def findings(part: InsightSet) -> Iterator[ImageFinding]:
    """Look at every image that came over the network and was painted."""
    largest: dict[str, PaintedImage] = {}
    for image in sorted(part.images, key=lambda image: image.width * image.height):
        largest[image.url] = image
    for request in part.requests:
        if request.url in largest and _is_raster(request):
            finding = _examine(largest[request.url], request)
            if finding.remedies:
                yield finding


def _is_raster(request: TraceRequest) -> bool:
    return request.mime.startswith("image/") and not request.mime.startswith("image/svg")


def _examine(image: PaintedImage, request: TraceRequest) -> ImageFinding:
    weight = min(request.decoded, request.encoded)
    pixels = image.file_width * image.file_height
    format_remedy = _format_remedy(request.mime, weight, pixels)
    by_format = format_remedy.bytes if format_remedy else 0
    remedies = [format_remedy] if format_remedy else []
    wasted = 1 - image.width * image.height / pixels if pixels else 0
    by_size = round(wasted * weight)
    least = LEAST_BYTES_WITH_CHOICES if image.has_choices else 0
    saved = by_format
    if wasted > 0 and by_size > least and not image.is_background:
        remedies.append(ImageRemedy(_resize_text(image), by_size))
        saved += round(wasted * (weight - by_format))
    return ImageFinding(image, request, saved, tuple(r for r in remedies if r.bytes > LEAST_BYTES))


def _format_remedy(mime: str, weight: int, pixels: float) -> ImageRemedy | None:
    if mime == "image/gif":
        if weight <= LARGE_GIF:
            return None
        share = (29.1 * math.log10(weight) - 100.7) / 100
        return ImageRemedy("a video instead of a GIF", round(weight * share))
    if not pixels or weight / pixels <= BYTES_PER_PIXEL:
        return None
    modern = mime in ("image/webp", "image/avif")
    text = "a higher compression" if modern else "WebP or AVIF, or a higher compression"
    return ImageRemedy(text, weight - round(pixels * BYTES_PER_PIXEL))


def _resize_text(image: PaintedImage) -> str:
    have = f"{image.file_width:g}x{image.file_height:g}"
    return f"a smaller file: it is {have} and shown at {image.width:g}x{image.height:g}"


def _lines(finding: ImageFinding) -> Iterator[str]:
    name = element(finding.image.node_name, finding.image.node)
    request = finding.request
    url = address(request.url)
    yield f"{size(finding.bytes)} of {size(request.encoded)}: {url} ({name})"
    for remedy in finding.remedies:
        yield f"  {size(remedy.bytes)} by {remedy.text}"
