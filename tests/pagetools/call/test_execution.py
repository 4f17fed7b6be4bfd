"""How tools are carried out, through MCP against Chromium."""

from __future__ import annotations

import pytest

from tests.agent import Agent

SHOP = """<h1>Products</h1><ol>
  <li><h3><a href="#snow">Snow Crash</a></h3><p>£5 out of stock</p></li>
  <li><h3><a href="#dune">Dune</a></h3><p>£6</p><button onclick="put('dune')">Add to basket</button></li>
  <li><h3><a href="#emma">Emma</a></h3><p>£7</p><button onclick="put('emma')">Add to basket</button></li>
  <li><h3><a href="#ulysses">Ulysses</a></h3><p>£8</p><button onclick="put('ulysses')">Add to basket</button></li>
</ol><output></output>
<script>put = (name) => { document.querySelector("output").append(name) }</script>"""
SWITCH = """<main><label><input type=checkbox id=all> Select all</label><p>none</p></main>
<script>all.onchange = () => { document.querySelector("p").textContent = all.checked ? "every" : "none" }
</script>"""


async def test_number_means_the_same_entry_for_every_tool_of_a_list(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SHOP))
    assert "2. Dune" in await agent("list_page_tools")
    await agent("call_page_tool", name="add_to_basket", arguments={"index": 2})
    assert await agent.value("document.querySelector('output').textContent") == '"dune"'
    await agent("call_page_tool", name="open_product", arguments={"index": 2})
    assert await agent.value("location.hash") == '"#dune"'


async def test_entry_without_the_action_is_refused_by_its_name(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SHOP))
    code, text = await agent.fails("call_page_tool", name="add_to_basket", arguments={"index": 1})
    assert code == "no_such_item"
    assert "Snow Crash" in text
    assert await agent.value("document.querySelector('output').textContent") == '""'


async def test_box_that_is_given_no_state_takes_the_other_one(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SWITCH))
    listed = await agent("list_page_tools")
    name = next(line for line in listed.splitlines() if '"boolean"' in line).split(":")[0]
    for wanted in ('"every"', '"none"'):
        assert (await agent("call_page_tool", name=name)).startswith("done")
        assert await agent.value("document.querySelector('p').textContent") == wanted


FORM = """<main><h1>Edit page</h1><form><label>Title <input name=t></label>
  <button name=way value=save>Save</button><button name=way value=more>Save and continue</button></form><output></output></main>
<script>document.querySelector("form").onsubmit = (event) => { event.preventDefault();
  document.querySelector("output").textContent = event.submitter?.value ?? "none" }</script>"""


async def test_form_is_sent_by_the_button_that_was_chosen(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(FORM))
    for arguments, sent in (({}, "save"), ({"button": "Save and continue"}, "more")):
        await agent("call_page_tool", name="edit_page", arguments={"title": "x", **arguments})
        assert await agent.value("document.querySelector('output').textContent") == f'"{sent}"'


async def test_form_whose_button_is_covered_is_sent_by_enter(agent: Agent) -> None:
    cover = "<div style='position:fixed;inset:100px 0 0 0;background:silver'>Accept cookies</div>"
    form = FORM.replace("<button name=way value=save>", "<p style='height:200px'></p><button name=way value=save>")  # fmt: skip
    await agent("navigate_page", url=agent.site.page(form + cover))
    await agent("call_page_tool", name="edit_page", arguments={"title": "x"})
    assert await agent.value("document.querySelector('output').textContent") == '"save"'


async def test_what_changes_nothing_that_can_be_seen_has_no_effect(agent: Agent) -> None:
    quiet = FORM.replace('document.querySelector("output").textContent =', "window.unseen =")
    await agent("navigate_page", url=agent.site.page(quiet))
    text = await agent("call_page_tool", name="edit_page", arguments={"title": "x"})
    assert text.startswith("no_effect")
    sending = quiet.replace("window.unseen =", "fetch('/nothing'); window.unseen =")
    await agent("navigate_page", url=agent.site.page(sending))
    text = await agent("call_page_tool", name="edit_page", arguments={"title": "x"})
    assert text.startswith("no_effect")
    assert "something was sent" in text


