"""Methods: every tool as a typed, awaited method.

Written by scripts/library.py from the tools themselves; do not edit.
"""

# fmt: off
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tabmux.library import tool_table as table
from tabmux.library.tool_call import AsyncCaller, FilePath
from tabmux.library.tool_results import (
    Change, ConsoleMessages, CookieList, HumanOutcome, NetworkRequests, PageSnapshot, PageToolList,
    ScriptResult, TabList, ToolResult,
)


class AsyncToolMethods(AsyncCaller):
    """Every tool as a method, awaited."""

    async def list_pages(self, *, browser_index: int | str | None = None) -> TabList:
        """List your pages, and the user's tabs that select_page can attach.

        Args:
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_PAGES, {"browserIndex": browser_index})

    async def new_page(
        self, url: str, *, background: bool = True, isolated_context: str | None = None,
        timeout: int = 0, browser_index: int | str | None = None,
    ) -> TabList:
        """Open a page of your own at a URL and select it.

        Args:
            url: Address to load.
            background: Leave the front tab in front.
            isolated_context: Name of a separate set of cookies and storage.
            timeout: Milliseconds; 0 for the usual.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NEW_PAGE, {
            "url": url, "background": background, "isolatedContext": isolated_context,
            "timeout": timeout, "browserIndex": browser_index,
        })

    async def select_page(
        self, page_id: int, *, bring_to_front: bool = False, browser_index: int | str | None = None,
    ) -> TabList:
        """Make a page the one later calls act on; a free tab is attached to you.

        Args:
            page_id: Id from list_pages.
            bring_to_front: Also show it to the user.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SELECT_PAGE, {
            "pageId": page_id, "bringToFront": bring_to_front, "browserIndex": browser_index,
        })

    async def close_page(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> TabList:
        """Close one of your pages, but not a browser's last tab.

        Args:
            page_id: The selected one by default.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CLOSE_PAGE, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def navigate_page(
        self, *, type: Literal["url", "back", "forward", "reload"] | None = None,
        url: str | None = None, ignore_cache: bool = False,
        handle_before_unload: Literal["accept", "dismiss"] = 'accept',
        init_script: str | None = None, timeout: int = 0, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Load a URL, or go back, forward or reload.

        Args:
            type: What to do; url when a URL is given.
            url: Address to load.
            ignore_cache: Reload without the cache.
            handle_before_unload: Leave (accept) or stay if the page asks.
            init_script: JavaScript to run once before the page's own.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NAVIGATE_PAGE, {
            "type": type, "url": url, "ignoreCache": ignore_cache,
            "handleBeforeUnload": handle_before_unload, "initScript": init_script,
            "timeout": timeout, "pageId": page_id, "browserIndex": browser_index,
        })

    async def wait_for(
        self, *, text: Sequence[str] = (), text_gone: Sequence[str] = (), url: str = '',
        uid: str | None = None, state: Literal["visible", "enabled", "checked", "gone"] = 'visible',
        network_idle: bool = False, function: str | None = None, timeout: int = 0,
        include_snapshot: bool = True, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Wait until any one of these holds.

        Args:
            text: A text is visible, in any frame.
            text_gone: A text is not, in no frame.
            url: Part of the URL, pattern with *, or /regex/.
            uid: Element that has the state.
            state: Of uid.
            network_idle: No requests for 500 ms.
            function: It returns true; may only read.
            timeout: Milliseconds; 0 for the usual.
            include_snapshot: Show the page then.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.WAIT_FOR, {
            "text": text, "textGone": text_gone, "url": url, "uid": uid, "state": state,
            "networkIdle": network_idle, "function": function, "timeout": timeout,
            "includeSnapshot": include_snapshot, "pageId": page_id, "browserIndex": browser_index,
        })

    async def click(
        self, uid: str, *, dbl_click: bool = False, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Click an element.

        Args:
            uid: Element uid.
            dbl_click: Double click.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CLICK, {
            "uid": uid, "dblClick": dbl_click, "includeSnapshot": include_snapshot,
            "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def click_at(
        self, x: float, y: float, *, dbl_click: bool = False, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Click a point of the viewport; prefer click where there is a uid.

        Args:
            x: CSS pixels from the left.
            y: CSS pixels from the top.
            dbl_click: Double click.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CLICK_AT, {
            "x": x, "y": y, "dblClick": dbl_click, "includeSnapshot": include_snapshot,
            "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def hover(
        self, uid: str, *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Move the mouse over an element.

        Args:
            uid: Element uid.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.HOVER, {
            "uid": uid, "includeSnapshot": include_snapshot, "report": report, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def fill(
        self, uid: str, value: str, *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Set a form control: text, date, colour, option, or true/false for toggles.

        Args:
            uid: Element uid.
            value: Text, value or option; a JSON list for several options.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.FILL, {
            "uid": uid, "value": value, "includeSnapshot": include_snapshot, "report": report,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def fill_form(
        self, elements: Sequence[Mapping[str, Any]], *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Fill several controls in order; stops at the first failure.

        Args:
            elements: Controls and their values, as fill takes them.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.FILL_FORM, {
            "elements": elements, "includeSnapshot": include_snapshot, "report": report,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def type_text(
        self, text: str, *, submit_key: str | None = None,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Type into the focused element, key by key.

        Args:
            text: Text to type.
            submit_key: Key to press then, such as Enter.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TYPE_TEXT, {
            "text": text, "submitKey": submit_key, "report": report, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def press_key(
        self, key: str, *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Press a key or combination.

        Args:
            key: Such as Enter, Control+A or Control+Shift+R.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PRESS_KEY, {
            "key": key, "includeSnapshot": include_snapshot, "report": report, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def drag(
        self, from_uid: str, to_uid: str, *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Drag an element onto another.

        Args:
            from_uid: Element to drag.
            to_uid: Where to drop it.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.DRAG, {
            "from_uid": from_uid, "to_uid": to_uid, "includeSnapshot": include_snapshot,
            "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def upload_file(
        self, uid: str, file_paths: Sequence[FilePath], *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Give files to a file input or file chooser.

        Args:
            uid: File input, or what opens the chooser.
            file_paths: Local paths.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.UPLOAD_FILE, {
            "uid": uid, "filePaths": file_paths, "includeSnapshot": include_snapshot,
            "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def scroll(
        self, *, uid: str | None = None,
        direction: Literal["up", "down", "left", "right"] | None = None, amount: int | None = None,
        until_text: str = '', to_end: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Scroll an element into view, or the page or a list.

        Args:
            uid: Element; with a direction, turn the wheel over it.
            direction: Where to.
            amount: Pixels; a screenful by default.
            until_text: Repeat until it appears.
            to_end: Repeat until no more loads.
            report: What to show afterwards.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SCROLL, {
            "uid": uid, "direction": direction, "amount": amount, "untilText": until_text,
            "toEnd": to_end, "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def handle_dialog(
        self, action: Literal["accept", "dismiss"], *, prompt_text: str | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> Change:
        """Answer the open alert, confirm or prompt.

        Args:
            action: What to answer.
            prompt_text: Text for a prompt; its default when absent.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.HANDLE_DIALOG, {
            "action": action, "promptText": prompt_text, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def batch(
        self, steps: Sequence[Mapping[str, Any]], *, go_on: bool = False,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Call several tools on one page in order; shows what changed in the end.

        Args:
            steps: Calls to make.
            go_on: Continue after a failure.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.BATCH, {
            "steps": steps, "goOn": go_on, "pageId": page_id, "browserIndex": browser_index,
        })

    async def take_snapshot(
        self, *, verbose: bool = False, uid: str | None = None, depth: int = 0, budget: int = 0,
        file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> PageSnapshot:
        """Show the page as text, with uids of elements that other tools take.

        Older uids of the page become invalid. Prefer this to a screenshot.

        Args:
            verbose: Show every element.
            uid: Only inside this element; older uids stay valid.
            depth: Most levels; 0 for all.
            budget: Most characters; what matters least is left out first.
            file_path: Write it to this file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TAKE_SNAPSHOT, {
            "verbose": verbose, "uid": uid, "depth": depth, "budget": budget, "filePath": file_path,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def read_page(
        self, *, uid: str | None = None, offset: int = 0, budget: int = 10000,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Read the page's main content as Markdown, without uids.

        Args:
            uid: All of this element instead.
            offset: Characters to leave out, to read on.
            budget: Most characters.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.READ_PAGE, {
            "uid": uid, "offset": offset, "budget": budget, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def find(
        self, *, query: str = '', role: str = '', regex: bool = False, limit: int = 20,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Search the page for text or a role; shows matching lines with uids. Older uids stay
        valid.

        Args:
            query: Text of the page, in any case; also a URL, if it has a / or nothing else
                matches.
            role: Only this role, such as button.
            regex: The query is a regular expression.
            limit: Most matches.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.FIND, {
            "query": query, "role": role, "regex": regex, "limit": limit, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def take_screenshot(
        self, *, format: Literal["png", "jpeg", "webp"] = 'png', quality: int | None = None,
        uid: str | None = None, full_page: bool = False, file_path: FilePath | None = None,
        part: int = 1, scale: float | None = None, max_side: int | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Take a picture of the viewport, the whole page or an element.

        Args:
            format: Of the image.
            quality: For jpeg and webp.
            uid: Only this element.
            full_page: All of the page.
            file_path: Write it to this file, in full size.
            part: Which part of what is too large for one picture, from the top.
            scale: Pixels of the picture for one CSS pixel.
            max_side: Most pixels of the longer side; 1568 unless it is written to a file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TAKE_SCREENSHOT, {
            "format": format, "quality": quality, "uid": uid, "fullPage": full_page,
            "filePath": file_path, "part": part, "scale": scale, "maxSide": max_side,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def evaluate_script(
        self, *, function: str | None = None, args: Sequence[str] = (),
        format: Literal["function", "script"] = 'function', source_path: FilePath | None = None,
        file_path: FilePath | None = None, dialog_action: str = 'accept',
        wait_for_stable_dom: bool = True, service_worker_id: str | None = None, timeout: int = 0,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ScriptResult:
        """Run JavaScript in the page and return its result as JSON.

        Args:
            function: Such as () => document.title, or (el) => el.innerText with args.
            args: Uids of elements to pass.
            format: A script's result is its last value.
            source_path: Read the code from this file.
            file_path: Write the result to this file.
            dialog_action: For dialogs it opens: accept, dismiss or a prompt's answer.
            wait_for_stable_dom: Wait until the page is at rest.
            service_worker_id: Run there; see list_pages.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.EVALUATE_SCRIPT, {
            "function": function, "args": args, "format": format, "sourcePath": source_path,
            "filePath": file_path, "dialogAction": dialog_action,
            "waitForStableDom": wait_for_stable_dom, "serviceWorkerId": service_worker_id,
            "timeout": timeout, "pageId": page_id, "browserIndex": browser_index,
        })

    async def list_console_messages(
        self, *,
        types: Sequence[Literal["log", "debug", "info", "error", "warn", "dir", "dirxml", "table",
            "trace", "clear", "startGroup", "startGroupCollapsed", "endGroup", "assert", "profile",
            "profileEnd", "count", "timeEnd", "verbose", "issue"]] = (),
        page_size: int | None = None, page_idx: int = 0, include_preserved_messages: bool = False,
        include_stack_traces: bool = False, service_worker_id: str = '', text: str = '',
        since_last_action: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ConsoleMessages:
        """List console messages and uncaught errors since the last navigation.

        Args:
            types: Only these: error, warn, log, issue and so on.
            page_size: Messages a page.
            page_idx: Page, from 0.
            include_preserved_messages: Also of the last two navigations.
            include_stack_traces: Show stacks of errors.
            service_worker_id: Only of this one; see list_pages.
            text: Text or /regex/ in the message or its URL.
            since_last_action: Only those.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_CONSOLE_MESSAGES, {
            "types": types, "pageSize": page_size, "pageIdx": page_idx,
            "includePreservedMessages": include_preserved_messages,
            "includeStackTraces": include_stack_traces, "serviceWorkerId": service_worker_id,
            "text": text, "sinceLastAction": since_last_action, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def get_console_message(
        self, msgid: int, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show a console message whole, with its arguments and origin.

        Args:
            msgid: Id from list_console_messages.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_CONSOLE_MESSAGE, {
            "msgid": msgid, "pageId": page_id, "browserIndex": browser_index,
        })

    async def list_network_requests(
        self, *,
        resource_types: Sequence[Literal["document", "stylesheet", "image", "media", "font",
            "script", "texttrack", "xhr", "fetch", "prefetch", "eventsource", "websocket",
            "manifest", "signedexchange", "ping", "cspviolationreport", "preflight", "fedcm",
            "other"]] = (),
        page_size: int | None = None, page_idx: int = 0, include_preserved_requests: bool = False,
        url: str = '', method: str = '', status: str = '', since_last_action: bool = False,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> NetworkRequests:
        """List requests since the last navigation: status, time, size.

        Args:
            resource_types: Only these: document, xhr, fetch, script, image and so on.
            page_size: Requests a page.
            page_idx: Page, from 0.
            include_preserved_requests: Also of the last two navigations.
            url: Part of the URL, pattern with *, or /regex/.
            method: Such as POST.
            status: Such as 404, 4xx, failed, pending.
            since_last_action: Only those.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_NETWORK_REQUESTS, {
            "resourceTypes": resource_types, "pageSize": page_size, "pageIdx": page_idx,
            "includePreservedRequests": include_preserved_requests, "url": url, "method": method,
            "status": status, "sinceLastAction": since_last_action, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def get_network_request(
        self, *, reqid: int | None = None, request_file_path: FilePath | None = None,
        response_file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show a request whole: headers, bodies, timing, redirects, WebSocket messages.

        Args:
            reqid: Id from list_network_requests.
            request_file_path: Write the sent body to this file.
            response_file_path: Write the received body to this file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_NETWORK_REQUEST, {
            "reqid": reqid, "requestFilePath": request_file_path,
            "responseFilePath": response_file_path, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def resize_page(
        self, width: int, height: int, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Resize the window so that the page has this size.

        Args:
            width: CSS pixels.
            height: CSS pixels.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.RESIZE_PAGE, {
            "width": width, "height": height, "pageId": page_id, "browserIndex": browser_index,
        })

    async def emulate(
        self, *,
        network_conditions: Literal["Offline", "Slow 3G", "Fast 3G", "Slow 4G",
            "Fast 4G"] | None = None,
        cpu_throttling_rate: float = 1, geolocation: str | None = None,
        user_agent: str | None = None, color_scheme: Literal["dark", "light", "auto"] = 'auto',
        prefers_reduced_motion: Literal["reduce", "no-preference", "auto"] = 'auto',
        prefers_contrast: Literal["more", "less", "custom", "no-preference", "auto"] = 'auto',
        forced_colors: Literal["active", "none", "auto"] = 'auto', viewport: str | None = None,
        extra_http_headers: str | None = None, locale: str | None = None,
        timezone: str | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Emulate a network, device or place; each call replaces the last.

        Args:
            network_conditions: Speed.
            cpu_throttling_rate: Times slower.
            geolocation: latitude,longitude
            user_agent: Client hints follow it.
            color_scheme: Media feature.
            prefers_reduced_motion: Media feature.
            prefers_contrast: Media feature.
            forced_colors: Media feature.
            viewport: WxHxSCALE with ,mobile ,touch ,landscape; or a device: iPhone 15.
            extra_http_headers: JSON object; kept when absent, none when empty.
            locale: Such as de-DE.
            timezone: Such as Europe/Berlin.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.EMULATE, {
            "networkConditions": network_conditions, "cpuThrottlingRate": cpu_throttling_rate,
            "geolocation": geolocation, "userAgent": user_agent, "colorScheme": color_scheme,
            "prefersReducedMotion": prefers_reduced_motion, "prefersContrast": prefers_contrast,
            "forcedColors": forced_colors, "viewport": viewport,
            "extraHttpHeaders": extra_http_headers, "locale": locale, "timezone": timezone,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def get_css_styles(
        self, uid: str, *, page_size: int = 10, page_idx: int = 0, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show the CSS rules of an element, strongest first, with file and line.

        Args:
            uid: Element uid.
            page_size: Rules a page.
            page_idx: Page, from 0.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_CSS_STYLES, {
            "uid": uid, "pageSize": page_size, "pageIdx": page_idx, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def get_box(
        self, uid: str, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Say where an element is, how large, whether it can be seen, and what covers it.

        Args:
            uid: Element uid.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_BOX, {
            "uid": uid, "pageId": page_id, "browserIndex": browser_index,
        })

    async def performance_start_trace(
        self, *, reload: bool = True, auto_stop: bool = True, ignore_cache: bool = False,
        file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Record how the page loads or runs, and sum up its Core Web Vitals and what slows it down.

        Navigate to the right URL first.

        Args:
            reload: Record how the page loads.
            auto_stop: Stop when the page is at rest; otherwise at performance_stop_trace.
            ignore_cache: As on a first visit.
            file_path: Write the trace to this file (.json.gz or .json).
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PERFORMANCE_START_TRACE, {
            "reload": reload, "autoStop": auto_stop, "ignoreCache": ignore_cache,
            "filePath": file_path, "pageId": page_id, "browserIndex": browser_index,
        })

    async def performance_stop_trace(
        self, *, file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Stop the recording of the page and sum it up.

        Args:
            file_path: Write the trace to this file (.json.gz or .json).
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PERFORMANCE_STOP_TRACE, {
            "filePath": file_path, "pageId": page_id, "browserIndex": browser_index,
        })

    async def performance_analyze_insight(
        self, insight_set_id: str, insight_name: str, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Explain one insight of the page's last trace.

        Args:
            insight_set_id: A set of the summary, such as NAVIGATION_0.
            insight_name: For example LCPBreakdown, RenderBlocking or LongTasks.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PERFORMANCE_ANALYZE_INSIGHT, {
            "insightSetId": insight_set_id, "insightName": insight_name, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def performance_filmstrip(
        self, *, frames: int = 6, trace_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show what the screen looked like along the page's last trace, with the metrics marked.

        Args:
            frames: How many pictures of each navigation.
            trace_path: Another trace than the page's last.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PERFORMANCE_FILMSTRIP, {
            "frames": frames, "tracePath": trace_path, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def performance_report(
        self, file_path: FilePath, *, trace_path: FilePath | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Write the page's last trace as one HTML page: metrics, filmstrip, timeline and insights.

        Args:
            file_path: Where to write it (.html).
            trace_path: Another trace than the page's last.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PERFORMANCE_REPORT, {
            "filePath": file_path, "tracePath": trace_path, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def analyze_trace_file(
        self, file_path: FilePath, *, insight_set_id: str | None = None,
        insight_name: str | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Sum up a trace recorded elsewhere (DevTools, Lighthouse, Puppeteer), or explain an
        insight.

        Args:
            file_path: The trace (.json or .json.gz).
            insight_set_id: A set of the summary; with insightName.
            insight_name: Explain this insight of the set.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.ANALYZE_TRACE_FILE, {
            "filePath": file_path, "insightSetId": insight_set_id, "insightName": insight_name,
            "browserIndex": browser_index,
        })

    async def audit_page(
        self, *, categories: Sequence[Literal["accessibility", "seo", "best-practices"]] = (),
        file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Check the page as it stands for failures in accessibility, SEO and best practices.

        Accessibility is checked by axe-core, the rest by tabmux itself.

        Args:
            categories: Only these; all when empty.
            file_path: Also write the findings to this file (.json).
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.AUDIT_PAGE, {
            "categories": categories, "filePath": file_path, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def lighthouse_audit(
        self, *, mode: Literal["navigation", "snapshot"] = 'navigation',
        device: Literal["desktop", "mobile"] = 'desktop', output_dir_path: FilePath | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Run Lighthouse (from npm) on the page's URL: scores, failing audits, reports on disk.

        Where Lighthouse is not installed the error says how; audit_page works without it.

        Args:
            mode: Lighthouse loads the URL anew; for the page as it stands use audit_page.
            device: What it pretends to be.
            output_dir_path: Where the reports go; a temporary folder when absent.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIGHTHOUSE_AUDIT, {
            "mode": mode, "device": device, "outputDirPath": output_dir_path, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def take_heapsnapshot(
        self, file_path: FilePath, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Write all that the page's scripts hold in memory to a file, after collecting garbage.

        Objects keep their ids from one snapshot of a page to the next, so that
        compare_heapsnapshots can tell new ones from old.

        Args:
            file_path: Where to write it (.heapsnapshot).
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TAKE_HEAPSNAPSHOT, {
            "filePath": file_path, "pageId": page_id, "browserIndex": browser_index,
        })

    async def get_heapsnapshot_summary(
        self, file_path: FilePath, *, max_name_length: int = 100,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Sum a heap snapshot up: bytes by use, native contexts, what closures keep.

        Args:
            file_path: The snapshot.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_SUMMARY, {
            "filePath": file_path, "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def get_heapsnapshot_details(
        self, file_path: FilePath, *,
        filter_name: Literal["objectsRetainedByDetachedDomNodes", "objectsRetainedByConsole",
            "objectsRetainedByEventHandlers", "objectsRetainedByContexts", "sharedNativeContext",
            "noNativeContext", "attributedToSpecificNativeContext"] | None = None,
        object_id: int | None = None, page_idx: int = 0, page_size: int = 50,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the classes of a heap snapshot, the largest first.

        Args:
            file_path: The snapshot.
            filter_name: Only objects that are in memory because of this.
            object_id: The native context, for attributedToSpecificNativeContext.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_DETAILS, {
            "filePath": file_path, "filterName": filter_name, "objectId": object_id,
            "pageIdx": page_idx, "pageSize": page_size, "maxNameLength": max_name_length,
            "browserIndex": browser_index,
        })

    async def get_heapsnapshot_class_nodes(
        self, file_path: FilePath, id: int, *,
        filter_name: Literal["objectsRetainedByDetachedDomNodes", "objectsRetainedByConsole",
            "objectsRetainedByEventHandlers", "objectsRetainedByContexts", "sharedNativeContext",
            "noNativeContext", "attributedToSpecificNativeContext"] | None = None,
        object_id: int | None = None, page_idx: int = 0, page_size: int = 50,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the objects of one class.

        Args:
            file_path: The snapshot.
            id: The class, as get_heapsnapshot_details numbers it.
            filter_name: Only objects that are in memory because of this.
            object_id: The native context, for attributedToSpecificNativeContext.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_CLASS_NODES, {
            "filePath": file_path, "id": id, "filterName": filter_name, "objectId": object_id,
            "pageIdx": page_idx, "pageSize": page_size, "maxNameLength": max_name_length,
            "browserIndex": browser_index,
        })

    async def get_heapsnapshot_duplicate_strings(
        self, file_path: FilePath, *, page_idx: int = 0, page_size: int = 50,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the texts that are in memory more than once.

        Args:
            file_path: The snapshot.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where texts are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_DUPLICATE_STRINGS, {
            "filePath": file_path, "pageIdx": page_idx, "pageSize": page_size,
            "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def analyze_heapsnapshot_contexts(
        self, file_path: FilePath, *, retained_size: str | None = None,
        scope_info_node_id: int | None = None, page_idx: int = 0, page_size: int = 20,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Find variables that closures keep although no closure left can read them.

        Args:
            file_path: The snapshot.
            retained_size: A range of bytes that these variables keep, such as 10KB or 1MB-2MB.
            scope_info_node_id: Only contexts of this scope, as shown by an earlier call.
            page_idx: Which page of the list, from 0.
            page_size: Contexts on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.ANALYZE_HEAPSNAPSHOT_CONTEXTS, {
            "filePath": file_path, "retainedSize": retained_size,
            "scopeInfoNodeId": scope_info_node_id, "pageIdx": page_idx, "pageSize": page_size,
            "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def compare_heapsnapshots(
        self, base_file_path: FilePath, current_file_path: FilePath, *,
        class_index: int | None = None, page_idx: int = 0, page_size: int = 50,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show what came and went between two snapshots of a page, by class.

        Args:
            base_file_path: The earlier snapshot.
            current_file_path: The later one.
            class_index: List the objects of this class of the comparison.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.COMPARE_HEAPSNAPSHOTS, {
            "baseFilePath": base_file_path, "currentFilePath": current_file_path,
            "classIndex": class_index, "pageIdx": page_idx, "pageSize": page_size,
            "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def close_heapsnapshot(
        self, file_path: FilePath, *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Free the memory that the analysis of a snapshot takes.

        Args:
            file_path: The snapshot.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CLOSE_HEAPSNAPSHOT, {
            "filePath": file_path, "browserIndex": browser_index,
        })

    async def query_heapsnapshot_objects(
        self, file_path: FilePath, *, class_name: str | None = None,
        property_name: str | None = None, node_type: str | None = None,
        retained_size: str | None = None, self_size: str | None = None,
        is_detached: bool | None = None,
        sort_by: Literal["retainedSize", "selfSize", "id"] = 'retainedSize', page_idx: int = 0,
        page_size: int = 50, max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Find objects by what is known of them.

        Args:
            file_path: The snapshot.
            class_name: Text or regular expression in the name or class.
            property_name: Text or regular expression in the name of a reference.
            node_type: Such as object, closure, string, array or code.
            retained_size: A range of bytes, such as 1MB-2MB, -1MB or 1MB-.
            self_size: The same, of the object alone.
            is_detached: Whether it is a DOM node cut off from its document.
            sort_by: What the list is ordered by.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.QUERY_HEAPSNAPSHOT_OBJECTS, {
            "filePath": file_path, "className": class_name, "propertyName": property_name,
            "nodeType": node_type, "retainedSize": retained_size, "selfSize": self_size,
            "isDetached": is_detached, "sortBy": sort_by, "pageIdx": page_idx,
            "pageSize": page_size, "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def get_heapsnapshot_object_details(
        self, file_path: FilePath, node_id: int, *, max_name_length: int = 100,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Describe one object: its sizes, distance, and how many references it has.

        Args:
            file_path: The snapshot.
            node_id: The object.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_OBJECT_DETAILS, {
            "filePath": file_path, "nodeId": node_id, "maxNameLength": max_name_length,
            "browserIndex": browser_index,
        })

    async def get_heapsnapshot_retainers(
        self, file_path: FilePath, node_id: int, *, page_idx: int = 0, page_size: int = 50,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List what refers to an object.

        Args:
            file_path: The snapshot.
            node_id: The object.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_RETAINERS, {
            "filePath": file_path, "nodeId": node_id, "pageIdx": page_idx, "pageSize": page_size,
            "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def get_heapsnapshot_edges(
        self, file_path: FilePath, node_id: int, *,
        sort_by: Literal["retainedSize", "selfSize", "name"] = 'retainedSize',
        retained_size: str | None = None, exclude_primitives: bool = True, page_idx: int = 0,
        page_size: int = 50, max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List what an object refers to.

        Args:
            file_path: The snapshot.
            node_id: The object.
            sort_by: What the list is ordered by.
            retained_size: A range of bytes, such as 1MB-2MB, -1MB or 1MB-.
            exclude_primitives: Leave out numbers, strings and the like.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_EDGES, {
            "filePath": file_path, "nodeId": node_id, "sortBy": sort_by,
            "retainedSize": retained_size, "excludePrimitives": exclude_primitives,
            "pageIdx": page_idx, "pageSize": page_size, "maxNameLength": max_name_length,
            "browserIndex": browser_index,
        })

    async def get_heapsnapshot_retaining_paths(
        self, file_path: FilePath, node_id: int, *, max_depth: int = 30, max_nodes: int = 1000,
        max_siblings: int = 20, max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show the ways from the roots to an object: why it is still in memory.

        Args:
            file_path: The snapshot.
            node_id: The object.
            max_depth: How many steps to go.
            max_nodes: How many objects to show.
            max_siblings: How many holders of one object to show.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_RETAINING_PATHS, {
            "filePath": file_path, "nodeId": node_id, "maxDepth": max_depth, "maxNodes": max_nodes,
            "maxSiblings": max_siblings, "maxNameLength": max_name_length,
            "browserIndex": browser_index,
        })

    async def get_heapsnapshot_dominators(
        self, file_path: FilePath, node_id: int, *, page_idx: int = 0, page_size: int = 50,
        max_name_length: int = 100, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the objects whose release would free an object, up to the root.

        Args:
            file_path: The snapshot.
            node_id: The object.
            page_idx: Which page of the list, from 0.
            page_size: Rows on a page.
            max_name_length: Where names are cut.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_HEAPSNAPSHOT_DOMINATORS, {
            "filePath": file_path, "nodeId": node_id, "pageIdx": page_idx, "pageSize": page_size,
            "maxNameLength": max_name_length, "browserIndex": browser_index,
        })

    async def list_cookies(
        self, *, all_sites: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> CookieList:
        """List the cookies that the page sends, without their values; get_cookie shows one.

        Args:
            all_sites: Those of every site.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_COOKIES, {
            "allSites": all_sites, "pageId": page_id, "browserIndex": browser_index,
        })

    async def get_cookie(
        self, name: str, *, domain: str | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show a cookie with its value.

        Args:
            name: Name of the cookie.
            domain: When several sites have one of that name, or the page does not send it.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_COOKIE, {
            "name": name, "domain": domain, "pageId": page_id, "browserIndex": browser_index,
        })

    async def set_cookie(
        self, name: str, value: str, *, domain: str | None = None, path: str = '/',
        expires: float = -1, http_only: bool = False, secure: bool = False,
        same_site: Literal["Strict", "Lax", "None"] = 'Lax', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Set a cookie.

        Args:
            name: Name of the cookie.
            value: Value to set.
            domain: The page's host when absent; subdomains too when it starts with a dot.
            path: Path that it is sent to.
            expires: Seconds since 1970; with the browser when -1.
            http_only: Hide it from scripts.
            secure: Send it over HTTPS alone.
            same_site: When other sites may send it.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SET_COOKIE, {
            "name": name, "value": value, "domain": domain, "path": path, "expires": expires,
            "httpOnly": http_only, "secure": secure, "sameSite": same_site, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def delete_cookie(
        self, name: str, *, domain: str | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Delete a cookie.

        Args:
            name: Name of the cookie.
            domain: When several sites have one of that name, or the page does not send it.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.DELETE_COOKIE, {
            "name": name, "domain": domain, "pageId": page_id, "browserIndex": browser_index,
        })

    async def list_storage(
        self, *, kind: Literal["local", "session"] = 'local', origin: str | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List what the page's origin has stored; what looks like a credential is not shown.

        Args:
            kind: Which storage.
            origin: That of another frame of the page.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_STORAGE, {
            "kind": kind, "origin": origin, "pageId": page_id, "browserIndex": browser_index,
        })

    async def get_storage_item(
        self, key: str, *, kind: Literal["local", "session"] = 'local', origin: str | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show one stored value whole.

        Args:
            key: Key of the item.
            kind: Which storage.
            origin: That of another frame of the page.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_STORAGE_ITEM, {
            "key": key, "kind": kind, "origin": origin, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def set_storage_item(
        self, key: str, value: str, *, kind: Literal["local", "session"] = 'local',
        origin: str | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Store a value.

        Args:
            key: Key of the item.
            value: Value to store.
            kind: Which storage.
            origin: That of another frame of the page.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SET_STORAGE_ITEM, {
            "key": key, "value": value, "kind": kind, "origin": origin, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def remove_storage_item(
        self, key: str, *, kind: Literal["local", "session"] = 'local', origin: str | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Remove a stored value.

        Args:
            key: Key of the item.
            kind: Which storage.
            origin: That of another frame of the page.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.REMOVE_STORAGE_ITEM, {
            "key": key, "kind": kind, "origin": origin, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def clear_storage(
        self, *,
        types: Sequence[Literal["cookies", "localStorage", "sessionStorage", "indexedDB",
            "cacheStorage", "serviceWorkers", "httpCache"]] = (),
        all_sites: bool = False, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Delete what the page's site has stored; waits until no other call uses the browser.

        Args:
            types: All of them when empty.
            all_sites: Of every site, which logs the user out everywhere; localStorage then
                takes sessionStorage along.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CLEAR_STORAGE, {
            "types": types, "allSites": all_sites, "pageId": page_id, "browserIndex": browser_index,
        })

    async def save_storage_state(
        self, file_path: FilePath, *, domains: Sequence[str] = (), page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Save cookies, and local storage of the open pages, to a file that holds your logins.

        Args:
            file_path: Where to write it (.json), in the format of Playwright.
            domains: Only of these and their subdomains.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SAVE_STORAGE_STATE, {
            "filePath": file_path, "domains": domains, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def restore_storage_state(
        self, file_path: FilePath, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Put back what save_storage_state or Playwright saved; reload pages to see it.

        Args:
            file_path: The file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.RESTORE_STORAGE_STATE, {
            "filePath": file_path, "pageId": page_id, "browserIndex": browser_index,
        })

    async def list_downloads(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List what your pages have downloaded or are downloading.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_DOWNLOADS, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def wait_for_download(
        self, *, download_id: int | None = None, file_path: FilePath | None = None,
        timeout: int = 0, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Wait until a download is complete, and save it if wanted.

        Args:
            download_id: Otherwise the oldest that nobody has waited for, or the next.
            file_path: Where to save a copy; the browser's own is gone when it closes.
            timeout: In milliseconds.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.WAIT_FOR_DOWNLOAD, {
            "downloadId": download_id, "filePath": file_path, "timeout": timeout, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def cancel_download(
        self, download_id: int, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Stop a download.

        Args:
            download_id: Id from list_downloads.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CANCEL_DOWNLOAD, {
            "downloadId": download_id, "pageId": page_id, "browserIndex": browser_index,
        })

    async def print_pdf(
        self, file_path: FilePath, *,
        paper: Literal["Letter", "Legal", "Tabloid", "A3", "A4", "A5"] = 'A4',
        landscape: bool = False, print_background: bool = True, scale: float = 1,
        page_ranges: str = '', prefer_css_page_size: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Print the page to a PDF file.

        Args:
            file_path: Where to write it (.pdf).
            paper: Size of the paper.
            landscape: Turn the paper.
            print_background: Print colours and images of backgrounds.
            scale: Of the page on the paper.
            page_ranges: Such as 1-3,5; all when empty.
            prefer_css_page_size: Rather the size that the page's own @page rule asks for.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PRINT_PDF, {
            "filePath": file_path, "paper": paper, "landscape": landscape,
            "printBackground": print_background, "scale": scale, "pageRanges": page_ranges,
            "preferCssPageSize": prefer_css_page_size, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def export_har(
        self, file_path: FilePath, *, include_bodies: bool = False,
        include_preserved_requests: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Write the page's requests to a file as an HTTP archive (.har).

        Args:
            file_path: Where to write it (.har).
            include_bodies: Write what was sent and received.
            include_preserved_requests: Also of the last two navigations.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.EXPORT_HAR, {
            "filePath": file_path, "includeBodies": include_bodies,
            "includePreservedRequests": include_preserved_requests, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def log_in(
        self, secret: str, *, report: Literal["diff", "snapshot", "none"] = 'diff',
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Log in on the current page with a secret of the user's; no value is shown.

        Args:
            secret: Name from list_secrets.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LOG_IN, {
            "secret": secret, "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def register_passkey(
        self, secret: str, uid: str, *, report: Literal["diff", "snapshot", "none"] = 'diff',
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Click what makes the page register a passkey, and keep it with a secret of the user's.

        Args:
            secret: Name from list_secrets.
            uid: What to click.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.REGISTER_PASSKEY, {
            "secret": secret, "uid": uid, "report": report, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def list_secrets(self, *, browser_index: int | str | None = None) -> ToolResult:
        """List the names of the user's secrets, and the origins that log_in can use them on.

        Fields take $secret:NAME.username, .password or .totp as their value.

        Args:
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_SECRETS, {"browserIndex": browser_index})

    async def screencast_start(
        self, *, file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Start filming the page; screencast_stop saves the film.

        Args:
            file_path: Where to save it: .mp4, or .png for an animated picture.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SCREENCAST_START, {
            "filePath": file_path, "pageId": page_id, "browserIndex": browser_index,
        })

    async def screencast_stop(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Stop filming the page, and save the film.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SCREENCAST_STOP, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def start_coverage(
        self, *, reload: bool = True, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Record which JavaScript and CSS the page uses, until stop_coverage.

        Args:
            reload: Load the page anew; otherwise what ran before does not count.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.START_COVERAGE, {
            "reload": reload, "pageId": page_id, "browserIndex": browser_index,
        })

    async def stop_coverage(
        self, *, file_path: FilePath | None = None, page_size: int | None = None, page_idx: int = 0,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the scripts and style sheets of the document by how much of them was not used.

        Args:
            file_path: Write the used parts of each to this file, as JSON.
            page_size: Files a page.
            page_idx: Page, from 0.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.STOP_COVERAGE, {
            "filePath": file_path, "pageSize": page_size, "pageIdx": page_idx, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def compare_images(
        self, before_path: FilePath, *, after_path: FilePath | None = None, threshold: float = 0.1,
        full_page: bool = False, file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Count the pixels by which two pictures differ, or a picture and the page.

        Args:
            before_path: A PNG, JPEG or WebP file.
            after_path: Otherwise the page as it is now.
            threshold: How far a colour may be off, from 0 to 1.
            full_page: Compare with the whole page.
            file_path: Write a picture with the differences in red to this file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.COMPARE_IMAGES, {
            "beforePath": before_path, "afterPath": after_path, "threshold": threshold,
            "fullPage": full_page, "filePath": file_path, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def route_requests(
        self, action: Literal["block", "fulfill", "modify", "delay"], *, url: str = '*',
        resource_types: Sequence[Literal["document", "stylesheet", "image", "media", "font",
            "script", "texttrack", "xhr", "fetch", "prefetch", "eventsource", "manifest",
            "signedexchange", "ping", "cspviolationreport", "preflight", "other"]] = (),
        status: int = 200, headers: Mapping[str, str] | None = None, body: str | None = None,
        body_file: FilePath | None = None, new_url: str | None = None, method: str | None = None,
        post_data: str | None = None, delay: int = 0,
        reason: Literal["failed", "aborted", "timedout", "accessdenied", "connectionclosed",
            "connectionreset", "connectionrefused", "namenotresolved", "internetdisconnected",
            "blockedbyclient"] = 'blockedbyclient',
        times: int = 0, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Block, answer, change or delay requests of a page from now on; the newest rule decides.

        Args:
            action: What to do with them.
            url: Pattern with *, or a /regular expression/.
            resource_types: Only these; all when empty.
            status: For fulfill.
            headers: JSON object of the answer (fulfill), or for the request (modify; empty
                removes).
            body: For fulfill.
            body_file: For fulfill, instead of body.
            new_url: For modify.
            method: For modify.
            post_data: For modify.
            delay: Milliseconds; with any action.
            reason: How block fails.
            times: How often; 0 for always.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.ROUTE_REQUESTS, {
            "action": action, "url": url, "resourceTypes": resource_types, "status": status,
            "headers": headers, "body": body, "bodyFile": body_file, "newUrl": new_url,
            "method": method, "postData": post_data, "delay": delay, "reason": reason,
            "times": times, "pageId": page_id, "browserIndex": browser_index,
        })

    async def list_routes(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the rules of route_requests that are in force, newest first.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_ROUTES, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def unroute_requests(
        self, *, ids: Sequence[int] = (), page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Remove rules of route_requests; all of them when none is named.

        Args:
            ids: Ids from list_routes.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.UNROUTE_REQUESTS, {
            "ids": ids, "pageId": page_id, "browserIndex": browser_index,
        })

    async def select_text(
        self, *, uid: str | None = None, text: str = '', start: int | None = None,
        end: int | None = None, report: Literal["diff", "snapshot", "none"] = 'diff',
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> Change:
        """Select text of an element or the page: all of it, a part, or a range of characters.

        Args:
            uid: An element or a field; otherwise the page.
            text: The part.
            start: Where the range begins.
            end: Where it ends.
            report: What to show afterwards.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SELECT_TEXT, {
            "uid": uid, "text": text, "start": start, "end": end, "report": report,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def read_clipboard(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Return the text in the browser's clipboard; the page must be on https or localhost.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.READ_CLIPBOARD, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def write_clipboard(
        self, text: str, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Put a text into the browser's clipboard; the page must be on https or localhost.

        Args:
            text: What to put there.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.WRITE_CLIPBOARD, {
            "text": text, "pageId": page_id, "browserIndex": browser_index,
        })

    async def create_isolated_context(
        self, name: str, *, proxy_server: str = '', proxy_bypass_list: str = '',
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Make an isolatedContext for new_page whose pages go through a proxy.

        Args:
            name: What new_page will call it.
            proxy_server: Such as http://proxy:8080 or socks5://proxy:1080.
            proxy_bypass_list: Hosts that need no proxy; <-loopback> sends this machine's there,
                too.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CREATE_ISOLATED_CONTEXT, {
            "name": name, "proxyServer": proxy_server, "proxyBypassList": proxy_bypass_list,
            "browserIndex": browser_index,
        })

    async def grant_permissions(
        self, *,
        permissions: Sequence[Literal["audioCapture", "backgroundFetch", "backgroundSync",
            "clipboardReadWrite", "clipboardSanitizedWrite", "displayCapture", "durableStorage",
            "geolocation", "idleDetection", "keyboardLock", "localFonts", "midi", "midiSysex",
            "nfc", "notifications", "paymentHandler", "periodicBackgroundSync", "pointerLock",
            "sensors", "speakerSelection", "storageAccess", "topLevelStorageAccess", "videoCapture",
            "wakeLockScreen", "windowManagement"]] = (),
        origin: str = '', reset: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Let a site use these without asking, and nothing else, in this browser context.

        Args:
            permissions: What it may use.
            origin: Otherwise the page's own.
            reset: First forget all that was granted, to any site.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GRANT_PERMISSIONS, {
            "permissions": permissions, "origin": origin, "reset": reset, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def install_extension(
        self, path: FilePath, *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Install an unpacked extension.

        Args:
            path: The folder that has its manifest.json.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.INSTALL_EXTENSION, {
            "path": path, "browserIndex": browser_index,
        })

    async def uninstall_extension(
        self, id: str, *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Uninstall an extension.

        Args:
            id: Id from list_extensions.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.UNINSTALL_EXTENSION, {
            "id": id, "browserIndex": browser_index,
        })

    async def list_extensions(self, *, browser_index: int | str | None = None) -> ToolResult:
        """List the extensions that are installed.

        Args:
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_EXTENSIONS, {"browserIndex": browser_index})

    async def reload_extension(
        self, id: str, *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Load an unpacked extension anew from its folder.

        Args:
            id: Id from list_extensions.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.RELOAD_EXTENSION, {"id": id, "browserIndex": browser_index})

    async def trigger_extension_action(
        self, id: str, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Bring the page to the front, and do what a click on an extension's button does.

        Args:
            id: Id from list_extensions.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TRIGGER_EXTENSION_ACTION, {
            "id": id, "pageId": page_id, "browserIndex": browser_index,
        })

    async def install_pwa(
        self, manifest_id: str, install_url_or_bundle_url: str, *,
        display_mode: Literal["standalone", "browser"] | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Install a web app.

        Args:
            manifest_id: The id in its manifest, as a whole URL; its start URL if it has none.
            install_url_or_bundle_url: A page that links to the manifest, or a signed bundle.
            display_mode: In a window of its own, or in a tab.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.INSTALL_PWA, {
            "manifestId": manifest_id, "installUrlOrBundleUrl": install_url_or_bundle_url,
            "displayMode": display_mode, "browserIndex": browser_index,
        })

    async def launch_pwa(
        self, manifest_id: str, *, url: str | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Open an installed web app, and select its page.

        Args:
            manifest_id: Id that install_pwa was given.
            url: Where to start it, within its scope.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LAUNCH_PWA, {
            "manifestId": manifest_id, "url": url, "browserIndex": browser_index,
        })

    async def uninstall_pwa(
        self, manifest_id: str, *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Uninstall a web app.

        Args:
            manifest_id: Id that install_pwa was given.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.UNINSTALL_PWA, {
            "manifestId": manifest_id, "browserIndex": browser_index,
        })

    async def get_os_app_state(
        self, manifest_id: str, *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Show an installed web app's badge count and the kinds of files that it opens.

        Args:
            manifest_id: Id that install_pwa was given.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.GET_OS_APP_STATE, {
            "manifestId": manifest_id, "browserIndex": browser_index,
        })

    async def list_browsers(self, *, browser_index: int | str | None = None) -> ToolResult:
        """List the browsers with their index and state.

        Args:
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_BROWSERS, {"browserIndex": browser_index})

    async def connect_browser(
        self, *, url: str | None = None, ws_endpoint: str | None = None, launch: bool = False,
        profile: str | None = None, headless: bool = True, name: str | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Add a browser that runs already, or start one.

        Args:
            url: Debugging address, such as http://127.0.0.1:9222.
            ws_endpoint: Or its debugging WebSocket.
            launch: Start one.
            profile: Start it on this named profile; temporary when absent.
            headless: Start it without a window.
            name: Name to call it by.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CONNECT_BROWSER, {
            "url": url, "wsEndpoint": ws_endpoint, "launch": launch, "profile": profile,
            "headless": headless, "name": name, "browserIndex": browser_index,
        })

    async def select_default_browser(self, browser_index: int | str) -> ToolResult:
        """Choose the browser of calls without browserIndex.

        Args:
            browser_index: Index of the browser (1-based) or its name.
        """
        return await self._call(table.SELECT_DEFAULT_BROWSER, {"browserIndex": browser_index})

    async def disconnect_browser(self, browser_index: int | str) -> ToolResult:
        """Forget a browser; one that tabmux started for you alone is closed.

        Args:
            browser_index: Index of the browser (1-based) or its name; see list_browsers.
        """
        return await self._call(table.DISCONNECT_BROWSER, {"browserIndex": browser_index})

    async def reconnect_browser(self, *, browser_index: int | str | None = None) -> ToolResult:
        """Connect again at once, running its start command if it does not answer.

        Args:
            browser_index: Index (1-based) or name; left out when there is only one browser.
        """
        return await self._call(table.RECONNECT_BROWSER, {"browserIndex": browser_index})

    async def close_browser(self, *, browser_index: int | str | None = None) -> ToolResult:
        """Close a browser that tabmux started; it starts again when needed.

        Args:
            browser_index: Index (1-based) or name; left out when there is only one browser.
        """
        return await self._call(table.CLOSE_BROWSER, {"browserIndex": browser_index})

    async def list_page_tools(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> PageToolList:
        """List this page's forms, searches, lists and actions as tools.

        One call_page_tool does what takes several clicks and fills.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_PAGE_TOOLS, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def call_page_tool(
        self, name: str, *, arguments: Mapping[str, Any] | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Call a tool of the page.

        Args:
            name: Name from list_page_tools.
            arguments: Its arguments as JSON: {"query": "x"}.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.CALL_PAGE_TOOL, {
            "name": name, "arguments": arguments, "pageId": page_id, "browserIndex": browser_index,
        })

    async def request_human(
        self, *, reason: str = '', done_when: Mapping[str, Any] | None = None, handle: str = '',
        timeout: int = 600000, slice_milliseconds: int = 45000, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> HumanOutcome:
        """Ask the user to do on the page what only a person can: captcha, payment, second factor.

        If it answers "waiting", call it again with the handle.

        Args:
            reason: What to do, for the user.
            done_when: Ends the wait; else the user says so.
            handle: Of a request that waits.
            timeout: Milliseconds in all.
            slice_milliseconds: How long one call waits.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.REQUEST_HUMAN, {
            "reason": reason, "doneWhen": done_when, "handle": handle, "timeout": timeout,
            "sliceMilliseconds": slice_milliseconds, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def list_webmcp_tools(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the tools that the page declares through WebMCP.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_WEBMCP_TOOLS, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def execute_webmcp_tool(
        self, tool_name: str, *, input: str = '{}', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Call a tool that the page declares through WebMCP.

        Args:
            tool_name: Name from list_webmcp_tools.
            input: Its arguments, a JSON object.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.EXECUTE_WEBMCP_TOOL, {
            "toolName": tool_name, "input": input, "pageId": page_id, "browserIndex": browser_index,
        })

    async def list_3p_developer_tools(
        self, *, page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """List the tools for developers that the page shows.

        Args:
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_3P_DEVELOPER_TOOLS, {
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def execute_3p_developer_tool(
        self, tool_name: str, *, params: str = '{}', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Call a tool for developers that the page shows.

        Args:
            tool_name: Name from list_3p_developer_tools.
            params: Its arguments, a JSON object; {"uid": …} stands for an element.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.EXECUTE_3P_DEVELOPER_TOOL, {
            "toolName": tool_name, "params": params, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def enable_tools(
        self, groups: Sequence[str], *, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Switch on further groups of tools.

        performance (traces, Core Web Vitals, audits), memory (heap snapshots, leaks), styles (CSS
        rules, boxes), storage (cookies, logins), files (downloads, PDF, HAR), recording (video),
        testing (coverage, comparing pictures), interception (mock or block requests), secrets
        (logins), human (ask a person), clipboard (and selecting text), contexts (proxies,
        permissions), extensions, pwa, webmcp (tools of pages).

        Args:
            groups: Names of groups.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.ENABLE_TOOLS, {
            "groups": groups, "browserIndex": browser_index,
        })

    async def goto(
        self, url: str, *, ignore_cache: bool = False,
        handle_before_unload: Literal["accept", "dismiss"] = 'accept',
        init_script: str | None = None, timeout: int = 0, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Load a URL, or go back, forward or reload.

        Args:
            url: Address to load.
            ignore_cache: Reload without the cache.
            handle_before_unload: Leave (accept) or stay if the page asks.
            init_script: JavaScript to run once before the page's own.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NAVIGATE_PAGE, {
            "type": "url", "url": url, "ignoreCache": ignore_cache,
            "handleBeforeUnload": handle_before_unload, "initScript": init_script,
            "timeout": timeout, "pageId": page_id, "browserIndex": browser_index,
        })

    async def back(
        self, *, ignore_cache: bool = False,
        handle_before_unload: Literal["accept", "dismiss"] = 'accept',
        init_script: str | None = None, timeout: int = 0, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Load a URL, or go back, forward or reload.

        Args:
            ignore_cache: Reload without the cache.
            handle_before_unload: Leave (accept) or stay if the page asks.
            init_script: JavaScript to run once before the page's own.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NAVIGATE_PAGE, {
            "type": "back", "ignoreCache": ignore_cache, "handleBeforeUnload": handle_before_unload,
            "initScript": init_script, "timeout": timeout, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def forward(
        self, *, ignore_cache: bool = False,
        handle_before_unload: Literal["accept", "dismiss"] = 'accept',
        init_script: str | None = None, timeout: int = 0, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Load a URL, or go back, forward or reload.

        Args:
            ignore_cache: Reload without the cache.
            handle_before_unload: Leave (accept) or stay if the page asks.
            init_script: JavaScript to run once before the page's own.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NAVIGATE_PAGE, {
            "type": "forward", "ignoreCache": ignore_cache,
            "handleBeforeUnload": handle_before_unload, "initScript": init_script,
            "timeout": timeout, "pageId": page_id, "browserIndex": browser_index,
        })

    async def reload(
        self, *, ignore_cache: bool = False,
        handle_before_unload: Literal["accept", "dismiss"] = 'accept',
        init_script: str | None = None, timeout: int = 0, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Load a URL, or go back, forward or reload.

        Args:
            ignore_cache: Reload without the cache.
            handle_before_unload: Leave (accept) or stay if the page asks.
            init_script: JavaScript to run once before the page's own.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NAVIGATE_PAGE, {
            "type": "reload", "ignoreCache": ignore_cache,
            "handleBeforeUnload": handle_before_unload, "initScript": init_script,
            "timeout": timeout, "pageId": page_id, "browserIndex": browser_index,
        })

    async def open(
        self, url: str, *, background: bool = True, isolated_context: str | None = None,
        timeout: int = 0, browser_index: int | str | None = None,
    ) -> TabList:
        """Open a page of your own at a URL and select it.

        Args:
            url: Address to load.
            background: Leave the front tab in front.
            isolated_context: Name of a separate set of cookies and storage.
            timeout: Milliseconds; 0 for the usual.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.NEW_PAGE, {
            "url": url, "background": background, "isolatedContext": isolated_context,
            "timeout": timeout, "browserIndex": browser_index,
        })

    async def pages(self, *, browser_index: int | str | None = None) -> TabList:
        """List your pages, and the user's tabs that select_page can attach.

        Args:
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_PAGES, {"browserIndex": browser_index})

    async def snapshot(
        self, *, verbose: bool = False, uid: str | None = None, depth: int = 0, budget: int = 0,
        file_path: FilePath | None = None, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> PageSnapshot:
        """Show the page as text, with uids of elements that other tools take.

        Older uids of the page become invalid. Prefer this to a screenshot.

        Args:
            verbose: Show every element.
            uid: Only inside this element; older uids stay valid.
            depth: Most levels; 0 for all.
            budget: Most characters; what matters least is left out first.
            file_path: Write it to this file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TAKE_SNAPSHOT, {
            "verbose": verbose, "uid": uid, "depth": depth, "budget": budget, "filePath": file_path,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def screenshot(
        self, *, format: Literal["png", "jpeg", "webp"] = 'png', quality: int | None = None,
        uid: str | None = None, full_page: bool = False, file_path: FilePath | None = None,
        part: int = 1, scale: float | None = None, max_side: int | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Take a picture of the viewport, the whole page or an element.

        Args:
            format: Of the image.
            quality: For jpeg and webp.
            uid: Only this element.
            full_page: All of the page.
            file_path: Write it to this file, in full size.
            part: Which part of what is too large for one picture, from the top.
            scale: Pixels of the picture for one CSS pixel.
            max_side: Most pixels of the longer side; 1568 unless it is written to a file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TAKE_SCREENSHOT, {
            "format": format, "quality": quality, "uid": uid, "fullPage": full_page,
            "filePath": file_path, "part": part, "scale": scale, "maxSide": max_side,
            "pageId": page_id, "browserIndex": browser_index,
        })

    async def read(
        self, *, uid: str | None = None, offset: int = 0, budget: int = 10000,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> ToolResult:
        """Read the page's main content as Markdown, without uids.

        Args:
            uid: All of this element instead.
            offset: Characters to leave out, to read on.
            budget: Most characters.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.READ_PAGE, {
            "uid": uid, "offset": offset, "budget": budget, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def evaluate(
        self, function: str, *, args: Sequence[str] = (),
        format: Literal["function", "script"] = 'function', source_path: FilePath | None = None,
        file_path: FilePath | None = None, dialog_action: str = 'accept',
        wait_for_stable_dom: bool = True, service_worker_id: str | None = None, timeout: int = 0,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> Any:
        """Run JavaScript in the page and return its result as JSON.

        Args:
            function: Such as () => document.title, or (el) => el.innerText with args.
            args: Uids of elements to pass.
            format: A script's result is its last value.
            source_path: Read the code from this file.
            file_path: Write the result to this file.
            dialog_action: For dialogs it opens: accept, dismiss or a prompt's answer.
            wait_for_stable_dom: Wait until the page is at rest.
            service_worker_id: Run there; see list_pages.
            timeout: Milliseconds; 0 for the usual.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return (await self._call(table.EVALUATE_SCRIPT, {
            "function": function, "args": args, "format": format, "sourcePath": source_path,
            "filePath": file_path, "dialogAction": dialog_action,
            "waitForStableDom": wait_for_stable_dom, "serviceWorkerId": service_worker_id,
            "timeout": timeout, "pageId": page_id, "browserIndex": browser_index,
        })).result

    async def type(
        self, text: str, *, submit_key: str | None = None,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Type into the focused element, key by key.

        Args:
            text: Text to type.
            submit_key: Key to press then, such as Enter.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.TYPE_TEXT, {
            "text": text, "submitKey": submit_key, "report": report, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def press(
        self, key: str, *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Press a key or combination.

        Args:
            key: Such as Enter, Control+A or Control+Shift+R.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PRESS_KEY, {
            "key": key, "includeSnapshot": include_snapshot, "report": report, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def upload(
        self, uid: str, file_paths: Sequence[FilePath], *, include_snapshot: bool = False,
        report: Literal["diff", "snapshot", "none"] = 'diff', page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> Change:
        """Give files to a file input or file chooser.

        Args:
            uid: File input, or what opens the chooser.
            file_paths: Local paths.
            include_snapshot: Show the whole page afterwards.
            report: What to show afterwards: what changed, the whole page or nothing.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.UPLOAD_FILE, {
            "uid": uid, "filePaths": file_paths, "includeSnapshot": include_snapshot,
            "report": report, "pageId": page_id, "browserIndex": browser_index,
        })

    async def wait(
        self, *, text: Sequence[str] = (), text_gone: Sequence[str] = (), url: str = '',
        uid: str | None = None, state: Literal["visible", "enabled", "checked", "gone"] = 'visible',
        network_idle: bool = False, function: str | None = None, timeout: int = 0,
        include_snapshot: bool = True, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Wait until any one of these holds.

        Args:
            text: A text is visible, in any frame.
            text_gone: A text is not, in no frame.
            url: Part of the URL, pattern with *, or /regex/.
            uid: Element that has the state.
            state: Of uid.
            network_idle: No requests for 500 ms.
            function: It returns true; may only read.
            timeout: Milliseconds; 0 for the usual.
            include_snapshot: Show the page then.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.WAIT_FOR, {
            "text": text, "textGone": text_gone, "url": url, "uid": uid, "state": state,
            "networkIdle": network_idle, "function": function, "timeout": timeout,
            "includeSnapshot": include_snapshot, "pageId": page_id, "browserIndex": browser_index,
        })

    async def dialog(
        self, action: Literal["accept", "dismiss"], *, prompt_text: str | None = None,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> Change:
        """Answer the open alert, confirm or prompt.

        Args:
            action: What to answer.
            prompt_text: Text for a prompt; its default when absent.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.HANDLE_DIALOG, {
            "action": action, "promptText": prompt_text, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def resize(
        self, width: int, height: int, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Resize the window so that the page has this size.

        Args:
            width: CSS pixels.
            height: CSS pixels.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.RESIZE_PAGE, {
            "width": width, "height": height, "pageId": page_id, "browserIndex": browser_index,
        })

    async def console(
        self, *,
        types: Sequence[Literal["log", "debug", "info", "error", "warn", "dir", "dirxml", "table",
            "trace", "clear", "startGroup", "startGroupCollapsed", "endGroup", "assert", "profile",
            "profileEnd", "count", "timeEnd", "verbose", "issue"]] = (),
        page_size: int | None = None, page_idx: int = 0, include_preserved_messages: bool = False,
        include_stack_traces: bool = False, service_worker_id: str = '', text: str = '',
        since_last_action: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ConsoleMessages:
        """List console messages and uncaught errors since the last navigation.

        Args:
            types: Only these: error, warn, log, issue and so on.
            page_size: Messages a page.
            page_idx: Page, from 0.
            include_preserved_messages: Also of the last two navigations.
            include_stack_traces: Show stacks of errors.
            service_worker_id: Only of this one; see list_pages.
            text: Text or /regex/ in the message or its URL.
            since_last_action: Only those.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_CONSOLE_MESSAGES, {
            "types": types, "pageSize": page_size, "pageIdx": page_idx,
            "includePreservedMessages": include_preserved_messages,
            "includeStackTraces": include_stack_traces, "serviceWorkerId": service_worker_id,
            "text": text, "sinceLastAction": since_last_action, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def requests(
        self, *,
        resource_types: Sequence[Literal["document", "stylesheet", "image", "media", "font",
            "script", "texttrack", "xhr", "fetch", "prefetch", "eventsource", "websocket",
            "manifest", "signedexchange", "ping", "cspviolationreport", "preflight", "fedcm",
            "other"]] = (),
        page_size: int | None = None, page_idx: int = 0, include_preserved_requests: bool = False,
        url: str = '', method: str = '', status: str = '', since_last_action: bool = False,
        page_id: int | None = None, browser_index: int | str | None = None,
    ) -> NetworkRequests:
        """List requests since the last navigation: status, time, size.

        Args:
            resource_types: Only these: document, xhr, fetch, script, image and so on.
            page_size: Requests a page.
            page_idx: Page, from 0.
            include_preserved_requests: Also of the last two navigations.
            url: Part of the URL, pattern with *, or /regex/.
            method: Such as POST.
            status: Such as 404, 4xx, failed, pending.
            since_last_action: Only those.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_NETWORK_REQUESTS, {
            "resourceTypes": resource_types, "pageSize": page_size, "pageIdx": page_idx,
            "includePreservedRequests": include_preserved_requests, "url": url, "method": method,
            "status": status, "sinceLastAction": since_last_action, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def cookies(
        self, *, all_sites: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> CookieList:
        """List the cookies that the page sends, without their values; get_cookie shows one.

        Args:
            all_sites: Those of every site.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.LIST_COOKIES, {
            "allSites": all_sites, "pageId": page_id, "browserIndex": browser_index,
        })

    async def pdf(
        self, file_path: FilePath, *,
        paper: Literal["Letter", "Legal", "Tabloid", "A3", "A4", "A5"] = 'A4',
        landscape: bool = False, print_background: bool = True, scale: float = 1,
        page_ranges: str = '', prefer_css_page_size: bool = False, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Print the page to a PDF file.

        Args:
            file_path: Where to write it (.pdf).
            paper: Size of the paper.
            landscape: Turn the paper.
            print_background: Print colours and images of backgrounds.
            scale: Of the page on the paper.
            page_ranges: Such as 1-3,5; all when empty.
            prefer_css_page_size: Rather the size that the page's own @page rule asks for.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.PRINT_PDF, {
            "filePath": file_path, "paper": paper, "landscape": landscape,
            "printBackground": print_background, "scale": scale, "pageRanges": page_ranges,
            "preferCssPageSize": prefer_css_page_size, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def save_state(
        self, file_path: FilePath, *, domains: Sequence[str] = (), page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Save cookies, and local storage of the open pages, to a file that holds your logins.

        Args:
            file_path: Where to write it (.json), in the format of Playwright.
            domains: Only of these and their subdomains.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.SAVE_STORAGE_STATE, {
            "filePath": file_path, "domains": domains, "pageId": page_id,
            "browserIndex": browser_index,
        })

    async def restore_state(
        self, file_path: FilePath, *, page_id: int | None = None,
        browser_index: int | str | None = None,
    ) -> ToolResult:
        """Put back what save_storage_state or Playwright saved; reload pages to see it.

        Args:
            file_path: The file.
            page_id: The page, if another than the selected one.
            browser_index: Number or name of the browser, where there are several.
        """
        return await self._call(table.RESTORE_STORAGE_STATE, {
            "filePath": file_path, "pageId": page_id, "browserIndex": browser_index,
        })
