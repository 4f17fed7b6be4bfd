"""Looks: the calls by which the sweep has every tool say what it can of a page."""

from __future__ import annotations

from typing import Any

Look = tuple[str, dict[str, Any]]
# Stands for the uid of some element, of some field, and of what the page added last.
UID, FIELD, LAST = "UID", "FIELD", "LAST"
# Stands for the name of the secret.
SECRET = "SECRET"
_STEPS = [{"tool": "take_snapshot"}, {"tool": "find", "arguments": {"role": "textbox"}}]
_READS = "() => [document.title, {...localStorage}, document.cookie, window.kept, window.name]"

# On every page.
LOOKS: list[Look] = [
    ("take_snapshot", {"verbose": True}),
    ("take_snapshot", {"filePath": "snapshot.txt"}),
    ("take_snapshot", {"budget": 300}),
    ("read_page", {}),
    ("find", {"query": "."}),
    ("take_screenshot", {}),
    ("list_pages", {}),
    ("list_console_messages", {"includePreservedMessages": True}),
    ("list_network_requests", {"includePreservedRequests": True}),
    (
        "export_har",
        {"filePath": "requests.har", "includeBodies": True, "includePreservedRequests": True},
    ),
    ("list_cookies", {}),
    ("get_cookie", {"name": "kept"}),
    ("list_storage", {}),
    ("list_storage", {"kind": "session"}),
    ("get_storage_item", {"key": "kept"}),
    ("save_storage_state", {"filePath": "state.json"}),
    ("list_page_tools", {}),
    ("call_page_tool", {"name": "get_page_content"}),
    ("batch", {"steps": _STEPS}),
    ("evaluate_script", {"function": _READS}),
    ("evaluate_script", {"function": "() => ({...sessionStorage})", "filePath": "script.json"}),
    ("evaluate_script", {"function": "() => { throw new Error(localStorage.kept || kept) }"}),
    ("print_pdf", {"filePath": "page.pdf"}),
    ("wait_for", {"text": ["no such text"], "timeout": 1}),
    ("request_human", {"reason": "Look at it", "doneWhen": {"text": "no such text"}, "timeout": 1}),
    ("list_secrets", {}),
    ("register_passkey", {"secret": SECRET, "uid": UID}),
    # The record keeps what names the elements that are acted upon.
    ("take_snapshot", {"verbose": True}),
    ("hover", {"uid": LAST}),
]
_HEAP = {"filePath": "page.heapsnapshot"}
_NODE = {**_HEAP, "nodeId": 1}
# On some pages, for they take long.
SLOW_LOOKS: list[Look] = [
    ("take_heapsnapshot", _HEAP),
    ("get_heapsnapshot_summary", _HEAP),
    ("get_heapsnapshot_details", _HEAP),
    ("get_heapsnapshot_class_nodes", {**_HEAP, "id": 1}),
    ("get_heapsnapshot_duplicate_strings", _HEAP),
    ("analyze_heapsnapshot_contexts", _HEAP),
    ("compare_heapsnapshots", {"baseFilePath": _HEAP["filePath"], "currentFilePath": _HEAP["filePath"]}),
    ("query_heapsnapshot_objects", {**_HEAP, "nodeType": "string", "maxNameLength": 1000}),
    ("get_heapsnapshot_object_details", _NODE),
    ("get_heapsnapshot_retainers", _NODE),
    ("get_heapsnapshot_edges", _NODE),
    ("get_heapsnapshot_retaining_paths", _NODE),
    ("get_heapsnapshot_dominators", _NODE),
    ("close_heapsnapshot", _HEAP),
    ("audit_page", {"filePath": "audit.json"}),
    ("screencast_start", {}),
    ("screencast_stop", {}),
    ("performance_start_trace", {"reload": False, "autoStop": False}),
    ("performance_stop_trace", {"filePath": "trace.json"}),
    ("performance_analyze_insight", {"insightSetId": "NO_NAVIGATION", "insightName": "LongTasks"}),
    ("performance_filmstrip", {}),
    ("performance_report", {"filePath": "report.html"}),
    ("analyze_trace_file", {"filePath": "trace.json"}),
    ("start_coverage", {"reload": False}),
    ("stop_coverage", {"filePath": "coverage.json"}),
]  # fmt: skip
# Some of them on each page, in turn.
OTHER_LOOKS: list[Look] = [
    ("hover", {"uid": UID}),
    ("click_at", {"x": 3, "y": 3}),
    ("scroll", {"direction": "down"}),
    ("get_css_styles", {"uid": UID}),
    ("get_box", {"uid": UID}),
    ("select_text", {"uid": FIELD}),
    ("press_key", {"key": "Control+C"}),
    ("read_clipboard", {}),
    ("press_key", {"key": "Control+X"}),
    ("write_clipboard", {"text": "x"}),
    ("drag", {"from_uid": UID, "to_uid": FIELD}),
    ("upload_file", {"uid": FIELD, "filePaths": []}),
    ("take_screenshot", {"filePath": "before.png", "fullPage": True}),
    ("compare_images", {"beforePath": "before.png", "filePath": "difference.png"}),
    ("resize_page", {"width": 700, "height": 500}),
    ("emulate", {"colorScheme": "dark"}),
    ("list_downloads", {}),
    ("wait_for_download", {"timeout": 1, "filePath": "download.txt"}),
    ("cancel_download", {"downloadId": 1}),
    ("list_webmcp_tools", {}),
    ("execute_webmcp_tool", {"toolName": "login"}),
    ("list_3p_developer_tools", {}),
    ("execute_3p_developer_tool", {"toolName": "login"}),
    ("list_browsers", {}),
    ("list_extensions", {}),
    ("get_os_app_state", {"manifestId": "https://x.example/"}),
    ("list_routes", {}),
    ("create_isolated_context", {"name": "x"}),
    ("grant_permissions", {"permissions": ["geolocation"]}),
    ("enable_tools", {"groups": ["memory"]}),
    ("handle_dialog", {"action": "accept"}),
    ("handle_dialog", {"action": "dismiss"}),
    ("fill", {"uid": FIELD, "value": "x"}),
    ("fill_form", {"elements": [{"uid": FIELD, "value": "x"}]}),
    ("type_text", {"text": "x"}),
    ("click", {"uid": UID}),
    ("set_cookie", {"name": "x", "value": "1"}),
    ("delete_cookie", {"name": "kept"}),
    ("set_storage_item", {"key": "x", "value": "1"}),
    ("remove_storage_item", {"key": "kept"}),
    ("route_requests", {"url": "*none*", "action": "block"}),
    ("navigate_page", {"type": "reload"}),
    ("unroute_requests", {}),
    ("restore_storage_state", {"filePath": "state.json"}),
    ("clear_storage", {}),
    ("navigate_page", {"type": "back"}),
    ("new_page", {"url": "about:blank"}),
    ("select_page", {"pageId": 1}),
    ("close_page", {}),
]
# What the sweep itself calls.
ITS_OWN = frozenset({"log_in", "get_console_message", "get_network_request"})
# What says nothing of pages, would leave the sweep without its browser or needs other programs.
LEFT_OUT = frozenset(
    {
        "connect_browser", "select_default_browser", "disconnect_browser", "reconnect_browser",
        "close_browser", "install_extension", "uninstall_extension", "reload_extension",
        "trigger_extension_action", "install_pwa", "launch_pwa", "uninstall_pwa", "lighthouse_audit",
    }
)  # fmt: skip
