"""Calls of page tools through MCP against Chromium, checked in the page's own state."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tabmux.errors import Misuse, StaleUid
from tabmux.pagetools.call.tool_calls import chosen_item
from tabmux.pagetools.model import ExecutionPlan, ListItem, PageTool
from tabmux.pagetools.page_catalog import PageCatalog
from tabmux.pagetools.tool_names import GENERIC
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site

KEEP = """<script>sent = [];
  addEventListener("submit", (event) => { event.preventDefault();
    sent.push(Object.fromEntries(new FormData(event.target))); document.body.append("Sent."); });
</script>"""


async def opened(agent: Agent, html: str) -> list[str]:
    """Load a document, and return the names of its tools."""
    await agent("navigate_page", url=agent.site.page(html))
    return own_names(await agent("list_page_tools"))


def own_names(text: str) -> list[str]:
    """Return the names that are listed, without those that every page has."""
    names = [line.split(":")[0] for line in text.splitlines() if ": [" in line]
    return [name for name in names if name not in GENERIC]


async def form_tool(agent: Agent, html: str) -> str:
    """Load a document with one form, and return the name of its tool."""
    (name,) = await opened(agent, html)
    return name


def catalog(agent: Agent) -> PageCatalog:
    """Return what the agent's page offers."""
    (page,) = agent.session.pages.values()
    return agent._app.services.page_catalogs.of(page.attached_page)


async def called(agent: Agent, tool: str, /, **arguments: Any) -> str:
    return await agent("call_page_tool", name=tool, arguments=arguments)


async def sent(agent: Agent) -> Any:
    return json.loads(json.loads(await agent.value("JSON.stringify(sent)")))


async def test_every_kind_of_control_is_filled_as_a_user_would(
    agent: Agent, tmp_path: Path
) -> None:
    file = tmp_path / "note.txt"
    file.write_text("hello")
    name = await form_tool(
        agent,
        KEEP
        + """<form><label>Full name <input name=full required></label>
        <label>Email <input type=email name=email></label>
        <label>Age <input type=number name=age min=1 max=150></label>
        <label>Day <input type=date name=day></label>
        <label>Colour <select name=colour><option value="">Choose…<option value=r>Red<option value=b>Blue</select></label>
        <fieldset><legend>Size</legend><label><input type=radio name=size value=s>Small</label>
          <label><input type=radio name=size value=l>Large</label></fieldset>
        <fieldset><legend>Extras</legend><label><input type=checkbox name=extra value=c>Cheese</label>
          <label><input type=checkbox name=extra value=h>Ham</label></fieldset>
        <label><input type=checkbox name=terms> Accept terms</label>
        <label>Message <textarea name=message></textarea></label>
        <label>Upload <input type=file name=upload></label>
        <button>Register</button></form>""",
    )
    text = await called(
        agent, name, full_name="Ada", email="a@b.example", age=36, day="2026-11-15", colour="Blue",
        size="Large", extras=["Ham"], accept_terms=True, message="two\nlines", upload=str(file),
    )  # fmt: skip
    assert text.startswith("done")
    (values,) = await sent(agent)
    assert values.pop("upload") == {}
    assert values == {
        "full": "Ada", "email": "a@b.example", "age": "36", "day": "2026-11-15", "colour": "b",
        "size": "l", "extra": "h", "terms": "on", "message": "two\nlines",
    }  # fmt: skip


async def test_fields_that_are_not_given_are_left_alone(agent: Agent) -> None:
    html = "<form><label>Name <input name=name value=Ada></label><label>City <input name=city></label><button>Save</button></form>"
    name = await form_tool(agent, KEEP + html)
    await called(agent, name, city="Paris")
    assert await sent(agent) == [{"name": "Ada", "city": "Paris"}]


async def test_what_the_browser_refuses_to_send_is_a_validation_error(agent: Agent) -> None:
    html = """<form><label>Code <input name=code minlength=3 pattern='(?=[A-Z])[A-Z]+'></label>
      <label>Name <input name=name required></label><button>Save</button></form>"""
    await agent("navigate_page", url=agent.site.page(KEEP + html))
    await agent("list_page_tools")
    await agent("evaluate_script", function="() => { document.forms[0].name.required = false }")
    await agent("list_page_tools")
    await agent("evaluate_script", function="() => { document.forms[0].name.required = true }")
    (name,) = own_names(await agent("list_page_tools"))
    code, text = await agent.fails(
        "call_page_tool", name=name, arguments={"code": "abcd", "name": "x"}
    )
    assert code == "validation_error"
    assert text.startswith("validation_error")
    assert "Code: " in text
    assert await sent(agent) == []


