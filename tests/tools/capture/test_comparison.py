from __future__ import annotations

from pathlib import Path

from tests.agent import Agent

PAGE = "<style>body {{ margin: 0; background: white }}</style><div style='width:100px;height:50px;background:{}'></div>"


async def pictured(agent: Agent, path: Path, colour: str) -> str:
    await agent.open(PAGE.format(colour))
    await agent("take_screenshot", filePath=str(path))
    return str(path)


async def test_pixels_that_differ_are_counted_and_marked(whole: Agent, tmp_path: Path) -> None:
    red = await pictured(whole, tmp_path / "red.png", "red")
    blue = await pictured(whole, tmp_path / "blue.png", "blue")
    marked = tmp_path / "marked.png"
    text = await whole("compare_images", beforePath=red, afterPath=blue, filePath=str(marked))
    assert text.startswith("5000 of ")
    assert "all within 100 x 50 at 0, 0." in text
    assert marked.read_bytes().startswith(b"\x89PNG")
    assert "No pixel differs." in await whole("compare_images", beforePath=red, afterPath=red)


async def test_picture_is_compared_with_the_page(whole: Agent, tmp_path: Path) -> None:
    red = await pictured(whole, tmp_path / "red.png", "red")
    assert "No pixel differs." in await whole("compare_images", beforePath=red)
    await whole.open(PAGE.format("rgb(250, 0, 0)"))
    assert "No pixel differs." in await whole("compare_images", beforePath=red)
    assert "5000 of" in await whole("compare_images", beforePath=red, threshold=0)


async def test_sizes_may_differ_and_what_is_no_picture_is_refused(
    whole: Agent, tmp_path: Path
) -> None:
    red = await pictured(whole, tmp_path / "red.png", "red")
    part = tmp_path / "part.png"
    await whole("take_screenshot", uid="css=div", filePath=str(part))
    text = await whole("compare_images", beforePath=red, afterPath=str(part))
    assert "The sizes differ: " in text
    assert "and 100 x 50." in text
    words = tmp_path / "words.png"
    words.write_text("words")
    code, text = await whole.fails("compare_images", beforePath=red, afterPath=str(words))
    assert code == "bad_arguments"
    assert "second file" in text
    code, _ = await whole.fails("compare_images", beforePath=str(tmp_path / "none.png"))
    assert code == "bad_arguments"
