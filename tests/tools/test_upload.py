from __future__ import annotations

from pathlib import Path

from tests.agent import Agent

CHOOSER = """<button onclick='pick()'>Choose</button><output></output><script>
function pick() {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = MULTIPLE;
  input.onchange = () => { document.querySelector('output').textContent =
    [...input.files].map((file) => `${file.name}:${file.size}`).join() };
  setTimeout(() => input.click(), 100);
}</script>"""


async def test_late_chooser_of_a_frame_of_another_site_is_answered(
    agent: Agent, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("abc")
    inner = agent.site.page(CHOOSER.replace("MULTIPLE", "false"), other=True)
    await agent.open(f"<iframe src='{inner}'></iframe>")
    text = await agent(
        "upload_file", uid=agent.uid('button "Choose"'), filePaths=[str(tmp_path / "a.txt")]
    )
    assert text.startswith("Uploaded a.txt.")
    assert "a.txt:3" in await agent("take_snapshot")


async def test_chooser_takes_several_files_only_if_it_wants_them(
    agent: Agent, tmp_path: Path
) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text(path.name)
    names = [str(path) for path in paths]
    await agent.open(CHOOSER.replace("MULTIPLE", "true"))
    await agent("upload_file", uid=agent.uid('button "Choose"'), filePaths=names)
    assert "a.txt:5,b.txt:5" in await agent("take_snapshot")
    await agent.open(CHOOSER.replace("MULTIPLE", "false"))
    code, text = await agent.fails("upload_file", uid=agent.uid('button "Choose"'), filePaths=names)
    assert code == "bad_request"
    assert "one file only" in text


async def test_button_without_a_chooser_says_so(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("abc")
    await agent.open("<button>Plain</button>")
    code, text = await agent.fails(
        "upload_file", uid=agent.uid("button"), filePaths=[str(tmp_path / "a.txt")]
    )
    assert code == "element_not_fillable"
    assert "nor did a click open a chooser" in text
