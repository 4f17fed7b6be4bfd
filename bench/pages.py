"""The pages that are measured, written as strings."""

from __future__ import annotations

ITEM_ELEMENTS = 4

_HEAD = (
    "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
    "<link rel='icon' href='data:,'></head><body>"
)

_FORM = """
<header><h1>Welcome to the form</h1></header>
<main>
<form id="form" onsubmit="return false">
  <p><label>Full name <input id="name" name="name"></label></p>
  <p><label>Email <input id="email" type="email" name="email"></label></p>
  <p><label>City <select id="city"><option>Berlin</option><option>Paris</option></select></label>
  </p>
  <p><label><input id="agree" type="checkbox"> I agree</label></p>
  <p><label>Notes <textarea id="notes"></textarea></label></p>
  <p><button id="add" type="button">Add item</button>
     <button id="idle" type="button">Do nothing</button></p>
</form>
<ul id="items"></ul>
<p role="status" id="status">No items yet</p>
<a href="/next">Next page</a>
</main>
<script>
  window.clicks = 0;
  document.addEventListener("click", () => { window.clicks += 1; }, true);
  document.getElementById("add").addEventListener("click", () => {
    const items = document.getElementById("items");
    const item = document.createElement("li");
    item.textContent = "Item " + (items.children.length + 1);
    items.append(item);
    document.getElementById("status").textContent = items.children.length + " added";
  });
</script>
</body></html>
"""


def pages() -> dict[str, str]:
    """All pages of the site by path."""
    return {
        "/blank": _head("Blank") + "<p>Nothing here</p></body></html>",
        "/form": _head("Form") + _FORM,
        "/next": _head("Next") + "<h1>The next page</h1><a href='/form'>Back</a></body></html>",
        "/list/1000": _list(1000),
        "/list/10000": _list(10000),
    }


def _list(elements: int) -> str:
    items = "".join(_item(number) for number in range(1, elements // ITEM_ELEMENTS + 1))
    return _head(f"{elements} elements") + f"<h1>Products</h1><ul>{items}</ul></body></html>"


def _item(number: int) -> str:
    return (
        f"<li><a href='/next'>Product {number}</a> <span>in stock</span> "
        f"<button type='button'>Buy {number}</button></li>"
    )


def _head(title: str) -> str:
    return _HEAD.format(title=title)
