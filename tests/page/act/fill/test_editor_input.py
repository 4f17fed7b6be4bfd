from __future__ import annotations

import pytest

from tests.agent import Agent

# An editor that catches keys in a tiny text area and draws its lines elsewhere, with numbers.
# Control+A is its own: the browser's would select what the text area holds.
EDITOR = """
<style>#shell {position: relative; width: 300px; height: 90px; overflow: hidden; font: 14px/18px monospace}
#catch {position: absolute; width: 3px; height: 10px; opacity: 0}
#lines {position: absolute; left: 40px} #numbers {position: absolute; left: 4px}</style>
<div id=shell><textarea id=catch aria-label=Code></textarea><div id=numbers></div><div id=lines></div></div>
<script>
let text = "old\\ntext", all = false;
const draw = () => {
  const rows = text.split("\\n").slice(VIEW);
  lines.innerHTML = rows.map(() => "<pre style='margin:0'></pre>").join("");
  numbers.innerHTML = rows.map((_, n) => `<div>${n + 1}</div>`).join("");
  rows.forEach((row, n) => lines.children[n].textContent = row);
};
const put = (words) => { text = (all ? "" : text) + words; all = false; draw(); };
const area = document.getElementById("catch");
area.onkeydown = (event) => {
  if (event.ctrlKey && event.key === "a") all = true;
  if (event.key === "Delete" && all) put("");
  if (event.key === "Home" && event.ctrlKey) { start = true; draw(); }
  if (event.key === "End" && event.ctrlKey) { start = false; draw(); }
};
let start = false;
area.oninput = () => { const words = area.value; area.value = ""; TAKE };
area.onpaste = (event) => { event.preventDefault(); put(event.clipboardData.getData("text/plain")); };
draw();
</script>"""
CODE = "if (a) {\n  b();\n}"


def editor(take: str, view: str = "0") -> str:
    return EDITOR.replace("TAKE", take).replace("VIEW", view)


@pytest.mark.parametrize("value", ["one line", CODE, "42", ""])
async def test_the_text_of_an_editor_is_replaced_whole(agent: Agent, value: str) -> None:
    await agent.open(editor("put(words)"))
    await agent("fill", uid=agent.uid('textbox "Code"'), value=value)
    assert await agent.value(f"text === {value!r}") == "true"


async def test_a_text_that_an_editor_indents_is_given_so_that_it_does_not(agent: Agent) -> None:
    await agent.open(editor("put(words.replaceAll('\\n', '\\n    '))"))
    await agent("fill", uid=agent.uid('textbox "Code"'), value=CODE)
    assert await agent.value(f"text === {CODE!r}") == "true"


async def test_an_editor_that_draws_only_what_is_in_view_is_filled(agent: Agent) -> None:
    view = "start ? 0 : -5, start ? 5 : undefined"
    value = "\n".join(f"line {number} of many" for number in range(60))
    await agent.open(editor("put(words)", view))
    await agent("fill", uid=agent.uid('textbox "Code"'), value=value)
    assert await agent.value(f"text === {value!r}") == "true"


async def test_an_editor_that_mixes_texts_is_never_said_to_be_filled(agent: Agent) -> None:
    html = editor("put(words.toUpperCase())").replace(
        'event.clipboardData.getData("text/plain")', '"pasted"'
    )
    await agent.open(html)
    code, text = await agent.fails("fill", uid=agent.uid('textbox "Code"'), value="new")
    assert code == "element_not_changed"
    assert '"pasted"' in text
    assert "Control+Z" in text


async def test_paragraphs_are_typed_where_an_editor_takes_no_line_ends(agent: Agent) -> None:
    await agent.open(
        "<div contenteditable role=textbox aria-label=F><p>old</p></div><script>"
        "onbeforeinput = (e) => { if (e.data?.includes('\\n')) { e.preventDefault();"
        "document.execCommand('insertText', false, e.data.replaceAll('\\n', '')) } };"
        "onpaste = (e) => e.preventDefault()</script>"
    )
    await agent("fill", uid=agent.uid("textbox"), value="One\nTwo")
    text = await agent.value("document.querySelector('div').innerText.trim().split(/\\n+/)")
    assert text == '["One","Two"]'


PARTS = "<input autofocus aria-label=Other value=keep><div contenteditable id=e>{0}</div>"


async def test_the_only_paragraph_of_an_editor_stands_for_it(agent: Agent) -> None:
    await agent.open(PARTS.replace("{0}", "<p>Start</p>"))
    assert "Filled" in await agent("fill", uid="css=p", value="New")
    assert await agent.value(
        "[e.innerText.trim(), document.querySelector('input').value].join()"
    ) == ('"New,keep"')


async def test_a_part_of_an_editor_that_holds_more_is_not_filled_for_all_of_it(
    agent: Agent,
) -> None:
    await agent.open(PARTS.replace("{0}", "<h2>Title</h2><p>Start</p>"))
    code, text = await agent.fails("fill", uid="css=p", value="New")
    assert (code, "part of an editor" in text) == ("element_not_fillable", True)
    assert await agent.value("[e.innerText, document.querySelector('input').value].join()") == (
        '"Title\\n\\nStart,keep"'
    )
