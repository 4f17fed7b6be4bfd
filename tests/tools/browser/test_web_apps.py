from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler

from tests.agent import Agent
from tests.page.see.test_screencast import RED, png


async def app(agent: Agent) -> tuple[str, str]:
    """Serve a web app; returns its id and where to install it from."""
    icon = png(RED, 192)

    def picture(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "image/png")
        handler.send_header("Content-Length", str(len(icon)))
        handler.end_headers()
        handler.wfile.write(icon)

    start = agent.site.page("<title>Running</title><h1>App</h1>")
    manifest = {
        "name": "App",
        "start_url": start,
        "display": "standalone",
        "icons": [{"src": agent.site.route(picture), "sizes": "192x192", "type": "image/png"}],
    }
    address = agent.site.page(json.dumps(manifest), kind="application/manifest+json")
    return start, agent.site.page(f"<link rel=manifest href='{address}'><h1>Install</h1>")


async def test_app_is_installed_launched_and_removed(whole: Agent) -> None:
    ident, url = await app(whole)
    text = await whole(
        "install_pwa", manifestId=ident, installUrlOrBundleUrl=url, displayMode="standalone"
    )
    assert text == f"Installed PWA with manifest ID: {ident}\nDisplay mode: standalone"
    assert "Badge count: 0" in await whole("get_os_app_state", manifestId=ident)
    text = await whole("launch_pwa", manifestId=ident)
    assert text.startswith(f"Launched PWA with manifest ID: {ident}")
    await whole("wait_for", text=["App"])
    assert await whole.value("matchMedia('(display-mode: standalone)').matches") == "true"
    assert "Uninstalled" in await whole("uninstall_pwa", manifestId=ident)
    assert (await whole.fails("uninstall_pwa", manifestId=ident))[0] == "bad_request"


async def test_what_is_no_app_is_refused(whole: Agent) -> None:
    url = whole.site.page("plain")
    code, text = await whole.fails("install_pwa", manifestId=url, installUrlOrBundleUrl=url)
    assert code == "bad_request"
    assert "must link to a manifest" in text
    code, text = await whole.fails("launch_pwa", manifestId=url)
    assert code == "bad_request"
    assert "Is it installed" in text
    code, _ = await whole.fails(
        "install_pwa", manifestId=url, installUrlOrBundleUrl="file:///etc/passwd"
    )
    assert code == "refused_by_policy"
