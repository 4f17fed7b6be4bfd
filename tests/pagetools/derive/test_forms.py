"""Forms, real and loose, become tools with typed parameters."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

LOGIN = """<form method=post action=/login><h2>Sign in</h2>
  <label>User name <input name=user></label><label>Password <input name=pass type=password value=hush></label>
  <label><input type=checkbox name=remember> Remember me</label><button>Log in</button></form>"""


async def test_a_login_wants_both_fields_and_keeps_the_password_to_itself(agent: Agent) -> None:
    tools = await look(agent, LOGIN)
    assert list(tools) == ["log_in"]
    tool = tools["log_in"]
    assert tool.schema["required"] == ["user_name", "password"]
    assert properties(tool)["password"] == {"type": "string", "writeOnly": True}
    assert properties(tool)["remember_me"] == {"type": "boolean", "default": False}
    assert not tool.reads
    assert not tool.destroys
    assert tool.plan.form is not None
    assert "hush" not in str(tool)


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<form role=search action=/s><input name=q placeholder='Search products…'><button>Go</button></form>", "search_products"),
        ("<form action=/suche><input name=q><button>Suchen</button></form>", "search"),
        ("<form method=post><h1>Create account</h1><input name=email type=email><input type=password name=p1><input type=password name=p2><button>Sign up</button></form>", "sign_up"),
        ("<form method=post action=/lost><h1>Mot de passe oublié</h1><input name=email type=email><button>Envoyer</button></form>", "reset_password"),
        ("<form method=post><label>E-mail <input name=email type=email></label><button>Newsletter abonnieren</button></form>", "subscribe"),
        ("<form method=post class=contact><h2>Contact us</h2><input name=email type=email><textarea name=message></textarea><button>Send</button></form>", "send_message"),
        ("<form method=post id=commentform><h3>Leave a comment</h3><input name=author><textarea name=comment></textarea><button>Post</button></form>", "post_comment"),
        ("<form method=post action=/cart><input name=qty type=number value=1><button>Add to basket</button></form>", "add_to_basket"),
        ("<form><select name=language><option>English<option>Deutsch</select><button>Go</button></form>", "set_language"),
        ("<form><select name=sort_by onchange=this.form.submit()><option>Newest<option>Oldest</select></form>", "sort_items"),
        ("<form class=filters><select name=column><option>- column -<option>id<option>name</select><input name=value><button>Apply</button></form>", "filter_items"),
        ("<form method=post><h2>Book a table</h2><label>Name <input name=n></label><label>Day <input name=d type=date></label><button>Request Reservation</button></form>", "request_reservation"),
        ("<form method=post><h2>Add delivery address</h2><label>Street <input name=s></label><label>City <input name=c></label><button>Add</button></form>", "add_delivery_address"),
        ("<form method=post id=profile-form><label>Bio <input name=bio></label><label>Town <input name=town></label><button>Submit</button></form>", "submit_profile"),
        ("<form method=post><h2>Write a review</h2><textarea name=body></textarea><button>Send</button></form>", "write_review"),
    ],
)  # fmt: skip
async def test_a_form_is_named_by_what_it_is_for(agent: Agent, html: str, name: str) -> None:
    assert list(await look(agent, html)) == [name]


async def test_every_control_gets_the_type_that_it_takes(agent: Agent) -> None:
    tools = await look(
        agent,
        """<form method=post><h2>Register for the fair</h2>
        <label>Full name* <input name=n minlength=2 maxlength=40 pattern="[A-Z].*" required></label>
        <label>E-mail <input name=e type=email autocomplete=email></label>
        <label>Site <input name=u type=url></label>
        <label>Day <input name=d type=date></label><label>At <input name=t type=time></label>
        <label>Month <input name=m type=month></label>
        <label>Guests <input name=g type=number min=1 max=9 value=2></label>
        <label>Price <input name=p type=number step=0.01></label>
        <fieldset><legend>Size</legend><label><input type=radio name=size value=s checked>Small</label>
          <label><input type=radio name=size value=l>Large</label></fieldset>
        <fieldset><legend>Extras</legend><label><input type=checkbox name=x value=a>Hat</label>
          <label><input type=checkbox name=x value=b>Bag</label></fieldset>
        <label>Country <select name=c><option value="">Select…<option>France<option disabled>Atlantis<option selected>Spain</select></label>
        <label>Colours <select name=k multiple><option>Red<option>Blue</select></label>
        <label>Picture <input name=f type=file></label>
        <label>Town <input name=w list=towns></label><datalist id=towns><option>Bern<option>Rome</datalist>
        <label>Card number <input name=cc autocomplete=cc-number></label>
        <input name=hidden type=hidden><input name=off disabled><input name=fixed readonly>
        <input name=website class=honeypot>
        <button>Send entry</button></form>""",
    )
    (tool,) = tools.values()
    found = properties(tool)
    assert found["full_name"] == {
        "type": "string",
        "pattern": "^(?:[A-Z].*)$",
        "minLength": 2,
        "maxLength": 40,
    }
    assert tool.schema["required"] == ["full_name"]
    assert found["email"]["format"] == "email"
    assert found["site"] == {"type": "string", "format": "uri"}
    assert found["day"] == {"type": "string", "format": "date"}
    assert found["at"] == {"type": "string", "format": "time"}
    assert found["month"]["pattern"] == r"^\d{4}-\d{2}$"
    assert found["guests"] == {"type": "integer", "minimum": 1, "maximum": 9, "default": 2}
    assert found["price"] == {"type": "number"}
    assert found["size"] == {"type": "string", "enum": ["Small", "Large"], "default": "Small"}
    assert found["extras"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["Hat", "Bag"]},
        "uniqueItems": True,
    }
    assert found["country"] == {"type": "string", "enum": ["France", "Spain"], "default": "Spain"}
    assert found["colours"]["type"] == "array"
    assert found["picture"] == {"type": "string", "description": "Path of a local file"}
    assert found["town"]["examples"] == ["Bern", "Rome"]
    assert found["card_number"]["writeOnly"] is True
    assert not {"hidden", "off", "fixed", "website"} & set(found)


async def test_keys_are_fit_for_every_client_whatever_the_page_calls_its_fields(
    agent: Agent,
) -> None:
    tools = await look(
        agent,
        """<form method=post><input name="user[first name]"><input name="ctl00$Main$txtTown">
        <input name=é><label>Ваше имя <input name=x1></label><label>姓名 <input name=xing></label>
        <label>How did you hear about us and why should we care <input name=source></label>
        <input name=a><input name=a><button>Save data</button></form>""",
    )
    (tool,) = tools.values()
    assert list(properties(tool)) == [
        "user_first_name",
        "town",
        "e",
        "vashe_imya",
        "xing",
        "source",
        "a",
        "a_2",
    ]
    assert [control.name for control in tool.plan.controls][:2] == [
        "user[first name]",
        "ctl00$Main$txtTown",
    ]


async def test_a_select_with_too_many_options_takes_any_text_and_shows_some(agent: Agent) -> None:
    options = "".join(f"<option>Zone {n}" for n in range(60))
    tools = await look(
        agent, f"<form><select name=zone>{options}</select><button>Save zone</button></form>"
    )
    (tool,) = tools.values()
    assert properties(tool)["zone"]["examples"] == [f"Zone {n}" for n in range(5)]
    assert len(tool.plan.controls[0].options) == 60


async def test_fields_without_a_form_are_put_together_with_their_button(agent: Agent) -> None:
    tools = await look(
        agent,
        """<div class=box><h2>Transfer money</h2><div><label>To <input id=to></label></div>
        <div><label>Amount <input id=amount type=number></label></div><div><button>Transfer money</button></div></div>""",
    )
    tool = tools["transfer_money"]
    assert list(properties(tool)) == ["to", "amount"]
    assert tool.plan.submit is not None
    assert tool.destroys


async def test_a_lone_field_is_sent_by_enter(agent: Agent) -> None:
    tools = await look(
        agent,
        "<section><h1>todos</h1><input class=new-todo placeholder='What needs to be done?'></section>",
    )
    tool = tools["add_todo"]
    assert tool.plan.enter is not None
    assert tool.plan.submit is None
    assert len(tool.schema["required"]) == 1


TODOS = """<section class=todoapp><header>{head}</header><main>{all}<ul class=todo-list>{entries}</ul></main>
  <footer><button>Clear completed</button></footer></section>"""
ENTRY = (
    "<li><input type=checkbox class=toggle><label>{}</label><button class=destroy>x</button></li>"
)
NEW = "<h1>todos</h1><input class=new-todo placeholder='What needs to be done?'>"
ALL = "<input type=checkbox class=toggle-all id=all><label for=all>Mark all as complete</label>"


@pytest.mark.parametrize(
    ("head", "everything"),
    [
        (NEW, ALL),
        (f"<form>{NEW}</form>", ALL.replace(" id=all", "")),
        (
            "<h1>todos</h1><label for=new>New todo</label><input id=new>",
            ALL.replace("Mark", "Check"),
        ),
    ],
)
async def test_what_is_written_differently_but_does_the_same_is_the_same_tools(
    agent: Agent, head: str, everything: str
) -> None:
    entries = "".join(map(ENTRY.format, ("milk", "dog", "report")))
    html = TODOS.format(head=head, all=everything, entries=entries)
    tools = await look(agent, html)
    assert {name: list(properties(tool)) for name, tool in tools.items()} == {
        "add_todo": ["todo"],
        "toggle_all": ["checked"],
        "toggle_todo": ["index"],
        "delete_todo": ["index"],
        "clear_completed": [],
    }
    assert not tools["add_todo"].reads


async def test_a_hidden_box_is_a_field_by_the_label_beside_it_that_names_nothing(
    agent: Agent,
) -> None:
    box = "<input type=checkbox class=toggle-all style='position: absolute; width: 1px; height: 1px; opacity: 0'>"
    assert set(await look(agent, f"<p>{box}<label for=gone>Mark all</label></p>")) == {"toggle_all"}
    assert "toggle_all" not in await look(agent, f"<p>{box}</p>")


async def test_a_label_inside_of_a_component_names_its_field(agent: Agent) -> None:
    tools = await look(
        agent,
        """<div id=host></div><script>host.attachShadow({mode: "open"}).innerHTML =
        `<form method=post><label for=c>Town</label><input id=c name=x1><label for=d>Street</label>
        <input id=d name=x2><button>Save address</button></form>`</script>""",
    )
    assert list(properties(tools["save_address"])) == ["town", "street"]


async def test_the_same_form_above_and_below_is_one_tool(agent: Agent) -> None:
    search = "<form action=/s><input name=q><button>Search</button></form>"
    assert list(await look(agent, f"{search}<p>text</p>{search}")) == ["search"]


async def test_two_searches_are_told_apart_by_what_they_search(agent: Agent) -> None:
    tools = await look(
        agent,
        """<form action=/all><input name=q placeholder=Search><button>Search</button></form>
        <main><form action=/orders><input name=q placeholder="Search orders"><button>Search</button></form></main>""",
    )
    assert list(tools) == ["search_orders", "search"]


async def test_the_button_that_ends_a_form_is_pressed_and_the_others_are_tools(
    agent: Agent,
) -> None:
    tools = await look(
        agent,
        """<form method=post><label>Title <input name=t></label><label>Body <textarea name=b></textarea></label>
        <button name=preview>Preview</button><button name=save>Create ticket</button><button type=reset>Reset</button>
        <button type=button>Delete draft</button></form>""",
    )
    assert list(tools) == ["create_ticket", "delete_draft"]
    assert properties(tools["create_ticket"])["button"]["enum"] == ["Create ticket", "Preview"]
    assert tools["delete_draft"].destroys


async def test_fields_that_only_a_program_would_fill_are_left_out_and_captchas_want_a_human(
    agent: Agent,
) -> None:
    tools = await look(
        agent,
        """<form method=post><h2>Contact</h2><label>Leave this field blank <input name=fax2></label>
        <label>Message <textarea name=m></textarea></label><label>Captcha <input name=captcha></label><button>Send message</button></form>""",
    )
    found = properties(tools["send_message"])
    assert list(found) == ["message", "captcha"]
    assert found["captcha"]["description"] == "Asks for a human"


async def test_fields_of_shadow_trees_and_of_other_places_belong_to_their_form(
    agent: Agent,
) -> None:
    tools = await look(
        agent,
        """<form id=f method=post><label>A <input name=a></label><button>Save both</button></form>
        <label>B <input name=b form=f></label><my-box></my-box>
        <script>customElements.define("my-box", class extends HTMLElement { connectedCallback() {
          this.attachShadow({mode: "open"}).innerHTML = "<div><label>C <input id=c></label><button>Keep value</button></div>"; }});</script>""",
    )
    assert list(properties(tools["save_both"])) == ["a", "b"]
    assert list(properties(tools["keep_value"])) == ["c"]


async def test_labels_are_found_beside_unlabelled_fields(agent: Agent) -> None:
    tools = await look(
        agent,
        """<form method=post><table><tr><td>First name:</td><td><input name=f1></td></tr>
        <tr><td>Last name *</td><td><input name=f2></td></tr></table><button>Save names</button></form>""",
    )
    tool = tools["save_names"]
    assert list(properties(tool)) == ["first_name", "last_name"]
    assert tool.schema["required"] == ["last_name"]
