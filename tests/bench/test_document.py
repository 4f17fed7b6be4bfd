"""Measured runs become a page with tables and charts."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from bench.document import document

RUN = {
    "time": "2026-11-16T12:00:00+00:00",
    "machine": {"processor": "A processor", "cores": 2, "busy_percent": 1.4},
    "versions": {"tabmux": "1.0"},
    "rows": [
        {
            "name": "click <dom>", "unit": "ms", "target": 0.5, "ratio": 0.25,
            "meets_target": True, "medians": {"tabmux": 5.0, "peer": 20.0},
        },
        {
            "name": "size", "unit": "chars", "target": 0.5, "ratio": 0.8,
            "meets_target": False, "medians": {"tabmux": 800, "peer": 1000},
        },
    ],
}  # fmt: skip


def test_every_run_gets_its_table_and_a_chart_of_its_times(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    assert document([f"peers={tmp_path / 'run.json'}", "--docs", str(tmp_path)]) == 0
    text = (tmp_path / "benchmark-results.md").read_text()
    assert "2026-11-16; tabmux 1.0; A processor, 2 cores, 1 % busy before the run." in text
    assert "| click <dom> | ms | 5 | 20 | 0.25 | ≤ 0.5 |" in text
    assert "| size | chars | 800 | 1,000 | 0.80 | ≤ 0.5 (missed) |" in text
    drawn = ElementTree.parse(tmp_path / "pictures" / "bench-peers.svg").getroot()
    words = ["".join(each.itertext()) for each in drawn.iter() if each.tag.endswith("text")]
    assert "click <dom>" in words
    assert "size" not in words
    bars = [float(each.attrib["width"]) for each in drawn.iter() if "x" in each.attrib and "fill" in each.attrib]  # fmt: skip
    assert bars[0] * 4 == bars[1]
