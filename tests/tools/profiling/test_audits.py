from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tabmux.tools.profiling import lighthouse, npm_packages
from tests.agent import Agent

PAGE = """<!doctype html><html><head><title>Audit</title>
<meta name=robots content=noindex></head><body><main><h1>Audit</h1>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">
<a href="/next">click here</a><a>nowhere</a><input type=text>
<button></button></main></body></html>"""


@pytest.fixture
def agent(whole: Agent) -> Agent:
    return whole


def uid_of(text: str, html: str) -> str:
    found = re.search(rf"uid=(\S+) {re.escape(html)}", text)
    assert found, text
    return found[1]


async def test_failures_name_elements_that_can_be_acted_upon(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    text = await agent("audit_page")
    assert "## accessibility (axe " in text
    for finding in ("image-alt", "button-name", "html-has-lang", "is-crawlable", "link-text",
                    "crawlable-anchors", "meta-description", "viewport"):  # fmt: skip
        assert f"- {finding}" in text
    button = uid_of(text, "<button>")
    assert '"button"' in await agent(
        "evaluate_script", function="el => el.localName", args=[button]
    )


async def test_uids_of_a_snapshot_stay_valid_and_the_same(agent: Agent) -> None:
    await agent.open(PAGE)
    link = agent.uid('link "click here"')
    text = await agent("audit_page", categories=["seo"])
    assert uid_of(text, '<a href="/next">') == link
    assert "accessibility" not in text


async def test_uids_are_new_after_the_page_has_changed(agent: Agent) -> None:
    await agent.open(PAGE)
    old = agent.uid('link "click here"')
    await agent("navigate_page", type="reload")
    new = uid_of(await agent("audit_page", categories=["seo"]), '<a href="/next">')
    assert new != old
    code, _ = await agent.fails("click", uid=old)
    assert code == "stale_uid"


@pytest.mark.parametrize("other", [False, True], ids=["same site", "other site"])
async def test_frames_are_audited_too(agent: Agent, other: bool) -> None:
    inner = agent.site.page("<!doctype html><html lang=en><title>In</title><button></button>",
                            other=other)  # fmt: skip
    await agent.open(
        f"<!doctype html><html lang=en><title>Out</title><iframe title=in src='{inner}'></iframe>"
    )
    text = await agent("audit_page", categories=["accessibility"])
    button = uid_of(text, "<button>")
    assert '"In"' in await agent(
        "evaluate_script", function="el => el.ownerDocument.title", args=[button]
    )


async def test_page_cannot_see_the_auditor(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    await agent("audit_page")
    assert await agent.value("typeof axe + typeof tabmux") == '"undefinedundefined"'


async def test_findings_are_written_to_a_file(agent: Agent, tmp_path: Path) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    await agent("audit_page", filePath=str(tmp_path / "findings"))
    rows = json.loads((tmp_path / "findings.json").read_text())
    assert {row["category"] for row in rows} == {"accessibility", "seo", "best-practices"}


async def test_sound_page_has_no_findings_of_ours(agent: Agent) -> None:
    html = """<!doctype html><html lang=en><head><meta charset=utf-8><title>Sound</title>
    <meta name=description content="A page"><meta name=viewport content="width=device-width">
    </head><body><main><h1>Sound</h1><a href="/x">The next chapter</a></main></body></html>"""
    await agent("navigate_page", url=agent.site.page(html))
    assert (await agent("audit_page")).startswith("0 findings")


async def test_missing_axe_says_how_to_get_it(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npm_packages, "find_axe", lambda: None)
    await agent("navigate_page", url=agent.site.page(PAGE))
    text = await agent("audit_page")
    assert "pip install 'tabmux[audits]'" in text
    assert "- link-text" in text
    _, text = await agent.fails("audit_page", categories=["accessibility"])
    assert "pip install 'tabmux[audits]'" in text


async def test_missing_lighthouse_says_how_to_get_it(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npm_packages, "find_lighthouse", lambda: None)
    code, text = await agent.fails("lighthouse_audit")
    assert code == "missing_extra"
    assert "npm install --prefix" in text
    assert "audit_page works without it" in text


REPORT = {
    "lighthouseVersion": "12.8.2",
    "finalDisplayedUrl": "http://127.0.0.1/",
    "categories": {
        "seo": {"score": 0.5, "auditRefs": [{"id": "link-text"}, {"id": "title"}]},
        "performance": {"score": None, "auditRefs": []},
    },
    "audits": {
        "link-text": {
            "title": "Links do not have descriptive text",
            "score": 0,
            "scoreDisplayMode": "binary",
            "details": {
                "items": [
                    {"node": {"path": path, "selector": "main > a", "snippet": f"<a {n}>"}}
                    for n, path in enumerate(
                        (
                            "1,HTML,1,BODY,0,MAIN,2,A",
                            "1,HTML,1,BODY,0,MAIN,3,A",
                            "1,HTML,1,BODY,0,MAIN,9,A",
                            "1,HTML,0,BODY",
                        )
                    )
                ]
            },
        },
        "title": {"title": "Has a title", "score": 1, "scoreDisplayMode": "binary"},
    },
}
FAKE_LIGHTHOUSE = """
const path = process.argv.find((word) => word.startsWith('--output-path=')).slice(14);
require('fs').writeFileSync(path + '.report.json', JSON.stringify(REPORT));
"""


async def test_lighthouse_report_is_read_and_its_elements_get_uids(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "index.js"
    script.write_text(FAKE_LIGHTHOUSE.replace("REPORT", json.dumps(REPORT)))
    monkeypatch.setattr(npm_packages, "find_lighthouse", lambda: script)
    await agent.open(PAGE)
    link = agent.uid('link "click here"')
    text = await agent("lighthouse_audit", outputDirPath=str(tmp_path / "out"))
    assert "seo 50, performance n/a" in text
    assert "1 audit passed, 1 failed" in text
    assert f"uid={link} <a 0>" in text
    second = uid_of(text, "<a 1>")
    assert '"nowhere"' in await agent("evaluate_script", function="el => el.text", args=[second])
    assert "main > a <a 2>" in text
    assert "main > a <a 3>" in text
    assert (tmp_path / "out" / "lighthouse.report.json").exists()


async def test_lighthouse_that_fails_says_why(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "index.js"
    script.write_text("console.error('no such browser'); process.exit(1)")
    monkeypatch.setattr(npm_packages, "find_lighthouse", lambda: script)
    await agent("navigate_page", url=agent.site.page(PAGE))
    code, text = await agent.fails("lighthouse_audit")
    assert code == "lighthouse_failed"
    assert "no such browser" in text


async def test_snapshot_mode_points_to_audit_page(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npm_packages, "find_lighthouse", lambda: tmp_path)
    _, text = await agent.fails("lighthouse_audit", mode="snapshot")
    assert "audit_page" in text


def test_report_of_a_page_that_could_not_be_loaded_is_an_error() -> None:
    report = {"runtimeError": {"message": "NO_FCP"}}
    with pytest.raises(lighthouse.LighthouseFailed):
        lighthouse.read(json.dumps(report).encode())


def test_newest_axe_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in ("4.9.0", "4.14.0"):
        (tmp_path / number).write_text(f"/*! axe v{number} */")
    files = [tmp_path / name for name in os.listdir(tmp_path)]
    monkeypatch.setattr(npm_packages, "_axe_files", lambda: iter(files))
    axe = npm_packages.find_axe()
    assert axe is not None
    assert axe.version == "4.14.0"
