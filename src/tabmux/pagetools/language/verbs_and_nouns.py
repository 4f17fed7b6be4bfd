"""Verbs and nouns: what buttons and icons do, and what the entries of a list are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import parse_qsl

from tabmux.page_text import url_parts
from tabmux.pagetools.language import words
from tabmux.pagetools.language.foreign_verbs import foreign_action
from tabmux.pagetools.language.lexicon import DESTRUCTIVE, PAYING
from tabmux.pagetools.language.words import word_set

VERBS = word_set(
    """accept activate add allow answer apply approve archive assign attach back ban block book
    bookmark browse buy calculate call cancel change chat check checkout choose clear clone close
    collapse comment commit compare complete compose confirm connect contact continue convert
    copy create customize cut decline deactivate delete deny deploy deselect destroy disable
    discard dismiss display donate download drop duplicate edit email empty enable end enter
    erase execute exit expand export favorite favourite fill filter find finish flag follow fork
    forward generate get go hide ignore import insert install invite join keep launch learn leave
    like link list load lock log login logout make manage mark merge message minimize modify move
    mute new next open order pause pay pin place play post preview previous print publish purge
    purchase rate read redo refresh refund register reject release reload remove rename reopen
    reorder repeat replace reply report request reschedule reserve reset resolve respond restart
    restore resume retry return review revert revoke rotate run save schedule search see select
    send set share show sign skip sort star start stop submit subscribe switch sync tag take test
    toggle transfer translate try turn undo unfollow uninstall unlock unpin unstar unsubscribe
    unwatch update upgrade upload use validate verify view vote watch withdraw write zoom
    increase decrease acknowledge amend authorize bid borrow cite claim crop debug demote deposit
    detach disconnect dispatch dislike endorse enrol enroll escalate evaluate exclude explore
    extend extract fetch freeze grade grant hold impersonate include inspect kick lend listen
    migrate nominate notify onboard override paste permit prioritize promote propose pull push
    quote reactivate reassign rebase rebuild recommend reconnect recover redeem redirect refer
    reindex reinstate remind renew rent rerun rescan resize restock retire retract rewind
    rollback scan ship shuffle shutdown silence simulate snooze split squash stash suggest
    suspend swap thank trash trigger trim unarchive unassign unban unblock uncheck unenrol
    unenroll unfreeze unhide unlike unlink unmark unmute unpublish unsuspend untag void waive
    warn wipe compile"""
)
_DESTROYS = word_set(
    """delete remove cancel deactivate unsubscribe drop purge erase discard revoke reset empty
    archive ban force destroy clear uninstall terminate trash wipe deprovision withdraw void kick"""
)
# What a link that says one of these leads to is done, and not a page that says more.
_DOING_VERBS = word_set(
    """accept activate allow approve archive assign ban block cancel claim clear clone close confirm
    deactivate decline delete deny destroy disable disconnect discard dislike dismiss drop duplicate
    empty enable end erase favorite favourite finish flag follow generate hide ignore install join
    kick leave like lock log logout mark merge mute pause pin publish purge reject release remove
    reopen reset resolve restart restore resume retry revert revoke run send star start stop
    submit subscribe switch sync toggle trash turn undo unassign unblock unfollow uninstall unlock
    unpin unpublish unstar unsubscribe unwatch upvote downvote validate verify vote watch
    withdraw save complete acknowledge demote enrol enroll escalate grant kick notify promote
    reactivate redeem reinstate rerun silence snooze suspend thank trigger unarchive unban unlike
    unmark unmute unsuspend void hold"""
)
# Of these, what says by its second word that it leads to a page; and of others, what does not.
_LEADING = ("log_in", "log_on", "reset_password", "start_here")
_DOING = ("add_to_", "log_out", "sign_out")
_CLEARING = frozenset({"clear", "reset", "remove", "discard"})
_SHOWN_ONLY = word_set(
    "filter filters search query sort sorting selection selected form fields zoom view"
)
_CONSEQUENTIAL = word_set(
    """buy pay purchase order transfer send publish book donate checkout place refund
    submit_order"""
)
# What a link or button that says only this does is of no use without its place.
VAGUE_ACTIONS = word_set(
    """next previous prev back more read_more learn_more details here click_here see_more
    view_details show_all see_all view_all all ok yes no go submit send top back_to_top home
    skip skip_to_content skip_to_main_content menu"""
)
ICONS = {
    "trash": "delete", "trash2": "delete", "bin": "delete", "delete": "delete",
    "remove": "remove", "destroy": "delete",
    "times": "close", "close": "close", "xmark": "close", "cross": "close", "pencil": "edit",
    "edit": "edit", "pen": "edit", "plus": "add", "add": "add", "search": "search",
    "magnifier": "search",
    "heart": "like", "favorite": "favorite", "bookmark": "bookmark", "star": "star",
    "share": "share",
    "download": "download", "upload": "upload", "print": "print", "printer": "print",
    "copy": "copy",
    "clipboard": "copy", "refresh": "refresh", "sync": "refresh", "reload": "refresh",
    "redo": "redo", "undo": "undo", "cog": "open_settings", "gear": "open_settings",
    "settings": "open_settings", "bell": "open_notifications",
    "notifications": "open_notifications",
    "cart": "open_cart", "basket": "open_cart", "bag": "open_cart", "envelope": "send_message",
    "mail": "send_message", "reply": "reply", "forward": "forward", "play": "play",
    "pause": "pause",
    "stop": "stop", "volume": "toggle_sound", "mute": "mute", "lock": "lock", "unlock": "unlock",
    "eye": "view", "filter": "filter", "sort": "sort", "calendar": "open_calendar",
    "archive": "archive", "flag": "flag", "pin": "pin", "thumbtack": "pin", "comment": "comment",
    "paperclip": "attach", "attach": "attach", "camera": "take_photo", "phone": "call",
    "fullscreen": "toggle_fullscreen", "expand": "expand", "maximize": "maximize",
    "moon": "toggle_dark_mode", "sun": "toggle_light_mode", "logout": "log_out",
    "signout": "log_out",
    "save": "save", "send": "send", "check": "confirm", "minus": "decrease",
    "language": "set_language",
    "clone": "copy", "external": "open", "next": "next", "prev": "previous", "thumbs": "like",
}  # fmt: skip
# What a button that shows only a sign does.
SYMBOLS = {
    "+": "add", "＋": "add", "➕": "add", "-": "decrease", "−": "decrease", "–": "decrease",
    "➖": "decrease", "✎": "edit", "✏": "edit", "🖉": "edit", "🗑": "delete",
    "⚙": "open_settings", "🔍": "search", "🔎": "search", "⟳": "refresh", "↻": "refresh",
    "🔄": "refresh", "★": "star", "☆": "star", "⭐": "star", "♥": "like", "❤": "like",
    "♡": "like", "👍": "like", "👎": "dislike", "📎": "attach", "🔔": "open_notifications",
    "🛒": "open_cart", "✓": "confirm", "✔": "confirm", "▶": "play", "⏸": "pause",
    "⏹": "stop", "⬇": "download", "⤓": "download", "⬆": "upload", "🖨": "print", "📋": "copy",
    "↩": "undo", "↪": "redo", "☰": "open_menu", "⋮": "open_menu", "⋯": "open_menu",
    "…": "open_menu", "↑": "move_up", "↓": "move_down", "▲": "move_up", "▼": "move_down",
}  # fmt: skip
_ICON_NOISE = word_set(
    """icon icons ico fa fas far fab bi glyphicon mdi ti svg btn button img image png gif jpg
    solid regular light outline material lucide feather tabler octicon o the a an your my this"""
)
KNOWN_NOUNS = word_set(
    """account activity address alert album answer app application appointment article artist
    asset attachment author bill blog board book bookmark branch brand bread build campaign
    card case category change channel chapter chat city client collection comment commit
    company contact conversation country course customer dashboard database deal deployment
    device discussion document domain download email employee entry episode event exercise
    expense file film flight folder form forum friend game group guest guide hotel house image
    ingredient invoice issue job key label language lead lesson license line link list listing
    location log mail meeting member menu merchant message milestone model movie news note
    notification offer order organization package page participant partner patient payment
    person photo picture place plan player playlist podcast poll post printer product profile
    project promotion property query question quote recipe record release rental report
    repository request reservation resource restaurant result review role room row rule sale
    schedule section seller server service session shift shop site song source staff step
    stock store story student subscription supplier survey table tag talk task team template
    test theme thread ticket todo token tool topic track transaction translation trip tutorial
    user vehicle vendor version video visitor warehouse website wiki workflow workspace"""
)
_NOUN_ALIASES = {
    "pod": "",
    "repo": "repository",
    "msg": "message",
    "img": "",
    "tr": "",
    "people": "person",
}
_LAYOUT_WORDS = word_set(
    """list menu card table line section form page row site label change key link tool test"""
)
# What stands in a place of this name is something else.
_CONTAINERS = {
    "blog": "post", "forum": "topic", "wiki": "page", "catalog": "product",
    "catalogue": "product", "shop": "product", "store": "product", "gallery": "picture",
}  # fmt: skip
_FILLERS = word_set(
    """all latest recent popular new our your my the top best featured current related more most
    list of in for and by search results result"""
)


_SAYING_NOTHING = frozenset({"now", "here", "today", "more", "please", "button", "btn", "icon"})
_FOREIGN_ARTICLES = word_set(
    """le la les l un une des du de der die das den dem ein eine einen het een el los las una unos
    il lo gli uno o os um uma det ett j ut au al a"""
)
# "1 comment" says how many there are.
_COUNT = re.compile(r"\s*\d")


@lru_cache(maxsize=8192)
def action_of(text: str) -> str:
    """Return a button's text as a name, if it says what it does: verb first, and not too long."""
    if _COUNT.match(text):
        return ""
    found = words.words(re.sub(r"\([^)]*\)|[\d.,]+\+?", " ", text))
    while found and found[-1] in _SAYING_NOTHING:
        found.pop()
    found = [word for word in found if word not in ("a", "an", "the", "your", "my", "this")]
    if not found or found[0] not in VERBS:
        return _foreign_name(text)
    return "_".join(found) if len(found) <= 5 else ""


