"""Timings: how long tabmux waits for browsers and pages, in one place.

They are handed down from the server to browsers, pages and their parts, so that a test, or a
slow machine, can be given others.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Timings:
    """Waits in seconds.

    Attributes:
        cool_down: Before a browser that failed is tried again by a call.
        heartbeat: Between two looks whether a browser is alive.
        heartbeat_deadline: For its answer.
        launched_silence: For the answer of a browser that tabmux launched: of its end the pipe
            tells, so that one which is silent is only frozen, and may come back with its pages.
        first_retry: Before a lost browser is first tried again in the background.
        longest_retry: Between two such tries, which double their pause.
        start_command: Before a start command is run once more, while its browser may come up.
        window: For a page to say how large its window is.
        attach: For Chrome to hand over a page.
        first_document: For a tab that was opened for an address to show anything at all.
        script_world: For the script world of a new document.
        title: For the title of a document that has just loaded.
        press: For a document to say by itself where the mouse was pressed, once it was.
        usable: For an element that is covered or disabled to become usable.
        usable_still: For it, where nothing changes in its document.
        first_effect: For a first sign of what an action does, where one may be to come.
        quiet: Without a change until a page counts as done with it.
        longest_change: For a page that goes on changing.
        requests: For requests that an action caused, while the page shows no effect.
        requests_after_effect: For them once it has shown one; a slow one is likely not part of it.
        navigation: For a navigation that an action started.
        load: For the rest of the new document to load.
        frames_after_load: For frames of other processes after a page has loaded.
        frame_snapshot: For the text of a frame that is not the main one.
        more_content: For a list to load more at its end.
        after_closing: For a call to say what it did when its page has closed meanwhile.
        trace_limit: Until a performance trace that nobody stops ends by itself.
        screencast_limit: Until a screencast that nobody stops ends by itself.
        console_value: For a page to write out a value that it logged.
        webmcp: For Chrome to report the tools that a page declares.
        opened_address: For a page that was just opened to say where it goes.
        page_tools: For the tools of a page to be derived.
        page_tool_count: For counting the tools of tabs that are only listed.
        page_world_tools: For a page's own script to list tools.
        extension_return: For an extension whose connection has just dropped to come back.
        declared_tool: For the answer of a tool that a page declares.
        drawing: For which a tab goes on drawing after an agent last needed it.
        session_close: For the calls of a session that is closed to end.
        grid_answer: For the hub of a grid to answer.
        grid_start: For a browser of a grid to be started, or queued and then started.
        grid_end: For one to be ended.
        grid_file: For a file to get to a node of a grid, or from there.
        grid_watch: Between two looks at what a grid says of itself.
        grid_heartbeat: Between two looks whether a browser of a grid is alive.
        grid_silence: For its answer; with `grid_heartbeat` it says when a lost node is noticed.
        grid_idle: For a browser of a grid that its last session has left.
        grid_leave: At the end, for browsers that a grid was starting for us, to be ended too.
        grid_claims: After the start, for sessions to come back to the browsers of a grid.
    """

    cool_down: float = 60.0
    heartbeat: float = 10.0
    heartbeat_deadline: float = 5.0
    launched_silence: float = 120.0
    first_retry: float = 1.0
    longest_retry: float = 60.0
    start_command: float = 8.0
    window: float = 1.0
    attach: float = 10.0
    first_document: float = 2.0
    script_world: float = 5.0
    title: float = 0.2
    press: float = 0.3
    usable: float = 1.0
    usable_still: float = 0.4
    first_effect: float = 0.3
    quiet: float = 0.008
    longest_change: float = 0.5
    requests: float = 3.0
    requests_after_effect: float = 1.0
    navigation: float = 10.0
    load: float = 3.0
    frames_after_load: float = 2.0
    frame_snapshot: float = 2.0
    more_content: float = 1.0
    after_closing: float = 1.0
    trace_limit: float = 600.0
    screencast_limit: float = 600.0
    console_value: float = 2.0
    webmcp: float = 5.0
    opened_address: float = 1.0
    page_tools: float = 10.0
    page_tool_count: float = 2.0
    page_world_tools: float = 3.0
    extension_return: float = 5.0
    declared_tool: float = 20.0
    session_close: float = 10.0
    grid_answer: float = 10.0
    grid_start: float = 300.0
    grid_end: float = 15.0
    grid_file: float = 120.0
    grid_watch: float = 3.0
    grid_heartbeat: float = 2.0
    grid_silence: float = 5.0
    grid_idle: float = 60.0
    grid_leave: float = 5.0
    grid_claims: float = 30.0
    drawing: float = 2.0
