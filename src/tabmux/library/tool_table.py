"""Tool table: what a call of each tool needs.

Written by scripts/library.py from the tools themselves; do not edit.
"""

# fmt: off
from __future__ import annotations

from tabmux.library.tool_call import ToolMethod
from tabmux.library.tool_results import (
    Change, ConsoleMessages, CookieList, HumanOutcome, NetworkRequests, PageSnapshot, PageToolList,
    ScriptResult, TabList, ToolResult,
)

LIST_PAGES = ToolMethod("list_pages", "navigation", TabList, defaults={"browserIndex": None})
NEW_PAGE = ToolMethod(
    "new_page", "navigation", TabList,
    defaults={"background": True, "isolatedContext": None, "timeout": 0, "browserIndex": None},
)
SELECT_PAGE = ToolMethod(
    "select_page", "navigation", TabList, defaults={"bringToFront": False, "browserIndex": None},
)
CLOSE_PAGE = ToolMethod(
    "close_page", "navigation", TabList, defaults={"pageId": None, "browserIndex": None},
)
NAVIGATE_PAGE = ToolMethod(
    "navigate_page", "navigation", Change,
    defaults={"type": None, "url": None, "ignoreCache": False, "handleBeforeUnload": 'accept',
        "initScript": None, "timeout": 0, "pageId": None, "browserIndex": None},
)
WAIT_FOR = ToolMethod(
    "wait_for", "navigation", ToolResult,
    defaults={"text": (), "textGone": (), "url": '', "uid": None, "state": 'visible',
        "networkIdle": False, "function": None, "timeout": 0, "includeSnapshot": True,
        "pageId": None, "browserIndex": None},
)
CLICK = ToolMethod(
    "click", "input", Change,
    defaults={"dblClick": False, "includeSnapshot": False, "report": 'diff', "pageId": None,
        "browserIndex": None},
)
CLICK_AT = ToolMethod(
    "click_at", "input", Change,
    defaults={"dblClick": False, "includeSnapshot": False, "report": 'diff', "pageId": None,
        "browserIndex": None},
)
HOVER = ToolMethod(
    "hover", "input", Change,
    defaults={"includeSnapshot": False, "report": 'diff', "pageId": None, "browserIndex": None},
)
FILL = ToolMethod(
    "fill", "input", Change,
    defaults={"includeSnapshot": False, "report": 'diff', "pageId": None, "browserIndex": None},
)
FILL_FORM = ToolMethod(
    "fill_form", "input", Change,
    defaults={"includeSnapshot": False, "report": 'diff', "pageId": None, "browserIndex": None},
)
TYPE_TEXT = ToolMethod(
    "type_text", "input", Change,
    defaults={"submitKey": None, "report": 'diff', "pageId": None, "browserIndex": None},
)
PRESS_KEY = ToolMethod(
    "press_key", "input", Change,
    defaults={"includeSnapshot": False, "report": 'diff', "pageId": None, "browserIndex": None},
)
DRAG = ToolMethod(
    "drag", "input", Change,
    defaults={"includeSnapshot": False, "report": 'diff', "pageId": None, "browserIndex": None},
)
UPLOAD_FILE = ToolMethod(
    "upload_file", "input", Change, files=("filePaths",),
    defaults={"includeSnapshot": False, "report": 'diff', "pageId": None, "browserIndex": None},
)
SCROLL = ToolMethod(
    "scroll", "input", Change,
    defaults={"uid": None, "direction": None, "amount": None, "untilText": '', "toEnd": False,
        "report": 'diff', "pageId": None, "browserIndex": None},
)
HANDLE_DIALOG = ToolMethod(
    "handle_dialog", "input", Change,
    defaults={"promptText": None, "pageId": None, "browserIndex": None},
)
BATCH = ToolMethod(
    "batch", "input", ToolResult, defaults={"goOn": False, "pageId": None, "browserIndex": None},
)
TAKE_SNAPSHOT = ToolMethod(
    "take_snapshot", "debugging", PageSnapshot, files=("filePath",),
    defaults={"verbose": False, "uid": None, "depth": 0, "budget": 0, "filePath": None,
        "pageId": None, "browserIndex": None},
)
READ_PAGE = ToolMethod(
    "read_page", "debugging", ToolResult,
    defaults={"uid": None, "offset": 0, "budget": 10000, "pageId": None, "browserIndex": None},
)
FIND = ToolMethod(
    "find", "debugging", ToolResult,
    defaults={"query": '', "role": '', "regex": False, "limit": 20, "pageId": None,
        "browserIndex": None},
)
TAKE_SCREENSHOT = ToolMethod(
    "take_screenshot", "debugging", ToolResult, files=("filePath",),
    defaults={"format": 'png', "quality": None, "uid": None, "fullPage": False, "filePath": None,
        "part": 1, "scale": None, "maxSide": None, "pageId": None, "browserIndex": None},
)
EVALUATE_SCRIPT = ToolMethod(
    "evaluate_script", "debugging", ScriptResult, files=("filePath", "sourcePath",),
    defaults={"function": None, "args": (), "format": 'function', "sourcePath": None,
        "filePath": None, "dialogAction": 'accept', "waitForStableDom": True,
        "serviceWorkerId": None, "timeout": 0, "pageId": None, "browserIndex": None},
)
LIST_CONSOLE_MESSAGES = ToolMethod(
    "list_console_messages", "debugging", ConsoleMessages,
    defaults={"types": (), "pageSize": None, "pageIdx": 0, "includePreservedMessages": False,
        "includeStackTraces": False, "serviceWorkerId": '', "text": '', "sinceLastAction": False,
        "pageId": None, "browserIndex": None},
)
GET_CONSOLE_MESSAGE = ToolMethod(
    "get_console_message", "debugging", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
LIST_NETWORK_REQUESTS = ToolMethod(
    "list_network_requests", "network", NetworkRequests,
    defaults={"resourceTypes": (), "pageSize": None, "pageIdx": 0,
        "includePreservedRequests": False, "url": '', "method": '', "status": '',
        "sinceLastAction": False, "pageId": None, "browserIndex": None},
)
GET_NETWORK_REQUEST = ToolMethod(
    "get_network_request", "network", ToolResult, files=("requestFilePath", "responseFilePath",),
    defaults={"reqid": None, "requestFilePath": None, "responseFilePath": None, "pageId": None,
        "browserIndex": None},
)
RESIZE_PAGE = ToolMethod(
    "resize_page", "emulation", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
EMULATE = ToolMethod(
    "emulate", "emulation", ToolResult,
    defaults={"networkConditions": None, "cpuThrottlingRate": 1, "geolocation": None,
        "userAgent": None, "colorScheme": 'auto', "prefersReducedMotion": 'auto',
        "prefersContrast": 'auto', "forcedColors": 'auto', "viewport": None,
        "extraHttpHeaders": None, "locale": None, "timezone": None, "pageId": None,
        "browserIndex": None},
)
GET_CSS_STYLES = ToolMethod(
    "get_css_styles", "styles", ToolResult,
    defaults={"pageSize": 10, "pageIdx": 0, "pageId": None, "browserIndex": None},
)
GET_BOX = ToolMethod(
    "get_box", "styles", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
PERFORMANCE_START_TRACE = ToolMethod(
    "performance_start_trace", "performance", ToolResult, files=("filePath",),
    defaults={"reload": True, "autoStop": True, "ignoreCache": False, "filePath": None,
        "pageId": None, "browserIndex": None},
)
PERFORMANCE_STOP_TRACE = ToolMethod(
    "performance_stop_trace", "performance", ToolResult, files=("filePath",),
    defaults={"filePath": None, "pageId": None, "browserIndex": None},
)
PERFORMANCE_ANALYZE_INSIGHT = ToolMethod(
    "performance_analyze_insight", "performance", ToolResult,
    defaults={"pageId": None, "browserIndex": None},
)
PERFORMANCE_FILMSTRIP = ToolMethod(
    "performance_filmstrip", "performance", ToolResult, files=("tracePath",),
    defaults={"frames": 6, "tracePath": None, "pageId": None, "browserIndex": None},
)
PERFORMANCE_REPORT = ToolMethod(
    "performance_report", "performance", ToolResult, files=("filePath", "tracePath",),
    defaults={"tracePath": None, "pageId": None, "browserIndex": None},
)
ANALYZE_TRACE_FILE = ToolMethod(
    "analyze_trace_file", "performance", ToolResult, files=("filePath",),
    defaults={"insightSetId": None, "insightName": None, "browserIndex": None},
)
AUDIT_PAGE = ToolMethod(
    "audit_page", "performance", ToolResult, files=("filePath",),
    defaults={"categories": (), "filePath": None, "pageId": None, "browserIndex": None},
)
LIGHTHOUSE_AUDIT = ToolMethod(
    "lighthouse_audit", "performance", ToolResult, files=("outputDirPath",),
    defaults={"mode": 'navigation', "device": 'desktop', "outputDirPath": None, "pageId": None,
        "browserIndex": None},
)
TAKE_HEAPSNAPSHOT = ToolMethod(
    "take_heapsnapshot", "memory", ToolResult, files=("filePath",),
    defaults={"pageId": None, "browserIndex": None},
)
GET_HEAPSNAPSHOT_SUMMARY = ToolMethod(
    "get_heapsnapshot_summary", "memory", ToolResult, files=("filePath",),
    defaults={"maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_DETAILS = ToolMethod(
    "get_heapsnapshot_details", "memory", ToolResult, files=("filePath",),
    defaults={"filterName": None, "objectId": None, "pageIdx": 0, "pageSize": 50,
        "maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_CLASS_NODES = ToolMethod(
    "get_heapsnapshot_class_nodes", "memory", ToolResult, files=("filePath",),
    defaults={"filterName": None, "objectId": None, "pageIdx": 0, "pageSize": 50,
        "maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_DUPLICATE_STRINGS = ToolMethod(
    "get_heapsnapshot_duplicate_strings", "memory", ToolResult, files=("filePath",),
    defaults={"pageIdx": 0, "pageSize": 50, "maxNameLength": 100, "browserIndex": None},
)
ANALYZE_HEAPSNAPSHOT_CONTEXTS = ToolMethod(
    "analyze_heapsnapshot_contexts", "memory", ToolResult, files=("filePath",),
    defaults={"retainedSize": None, "scopeInfoNodeId": None, "pageIdx": 0, "pageSize": 20,
        "maxNameLength": 100, "browserIndex": None},
)
COMPARE_HEAPSNAPSHOTS = ToolMethod(
    "compare_heapsnapshots", "memory", ToolResult, files=("baseFilePath", "currentFilePath",),
    defaults={"classIndex": None, "pageIdx": 0, "pageSize": 50, "maxNameLength": 100,
        "browserIndex": None},
)
CLOSE_HEAPSNAPSHOT = ToolMethod(
    "close_heapsnapshot", "memory", ToolResult, files=("filePath",),
    defaults={"browserIndex": None},
)
QUERY_HEAPSNAPSHOT_OBJECTS = ToolMethod(
    "query_heapsnapshot_objects", "memory", ToolResult, files=("filePath",),
    defaults={"className": None, "propertyName": None, "nodeType": None, "retainedSize": None,
        "selfSize": None, "isDetached": None, "sortBy": 'retainedSize', "pageIdx": 0,
        "pageSize": 50, "maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_OBJECT_DETAILS = ToolMethod(
    "get_heapsnapshot_object_details", "memory", ToolResult, files=("filePath",),
    defaults={"maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_RETAINERS = ToolMethod(
    "get_heapsnapshot_retainers", "memory", ToolResult, files=("filePath",),
    defaults={"pageIdx": 0, "pageSize": 50, "maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_EDGES = ToolMethod(
    "get_heapsnapshot_edges", "memory", ToolResult, files=("filePath",),
    defaults={"sortBy": 'retainedSize', "retainedSize": None, "excludePrimitives": True,
        "pageIdx": 0, "pageSize": 50, "maxNameLength": 100, "browserIndex": None},
)
GET_HEAPSNAPSHOT_RETAINING_PATHS = ToolMethod(
    "get_heapsnapshot_retaining_paths", "memory", ToolResult, files=("filePath",),
    defaults={"maxDepth": 30, "maxNodes": 1000, "maxSiblings": 20, "maxNameLength": 100,
        "browserIndex": None},
)
GET_HEAPSNAPSHOT_DOMINATORS = ToolMethod(
    "get_heapsnapshot_dominators", "memory", ToolResult, files=("filePath",),
    defaults={"pageIdx": 0, "pageSize": 50, "maxNameLength": 100, "browserIndex": None},
)
LIST_COOKIES = ToolMethod(
    "list_cookies", "storage", CookieList,
    defaults={"allSites": False, "pageId": None, "browserIndex": None},
)
GET_COOKIE = ToolMethod(
    "get_cookie", "storage", ToolResult,
    defaults={"domain": None, "pageId": None, "browserIndex": None},
)
SET_COOKIE = ToolMethod(
    "set_cookie", "storage", ToolResult,
    defaults={"domain": None, "path": '/', "expires": -1, "httpOnly": False, "secure": False,
        "sameSite": 'Lax', "pageId": None, "browserIndex": None},
)
DELETE_COOKIE = ToolMethod(
    "delete_cookie", "storage", ToolResult,
    defaults={"domain": None, "pageId": None, "browserIndex": None},
)
LIST_STORAGE = ToolMethod(
    "list_storage", "storage", ToolResult,
    defaults={"kind": 'local', "origin": None, "pageId": None, "browserIndex": None},
)
GET_STORAGE_ITEM = ToolMethod(
    "get_storage_item", "storage", ToolResult,
    defaults={"kind": 'local', "origin": None, "pageId": None, "browserIndex": None},
)
SET_STORAGE_ITEM = ToolMethod(
    "set_storage_item", "storage", ToolResult,
    defaults={"kind": 'local', "origin": None, "pageId": None, "browserIndex": None},
)
REMOVE_STORAGE_ITEM = ToolMethod(
    "remove_storage_item", "storage", ToolResult,
    defaults={"kind": 'local', "origin": None, "pageId": None, "browserIndex": None},
)
CLEAR_STORAGE = ToolMethod(
    "clear_storage", "storage", ToolResult,
    defaults={"types": (), "allSites": False, "pageId": None, "browserIndex": None},
)
SAVE_STORAGE_STATE = ToolMethod(
    "save_storage_state", "storage", ToolResult, files=("filePath",),
    defaults={"domains": (), "pageId": None, "browserIndex": None},
)
RESTORE_STORAGE_STATE = ToolMethod(
    "restore_storage_state", "storage", ToolResult, files=("filePath",),
    defaults={"pageId": None, "browserIndex": None},
)
LIST_DOWNLOADS = ToolMethod(
    "list_downloads", "files", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
WAIT_FOR_DOWNLOAD = ToolMethod(
    "wait_for_download", "files", ToolResult, files=("filePath",),
    defaults={"downloadId": None, "filePath": None, "timeout": 0, "pageId": None,
        "browserIndex": None},
)
CANCEL_DOWNLOAD = ToolMethod(
    "cancel_download", "files", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
PRINT_PDF = ToolMethod(
    "print_pdf", "files", ToolResult, files=("filePath",),
    defaults={"paper": 'A4', "landscape": False, "printBackground": True, "scale": 1,
        "pageRanges": '', "preferCssPageSize": False, "pageId": None, "browserIndex": None},
)
EXPORT_HAR = ToolMethod(
    "export_har", "files", ToolResult, files=("filePath",),
    defaults={"includeBodies": False, "includePreservedRequests": False, "pageId": None,
        "browserIndex": None},
)
LOG_IN = ToolMethod(
    "log_in", "secrets", ToolResult,
    defaults={"report": 'diff', "pageId": None, "browserIndex": None},
)
REGISTER_PASSKEY = ToolMethod(
    "register_passkey", "secrets", ToolResult,
    defaults={"report": 'diff', "pageId": None, "browserIndex": None},
)
LIST_SECRETS = ToolMethod("list_secrets", "secrets", ToolResult, defaults={"browserIndex": None})
SCREENCAST_START = ToolMethod(
    "screencast_start", "recording", ToolResult, files=("filePath",),
    defaults={"filePath": None, "pageId": None, "browserIndex": None},
)
SCREENCAST_STOP = ToolMethod(
    "screencast_stop", "recording", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
START_COVERAGE = ToolMethod(
    "start_coverage", "testing", ToolResult,
    defaults={"reload": True, "pageId": None, "browserIndex": None},
)
STOP_COVERAGE = ToolMethod(
    "stop_coverage", "testing", ToolResult, files=("filePath",),
    defaults={"filePath": None, "pageSize": None, "pageIdx": 0, "pageId": None,
        "browserIndex": None},
)
COMPARE_IMAGES = ToolMethod(
    "compare_images", "testing", ToolResult, files=("afterPath", "beforePath", "filePath",),
    defaults={"afterPath": None, "threshold": 0.1, "fullPage": False, "filePath": None,
        "pageId": None, "browserIndex": None},
)
ROUTE_REQUESTS = ToolMethod(
    "route_requests", "interception", ToolResult, files=("bodyFile",),
    defaults={"url": '*', "resourceTypes": (), "status": 200, "headers": None, "body": None,
        "bodyFile": None, "newUrl": None, "method": None, "postData": None, "delay": 0,
        "reason": 'blockedbyclient', "times": 0, "pageId": None, "browserIndex": None},
)
LIST_ROUTES = ToolMethod(
    "list_routes", "interception", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
UNROUTE_REQUESTS = ToolMethod(
    "unroute_requests", "interception", ToolResult,
    defaults={"ids": (), "pageId": None, "browserIndex": None},
)
SELECT_TEXT = ToolMethod(
    "select_text", "clipboard", Change,
    defaults={"uid": None, "text": '', "start": None, "end": None, "report": 'diff', "pageId": None,
        "browserIndex": None},
)
READ_CLIPBOARD = ToolMethod(
    "read_clipboard", "clipboard", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
WRITE_CLIPBOARD = ToolMethod(
    "write_clipboard", "clipboard", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
CREATE_ISOLATED_CONTEXT = ToolMethod(
    "create_isolated_context", "contexts", ToolResult,
    defaults={"proxyServer": '', "proxyBypassList": '', "browserIndex": None},
)
GRANT_PERMISSIONS = ToolMethod(
    "grant_permissions", "contexts", ToolResult,
    defaults={"permissions": (), "origin": '', "reset": False, "pageId": None,
        "browserIndex": None},
)
INSTALL_EXTENSION = ToolMethod(
    "install_extension", "extensions", ToolResult, files=("path",), defaults={"browserIndex": None},
)
UNINSTALL_EXTENSION = ToolMethod(
    "uninstall_extension", "extensions", ToolResult, defaults={"browserIndex": None},
)
LIST_EXTENSIONS = ToolMethod(
    "list_extensions", "extensions", ToolResult, defaults={"browserIndex": None},
)
RELOAD_EXTENSION = ToolMethod(
    "reload_extension", "extensions", ToolResult, defaults={"browserIndex": None},
)
TRIGGER_EXTENSION_ACTION = ToolMethod(
    "trigger_extension_action", "extensions", ToolResult,
    defaults={"pageId": None, "browserIndex": None},
)
INSTALL_PWA = ToolMethod(
    "install_pwa", "pwa", ToolResult, defaults={"displayMode": None, "browserIndex": None},
)
LAUNCH_PWA = ToolMethod(
    "launch_pwa", "pwa", ToolResult, defaults={"url": None, "browserIndex": None},
)
UNINSTALL_PWA = ToolMethod("uninstall_pwa", "pwa", ToolResult, defaults={"browserIndex": None})
GET_OS_APP_STATE = ToolMethod(
    "get_os_app_state", "pwa", ToolResult, defaults={"browserIndex": None},
)
LIST_BROWSERS = ToolMethod("list_browsers", "browsers", ToolResult, defaults={"browserIndex": None})
CONNECT_BROWSER = ToolMethod(
    "connect_browser", "browsers", ToolResult,
    defaults={"url": None, "wsEndpoint": None, "launch": False, "profile": None, "headless": True,
        "name": None, "browserIndex": None},
)
SELECT_DEFAULT_BROWSER = ToolMethod("select_default_browser", "browsers", ToolResult, defaults={})
DISCONNECT_BROWSER = ToolMethod("disconnect_browser", "browsers", ToolResult, defaults={})
RECONNECT_BROWSER = ToolMethod(
    "reconnect_browser", "browsers", ToolResult, defaults={"browserIndex": None},
)
CLOSE_BROWSER = ToolMethod("close_browser", "browsers", ToolResult, defaults={"browserIndex": None})
LIST_PAGE_TOOLS = ToolMethod(
    "list_page_tools", "page tools", PageToolList, defaults={"pageId": None, "browserIndex": None},
)
CALL_PAGE_TOOL = ToolMethod(
    "call_page_tool", "page tools", ToolResult,
    defaults={"arguments": None, "pageId": None, "browserIndex": None},
)
REQUEST_HUMAN = ToolMethod(
    "request_human", "human", HumanOutcome,
    defaults={"reason": '', "doneWhen": None, "handle": '', "timeout": 600000,
        "sliceMilliseconds": 45000, "pageId": None, "browserIndex": None},
)
LIST_WEBMCP_TOOLS = ToolMethod(
    "list_webmcp_tools", "webmcp", ToolResult, defaults={"pageId": None, "browserIndex": None},
)
EXECUTE_WEBMCP_TOOL = ToolMethod(
    "execute_webmcp_tool", "webmcp", ToolResult,
    defaults={"input": '{}', "pageId": None, "browserIndex": None},
)
LIST_3P_DEVELOPER_TOOLS = ToolMethod(
    "list_3p_developer_tools", "webmcp", ToolResult,
    defaults={"pageId": None, "browserIndex": None},
)
EXECUTE_3P_DEVELOPER_TOOL = ToolMethod(
    "execute_3p_developer_tool", "webmcp", ToolResult,
    defaults={"params": '{}', "pageId": None, "browserIndex": None},
)
ENABLE_TOOLS = ToolMethod("enable_tools", "toolsets", ToolResult, defaults={"browserIndex": None})
