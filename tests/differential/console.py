"""What the page logs and requests."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Answer, Side


def messages(answer: Answer) -> list[tuple[str, str]]:
    """Type and first word of every message."""
    return re.findall(r"^msgid=\d+ \[(\w+)\] (\w+)", answer.text, re.MULTILINE)


def numbers(answer: Answer, name: str) -> list[int]:
    """The ids of a list."""
    return [int(found) for found in re.findall(rf"^{name}=(\d+)", answer.text, re.MULTILINE)]


async def logged(side: Side, code: str, **more: object) -> Answer:
    """List the messages of a page that runs this when it loads."""
    await side.open(f"<title>t</title><script>{code}</script>")
    return await side.call("list_console_messages", **more)


@behaviour(70)
async def messages_have_rising_numbers(side: Side) -> Facts:
    first = numbers(await logged(side, "console.log('a'); console.log('b')"), "msgid")
    second = numbers(await logged(side, "console.log('c')"), "msgid")
    return {
        "rising": sorted(set(first + second)) == first + second,
        "counts": [len(first), len(second)],
    }


@behaviour(70)
async def messages_have_type_and_text(side: Side) -> Facts:
    answer = await logged(
        side,
        "console.log('plain'); console.warn('warned'); console.error('failed');"
        " console.info('informed'); console.debug('debugged')",
    )
    return {"messages": messages(answer)}


@behaviour(71)
async def repeated_messages_are_one_line(side: Side) -> Facts:
    answer = await logged(
        side, "for (let i = 0; i < 3; i++) console.info('same'); console.info('end')"
    )
    return {"lines": messages(answer), "times": bool(re.search(r"same.*3", answer.text))}


@behaviour(72)
async def messages_are_filtered_by_type(side: Side) -> Facts:
    code = "console.log('l'); console.warn('w'); console.error('e')"
    some = await logged(side, code, types=["error", "warn"])
    wrong = await side.call("list_console_messages", types=["nonsense"])
    return {"some": messages(some), "wrong": wrong.failed}


@behaviour(73)
async def long_lists_come_in_pages(side: Side) -> Facts:
    code = "for (let i = 0; i < 7; i++) console.log('m' + i)"
    second = await logged(side, code, pageSize=3, pageIdx=1)
    beyond = await side.call("list_console_messages", pageSize=3, pageIdx=9)
    return {
        "second": messages(second),
        "beyond": messages(beyond),
        "failed": beyond.failed,
        **second.says(r"Showing 4-6 of 7 \(Page 2 of 3\)", "Next page: 2", "Previous page: 0"),
        **beyond.says("(no|invalid) page"),
    }


@behaviour(73, shown="lists-in-pages")
async def a_long_list_is_not_given_at_once(side: Side) -> Facts:
    answer = await logged(side, "for (let i = 0; i < 60; i++) console.log('m' + i)")
    return {"shown": len(messages(answer)), **answer.says("of 60")}


@behaviour(74)
async def messages_outlive_two_navigations(side: Side) -> Facts:
    for number in range(4):
        await logged(side, f"console.log('nav{number}')")
    now = await side.call("list_console_messages")
    kept = await side.call("list_console_messages", includePreservedMessages=True)
    return {"now": now.says("nav2", "nav3"), "kept": kept.says("nav1", "nav2", "nav3")}


@behaviour(75)
async def messages_show_where_they_came_from(side: Side) -> Facts:
    answer = await logged(side, "function thrower() { console.error('deep') } thrower()")
    (ident,) = numbers(answer, "msgid")
    one = await side.call("get_console_message", msgid=ident)
    with_stacks = await side.call("list_console_messages", includeStackTraces=True)
    return {
        "one": one.says(r"at thrower \(", "deep", "### Stack trace"),
        "all": with_stacks.says(r"at thrower \("),
    }


@behaviour(75)
async def arguments_are_shown_whole(side: Side) -> Facts:
    answer = await logged(side, "console.log('hello', {a: 1, b: [1, 2]}, 42)")
    (ident,) = numbers(answer, "msgid")
    one = await side.call("get_console_message", msgid=ident)
    return one.says(
        "### Arguments", "Arg #0: hello", r'Arg #1: \{"a": ?1, ?"b": ?\[1, ?2\]\}', "42"
    )


@behaviour(76)
async def uncaught_errors_are_listed(side: Side) -> Facts:
    answer = await logged(side, "setTimeout(() => { throw new TypeError('uncaught one') })")
    return {
        **answer.says(r"\[error\] .*TypeError: uncaught one"),
        "filtered": (await side.call("list_console_messages", types=["error"])).says(
            "uncaught one"
        ),
    }


@behaviour(76, reason="rejections-keep-their-reason", preview="objects-are-previewed")
async def rejections_and_objects_are_readable(side: Side) -> Facts:
    answer = await logged(side, "Promise.reject('why'); console.log({inside: 1})")
    return {"reason": "why" in answer.text, "preview": "inside" in answer.text}


@behaviour(77)
async def frames_and_workers_are_heard(side: Side) -> Facts:
    frame = side.site.page("<script>console.log('framed')</script>", other=True)
    worker = side.site.page("console.log('worked')", kind="text/javascript")
    await side.open(
        f"<title>t</title><iframe src='{frame}'></iframe><script>w = new Worker('{worker}')</script>"
    )
    text = ""
    for _ in range(20):
        text = (await side.call("list_console_messages")).text
        if "framed" in text and "worked" in text:
            break
    return {each: each in text for each in ("framed", "worked")}


@behaviour(78)
async def issues_of_the_page_are_listed(side: Side) -> Facts:
    await side.open(
        "<title>t</title><form><label>Mail <input type=email name=email></label><label>No <input></label></form>"
    )
    issues = await side.call("list_console_messages", types=["issue"])
    return {"failed": issues.failed, "some": bool(issues.count(r"^msgid=\d+ \[issue\]"))}


REQUESTS = """<title>t</title><script>
done = (async () => {
  const get = (url, more) => fetch(url, more).then(r => r.arrayBuffer()).catch(() => 0);
  await get('/missing.json'); await get('%s'); await get('%s', {method: 'POST', body: 'sent=1'});
  await get('http://127.0.0.1:1/'); return 1;
})()</script>"""


def redirecting(side: Side, target: str) -> str:
    """An address that leads to another."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return side.site.route(respond)


