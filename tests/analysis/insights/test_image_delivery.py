from __future__ import annotations

from typing import Any

from tabmux.analysis.insights.image_delivery import ImageFinding, analyse, findings
from tabmux.analysis.trace.handlers.paints import PaintedImage
from tests.analysis.insight_set_samples import image, part, request


def found(
    painted: PaintedImage, weight: int, mime: str = "image/png", **more: Any
) -> list[ImageFinding]:
    sent = request(painted.url, mime=mime, encoded=weight + 100, decoded=weight, **more)
    return list(findings(part(sent, images=[painted])))


def test_heavy_image_could_be_compressed() -> None:
    (finding,) = found(image("a.png", (300, 200), (300, 200)), 100_000)

    assert finding.bytes == 90_000
    assert [remedy.text for remedy in finding.remedies] == ["WebP or AVIF, or a higher compression"]


def test_modern_format_is_only_told_to_compress() -> None:
    (finding,) = found(image("a.avif", (300, 200), (300, 200)), 100_000, "image/avif")

    assert finding.remedies[0].text == "a higher compression"


def test_image_shown_small_could_be_a_smaller_file() -> None:
    (finding,) = found(image("a.jpg", (100, 100), (400, 400)), 24_000, "image/jpeg")

    assert finding.bytes == 22_500
    assert finding.remedies[0].text == "a smaller file: it is 400x400 and shown at 100x100"


def test_largest_display_of_an_image_counts() -> None:
    sent = request("a.jpg", mime="image/jpeg", encoded=24_000, decoded=24_000)
    painted = [image("a.jpg", (400, 400), (400, 400)), image("a.jpg", (10, 10), (400, 400))]

    assert list(findings(part(sent, images=painted))) == []


def test_page_that_offers_choices_is_judged_mildly() -> None:
    small = image("a.jpg", (100, 100), (400, 400), has_choices=True)

    assert found(small, 12_000, "image/jpeg") == []
    assert len(found(small, 24_000, "image/jpeg")) == 1


def test_background_is_not_told_to_be_smaller() -> None:
    assert (
        found(image("a.jpg", (10, 10), (400, 400), is_background=True), 24_000, "image/jpeg") == []
    )


def test_large_gif_should_be_a_video() -> None:
    (finding,) = found(image("a.gif", (300, 200), (300, 200)), 1_000_000, "image/gif")

    assert (finding.bytes, finding.remedies[0].text) == (739_000, "a video instead of a GIF")
    assert found(image("a.gif", (300, 200), (300, 200)), 50_000, "image/gif") == []


def test_drawings_and_small_gains_are_left_alone() -> None:
    assert found(image("a.svg", (10, 10), (0, 0)), 100_000, "image/svg+xml") == []
    assert found(image("a.png", (300, 200), (300, 200)), 13_000) == []
    assert found(image("a.png", (300, 200), (0, 0)), 90_000) == []


def test_images_are_listed_with_their_remedies() -> None:
    sent = request("a.png", mime="image/png", encoded=100_000, decoded=100_000)
    told = analyse(part(sent, images=[image("a.png", (100, 100), (200, 200))]))

    assert told.finding == "1 image could be 98.3 kB smaller in all"
    assert told.details == (
        "98.3 kB of 100 kB: https://shop.test/a.png (IMG [node 5])",
        "  93.3 kB by WebP or AVIF, or a higher compression",
        "  75 kB by a smaller file: it is 200x200 and shown at 100x100",
    )
