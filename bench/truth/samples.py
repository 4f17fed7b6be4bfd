"""Samples: two small pages that show whether the measuring itself still works."""

from __future__ import annotations

from collections.abc import Mapping

_FORM = """<!doctype html><title>Order</title><h1>Order form</h1>
<p>Plain words about the order</p>
<form onsubmit="return false"><label>Name <input></label> <label>Amount <input type=number></label>
<label><input type=checkbox> Gift</label>
<select aria-label=Colour><option>Red<option>Blue</select>
<button onclick="document.querySelector('h1').textContent = 'Thank you'">Send</button></form>"""

_SHADOW = """<!doctype html><title>Widgets</title><a href="#top">Up</a> <x-button></x-button>
<button style="position: absolute; top: 200px; left: 20px">Below</button>
<div style="position: absolute; top: 190px; left: 0; width: 200px; height: 60px; background: tan">
A note that lies above the button</div><script>
customElements.define("x-button", class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({mode: "open"}).innerHTML = "<button>Inside</button>";
  }
});</script>"""

PAGES: Mapping[str, str] = {"form": _FORM, "shadow": _SHADOW}
