"""The pages that are measured, written as strings."""

from __future__ import annotations

ITEM_ELEMENTS = 4
REQUESTS = 40

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
     <button id="idle" type="button">Do nothing</button>
     <button id="heard" type="button" onclick="window.clicks += 1">Be heard</button></p>
</form>
<ul id="items"></ul>
<p role="status" id="status">No items yet</p>
<a href="/next">Next page</a>
</main>
<script>
  window.clicks = 0;
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

# Logs and requests, and says when all is done.
_BUSY = f"""
<p>Busy</p>
<script>
  window.done = (async () => {{
    for (let number = 1; number <= {REQUESTS}; number++) {{
      console.log("message", number, {{ number }});
      await (await fetch("/api/" + number)).text();
    }}
    return true;
  }})();
</script>
</body></html>
"""

# A form as shops have them: some text and links around six fields.
_ORDER = """
<header><a href="/next">Shop</a><nav>
  <a href="/next">New</a> <a href="/next">Books</a> <a href="/next">Music</a>
  <a href="/next">Offers</a> <a href="/next">Account</a> <a href="/next">Basket</a>
</nav></header>
<main><h1>Order a book</h1>
<p>Your order is sent within two days. Orders above 50 euros are sent free of charge.</p>
<p>You may return a book within 30 days. Please read <a href="/next">our terms</a> first.</p>
<form id="form">
  <p><label>Full name <input id="who"></label></p>
  <p><label>Email <input id="mail" type="email"></label></p>
  <p><label>Copies <input id="count" type="number"></label></p>
  <p><label>City
    <select id="city"><option>Berlin</option><option>Paris</option></select></label></p>
  <p><label>Notes <textarea id="notes"></textarea></label></p>
  <p><label><input id="agree" type="checkbox"> I agree to the terms</label></p>
  <p><button>Send order</button></p>
</form>
<p role="status" id="status">Not sent yet</p>
<h2>Others bought</h2>
<ul><li><a href="/next">Structure and Interpretation</a>
<li><a href="/next">The Art of Doing Science</a>
<li><a href="/next">A Discipline of Programming</a><li><a href="/next">Programming Pearls</a></ul>
</main>
<footer><a href="/next">Contact</a> <a href="/next">Imprint</a> <a href="/next">Privacy</a></footer>
<script>
  const value = id => document.getElementById(id).value;
  document.getElementById("form").addEventListener("submit", event => {
    event.preventDefault();
    document.getElementById("status").textContent =
      `Thank you, ${value("who")}. Order 4711 (${value("count")}) goes to ${value("city")}.`;
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
        "/busy": _head("Busy") + _BUSY,
        "/order": _head("Order") + _ORDER,
        **{f"/api/{number}": _answer(number) for number in range(1, REQUESTS + 1)},
        "/list/1000": _list(1000),
        "/list/10000": _list(10000),
    }


def _answer(number: int) -> str:
    return f"answer {number}\n" + "All work and no play. " * 100


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