def answering(side: Side, body: bytes, **headers: str) -> str:
    """An address that answers with bytes."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return side.site.route(respond)


def request(answer: Answer, pattern: str) -> int:
    """The id of the last request whose line has a match."""
    found = re.findall(rf"^reqid=(\d+) .*{pattern}", answer.text, re.MULTILINE)
    assert found, f"{pattern}\n{answer.text}"
    return int(found[-1])


async def fetched(side: Side, url: str, **options: object) -> Answer:
    """The request that a page made of an address, shown whole."""
    await side.open("<title>t</title>")
    await side.call(
        "evaluate_script",
        function=f"async () => {{ await (await fetch('{url}', {options or {}})).arrayBuffer(); return 1 }}",
    )
    ident = request(await side.call("list_network_requests"), re.escape(url))
    return await side.call("get_network_request", reqid=ident)


@behaviour(79)
async def requests_are_listed_with_status(side: Side) -> Facts:
    target = side.site.page("{}", kind="application/json")
    await side.open(REQUESTS % (redirecting(side, target), target))
    await side.value("done")
    answer = await side.call("list_network_requests")
    return {
        "document": bool(answer.count(r"^reqid=\d+ GET \S+ .*200")),
        "missing": bool(answer.count(r"^reqid=\d+ GET \S+/missing.json .*404")),
        "posted": bool(answer.count(r"^reqid=\d+ POST \S+ .*200")),
        "failed": bool(answer.count(r"^reqid=\d+ GET http://127.0.0.1:1/ .*(ERR_|failed)")),
        **answer.says("## Network requests"),
    }


@behaviour(79)
async def a_request_under_way_is_pending(side: Side) -> Facts:
    url = side.site.silent()
    await side.open("<title>t</title>")
    await side.value(f"(fetch('{url}'), 1)")
    answer = await side.call("list_network_requests", resourceTypes=["fetch"])
    return answer.says("pending")


@behaviour(79)
async def requests_are_filtered_and_paged(side: Side) -> Facts:
    target = side.site.page("{}", kind="application/json")
    await side.open(REQUESTS % (target, target))
    await side.value("done")
    documents = await side.call("list_network_requests", resourceTypes=["document"])
    page = await side.call("list_network_requests", pageSize=2, pageIdx=1)
    nothing = await side.call("list_network_requests", resourceTypes=["font"])
    return {
        "documents": len(numbers(documents, "reqid")),
        "page": len(numbers(page, "reqid")),
        **page.says(r"Showing 3-4 of \d+", "Previous page: 0"),
        **nothing.says("No requests found"),
    }


@behaviour(80)
async def redirects_are_shown_hop_by_hop(side: Side) -> Facts:
    target = answering(side, b"end", Content_Type="text/plain")
    url = redirecting(side, target)
    await side.open("<title>t</title>")
    await side.call("evaluate_script", function=f"async () => {{ await fetch('{url}'); return 1 }}")
    answer = await side.call("list_network_requests")
    one = await side.call("get_network_request", reqid=request(answer, re.escape(target)))
    return {
        "hop": bool(answer.count(rf"^reqid=\d+ GET {url} .*302")),
        "end": bool(answer.count(rf"^reqid=\d+ GET {target} .*200")),
        "chain": url in one.text.partition("### Redirect chain")[2],
    }


@behaviour(81)
async def bodies_are_shown(side: Side) -> Facts:
    url = answering(side, b"the answer", Content_Type="text/plain")
    answer = await fetched(side, url, method="POST", body="the question")
    return answer.says(
        "the answer",
        "the question",
        "### Request headers",
        "### Response headers",
        "### Request body",
        "200",
    )


@behaviour(81)
async def bodies_are_cut_or_named(side: Side) -> Facts:
    long = await fetched(side, answering(side, b"x" * 25_000, Content_Type="text/plain"))
    binary = await fetched(side, answering(side, b"\xff\xfe\x00\x81" * 9, Content_Type="image/png"))
    empty = await fetched(side, answering(side, b"", Content_Type="text/plain"))
    return {
        "long": 9_900 < len(max(re.findall("x+", long.text), key=len)) <= 10_000,
        "binary": binary.says("binary data"),
        "empty": empty.says("empty"),
    }


@behaviour(82)
async def bodies_are_written_to_files(side: Side) -> Facts:
    data = bytes(range(256)) * 80
    url = answering(side, data, Content_Type="application/octet-stream")
    await fetched(side, url, method="POST", body="sent")
    ident = request(await side.call("list_network_requests"), re.escape(url))
    await side.call(
        "get_network_request",
        reqid=ident,
        requestFilePath=str(side.folder / "in"),
        responseFilePath=str(side.folder / "out"),
    )
    sent: Path = side.folder / "in.network-request"
    came: Path = side.folder / "out.network-response"
    return {"sent": sent.read_text(), "came": came.read_bytes() == data}


@behaviour(83, secret="credentials-are-hidden")
async def headers_are_shown(side: Side) -> Facts:
    url = answering(side, b"x", X_Plain="plain-value", Set_Cookie="key=secret-value")
    answer = await fetched(side, url)
    return {"secret": "secret-value" in answer.text, **answer.says("x-plain: ?plain-value")}


@behaviour(80)
async def requests_outlive_two_navigations(side: Side) -> Facts:
    for number in range(4):
        await side.goto(f"{side.site.page('<title>t</title>')}?nav{number}")
    now = await side.call("list_network_requests")
    kept = await side.call("list_network_requests", includePreservedRequests=True)
    return {
        "now": now.says(r"\?nav2", r"\?nav3"),
        "kept": kept.says(r"\?nav1", r"\?nav2", r"\?nav3"),
    }
