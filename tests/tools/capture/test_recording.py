from __future__ import annotations

import asyncio
import base64
import struct
from pathlib import Path

import pytest

from tabmux.page.see import screencast
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site

BLINKING = """<body style='background: rgb(255, 0, 0)'><script>
globalThis.ticks = 0;
setInterval(() => { document.body.style.background = ++ticks % 2 ? 'rgb(0, 0, 255)' : 'rgb(255, 0, 0)' }, 300);
</script>"""
PLAYED = """async () => {
  const video = document.createElement('video');
  video.muted = true;
  video.src = 'data:video/mp4;base64,FILM';
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const seen = new Set();
  await video.play();
  await new Promise((resolve) => { video.onended = resolve });
  for (let at = 0; at < video.duration; at += 0.1) {
    video.currentTime = at;
    await new Promise((resolve) => { video.onseeked = resolve });
    canvas.drawImage(video, 0, 0, 1, 1);
    const [red, , blue] = canvas.getImageData(0, 0, 1, 1).data;
    seen.add(red > blue ? 'red' : 'blue');
  }
  return [[...seen].sort().join(), video.duration > 0.8];
}"""


async def blinked(agent: Agent, times: int) -> None:
    """Wait until the page has changed its colour a few times more."""
    await agent(
        "evaluate_script",
        function=f"async () => {{ const end = ticks + {times};"
        " while (ticks < end) await new Promise((r) => setTimeout(r, 20)); }",
    )


async def pictured(agent: Agent, times: int) -> None:
    """Change the page's colour a few times, each time after Chrome has delivered a picture."""
    page = agent.session.pages[agent.session.selected or 0]
    picture = asyncio.Event()
    stop = page.attached_page.channel.on("Page.screencastFrame", lambda _: picture.set())
    for _ in range(times):
        picture.clear()
        await blinked(agent, 1)
        async with asyncio.timeout(20):
            await picture.wait()
    stop()


async def test_film_of_a_tab_in_the_background_can_be_played(whole: Agent, tmp_path: Path) -> None:
    await whole.open(BLINKING)
    await whole("take_screenshot")
    path = tmp_path / "film.mp4"
    assert str(path) in await whole("screencast_start", filePath=str(tmp_path / "film"))
    await blinked(whole, 4)
    assert (await whole.reply("take_screenshot")).images
    assert await whole("screencast_stop") == f"Stopped recording and saved it to {path}."
    data = path.read_bytes()
    assert data[4:8] == b"ftyp"
    assert path.stat().st_mode & 0o777 == 0o600
    played = PLAYED.replace("FILM", base64.b64encode(data).decode())
    assert '["blue,red",true]' in await whole("evaluate_script", function=played, timeout=50_000)
    assert (await whole.reply("take_screenshot")).images


async def test_animated_picture_has_a_frame_for_each_change(whole: Agent, tmp_path: Path) -> None:
    await whole.open(BLINKING)
    path = tmp_path / "film.png"
    await whole("screencast_start", filePath=str(path))
    await pictured(whole, 6)
    await whole("screencast_stop")
    data = path.read_bytes()
    (frames,) = struct.unpack(">I", data[data.index(b"acTL") + 4 :][:4])
    assert 4 <= frames <= 60
    picture = base64.b64encode(data).decode()
    size = "async () => { const image = new Image(); image.src = 'data:image/png;base64,%s';"
    size += " await image.decode(); return image.naturalWidth > 100 }"
    assert "true" in await whole("evaluate_script", function=size % picture)
    assert (await whole.reply("take_screenshot")).images


async def test_browser_without_a_recorder_makes_an_animated_picture(
    whole: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none(channel: object, limit: float) -> None:
        return None

    monkeypatch.setattr(screencast, "_video", none)
    await whole.open(BLINKING)
    text = await whole("screencast_start", filePath=str(tmp_path / "film.mp4"))
    assert str(tmp_path / "film.mp4.png") in text
    await pictured(whole, 2)
    await whole("screencast_stop")
    assert (tmp_path / "film.mp4.png").read_bytes().startswith(b"\x89PNG")


async def test_second_start_and_stray_stop_are_refused(whole: Agent) -> None:
    await whole.open(BLINKING)
    assert (await whole.fails("screencast_stop"))[0] == "bad_request"
    text = await whole("screencast_start")
    assert (await whole.fails("screencast_start"))[0] == "busy"
    path = Path(text.split("save it to ")[1].rstrip("."))
    await blinked(whole, 1)
    await whole("screencast_stop")
    assert path.is_file()
    path.unlink()


async def test_recording_that_is_forgotten_ends_by_itself(site: Site, tmp_path: Path) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, tools="+recording")
    timings = {"screencast_limit": 0.5}
    async with running(settings, timings=timings) as app, Agent.joined(app, site) as agent:
        await agent.open(BLINKING)
        await agent("screencast_start", filePath=str(tmp_path / "film.mp4"))
        await blinked(agent, 4)
        assert "It was cut after 0.5 s." in await agent("screencast_stop")


async def test_file_outside_the_roots_is_refused(whole: Agent) -> None:
    code, _ = await whole.fails("screencast_start", filePath="/etc/film.mp4")
    assert code == "refused_by_policy"
