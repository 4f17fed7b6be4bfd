from __future__ import annotations

import base64
import struct
import time
from pathlib import Path
from typing import Any

import pytest

from tabmux.page.frame_tree import Frame, FrameGone
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
    full = size(await shot(agent, fullPage=True, maxSide=4000))
    element = size(await shot(agent, uid=agent.uid("button")))
    assert full[1] > 3000 > view[1]
    assert element == (100, 50)


# Bands of 500 pixels, each a little redder than the one above it.
BANDS = "<body style='margin:0'>" + "".join(
    f"<div style='height:500px;background:rgb({10 * band},0,0)'></div>" for band in range(20)
)
# What no encoding makes small: every pixel has a colour of its own.
NOISE = """<body style='margin:0'><canvas width=1600 height=1600></canvas><script>
const context = document.querySelector("canvas").getContext("2d");
const picture = context.createImageData(1600, 1600);
let seed = 1;
for (let at = 0; at < picture.data.length; at += 1) {
  seed = seed * 16807 % 2147483647;
  picture.data[at] = at % 4 == 3 ? 255 : LOUD;
}
context.putImageData(picture, 0, 0);
</script>"""
COLOURS = """async () => {
  const {width, height} = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(picture, 0, 0);
  return [2, height - 3].map((y) => context.getImageData(width - 2, y, 1, 1).data[0] / 10);
}"""


async def bands(agent: Agent, picture: bytes) -> str:
    """Which bands are at the top and at the bottom of a picture."""
    data = base64.b64encode(picture).decode()
    load = f"const picture = await createImageBitmap(await (await fetch('data:;base64,{data}')).blob());"
    text = await agent("evaluate_script", function=COLOURS.replace("{", "{" + load, 1))
    return "".join(text.split("```json")[1].split("```")[0].split())


async def test_page_that_is_too_long_comes_in_parts_that_leave_nothing_out(agent: Agent) -> None:
    await agent.open(BANDS)
    reply = await agent.reply("take_screenshot", fullPage=True)
    assert "the full page, part 1 of 7 (y 0 to 1568)" in reply.text
    assert "part: 2" in reply.text
    first = base64.b64decode(reply.images[0].data)
    assert size(first)[1] == 1568
    assert await bands(agent, first) == "[0,3]"
    assert await bands(agent, await shot(agent, fullPage=True, part=2)) == "[3,6]"
    reply = await agent.reply("take_screenshot", fullPage=True, part=7)
    assert "part 7 of 7 (y 9408 to 10000)" in reply.text
    assert "part: 8" not in reply.text
    last = base64.b64decode(reply.images[0].data)
    assert size(last)[1] == 592
    assert await bands(agent, last) == "[18,19]"
    code, text = await agent.fails("take_screenshot", fullPage=True, part=8)
    assert code == "bad_arguments"
    assert "Give 1 to 7" in text
    code, _ = await agent.fails("take_screenshot", part=2)
    assert code == "bad_arguments"


async def test_element_that_is_too_long_comes_in_parts(agent: Agent) -> None:
    await agent.open(f"<div style='height:100px'></div><main>{BANDS}</main>")
    reply = await agent.reply("take_screenshot", uid="css=main", part=2)
    assert "part 2 of 7 (y 1668 to 3236)" in reply.text
    assert await bands(agent, base64.b64decode(reply.images[0].data)) == "[3,6]"


async def test_file_holds_the_full_size_of_what_a_model_is_shown_in_parts(
    agent: Agent, tmp_path: Path
) -> None:
    await agent.open(BANDS)
    await agent("take_screenshot", fullPage=True, filePath=str(tmp_path / "page"))
    picture = (tmp_path / "page.png").read_bytes()
    assert size(picture)[1] == 10_000
    assert await bands(agent, picture) == "[0,19]"
    await agent.open(BANDS + BANDS)
    text = await agent("take_screenshot", fullPage=True, part=2, filePath=str(tmp_path / "end"))
    assert "part 2 of 2 (y 16000 to 20000)" in text
    assert await bands(agent, (tmp_path / "end.png").read_bytes()) == "[12,19]"


async def test_large_viewport_is_shrunk_and_the_reply_says_how_to_map_its_points(
    agent: Agent, tmp_path: Path
) -> None:
    await agent("emulate", viewport="390x844x3,mobile,touch")
    await agent.open(f"<meta name=viewport content='width=device-width'>{BANDS}")
    await agent("evaluate_script", function="() => scrollTo(0, 1000)")
    reply = await agent.reply("take_screenshot")
    picture = base64.b64decode(reply.images[0].data)
    assert size(picture)[1] == 1568
    assert "One of its pixels is 0.5383 CSS pixels" in reply.text
    assert await bands(agent, picture) == "[2,3]"
    assert size(await shot(agent, scale=1)) == (390, 844)
    assert size(await shot(agent, maxSide=844)) == (390, 844)
    assert size(await shot(agent, maxSide=4000)) == (1170, 2532)
    await agent("take_screenshot", filePath=str(tmp_path / "view.png"))
    assert size((tmp_path / "view.png").read_bytes()) == (1170, 2532)


async def test_page_made_for_wide_screens_is_pictured_as_a_phone_shows_it(agent: Agent) -> None:
    await agent("emulate", viewport="390x844x1,mobile,touch")
    await agent.open(f"<meta name=viewport content='width=980'>{BANDS}")
    reply = await agent.reply("take_screenshot")
    assert size(base64.b64decode(reply.images[0].data)) == (390, 844)
    assert "One of its pixels is 2.513 CSS pixels" in reply.text


async def test_small_element_can_be_enlarged(agent: Agent) -> None:
    await agent.open(PAGE)
    reply = await agent.reply("take_screenshot", uid=agent.uid("button"), scale=3)
    assert size(base64.b64decode(reply.images[0].data)) == (300, 150)


async def test_heavy_picture_is_encoded_anew_until_it_is_light(agent: Agent) -> None:
    await agent.open(NOISE.replace("LOUD", "seed % 40"))
    reply = await agent.reply("take_screenshot", fullPage=True)
    assert reply.images[0].mime == "image/jpeg"
    assert "It is jpeg of quality" in reply.text
    data = base64.b64decode(reply.images[0].data)
    assert data.startswith(b"\xff\xd8")
    assert len(data) <= 1_000_000


async def test_picture_that_stays_heavy_goes_to_a_file(agent: Agent) -> None:
    await agent.open(NOISE.replace("LOUD", "seed % 256"))
    reply = await agent.reply("take_screenshot", fullPage=True, format="webp", quality=100)
    assert not reply.images
    path = Path(reply.text.partition("saved to ")[2].rstrip("."))
    assert path.read_bytes().startswith(b"RIFF")
    path.unlink()


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


async def test_document_that_goes_meanwhile_does_not_cost_the_picture(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open(PAGE)
    call, calls = Frame.call, list[str]()

    async def gone_at_first(frame: Frame, name: str, *args: Any, **options: Any) -> Any:
        calls.append(name)
        if calls.count("layout") == 1:
            raise FrameGone("The page navigated meanwhile.")
        return await call(frame, name, *args, **options)

    monkeypatch.setattr(Frame, "call", gone_at_first)
    assert size(await shot(agent))
    assert calls.count("layout") == 2


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