async def test_what_the_page_flashes_is_quoted(agent: Agent) -> None:
    flash = FORM.replace(
        'document.querySelector("output").textContent = event.submitter?.value ?? "none"',
        """document.body.insertAdjacentHTML("afterbegin", "<div class='flash-notice'>Page was stored</div>")""",
    )
    await agent("navigate_page", url=agent.site.page(flash))
    text = await agent("call_page_tool", name="edit_page", arguments={"title": "x"})
    assert text.startswith("done")
    assert "Page was stored" in text


LINKS = """<nav><a href=#reports>Reports</a> <a href=#teams>Teams</a></nav><main><p>One <a href=#a>details</a></p>
  <p>Two <a href=#b>details</a></p><span onclick="document.title = 'pressed'">Odd one</span></main>"""


async def test_anything_is_pressed_or_opened_by_its_text(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(LINKS))
    await agent("call_page_tool", name="open_link", arguments={"text": "Teams"})
    assert await agent.value("location.hash") == '"#teams"'
    code, _ = await agent.fails("call_page_tool", name="open_link", arguments={"text": "details"})
    assert code == "no_such_element"
    await agent("call_page_tool", name="open_link", arguments={"text": "details", "number": 2})
    assert await agent.value("location.hash") == '"#b"'
    await agent("call_page_tool", name="click_element", arguments={"text": "Odd one"})
    assert await agent.value("document.title") == '"pressed"'


TOLD = """<p>Open the wheel, then press <b>North</b>.</p>
  <svg width=200 height=60><text x=20 y=40 font-size=30 style="cursor:pointer"><tspan id=on>North</tspan></text></svg>
  <script>document.getElementById("on").addEventListener("click", () => { document.title = "pressed" })</script>"""


GROWING = """<script>const wheel = document.querySelector("text");
  wheel.setAttribute("transform", "scale(.02)");
  setTimeout(() => wheel.removeAttribute("transform"), 300)</script>"""


@pytest.mark.parametrize("more", ["", GROWING])
async def test_what_is_made_to_be_pressed_is_meant_and_not_the_text_that_speaks_of_it(
    agent: Agent, more: str
) -> None:
    await agent("navigate_page", url=agent.site.page(TOLD + more))
    await agent("call_page_tool", name="click_element", arguments={"text": "North"})
    assert await agent.value("document.title") == '"pressed"'


SEARCH = """<div class=sidebar><ul>{side}</ul></div><main><form onsubmit="show(event)"><input name=q placeholder="Search notes"><button>Search</button></form>
  <div class=results></div></main><script>show = (event) => {{ event.preventDefault();
  document.querySelector(".results").innerHTML = event.target.q.value === "none" ? "<p>Nothing was found</p>" :
  "<h2>Notes</h2><table><thead><tr><th>Title<th>Day</thead><tbody><tr><td><a href=/note>The only note</a><td>Monday</tbody></table>" }}</script>"""


async def test_results_are_those_of_the_list_of_results_and_none_is_said(agent: Agent) -> None:
    side = "".join(f"<li><a href=#s{n}>Something long about topic {n}</a> and more about it</li>" for n in range(9))  # fmt: skip
    await agent("navigate_page", url=agent.site.page(SEARCH.format(side=side)))
    text = await agent("call_page_tool", name="search_notes", arguments={"query": "one"})
    assert "1. The only note Monday" in text
    assert "topic" not in text
    text = await agent("call_page_tool", name="search_notes", arguments={"query": "none"})
    assert "The page lists no entries." in text


ROWS = """<h1>Files</h1><ul>{rows}</ul><output></output><script>done = (text) => { document.querySelector("output").textContent = text }
  toggle = (n) => { const menu = document.getElementById("m" + n); menu.hidden = !menu.hidden }</script>"""