LOGIN = """<title>%s</title>%s<main><form method=post action="%s"><label>User name <input name=user></label>
  <label>Password <input type=password name=pass></label><button>Log in</button></form></main>"""


def answering(body: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        data = body.encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return respond


async def test_same_form_with_an_alert_is_a_validation_error(agent: Agent, site: Site) -> None:
    again = site.page(LOGIN % ("Again", "<div role=alert>Wrong password</div>", "/login"))
    name = await form_tool(agent, LOGIN % ("Shop", "", again))
    arguments = {"user_name": "ada", "password": "hunter2!"}
    code, text = await agent.fails("call_page_tool", name=name, arguments=arguments)
    assert code == "validation_error"
    assert "Wrong password" in text
    assert "hunter2" not in text


async def test_button_without_effect_is_said_to_have_none(agent: Agent) -> None:
    names = await opened(agent, "<main><button>Refresh data</button><p>Text</p></main>")
    text = await called(agent, names[0])
    assert text.startswith("no_effect")


async def test_download_is_named(agent: Agent, site: Site) -> None:
    def attach(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/octet-stream")
        handler.send_header("Content-Disposition", "attachment; filename=report.bin")
        handler.send_header("Content-Length", "3")
        handler.end_headers()
        handler.wfile.write(b"abc")

    url = site.route(attach)
    names = await opened(agent, f"<button onclick=\"location.href='{url}'\">Export report</button>")
    text = await called(agent, names[0])
    assert text.startswith("download")
    assert "report.bin" in text


async def test_dialog_can_be_answered_by_a_tool(agent: Agent) -> None:
    names = await opened(
        agent, "<button onclick='document.title = String(confirm(\"Sure?\"))'>Delete all</button>"
    )
    text = await called(agent, names[0])
    assert "confirm: Sure?" in text
    assert "accept_dialog, dismiss_dialog" in text
    await called(agent, "accept_dialog")
    assert await agent.value("document.title") == '"true"'
    assert "accept_dialog" not in await agent("list_page_tools")


async def test_fields_drawn_anew_are_found_again(agent: Agent) -> None:
    html = "<div id=app></div><script>draw = () => { app.innerHTML = `<form><label>City <input name=city></label><button>Save</button></form>` }; draw()</script>"
    name = await form_tool(agent, KEEP + html)
    await agent("evaluate_script", function="() => draw()")
    await called(agent, name, city="Rome")
    assert await sent(agent) == [{"city": "Rome"}]


async def test_tool_of_another_document_is_refused_with_the_tools_of_this_one(
    agent: Agent, site: Site
) -> None:
    name = await form_tool(
        agent, "<form><label>City <input name=city></label><button>Save</button></form>"
    )
    await agent(
        "navigate_page",
        url=site.page(
            "<form><input type=search name=q aria-label=Search><button>Search</button></form>"
        ),
    )
    code, text = await agent.fails("call_page_tool", name=name, arguments={"city": "Rome"})
    assert code == "unknown_tool"
    assert "search" in text.split("Page tools:")[1]


LIST = """<main><h2>Messages</h2><ul id=list></ul></main><script>
  removed = [];
  items = [["a", "First message about lunch"], ["b", "Second message about dinner"],
           ["c", "Third message about supper"], ["d", "Fourth message about breakfast"]];
  draw = () => { list.innerHTML = items.map(([id, text]) =>
    `<li data-id=${id}><a href="#${id}">${text}</a> <button onclick="removed.push('${id}')">Archive</button></li>`).join(""); };
  draw();
</script>"""


async def test_index_means_the_entry_that_was_seen(agent: Agent) -> None:
    names = await opened(agent, LIST)
    (archive,) = [name for name in names if name.startswith("archive")]
    await called(agent, archive, index=2)
    assert await agent.value("removed") == '["b"]'
    await agent("list_page_tools")
    await agent(
        "evaluate_script", function="() => { items.unshift(['z', 'A new message on top']); draw() }"
    )
    await called(agent, archive, index=2)
    assert await agent.value("removed") == '["b","b"]'


async def test_entry_that_has_gone_is_not_replaced_by_another(agent: Agent) -> None:
    names = await opened(agent, LIST)
    (archive,) = [name for name in names if name.startswith("archive")]
    page = next(iter(agent.session.pages.values())).attached_page
    await page.evaluation.run("items.splice(1, 1); draw()", 5)
    code, text = await agent.fails("call_page_tool", name=archive, arguments={"index": 2})
    assert code == "item_moved"
    assert "Second message" in text
    assert await agent.value("removed.length") == "0"
    code, _ = await agent.fails("call_page_tool", name=archive, arguments={"index": 99})
    assert code == "no_such_item"


LONG = LIST.replace(
    "  draw();",
    "  items = Array.from({length: 120}, (_, n) => [n, `Message ${n} <i>of <b>many</b></i>`]); draw();",
)


async def test_entry_far_down_in_a_long_list_is_the_one_that_was_seen(agent: Agent) -> None:
    names = await opened(agent, LONG)
    (archive,) = [name for name in names if name.startswith("archive")]
    assert "Entry: Message 99 of many" in await called(agent, archive, index=100)
    page = next(iter(agent.session.pages.values())).attached_page
    await page.evaluation.run("items.unshift(['z', 'A new message on top']); draw()", 5)
    await called(agent, archive, index=100)
    assert await agent.value("removed") == '["99","99"]'
    await page.evaluation.run("items.splice(100, 1); draw()", 5)
    code, text = await agent.fails("call_page_tool", name=archive, arguments={"index": 100})
    assert code == "item_moved"
    assert "Number 100 is no longer" in text


async def test_new_tools_stand_in_the_result_of_any_action(agent: Agent) -> None:
    await opened(
        agent,
        """<button onclick="document.body.insertAdjacentHTML('beforeend',
        '<form><label>Email <input type=email name=e></label><button>Subscribe</button></form>')">Show form</button>""",
    )
    await agent("take_snapshot")
    text = await agent("click", uid=agent.uid('button "Show form"'))
    assert "subscribe" in text.split("Page tools:")[1]
    await agent("take_snapshot")
    assert "Page tools:" not in await agent("press_key", key="Tab")


async def test_pages_that_nobody_asked_about_are_not_looked_at(agent: Agent) -> None:
    await agent.open("<button onclick='document.body.append(1)'>Go</button>")
    assert "Page tools" not in await agent("click", uid=agent.uid('button "Go"'))


@asynccontextmanager
async def strict(site: Site, **settings: Any) -> AsyncIterator[Agent]:
    wanted = Settings(launch=True, headless=True, isolated=True, **settings)
    async with running(wanted, bridged=False) as app, Agent.joined(app, site) as agent:
        yield agent


async def test_secret_is_typed_by_name_and_never_shown(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TABMUX_SECRET_LOGIN", "correct-horse")
    page = LOGIN % ("Shop", KEEP, "/login")
    caplog.set_level("DEBUG")
    async with strict(site, secret=(f"LOGIN={site.origin}",)) as agent:
        name = await form_tool(agent, page)
        text = await called(agent, name, user_name="ada", password="$secret:LOGIN")
        assert "correct-horse" not in text
        # The secret stands in the form still, so no script of the agent's may look.
        assert (await agent.fails("evaluate_script", function="() => sent"))[0] == "secret_in_page"
        tab = catalog(agent).page
        command = {"expression": "JSON.stringify(sent)", "contextId": tab.main.page_world}
        found = (await tab.channel.call("Runtime.evaluate", command))["result"]["value"]
        assert json.loads(found) == [{"user": "ada", "pass": "correct-horse"}]
        await agent("navigate_page", url=site.page(page, other=True))
        await agent("list_page_tools")
        arguments = {"user_name": "ada", "password": "$secret:LOGIN"}
        code, _ = await agent.fails("call_page_tool", name=name, arguments=arguments)
        assert code == "refused_by_policy"
        assert await sent(agent) == []
    assert "correct-horse" not in caplog.text


async def test_secret_is_not_sent_to_another_origin(agent: Agent, site: Site) -> None:
    name = await form_tool(agent, KEEP + LOGIN % ("Shop", "", f"{site.other_origin}/login"))
    arguments = {"user_name": "ada", "password": "hunter2!"}
    code, text = await agent.fails("call_page_tool", name=name, arguments=arguments)
    assert code == "refused_by_policy"
    assert "hunter2" not in text
    assert await agent.value("document.querySelector('[type=password]').value") == '""'


DELETE = "<main><button onclick='document.title = \"gone\"'>Delete account</button></main>"


async def test_destructive_tools_can_be_hidden_or_asked_for_twice(site: Site) -> None:
    async with strict(site, destructive="hide") as agent:
        assert not [name for name in await opened(agent, DELETE) if name.startswith("delete")]
    async with strict(site, destructive="confirm") as agent:
        (name,) = [name for name in await opened(agent, DELETE) if name.startswith("delete")]
        code, text = await agent.fails("call_page_tool", name=name)
        assert code == "bad_arguments"
        assert "confirm is missing" in text
        await called(agent, name, confirm=True)
        assert await agent.value("document.title") == '"gone"'


async def test_page_without_tools_can_be_read_clicked_and_filled(agent: Agent) -> None:
    await opened(agent, "<p>Some text</p>")
    assert "Some text" in await called(agent, "get_page_content")
    code, _ = await agent.fails("call_page_tool", name="click_element", arguments={"text": "Nope"})
    assert code == "no_such_element"


async def test_combobox_is_typed_into_and_chosen_from(agent: Agent) -> None:
    html = """<form><label for=city>City</label>
      <input id=city name=city role=combobox aria-controls=cities aria-expanded=false autocomplete=off>
      <ul id=cities role=listbox hidden></ul><input type=hidden name=code><button>Save</button></form>
      <script>
        const all = {PAR: "Paris", PRA: "Prague", ROM: "Rome"};
        city.oninput = () => setTimeout(() => {
          cities.hidden = false;
          cities.innerHTML = Object.entries(all).filter(([, name]) =>
            name.toLowerCase().includes(city.value.toLowerCase()))
            .map(([code, name]) => `<li role=option data-code=${code}>${name}</li>`).join("");
        }, 150);
        cities.onclick = ({target}) => { city.value = target.textContent;
          document.forms[0].code.value = target.dataset.code; cities.hidden = true; };
      </script>"""
    name = await form_tool(agent, KEEP + html)
    await called(agent, name, city="prague")
    assert await sent(agent) == [{"city": "Prague", "code": "PRA"}]
    code, text = await agent.fails("call_page_tool", name=name, arguments={"city": "p"})
    assert code == "bad_arguments"
    assert '"Paris"' in text


async def test_combobox_that_draws_its_list_several_times_is_chosen_from(agent: Agent) -> None:
    html = """<form><label for=city>City</label>
      <input id=city name=city role=combobox aria-controls=cities aria-expanded=false autocomplete=off>
      <ul id=cities role=listbox></ul><button>Save</button></form>
      <script>
        let left = 0;
        const draw = () => {
          cities.innerHTML = "<li role=option>Paris</li><li role=option>Prague</li>";
          if (left-- > 0) requestAnimationFrame(draw);
        };
        city.oninput = () => { left = 6; draw(); };
        cities.onclick = ({target}) => { city.value = target.textContent + "!"; };
      </script>"""
    name = await form_tool(agent, KEEP + html)
    await called(agent, name, city="prague")
    assert await sent(agent) == [{"city": "Prague!"}]


async def test_closed_menu_is_opened_first(agent: Agent) -> None:
    names = await opened(
        agent,
        """<main><button aria-haspopup=menu aria-expanded=false aria-controls=more
          onclick="more.hidden = !more.hidden">More</button>
        <ul id=more role=menu hidden><li role=menuitem onclick="document.title = 'removed'">Remove repository</li>
        <li role=menuitem onclick="document.title = 'watched'">Watch repository</li></ul></main>""",
    )
    (watch,) = [name for name in names if "watch" in name]
    await called(agent, watch)
    assert await agent.value("document.title") == '"watched"'


async def test_forms_of_entries_are_one_tool_with_an_index(agent: Agent) -> None:
    cards = "".join(
        f"""<article class=card><h3><a href="#{n}">Product number {n}</a></h3><p>Costs a few coins and is nice.</p>
        <form><input type=hidden name=id value={n}><label>Quantity <input type=number name=n value=1 min=1></label>
        <button>Add to basket</button></form></article>"""
        for n in range(1, 6)
    )
    names = await opened(agent, f"{KEEP}<main><h2>Products</h2><div>{cards}</div></main>")
    (add,) = [name for name in names if name.startswith("add")]
    await called(agent, add, index=3, quantity=2)
    assert await sent(agent) == [{"id": "3", "n": "2"}]


async def test_lone_field_is_committed_with_enter(agent: Agent) -> None:
    await opened(
        agent,
        """<main><h1>todos</h1><input class=new-todo placeholder="What needs to be done?"
          onkeydown="if (event.key === 'Enter') { todos.innerHTML += `<li>${this.value}</li>`; this.value = '' }">
        <ul id=todos></ul></main>""",
    )
    tool = next(each for each in catalog(agent).tools if each.plan.enter is not None)
    (key,) = tool.schema["properties"]
    assert (await called(agent, tool.name, **{key: "Milk"})).startswith("done")
    assert await agent.value("todos.textContent") == '"Milk"'


async def test_form_of_a_frame_is_filled_there(agent: Agent, site: Site) -> None:
    inner = site.page(
        KEEP + "<form><label>City <input name=city></label><button>Save</button></form>", other=True
    )
    names = await opened(
        agent, f'<h1>Outer</h1><iframe src="{inner}" width=500 height=300></iframe>'
    )
    (name,) = [name for name in names if name.startswith("save")]
    assert (await called(agent, name, city="Oslo")).startswith("done")


async def test_long_list_of_options_is_matched_by_its_beginning(agent: Agent) -> None:
    options = "".join(f"<option value={n}>Country {chr(65 + n // 10)}{n}" for n in range(60))
    html = f"<form><label>Country <select name=c>{options}</select></label><button>Save</button></form>"
    name = await form_tool(agent, KEEP + html)
    await called(agent, name, country="country f59")
    assert await sent(agent) == [{"c": "59"}]
    arguments = {"country": "Atlantis"}
    code, text = await agent.fails("call_page_tool", name=name, arguments=arguments)
    assert code in ("element_no_such_option", "bad_arguments")
    assert "Country A0" in text


async def test_tab_that_a_tool_opens_is_named(agent: Agent, site: Site) -> None:
    url = site.page("<title>Other</title>")
    names = await opened(
        agent, f"<main><button onclick=\"window.open('{url}')\">Open preview</button></main>"
    )
    assert "Opened tab" in await called(agent, names[0])


async def test_change_inside_of_another_component_is_an_effect(agent: Agent) -> None:
    html = """<div id=bar></div><div id=list></div><script>
      rows = list.attachShadow({mode: "open"}); rows.innerHTML = "<p>Nothing yet</p>";
      top_ = bar.attachShadow({mode: "open"}); top_.innerHTML = "<button>Add row</button>";
      top_.firstChild.onclick = () => rows.append("one")</script>"""
    assert "add_row" in await opened(agent, html)
    assert (await called(agent, "add_row")).startswith("done")


def items(*keys: str) -> tuple[ListItem, ...]:
    return tuple(ListItem(key, f"text of {key}", number) for number, key in enumerate(keys))


def list_tool(*keys: str) -> PageTool:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    return PageTool("open_item", "", schema, "k", "list", "derived", "F", "L", "O",
                    ExecutionPlan(items=items(*keys)))  # fmt: skip


def chosen_key(tool: PageTool, seen: tuple[ListItem, ...], **arguments: Any) -> str | None:
    found = chosen_item(tool, arguments, seen)
    return found.key if found is not None else None


def test_number_means_the_entry_that_was_seen_wherever_it_is_now() -> None:
    assert chosen_key(list_tool("a", "b", "c"), items("a", "b", "c"), index=2) == "b"
    assert chosen_key(list_tool("new", "a", "b"), items("a", "b"), index=2) == "b"
    assert chosen_key(list_tool("a", "b"), (), index=2) == "b"


def test_entry_that_has_gone_is_not_replaced() -> None:
    with pytest.raises(StaleUid) as caught:
        chosen_key(list_tool("a", "c"), items("a", "b", "c"), index=2)
    assert caught.value.code == "item_moved"


def test_entries_that_look_the_same_are_told_apart_by_their_place() -> None:
    assert chosen_item(list_tool("x", "x"), {"index": 2}, items("x", "x")) == items("x", "x")[1]


@pytest.mark.parametrize("index", [0, 3, -1])
def test_number_outside_of_the_list_is_refused(index: int) -> None:
    with pytest.raises(Misuse):
        chosen_key(list_tool("a", "b"), items("a", "b"), index=index)


def test_tool_without_entries_has_none() -> None:
    assert chosen_key(list_tool(), (), index=1) is None
    assert chosen_key(list_tool("a"), ()) is None
