from __future__ import annotations

import pytest

from tabmux.page.projection import Projection

TURNED = [100, 0, 100, 50, 0, 50, 0, 0]
IN_PERSPECTIVE = [10, 20, 210, 60, 190, 140, 30, 170]


def test_corners_go_to_corners() -> None:
    show = Projection.onto(300, 150, IN_PERSPECTIVE)
    assert show is not None
    corners = [(0, 0), (300, 0), (300, 150), (0, 150)]
    found = [each for corner in corners for each in show(*corner)]
    assert found == pytest.approx(IN_PERSPECTIVE)


def test_turned_and_scaled_frame_shows_its_middle_in_the_middle() -> None:
    show = Projection.onto(100, 200, TURNED)
    assert show is not None
    assert show(50, 100) == pytest.approx((50, 25))


@pytest.mark.parametrize("quad", [TURNED, IN_PERSPECTIVE])
def test_the_way_back_leads_back(quad: list[float]) -> None:
    show = Projection.onto(300, 150, quad)
    assert show is not None
    assert show.inverse(*show(33, 44)) == pytest.approx((33, 44))


@pytest.mark.parametrize("size", [(300, 150), (0, 0)])
def test_a_frame_without_an_area_shows_nothing(size: tuple[float, float]) -> None:
    quad = [0, 0, 100, 0, 100, 0, 0, 0] if size[0] else TURNED
    assert Projection.onto(*size, quad) is None