def english_action(text: str) -> str:
    """Return a button's text as a name, if it says what it does in English."""
    found = words.words(text)
    return action_of(text) if found and found[0] in VERBS else ""


def _foreign_name(text: str) -> str:
    verb, rest = foreign_action(text)
    found = [word for word in words.words(rest) if word not in _FOREIGN_ARTICLES]
    return words.name_of(verb, "_".join(found[:3])) if verb else ""


def icon_action(*marks: str) -> str:
    """Return what an icon means, or nothing."""
    for mark in marks:
        for word in words.words(mark):
            if word not in _ICON_NOISE and word in ICONS:
                return ICONS[word]
    return ""


def is_destructive(*said: str) -> bool:
    """Whether something says that it takes away what is there."""
    found = {word for text in said for word in words.words(text)}
    if found & _SHOWN_ONLY and found & _DESTROYS <= _CLEARING:
        return False  # what is cleared is only what is shown
    return bool(found & _DESTROYS) or DESTRUCTIVE.search(" ".join(said).lower())


def is_consequential(*said: str) -> bool:
    """Whether something says that it has effects out in the world that stay."""
    spoken = [words.words(text) for text in said]
    first = {each[0] for each in spoken if each and each[:2] != ["order", "by"]}
    return bool(first & _CONSEQUENTIAL) or PAYING.search(" ".join(said).lower())


