// What the tools of the gold pages must bring about, looked up in the applications themselves.
// `cases` runs before the call and says what is given and what must be seen; `seen` runs after it.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const place = () => location.pathname + location.search;
  const paths = (elements) => elements.map((each) => each.pathname + each.search);
  const some = (list) => [...new Set([0, list.length >> 1, list.length - 1])];
  const query = (name) => new URLSearchParams(location.search).get(name);
  const get = async (path) => (await fetch(path)).text();

  const search = {
    cases: () => ["hacking", "gödel & escher", "no such book"].map((text) => (
      { given: { query: text }, wanted: ["/en-gb/search/", text] })),
    seen: () => [location.pathname, query("q")],
  };
  const language = {
    cases: () => {
      const others = all("#language_selector option").filter((each) => !each.selected);
      return some(others).map((at) => ({ given: { language: words(others[at]) }, wanted: others[at].value }));
    },
    // The selector itself shows another language after Chinese, which the shop knows by two codes.
    seen: () => (location.pathname.startsWith("/en-gb/") ? "unchanged"
      : document.cookie.match(/django_language=([\w-]+)/)?.[1]),
  };
  const products = () => all("section ol.row > li");
  const basket = async () => {
    const page = new DOMParser().parseFromString(await get("/en-gb/basket/"), "text/html");
    return [...page.querySelectorAll(".basket-items h3 a")].map((each) => each.getAttribute("href"));
  };
  const columns = ["id", "name", "category", "price", "stock"];
  const cells = (column) => all(`td.col-${column}`).map(words);
  const rows = async (search) =>
    (await (await fetch(`/shop/products.json?_shape=objects&_size=100&${search}`)).json()).rows;
  const shownDialog = () => words(document.querySelector("[role=dialog]:not(.hidden) h1") ?? new Text());
  const fields = () => all("#dialog1 input").map((each) => each.value);
  const address = { street: "1 Main St", city: "Ghent", state: "OV", zip: "9000", special_instructions: "ring" };
  const todos = () => all(".todo-list li").map((each) => words(each.querySelector("label")));
  const ticked = () => all(".todo-list li").map((each) => each.querySelector(".toggle").checked);
  const START = ["buy milk", "walk dog", "write report"];
  const day = new Date(Date.now() + 9 * 864e5).toISOString().slice(0, 10);

  return {
    oscar_catalogue: {
      search_products: search,
      sort_products: {
        cases: () => all("#id_sort_by option").filter((each) => !each.selected)
          .map((each) => ({ given: { sort_by: words(each) }, wanted: each.value })),
        seen: () => query("sort_by"),
      },
      open_product: {
        cases: () => some(products()).map((at) => (
          { given: { index: at + 1 }, wanted: paths([products()[at].querySelector("h3 a")])[0] })),
        seen: place,
      },
      add_to_basket: {
        cases: () => {
          const able = products().filter((each) => each.querySelector("form[action*='/basket/add/']"));
          return some(able).map((at) => ({
            given: { index: products().indexOf(able[at]) + 1 },
            wanted: paths([able[at].querySelector("h3 a")]),
          }));
        },
        seen: basket,
      },
      next_page: { cases: () => [{ given: {}, wanted: "2" }], seen: () => query("page") },
      open_category: {
        cases: () => all(".side_categories ul a[href*='/category/']").map((each) => (
          { given: { category: words(each) }, wanted: each.pathname })),
        seen: () => location.pathname,
      },
      filter_products: {
        cases: () => all("a[href*='selected_facets']").map((each) => (
          { given: { facet: words(each) }, wanted: each.pathname + each.search })),
        seen: place,
      },
      set_language: language,
      view_basket: { cases: () => [{ given: {}, wanted: "/en-gb/basket/" }], seen: place },
    },
    oscar_product: {
      add_to_basket: { cases: () => [{ given: {}, wanted: [location.pathname] }], seen: basket },
      search_products: search,
      write_review: {
        cases: () => [{ given: {}, wanted: paths(all("a[href*='reviews/add']"))[0] }], seen: place,
      },
      set_language: language,
    },
    datasette_table: {
      filter_rows: {
        cases: async () => Promise.all([
          ["category", "=", "toys", "category=toys"],
          ["name", "ends with", "7", "name__endswith=7"],
          ["price", ">", "50", "price__gt=50"],
          ["stock", "≤", "10", "stock__lte=10"],
          ["category", "is blank", "", "category__isblank=1"],
        ].map(async ([column, operator, value, search]) => ({
          given: { column, operator, ...(value && { value }) },
          wanted: (await rows(search)).map((row) => String(row.id)),
        }))),
        seen: () => cells("id"),
      },
      sort_rows: {
        cases: () => Promise.all(columns.map(async (column) => ({
          given: { column },
          wanted: (await rows(column === "id" ? "_sort_desc=id" : `_sort=${column}`))
            .map((row) => String(row.id)),
        }))),
        seen: () => cells("id"),
      },
      open_row: {
        cases: () => some(all("table.rows-and-columns tbody tr")).map((at) => (
          { given: { index: at + 1 }, wanted: `/shop/products/${at + 1}` })),
        seen: place,
      },
      export_csv: {
        cases: async () => [
          { given: {}, wanted: "/shop/products.csv" },
          { given: { stream_all_rows: true }, wanted: "/shop/products.csv on" },
          { given: { download_file: true }, wanted: "download products.csv" },
        ],
        seen: (reply) => reply.startsWith("download") ? `download ${reply.match(/products\.csv/)}`
          : [location.pathname, query("_stream")].filter(Boolean).join(" "),
      },
      next_page: { cases: () => [{ given: {}, wanted: "101" }], seen: () => cells("id")[0] },
      facet_by: { cases: () => [{ given: { column: "category" }, wanted: "category" }], seen: () => query("_facet") },
    },
    aria_modal_dialog: {
      add_delivery_address: {
        cases: () => [{ given: address, wanted: ["Address Added", ...Object.values(address)] }],
        seen: () => [shownDialog(), ...fields()],
      },
      verify_address: {
        cases: () => [{ given: {}, wanted: "Verification Result" }],
        seen: () => words(document.querySelector("#dialog2:not(.hidden) h1") ?? new Text()),
      },
      cancel: { cases: () => [{ given: {}, wanted: "" }], seen: shownDialog },
    },
    todomvc_react: {
      add_todo: {
        cases: () => ["call Ada", "größer ✓ \"x\""].map((text) => (
          { given: { text }, wanted: [...START, text] })),
        seen: todos,
      },
      toggle_todo: {
        cases: () => [0, 1, 2].map((at) => (
          { given: { index: at + 1 }, wanted: START.map((_, each) => each === at) })),
        seen: ticked,
      },
      delete_todo: {
        cases: () => [0, 1, 2].map((at) => (
          { given: { index: at + 1 }, wanted: START.filter((_, each) => each !== at) })),
        seen: todos,
      },
      filter_todos: {
        cases: () => [["Active", "#/active", 3], ["Completed", "#/completed", 0]].map(
          ([filter, hash, left]) => ({ given: { filter }, wanted: [hash, left] })),
        seen: () => [location.hash, todos().length],
      },
      toggle_all: { cases: () => [{ given: {}, wanted: [true, true, true] }], seen: ticked },
    },
    webmcp_french_bistro: {
      book_table: {
        cases: () => all("#seating option").filter((each) => each.value).map((seat, at) => {
          const guests = all("#guests option")[at + 2];
          return {
            given: { name: "Ada Lovelace", phone: "(555) 123-4567", date: day, time: "19:30",
              guests: words(guests), seating: words(seat), requests: "by the window" },
            wanted: [true, "Ada Lovelace", "(555) 123-4567", day, "19:30", guests.value, seat.value, "by the window"],
          };
        }),
        seen: () => [document.querySelector("#bookingDialog").open,
          ...["name", "phone", "date", "time", "guests", "seating", "requests"].map(
            (name) => document.forms[0].elements[name].value)],
      },
    },
  };
})()
