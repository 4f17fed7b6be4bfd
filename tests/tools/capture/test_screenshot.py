from __future__ import annotations

import base64
import struct
import time
from pathlib import Path

import pytest

from tests.agent import Agent
from tests.clock import AT_ONCE

PAGE = "<body style='margin:0;background:#f00'><div style='height:3000px'></div><button style='width:100px;height:50px'>Low</button>"


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


async def shot(agent: Agent, **arguments: object) -> bytes:
    reply = await agent.reply("take_screenshot", **arguments)
    assert reply.images, reply.text
    return base64.b64decode(reply.images[0].data)


async def test_viewport_full_page_and_element(agent: Agent) -> None:
    await agent.open(PAGE)
    view = size(await shot(agent))
    full = size(await shot(agent, fullPage=True))
    element = size(await shot(agent, uid=agent.uid("button")))
    assert full[1] > 3000 > view[1]
    assert element == (100, 50)


@pytest.mark.parametrize(
    ("kind", "magic"), [("png", b"\x89PNG"), ("jpeg", b"\xff\xd8"), ("webp", b"RIFF")]
)
async def test_formats(agent: Agent, kind: str, magic: bytes) -> None:
    reply = await agent.reply("take_screenshot", format=kind, quality=50)
    assert base64.b64decode(reply.images[0].data).startswith(magic)
    assert reply.images[0].mime == f"image/{kind}"


async def test_tab_in_the_background_is_drawn_at_once_and_stays_there(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page("<title>Back</title>back"))
    behind = max(agent.session.pages)
    await agent("new_page", url=agent.site.page("<title>Front</title>front"), background=False)
    for _ in range(3):
        started = time.monotonic()
        await shot(agent, pageId=behind)
        assert time.monotonic() - started < AT_ONCE
    assert "front" in await agent("take_snapshot")


async def test_file_gets_the_ending_of_its_format(agent: Agent, tmp_path: Path) -> None:
    reply = await agent.reply("take_screenshot", filePath=str(tmp_path / "shot"), format="jpeg")
    assert not reply.images
    assert (tmp_path / "shot.jpeg").read_bytes().startswith(b"\xff\xd8")


async def test_file_outside_the_allowed_folders_is_refused(agent: Agent) -> None:
    code, text = await agent.fails("take_screenshot", filePath="/etc/tabmux-shot.png")
    assert code == "refused_by_policy"
    assert "--allow-path" in text


async def test_link_out_of_the_allowed_folders_is_refused(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "out.png").symlink_to("/etc/tabmux-shot.png")
    code, _ = await agent.fails("take_screenshot", filePath=str(tmp_path / "out.png"))
    assert code == "refused_by_policy"


async def test_element_and_full_page_exclude_each_other(agent: Agent) -> None:
    await agent.open(PAGE)
    code, _ = await agent.fails("take_screenshot", uid=agent.uid("button"), fullPage=True)
    assert code == "bad_arguments"


@pytest.mark.parametrize("other", [False, True], ids=["same site", "other site"])
async def test_element_in_a_frame(agent: Agent, other: bool) -> None:
    inner = agent.site.page(
        "<body style='margin:0'><button style='width:80px;height:40px;background:#00f'>In</button>",
        other=other,
    )
    await agent.open(f"<div style='height:2000px'></div><iframe src='{inner}'></iframe>")
    assert size(await shot(agent, uid=agent.uid('button "In"'))) == (80, 40)