def does_at_once(action: str) -> bool:
    """Whether who says so has done it, and does not only lead to where it can be done."""
    if action.startswith(_DOING):
        return True
    return action.partition("_")[0] in _DOING_VERBS and not action.startswith(_LEADING)


def noun_from_words(text: str) -> str:
    """Return the last known noun of a text, singular; words of layouts do not count."""
    for word in reversed(words.words(text)):
        one = words.singular(_NOUN_ALIASES.get(word, word))
        if one in KNOWN_NOUNS and one not in _LAYOUT_WORDS:
            return one
    return ""


def noun_from_heading(text: str) -> str:
    """Return the noun of a short heading, singular."""
    if known := noun_from_words(text):
        return known
    found = [word for word in words.words(text) if word not in _FILLERS and not word.isdigit()]
    if not found or len(found) > 2 or words.singular(found[-1]) == found[-1]:
        return ""
    return words.singular("_".join(found))


def noun_from_path(url: str) -> str:
    """Return the noun of the last part of an address that is plural, singular."""
    for part in reversed(url_parts(url).path.split("/")):
        slug = words.slug(re.sub(r"\.\w+$", "", part))
        if not slug or re.search(r"\d", slug):
            continue
        if slug in _CONTAINERS:
            return _CONTAINERS[slug]
        one = words.singular(slug)
        if (one in KNOWN_NOUNS and one not in _LAYOUT_WORDS) or (
            one != slug and "_" not in slug and len(slug) < 20
        ):
            return one
    return ""


def noun_from_query(url: str) -> str:
    """Return what the query of an address says that it is about, in a word of its own."""
    for _, value in parse_qsl(url_parts(url).query):
        if value.isascii() and value.isalpha() and len(value) > 2 and value not in VERBS:
            return words.singular(words.slug(value))
    return ""


def most_frequent_noun(found: Iterable[str]) -> str:
    """Return the noun that is found most often, the first of equals."""
    counts: dict[str, int] = {}
    for noun in found:
        if noun:
            counts[noun] = counts.get(noun, 0) + 1
    return max(counts, key=lambda noun: counts[noun]) if counts else ""
