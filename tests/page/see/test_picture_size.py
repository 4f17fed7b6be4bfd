from __future__ import annotations

import pytest

from tabmux.errors import BadArguments
from tabmux.page.see.picture_size import Area, PictureSize, in_parts, whole

MODEL = PictureSize(1568)


def area(width: float, height: float) -> Area:
    return Area(0, 100, width, height)


def test_what_fits_is_drawn_as_on_the_screen() -> None:
    assert whole(area(780, 437), 2, MODEL).scale == 2
    assert in_parts(area(780, 437), 2, MODEL).scale == 2


def test_what_does_not_fit_is_drawn_smaller() -> None:
    assert whole(area(3136, 1000), 1, MODEL).scale == 0.5
    assert whole(area(1000, 3136), 1, MODEL).scale == 0.5


def test_what_can_still_be_read_is_not_cut_into_parts() -> None:
    found = in_parts(area(1000, 2000), 1, MODEL)
    assert (found.parts, found.scale) == (1, 0.784)
    assert in_parts(area(1000, 3000), 1, MODEL).parts == 2


@pytest.mark.parametrize("width", [300, 1568, 5000])
@pytest.mark.parametrize("ratio", [0.5, 1, 1.25, 3])
@pytest.mark.parametrize("scale", [None, 0.3, 2])
def test_parts_cover_the_area_and_fit(width: float, ratio: float, scale: float | None) -> None:
    count = in_parts(area(width, 12_345), ratio, PictureSize(1568, scale)).parts
    below = 100.0
    for part in range(1, count + 1):
        shown = in_parts(area(width, 12_345), ratio, PictureSize(1568, scale, part))
        assert shown.area.y == below
        assert max(shown.area.width, shown.area.height) * shown.scale <= 1568.001
        assert shown.area.height > 0
        below += shown.area.height
    assert below == 12_445
    with pytest.raises(BadArguments):
        in_parts(area(width, 12_345), ratio, PictureSize(1568, scale, count + 1))


def test_wished_scale_holds_within_the_limit() -> None:
    assert whole(area(100, 50), 1, PictureSize(1568, 3)).scale == 3
    assert whole(area(1000, 50), 1, PictureSize(1568, 3)).scale == 1.568
    assert in_parts(area(1000, 2000), 1, PictureSize(1568, 1)).parts == 2


@pytest.mark.parametrize(("height", "ratio"), [(20_000, 1), (6_000, 3)])
def test_full_size_is_not_given_up_for_a_whole_picture(height: float, ratio: float) -> None:
    found = in_parts(area(400, height), ratio, PictureSize())
    assert (found.parts, found.scale) == (2, ratio)