ROW = """<li><a href=#f{n}>File number {n}</a> <select aria-label=State onchange="done('{n}' + this.value)"><option>Open<option>Done</select>
  <button aria-haspopup=menu aria-controls=m{n} onclick="toggle({n})">⋮</button><div id=m{n} role=menu hidden>
  <button role=menuitem onclick="done('gone {n}')">Delete</button></div></li>"""


async def test_fields_and_menus_of_an_entry_are_used_by_its_number(agent: Agent) -> None:
    rows = "".join(ROW.format(n=n) for n in range(1, 4))
    await agent("navigate_page", url=agent.site.page(ROWS.replace("{rows}", rows)))
    await agent("call_page_tool", name="set_file_state", arguments={"index": 2, "state": "Done"})
    assert await agent.value("document.querySelector('output').textContent") == '"2Done"'
    await agent("call_page_tool", name="delete_file", arguments={"index": 3})
    assert await agent.value("document.querySelector('output').textContent") == '"gone 3"'


async def test_what_stands_in_a_frame_or_in_a_closed_menu_is_pressed_too(agent: Agent) -> None:
    inner = agent.site.page("<button onclick=\"document.body.append('inside')\">Deep one</button>")
    menu = """<style>li ul { display: none } li:hover ul { display: block }</style>
      <ul><li>Tools<ul><li onclick="document.title = 'chosen'">Print it</li></ul></li></ul>"""
    await agent("navigate_page", url=agent.site.page(f"{menu}<iframe src='{inner}'></iframe>"))
    await agent("call_page_tool", name="click_element", arguments={"text": "Deep one"})
    body = "document.querySelector('iframe').contentDocument.body.textContent.includes('inside')"
    assert await agent.value(body) == "true"
    await agent("call_page_tool", name="click_element", arguments={"text": "Print it"})
    assert await agent.value("document.title") == '"chosen"'


SLOW_MENU = """<ul id=m><li id=p>Files<ul hidden><li id=c onclick="document.title = 'printed'">Print all</li></ul></li></ul>
  <script>const [parent, child] = [document.getElementById("p"), document.querySelector("#p ul")];
    parent.onmouseenter = () => setTimeout(() => { child.hidden = false }, 250);
    parent.onclick = (event) => { if (event.target === parent) document.title = "closed for good" };</script>"""


async def test_a_menu_that_waits_on_purpose_is_waited_for_and_not_pressed(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SLOW_MENU))
    await agent("call_page_tool", name="click_element", arguments={"text": "Print all"})
    assert await agent.value("document.title") == '"printed"'


async def test_a_button_that_stays_covered_is_pressed_by_the_keyboard(agent: Agent) -> None:
    html = """<main><label>Size <select id=s><option>Small<option>Large</select></label><button onclick="document.title = s.value">Choose size</button></main>
      <ul style="position:fixed;inset:0;background:silver" hidden><li>Small<li>Large</ul>
      <script>const [s, list] = [document.getElementById("s"), document.querySelector("ul")]; s.onchange = () => { list.hidden = false }</script>"""
    await agent("navigate_page", url=agent.site.page(html))
    await agent("call_page_tool", name="choose_size", arguments={"size": "Large"})
    assert await agent.value("document.title") == '"Large"'


async def test_what_explains_a_field_is_no_complaint(agent: Agent) -> None:
    form = """<h1>Comments</h1><form><label>Text <textarea name=t></textarea></label>
      <p class=help-block>required</p><button>Post comment</button></form>"""
    await agent("navigate_page", url=agent.site.page(form))
    assert (await agent("call_page_tool", name="post_comment", arguments={"text": "x"})).startswith("navigated")  # fmt: skip


