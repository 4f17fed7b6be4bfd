"""Verbs: what buttons and icons do, and what is not easily undone."""

from __future__ import annotations

import re
from functools import lru_cache

from tabmux.pagetools.language import words
from tabmux.pagetools.language.lexicon import stems
from tabmux.pagetools.language.words import word_set

VERBS = word_set(
    """accept activate add allow apply approve archive assign attach back ban block book bookmark
    browse buy calculate call cancel change chat check checkout choose clear clone close
    collapse comment commit compare complete compose confirm connect contact continue convert
    copy create customize cut decline deactivate delete deny deploy deselect destroy disable
    discard dismiss display donate download drop duplicate edit email empty enable end enter
    erase execute exit expand export favorite favourite fill filter find finish flag follow
    fork forward generate get go hide ignore import insert install invite join keep launch
    learn leave like link list load lock log login logout make manage mark merge message
    minimize modify move mute new next open order pause pay pin place play post preview
    previous print publish purge purchase rate read redo refresh refund register reject
    release reload remove rename reopen reorder repeat replace reply report request reschedule
    reserve reset resolve restart restore resume retry return review revert revoke rotate run
    save schedule search see select send set share show sign skip sort star start stop submit
    subscribe switch sync tag take test toggle transfer translate try turn undo unfollow
    uninstall unlock unpin unstar unsubscribe unwatch update upgrade upload use validate
    verify view vote watch withdraw write zoom increase decrease"""
)
_DESTROYS = word_set(
    """delete remove cancel deactivate unsubscribe drop purge erase discard revoke reset empty
    archive ban force destroy clear uninstall terminate trash wipe deprovision withdraw"""
)
_CONSEQUENTIAL = word_set(
    """buy pay purchase order transfer send publish book donate checkout place refund
    submit_order"""
)
_DESTROYS_ELSEWHERE = stems(
    """lösch | entfern | supprim | effacer | elimin | borrar | cancella | rimuov | excluir
    | remover | apagar | verwijder | ta bort | radera | slet. | fjern | poista | usuń | smazat
    | odstran | vymaz | törl | șterge | удал | стереть | видал | изтри | διαγραφ | sil.
    | kaldır | حذف | מחק | 删除 | 刪除 | 移除 | 削除 | 삭제 | xóa | hapus"""
)
_PAYS_ELSEWHERE = stems(
    """bezahlen | zahlungspflichtig | jetzt kaufen | payer | acheter | pagar | comprar | paga.
    | acquista | betalen | betala | köp | zapłać | kup teraz | zaplatit | fizet | plăt | оплат
    | купить | сплат | πληρωμ | öde | satın al | ادفع | שלם | 支付 | 付款 | 購入 | 결제"""
)
# What a link or button that says only this does is of no use without its place.
VAGUE = word_set(
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
_NOISE = word_set(
    """icon icons ico fa fas far fab bi glyphicon mdi ti svg btn button img image png gif jpg
    solid regular light outline material lucide feather tabler octicon o the a an your my this"""
)


@lru_cache(maxsize=8192)
def action_of(text: str) -> str:
    """Return a button's text as a name, if it says what it does: verb first, and not too long."""
    found = words.words(re.sub(r"\([^)]*\)|[\d.,]+\+?", " ", text))
    while found and found[-1] in ("now", "here", "today", "more", "please"):
        found.pop()
    found = [word for word in found if word not in ("a", "an", "the", "your", "my", "this")]
    if not found or found[0] not in VERBS or len(found) > 5:
        return ""
    return "_".join(found)


def icon_action(*marks: str) -> str:
    """Return what an icon means, or nothing."""
    for mark in marks:
        for word in words.words(mark):
            if word not in _NOISE and word in ICONS:
                return ICONS[word]
    return ""


def destroys(*said: str) -> bool:
    """Whether something says that it takes away what is there."""
    found = {word for text in said for word in words.words(text)}
    return bool(found & _DESTROYS) or _DESTROYS_ELSEWHERE.search(" ".join(said).lower())


def is_consequential(*said: str) -> bool:
    """Whether something says that it has effects out in the world that stay."""
    first = {words.words(text)[0] for text in said if words.words(text)}
    return bool(first & _CONSEQUENTIAL) or _PAYS_ELSEWHERE.search(" ".join(said).lower())
