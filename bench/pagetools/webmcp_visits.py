"""What an agent does in the demos of WebMCP, and what must come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

SOON = date.today() + timedelta(days=14)
TUESDAY = (SOON + timedelta(days=(1 - SOON.weekday()) % 7)).isoformat()
THERE = "location.href.includes('{}')"
CART = "localStorage.getItem('tmr-cart-count') === '1'"
TOPPINGS = "document.querySelectorAll('.topping').length === {}"


@dataclass(frozen=True)
class Step:
    """One call.

    Attributes:
        tool: The page's own name of it.
        given: Its arguments; a text that begins with `$` is looked for in the last reply.
        says: What its reply must contain.
        seen: What must then be true in the page; nothing while a dialog keeps it from answering.
    """

    tool: str
    given: dict[str, Any] = field(default_factory=dict)
    says: str = ""
    seen: str = ""


@dataclass(frozen=True)
class Visit:
    """A page, and what is done there one after the other."""

    path: str
    steps: Sequence[Step]


def there(tool: str, place: str, **given: object) -> Step:
    """A call that leads to another address."""
    return Step(tool, dict(given), "navigated", THERE.format(place))


def _shop(page: str) -> list[Visit]:
    """The tools that most pages of the coffee shop have."""
    path = f"coffee-shop/{page}.html"
    history = Step("get_order_history", {}, "DR-001")
    reorder = Step("reorder_product", {"item_id": "DR-001"}, "success", CART)
    # These leave a moment after they have answered.
    search = Step("search_catalog", {"query": "alchemist"}, "", THERE.format("the_alchemist"))
    specs = Step("get_machine_specifications", {}, "12 inches", THERE.format("the_alchemist"))
    return [Visit(path, [history, reorder, search]), Visit(path, [specs])]


_BISTRO = "book_table_le_petit_bistro"
_TABLE = {
    "name": "Ada Lovelace", "phone": "5551234567", "date": TUESDAY, "time": "19:30",
    "guests": "2", "seating": "Terrace",
}  # fmt: skip
_BOOKED = "document.getElementById('bookingDialog').open"

VISITS: Sequence[Visit] = (
    *_shop("index"),
    *_shop("order_history"),
    *_shop("precision_burr"),
    *_shop("classic_dark_roast_coffee_beans"),
    Visit("coffee-shop/the_alchemist.html", [Step("get_machine_specifications", {}, "12")]),
    Visit("doors/index.html", [there("openDoor1", "forest.html")]),
    Visit("doors/index.html", [there("openDoor2", "ocean.html")]),
    Visit("doors/index.html", [there("openDoor3", "magic.html")]),
    Visit(
        "doors/forest.html",
        [
            Step("talk", {"choice": "What are you?"}, "keeper of the ferns"),
            Step("talk", {"choice": "Give me a gift"}, "acorn"),
            there("returnToHallway", "doors/index.html"),
        ],
    ),
    Visit("doors/ocean.html", [Step("dance", {}, "done"), Step("hide", {}, "done")]),
    Visit(
        "doors/magic.html",
        [Step("castLight", {}, "blinks"), there("returnToHallway", "doors/index.html")],
    ),
    Visit(
        "explainer/index.html",
        [
            Step("getAvailability", {"startDate": TUESDAY, "endDate": TUESDAY}, "14:00"),
            Step(
                "bookSlot",
                {"date": TUESDAY, "time": "14:00", "name": "Ada", "email": "ada@example.com"},
                "confirmationId",
                "!!document.querySelector('#widget-with .w-success.is-visible')",
            ),
            Step(
                "cancelBooking",
                {"confirmationId": r"$BK-[A-Z0-9]+"},
                "cancelled",
                "!document.querySelector('#widget-with .w-success.is-visible')",
            ),
        ],
    ),
    Visit(
        "french-bistro/index.html",
        [
            Step(_BISTRO, _TABLE, "needs_human", f"!{_BOOKED}"),
            Step(f"submit_{_BISTRO}", {}, "done", _BOOKED),
        ],
    ),
    Visit(
        "french-bistro/index.html?toolautosubmit", [Step(_BISTRO, _TABLE, "Ada Lovelace", _BOOKED)]
    ),
    Visit(
        "french-bistro/index.html?toolautosubmit&crossdocument",
        [there(_BISTRO, "result.html", **_TABLE)],
    ),
    Visit(
        "order-tracking/index.html",
        [
            there("get_order_status", "timeframe=last_6_months", timeframe="last_6_months"),
            there("initiate_return", "reason=defective", order_id="ORD123", reason="defective"),
        ],
    ),
    Visit("page-agent/index.html", []),
    Visit(
        "pizza-maker/index.html",
        [
            Step("set_pizza_size", {"number_of_persons": 5}, "Large"),
            Step(
                "set_pizza_style",
                {"style": "Pesto"},
                "Pesto",
                "document.documentElement.style.getPropertyValue('--sauce') === '#388e3c'",
            ),
            Step(
                "toggle_layer",
                {"layer": "cheese-layer", "action": "remove"},
                "remove",
                "document.getElementById('cheese-layer').style.display === 'none'",
            ),
            Step("add_topping", {"topping": "🌶️", "count": 3}, "Added 3", TOPPINGS.format(3)),
            Step("remove_topping", {"topping": "🌶️"}, "Removed", TOPPINGS.format(2)),
            Step("share_pizza", {}, "Share URL"),
            # It tells the user that it has copied the address.
            Step("accept_dialog", {}, "done"),
            Step("manage_pizza", {"action": "reset"}, "Reset", TOPPINGS.format(0)),
        ],
    ),
    Visit("real-estate-map/index.html", [there("search_location", "map.html", location="Seattle")]),
    # Without its map, which is elsewhere, the page can only say what is missing.
    Visit(
        "real-estate-map/map.html", [Step("apply_smart_filters", {"location": "Austin"}, "rror")]
    ),
    Visit(
        "ticket-booking/index.html",
        [
            Step("update_location", {"city": "London"}, "London", THERE.format("city=London")),
            Step("query_content", {"genre": "horror"}, "Boogeyman", THERE.format("genre=horror")),
            Step(
                "select_showtime",
                {
                    "movie_id": r'$(?<="id": ")\d+',
                    "date": r"$\d{4}-\d\d-\d\d",
                    "time": r"$\d+:\d\d [AP]M",
                },
                "success",
                THERE.format("#movie/"),
            ),
        ],
    ),
    Visit(
        "webmcp-maze/dist/index.html",
        [
            Step("start_game", {}, "new maze"),
            Step("look", {}, "openDirections"),
            Step("move", {"direction": "$north|south|east|west"}, "success"),
            # What lies where differs from game to game.
            Step("pickup", {}, "success"),
            Step("drop", {}, "success"),
            Step("use", {"direction": "north"}, "success"),
        ],
    ),
    Visit(
        "react-flightsearch/dist/index.html",
        [
            Step(
                "searchFlights",
                {
                    "origin": "LON",
                    "destination": "NYC",
                    "tripType": "one-way",
                    "outboundDate": TUESDAY,
                    "inboundDate": TUESDAY,
                    "passengers": 1,
                },
            ),
        ],
    ),
    Visit(
        "hotel-chain/dist/index.html",
        [
            Step("search_location", {"query": "Cleveland"}, "Cleveland", THERE.format("search?q=")),
            Step("get_current_search_results", {}, "hotels"),
            Step("filter_search_results", {"max_price": 1}, "Filtered"),
            Step("reset_filters", {}, "reset"),
            Step("view_hotel", {"hotel_name_or_id": "a"}, "success", THERE.format("/hotel/")),
            Step("start_booking", {}, "success", THERE.format("/book/")),
        ],
    ),
    Visit(
        "analytics-dashboard/dist/index.html",
        [Step("query", {"groupBy": "status", "measure": "count", "chartType": "table"})],
    ),
    Visit(
        "smart-home/dist/index.html",
        [Step("rearrangeDOMComponents", {"componentIds": ["robot_vacuum"]}, "successfully")],
    ),
    Visit(
        "leather-bag/dist/leather-bag/browser/",
        [
            Step("check_return_policy", {}, "30-Day"),
            Step("search_store", {"query": "bag"}, "bag", THERE.format("/search?q=bag")),
            Step("get_search_results", {}, "search results"),
            Step("filter_results", {"maxPrice": 1000}, "updated", THERE.format("maxPrice=1000")),
        ],
    ),
    Visit(
        "sport-shop-angular/dist/sport-shop-angular/browser/",
        [
            Step("get_store_promos_and_rules", {}, "Basketball"),
            Step("search_product", {"query": "ball"}, "", THERE.format("/search")),
            Step("open_cart", {}, "opened"),
        ],
    ),
)