ARRIVING = """<h1>Tickets</h1><table><thead><tr><th>Title<th>State</thead><tbody><tr><td class=loading colspan=2>One moment</table>
  <script>setTimeout(() => { document.querySelector("tbody").innerHTML =
    [1, 2, 3].map((n) => `<tr><td><a href=/t/${n}>Ticket ${n}</a><td>open`).join("") }, 300)</script>"""


async def test_what_the_page_says_is_on_its_way_is_waited_for(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(ARRIVING))
    assert "1. Ticket 1 open" in await agent("list_page_tools")


FADING = """<style>.pane { opacity: 0; transition: opacity .2s } .pane.show { opacity: 1 }</style>
  <h1>Ticket</h1><button aria-expanded=false aria-controls=pane onclick="open_it()">Answer ticket</button>
  <div id=pane class=pane hidden><form onsubmit="event.preventDefault(); document.title = t.value"><label>Text <textarea id=t></textarea></label>
  <label>State <select><option>Open<option>Done</select></label><button>Send</button></form></div>
  <script>const [pane, t] = ["pane", "t"].map((id) => document.getElementById(id));
    open_it = () => setTimeout(() => { pane.hidden = false; setTimeout(() => pane.classList.add("show"), 150) }, 150)</script>"""


@pytest.mark.parametrize("milliseconds", [150, 1200])
async def test_what_fades_in_after_it_was_opened_is_filled_when_it_has_come(
    agent: Agent, milliseconds: int
) -> None:
    page = FADING.replace("150)", f"{milliseconds})")
    await agent("navigate_page", url=agent.site.page(page))
    await agent("call_page_tool", name="send_message", arguments={"text": "We ordered one"})
    assert await agent.value("document.title") == '"We ordered one"'


MARKED = """<main><h1>Contact</h1><div class="alert alert-warning">The office is closed</div>{wrong}
  <form action={action}><label>Name <span class=text-danger>*</span> <input name=name></label>
  <label>City <input name=city></label><button>Save contact</button></form></main>"""


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ("", "navigated"),
        ("<p class=saveError>City is unknown</p>", "validation_error"),
        ("<ul class=form-errors><li>City is unknown</ul>", "validation_error"),
        ("<p role=alert>City is unknown</p>", "validation_error"),
        ("<button class=btn-danger>Drop it</button>", "navigated"),
    ],
)
async def test_only_what_is_new_and_says_so_is_an_error(
    agent: Agent, wrong: str, status: str
) -> None:
    answer = agent.site.page(MARKED.format(wrong=wrong, action="/x"))
    await agent("navigate_page", url=agent.site.page(MARKED.format(wrong="", action=answer)))
    arguments = {"name": "Ann", "city": "Nowhere"}
    fails = status == "validation_error"
    if fails:
        code, text = await agent.fails("call_page_tool", name="save_contact", arguments=arguments)
        assert code == status
        assert "City is unknown" in text
    else:
        text = await agent("call_page_tool", name="save_contact", arguments=arguments)
        assert text.startswith(status)


TRAPPED = """<main><p><label>Website <input id=real></label></p><p><label>Note <input id=one></label></p>
  <p><label>Note <input id=two></label></p>
  <div style="position:absolute;left:-9999px"><label>Website <input id=trap></label></div></main>"""


async def test_a_field_is_filled_by_its_number_and_a_trap_never(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(TRAPPED))
    await agent("call_page_tool", name="fill_field", arguments={"field": "Website", "value": "w"})
    assert await agent.value("[real.value, trap.value]") == '["w",""]'
    await agent(
        "call_page_tool", name="fill_field", arguments={"field": "Note", "value": "n", "number": 2}
    )
    assert await agent.value("[one.value, two.value]") == '["","n"]'
    for name, number in (("Note", 3), ("Website", 2)):
        code, text = await agent.fails(
            "call_page_tool",
            name="fill_field",
            arguments={"field": name, "value": "x", "number": number},
        )
        assert code == "no_such_element"
        assert f"there is no number {number}" in text
