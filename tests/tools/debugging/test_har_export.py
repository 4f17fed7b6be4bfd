from __future__ import annotations

import json
from pathlib import Path

from tests.agent import Agent
from tests.tools.debugging.test_network import listed


async def test_archive_holds_the_requests(whole: Agent, tmp_path: Path) -> None:
    data = whole.site.page('{"a": 1}', kind="application/json")
    await whole.open(f"""<script>
      fetch('{data}?x=1&y=', {{method: 'POST', body: 'sent', headers: {{Authorization: 's3cret'}}}})
        .then(r => r.text())
    </script>""")
    await listed(whole, f"POST {data}?x=1&y= [200] fetch, ")
    said = await whole("export_har", filePath=str(tmp_path / "page"), includeBodies=True)
    path = tmp_path / "page.har"
    assert f"to {path}." in said
    log = json.loads(path.read_bytes())["log"]
    assert (log["version"], log["creator"]["name"]) == ("1.2", "tabmux")
    (entry,) = [each for each in log["entries"] if each["request"]["method"] == "POST"]
    assert entry["request"]["queryString"] == [
        {"name": "x", "value": "1"},
        {"name": "y", "value": ""},
    ]
    assert entry["request"]["postData"]["text"] == "sent"
    assert entry["response"]["content"]["text"] == '{"a": 1}'
    assert entry["response"]["status"] == 200
    sent = {each["name"].lower(): each["value"] for each in entry["request"]["headers"]}
    assert sent["authorization"] == "<redacted>"


async def test_archive_has_no_bodies_unless_they_are_wanted(whole: Agent, tmp_path: Path) -> None:
    await whole.open("<p>Hello</p>")
    await whole("export_har", filePath=str(tmp_path / "lean.har"))
    log = json.loads((tmp_path / "lean.har").read_bytes())["log"]
    assert log["entries"]
    assert all("text" not in entry["response"]["content"] for entry in log["entries"])
