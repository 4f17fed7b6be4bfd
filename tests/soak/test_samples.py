from __future__ import annotations

import random
from xml.etree import ElementTree

from tests.soak.chart import chart
from tests.soak.samples import Sample, verdict

HOUR = 3600.0


def rows(per_hour: float, noise: float) -> list[Sample]:
    chance = random.Random(1)
    return [
        {
            "seconds": at,
            "daemon rss_mb": 200 + per_hour * at / HOUR + chance.gauss(0, noise),
            "daemon fds": 30.0 + at % 3,
        }
        for at in range(0, 3600, 10)
    ]


def test_steady_growth_is_found_under_its_noise() -> None:
    lines, fine = verdict(rows(per_hour=20, noise=8), warm_up=600)
    assert not fine
    assert lines[0].endswith("GROWS")


def test_noise_alone_is_no_growth() -> None:
    lines, fine = verdict(rows(per_hour=0, noise=8), warm_up=600)
    assert fine
    assert [line.rpartition(": ")[2] for line in lines] == ["zero within noise"] * 2


def test_growth_before_the_warm_up_ended_does_not_count() -> None:
    samples = rows(per_hour=0, noise=1)
    for sample in samples[:60]:
        sample["daemon rss_mb"] -= 150
    assert verdict(samples, warm_up=600)[1]


def test_step_after_which_nothing_grows_is_no_growth() -> None:
    samples = rows(per_hour=0, noise=1)
    for sample in samples[200:]:
        sample["daemon rss_mb"] += 10
    lines, fine = verdict(samples, warm_up=600)
    assert fine
    assert lines[0].endswith("no growth")


def test_too_few_samples_are_no_verdict() -> None:
    assert not verdict(rows(0, 1)[:20], warm_up=0)[1]


def test_chart_is_a_picture_of_every_sample() -> None:
    samples = rows(per_hour=1, noise=1)
    drawn = ElementTree.fromstring(chart(samples, "A & B", faults=[60]))
    lines = drawn.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [len(samples)] * 2
