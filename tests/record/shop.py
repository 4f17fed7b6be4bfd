"""A shop of three pages, and an agent that works in it for thirty steps."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tabmux.record.replay import Divergence, Replay
from tabmux.record.replay_plan import ReplayPlan
from tests.agent import Agent
from tests.site import Site, _send

PASSWORD = "correct-horse-battery"
STYLE = "<style>body{font:18px sans-serif;margin:2em}label{display:block;margin:.5em}</style>"
LOGIN = f"""{STYLE}<title>Log in</title><h1>Log in</h1>
<form action=/list method=get>
<label>Email <input name=email></label>
<label>Password <input type=password name=password></label>
<label><input type=checkbox> Stay logged in</label>
<button>Log in</button></form><script>console.log('login page')</script>"""
LIST = f"""{STYLE}<title>Products</title><h1>Products</h1>
<label>Search <input id=q oninput="for (const each of document.querySelectorAll('li'))
  each.hidden = !each.textContent.toLowerCase().includes(q.value.toLowerCase())"></label>
<label>Sort <select><option>Name</option><option>Price</option></select></label>
<ul><li>Green tea <button onclick=add(this)>Add</button></li>
<li>Black tea <button onclick=add(this) data-testid=black>Add</button></li>
<li>Coffee <button onclick=add(this)>Add</button></li></ul>
<p id=cart role=status>0 in the cart</p><button onclick="cart.textContent='empty'">Empty</button>
<a href=/order>To the order</a>
<script>let n = 0;
function add(button) {{ n += 1; cart.textContent = n + ' in the cart'; console.warn('added', n);
  fetch('/stock?item=' + n); button.textContent = 'Added'; }}</script>"""
ORDER = f"""{STYLE}<title>Order</title><h1>Order</h1>
<label>Street <input name=street></label><label>City <input name=city></label>
<label>Delivery <select><option>Standard</option><option>Express</option></select></label>
<label><input type=checkbox> Gift</label>
<label>Note <textarea></textarea></label>
<button onclick="if (confirm('Order now?')) done.textContent = 'Ordered for ' +
  document.querySelector('[name=street]').value + ', ' + document.querySelector('select').value">
SAVE</button><p id=done role=status></p>"""


def serve_shop(site: Site, *, save: str = "Order") -> str:
    """Serve the shop, and return the address of its first page.

    Args:
        site: Where.
        save: What the last button is called.
    """
    pages = {"/login": LOGIN, "/list": LIST, "/order": ORDER.replace("SAVE", save)}
    for path, html in pages.items():
        body = html.encode()
        site.serve(path, lambda handler, body=body: _send(handler, body))  # type: ignore[misc]
    site.serve("/stock", lambda handler: _send(handler, b"{}", kind="application/json"))
    return f"{site.origin}/login"


async def work(agent: Agent, start: str) -> str:
    """Take thirty steps; returns what the last page says."""
    await agent("navigate_page", url=start)
    await agent("take_snapshot")
    await agent("fill", uid=agent.uid('textbox "Email"'), value="ann@shop.example")
    await agent("take_snapshot")
    await agent("fill", uid=agent.uid('textbox "Password"'), value=PASSWORD)
    await agent("click", uid='checkbox "Stay logged in"')
    await agent.fails("click", uid='button "Sign in"')
    await agent("click", uid='button "Log in"')
    await agent("take_snapshot")
    await agent("fill", uid=agent.uid('textbox "Search"'), value="tea")
    await agent("fill", uid='combobox "Sort"', value="Price")
    await agent("hover", uid='button "Empty"')
    await agent("take_snapshot")
    await agent("click", uid=agent.uid('button "Add"'))
    await agent("click", uid="testid=black")
    await agent("fill", uid='textbox "Search"', value="")
    await agent("click", uid='button "Add"')
    await agent("wait_for", text=["3 in the cart"])
    await agent("click", uid='link "To the order"')
    await agent("take_snapshot")
    steps = [
        {
            "tool": "fill",
            "arguments": {"uid": agent.uid('textbox "Street"'), "value": "Mill Lane 4"},
        },
        {"tool": "fill", "arguments": {"uid": agent.uid('textbox "City"'), "value": "Leeds"}},
    ]
    await agent("batch", steps=steps)
    await agent("fill", uid='combobox "Delivery"', value="Express")
    await agent("click", uid='checkbox "Gift"')
    await agent("click", uid='textbox "Note"')
    await agent("type_text", text="Ring twice")
    await agent("press_key", key="Tab")
    await agent("take_snapshot")
    await agent("click", uid='button "Order"')
    await agent("handle_dialog", action="accept")
    await agent("wait_for", text=["Ordered for"])
    return await agent.value("document.querySelector('[role=status]').textContent")


class AgentCaller:
    """An agent, called from a thread as the command line calls a daemon."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self._loop = agent, asyncio.get_running_loop()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        request = self._agent.request("tools/call", name=tool, arguments=dict(arguments))
        return asyncio.run_coroutine_threadsafe(request, self._loop).result(60)


async def replayed(
    agent: Agent, plan: ReplayPlan, *, patience: float = 5.0, **options: Any
) -> Divergence | None:
    """Replay a plan in the session of an agent; returns where it stopped."""
    values = plan.values(options.pop("given", {}))
    made = Replay(plan, AgentCaller(agent), values, patience=patience, **options)
    told = await asyncio.to_thread(lambda: list(made.run()))
    return told[-1][1]
