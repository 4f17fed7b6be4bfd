"""ThirdParties: what other people's code cost in bytes and time."""

from __future__ import annotations

from collections import defaultdict

from tabmux.analysis.insights.insight import Insight, milliseconds, size
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import url_parts

NAME = "ThirdParties"
ROWS = 15
# Less is written as nothing.
SHOWN_MS = 0.05
# Domains of services that pages embed often and whose owner the domain does not tell.
OWNERS = {
    "2mdn.net": "Google Ads",
    "adnxs.com": "Xandr",
    "adobedtm.com": "Adobe Experience Cloud",
    "akamaihd.net": "Akamai",
    "amazon-adsystem.com": "Amazon Ads",
    "bing.com": "Microsoft Bing",
    "bootstrapcdn.com": "jsDelivr",
    "clarity.ms": "Microsoft Clarity",
    "cloudflareinsights.com": "Cloudflare",
    "cookielaw.org": "OneTrust",
    "criteo.com": "Criteo",
    "criteo.net": "Criteo",
    "demdex.net": "Adobe Experience Cloud",
    "doubleclick.net": "Google Ads",
    "facebook.com": "Facebook",
    "facebook.net": "Facebook",
    "fbcdn.net": "Facebook",
    "ggpht.com": "Google",
    "google-analytics.com": "Google Analytics",
    "google.com": "Google",
    "googleadservices.com": "Google Ads",
    "googleapis.com": "Google APIs",
    "googlesyndication.com": "Google Ads",
    "googletagmanager.com": "Google Tag Manager",
    "googletagservices.com": "Google Ads",
    "gstatic.com": "Google",
    "hotjar.com": "Hotjar",
    "hs-scripts.com": "HubSpot",
    "hubspot.com": "HubSpot",
    "intercom.io": "Intercom",
    "intercomcdn.com": "Intercom",
    "jsdelivr.net": "jsDelivr",
    "licdn.com": "LinkedIn",
    "newrelic.com": "New Relic",
    "nr-data.net": "New Relic",
    "omtrdc.net": "Adobe Experience Cloud",
    "onetrust.com": "OneTrust",
    "paypal.com": "PayPal",
    "paypalobjects.com": "PayPal",
    "pinimg.com": "Pinterest",
    "segment.com": "Segment",
    "sentry-cdn.com": "Sentry",
    "sentry.io": "Sentry",
    "shopifycdn.com": "Shopify",
    "stripe.com": "Stripe",
    "tiktok.com": "TikTok",
    "twimg.com": "X",
    "twitter.com": "X",
    "typekit.net": "Adobe Fonts",
    "unpkg.com": "unpkg",
    "vimeocdn.com": "Vimeo",
    "youtube.com": "YouTube",
    "ytimg.com": "YouTube",
    "zdassets.com": "Zendesk",
    "zendesk.com": "Zendesk",
}
# Enough of the public suffix list: where a second level is handed out like a top level.
SECOND_LEVELS = frozenset(("ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"))
SHARED_HOSTS = frozenset(
    (
        "appspot.com",
        "azurewebsites.net",
        "blogspot.com",
        "cloudfront.net",
        "firebaseapp.com",
        "fly.dev",
        "github.io",
        "gitlab.io",
        "herokuapp.com",
        "netlify.app",
        "onrender.com",
        "pages.dev",
        "s3.amazonaws.com",
        "vercel.app",
        "web.app",
        "workers.dev",
    )
)


def analyse(part: InsightSet) -> Insight:
    """Rank the other parties by main-thread time, then by bytes."""
    spent, loaded = main_thread_ms(part), transferred(part)
    others = (spent.keys() | loaded.keys()) - {entity(part.url), ""}
    parties = sorted(
        # What came from the cache and ran no script cost nothing.
        (party for party in others if spent.get(party, 0) >= SHOWN_MS or loaded.get(party, 0)),
        key=lambda party: (-spent.get(party, 0), -loaded.get(party, 0)),
    )
    if not parties:
        return Insight(NAME, "everything came from the page's own site")
    time = sum(spent.get(party, 0) for party in parties)
    weight = sum(loaded.get(party, 0) for party in parties)
    return Insight(
        NAME,
        f"{count(len(parties), 'other site')} took {milliseconds(time)} of the main thread "
        f"and sent {size(weight)}",
        noteworthy=True,
        details=tuple(
            f"{party}: {milliseconds(spent.get(party, 0))}, {size(loaded.get(party, 0))}"
            for party in parties[:ROWS]
        ),
        resources=tuple(
            dict.fromkeys(r.url for r in part.requests if entity(r.url) in parties[:ROWS])
        ),
    )


def transferred(part: InsightSet) -> dict[str, int]:
    """Add up the bytes each entity sent."""
    totals: defaultdict[str, int] = defaultdict(int)
    for request in part.requests:
        totals[entity(request.url)] += request.encoded
    return dict(totals)


def main_thread_ms(part: InsightSet) -> dict[str, float]:
    """Add up the time in each entity's scripts, without the calls they made into others'."""
    by_url: defaultdict[str, float] = defaultdict(float)
    enclosing: list[tuple[float, str]] = []
    for start, end, call_frame in part.calls.between(part.start, part.end):
        while enclosing and enclosing[-1][0] <= start:
            enclosing.pop()
        if enclosing:
            by_url[enclosing[-1][1]] -= end - start
        by_url[call_frame.url] += end - start
        enclosing.append((end, call_frame.url))
    totals: defaultdict[str, float] = defaultdict(float)
    for url, us in by_url.items():
        totals[entity(url)] += us / 1000
    return dict(totals)


def site(url: str) -> str:
    """Return the registrable domain of a URL, or its host where there is none."""
    host = url_parts(url).hostname or ""
    labels = host.split(".")
    if labels[-1].isdigit() or ":" in host:
        return host
    return ".".join(labels[-_suffix_length(labels) - 1 :])


def entity(url: str) -> str:
    """Name who is behind a URL."""
    domain = site(url)
    return OWNERS.get(domain, domain)


def _suffix_length(labels: list[str]) -> int:
    """Count the labels that are no one's own."""
    for length in (3, 2):
        if ".".join(labels[-length:]) in SHARED_HOSTS:
            return length
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SECOND_LEVELS:
        return 2
    return 1
