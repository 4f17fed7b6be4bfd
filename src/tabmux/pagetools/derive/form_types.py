"""What a form is for, by adding up what speaks for each purpose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from tabmux.pagetools.derive.fields import Field
from tabmux.pagetools.keys import TEXTS
from tabmux.pagetools.language import lexicon
from tabmux.pagetools.language.lexicon import Lexicon

FormType = Literal[
    "search", "login", "register", "recover", "subscribe", "contact", "cart", "other"
]
THRESHOLD = 1.5

_QUERY = re.compile(
    r"^(?:q|s|p|query|search\w*|\w*search(?:text|term|word|string|query|box|field|input|"
    r"phrase)?|keywords?|kw|wd|term|terms|find|"
    r"qs|text|txt|words?|searchword|kwd|query_?string|st|w|k|ask|\w*_?query|\w*keyword\w*|"
    r"as_q|busca\w*|suche\w*|buscar\w*|recherche\w*)$",
    re.IGNORECASE,
)
_EMAIL = re.compile(
    r"e-?mail|^(?:em|mail|eml|user_mail|newsletter)$|\bcorreo|courriel|эл.*почт|почт", re.IGNORECASE
)
_USER = re.compile(
    r"user|login|log$|nick|account|uname|usr|auth|ident|^name$|member", re.IGNORECASE
)
_QUANTITY = re.compile(
    r"qty|quantit|menge|cantidad|quantidade|aantal|antal|ilosc|mnozstv|count|количеств",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"remember|angemeldet|souvenir|recordar|recuérdame|ricorda|lembrar|onthoud|zapamięt|"
    r"запомн|beni hatırla|记住|keep me|persist|autologin|stay|rememberme",
    re.IGNORECASE,
)
_CONFIRM = re.compile(
    r"confirm|repeat|again|verify|retype|re-?enter|wiederhol|bestätig|repetir|repit|ripeti|"
    r"herhaal|upprepa|powtórz|potvr|znovu|повтор|подтвер|tekrar|确认|確認|2$",
    re.IGNORECASE,
)
_TERMS = re.compile(
    r"terms|tos\b|agree|accept|agb|conditions|privacy|соглас|kurallar", re.IGNORECASE
)
_NAME = re.compile(
    r"first.?name|last.?name|fname|lname|vorname|nachname|prénom|apellido|nombre|surname|"
    r"birth|gender|sex$|country|dob",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"subject|betreff|sujet|asunto|oggetto|assunto|onderwerp|тема|konu|phone|author|website|url",
    re.IGNORECASE,
)


@dataclass
class Evidence:
    """What a form shows of itself, in lower case."""

    fields: Sequence[Field]
    method: str = "get"
    says: str = ""  # its buttons
    marks: str = ""  # its id, classes, name and address
    heading: str = ""
    labels: str = ""
    title: str = ""
    is_search: bool = False
    scores: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kinds = [each.kind for each in self.fields]
        self.passwords = kinds.count("password")
        self.areas = kinds.count("textarea") + kinds.count("editable")
        self.texts = [
            each
            for each in self.fields
            if each.kind in TEXTS and each.kind not in ("password", "textarea", "editable")
        ]
        self.emails = [
            each for each in self.texts if each.kind == "email" or _EMAIL.search(each.about)
        ]
        self.typed = len(self.texts)
        self.chosen = len(kinds) - self.typed - self.passwords - self.areas
        self.names = " ".join(each.name for each in self.fields).lower()
        self.all = f"{self.says} {self.marks} {self.heading} {self.labels}"


def form_type(shown: Evidence) -> FormType:
    """Return what a form is for, or `other`."""
    scores = {
        "search": _search(shown),
        "login": _login(shown),
        "register": _register(shown),
        "recover": _recover(shown),
        "subscribe": _subscribe(shown),
        "contact": _contact(shown),
        "cart": _cart(shown),
    }
    shown.scores = scores
    best = max(scores, key=lambda each: scores[each])
    return best if scores[best] >= THRESHOLD else "other"  # type: ignore[return-value]


def _said(
    lexicon: Lexicon, shown: Evidence, says: float, marks: float, heading: float, labels: float
) -> float:
    score = says if lexicon.search(shown.says) else 0.0
    score += marks if lexicon.marked(shown.marks) else 0.0
    score += heading if lexicon.search(shown.heading) else 0.0
    return score + (labels if lexicon.search(shown.labels) else 0.0)


def _search(shown: Evidence) -> float:
    score = _said(lexicon.SEARCH, shown, 2, 1.5, 0.5, 1.5)
    score += 3 if shown.is_search else 0
    score += 2 if any(each.kind == "search" for each in shown.fields) else 0
    score += 2 if any(_QUERY.match(each.name) for each in shown.texts if _tells(each, shown)) else 0
    if shown.typed == 1 and shown.method == "get":
        score += 0.5
    if not shown.areas and not shown.passwords and not shown.emails and shown.chosen + shown.typed:
        score += _choosing(shown)
    if not shown.typed:
        score -= 0.5 if shown.chosen else 3
    if shown.typed > 3:
        score -= 1
    score -= 4 * bool(shown.passwords) + 3 * bool(shown.areas)
    return score - 1.5 * bool(shown.emails)


def _tells(field: Field, shown: Evidence) -> bool:
    """A short name says nothing among several fields."""
    return shown.typed == 1 or len(field.name) > 4 or field.name.lower() in ("q", "qs")


def _choosing(shown: Evidence) -> float:
    """Sorting and filtering is searching too."""
    said = f"{shown.names} {shown.labels} {shown.marks} {shown.says}"
    score = 2.5 if lexicon.SORT.search(said) else 0.0
    return score + (1.5 if lexicon.FILTER.marked(said) else 0.0)


def _login(shown: Evidence) -> float:
    score = _said(lexicon.LOGIN, shown, 2, 1, 1, 0.5)
    if shown.passwords == 1:
        score += 2.5
        score += 1 if shown.typed <= 1 else 0
        score += 1 if _REMEMBER.search(f"{shown.names} {shown.labels}") else 0
    elif shown.passwords > 1:
        score -= 2
    else:
        score -= 2 if shown.typed != 1 else 1
        score -= 1 if shown.areas else 0
    if shown.typed > 2:
        score -= 1.5 * (shown.typed - 2)
    if lexicon.REGISTER.search(shown.says) and not lexicon.LOGIN.search(shown.says):
        score -= 2.5
    if _CONFIRM.search(shown.names) or _TERMS.search(shown.labels):
        score -= 1
    return score - 2 * bool(shown.areas)


def _register(shown: Evidence) -> float:
    score = _said(lexicon.REGISTER, shown, 2.5, 1.5, 1, 0)
    if shown.passwords >= 2:
        score += 3
    elif shown.passwords == 1:
        score += 0.5 + 0.75 * max(0, min(3, shown.typed - 1))
    else:
        score -= 1
        score += 1 if shown.typed >= 5 and shown.method == "post" else 0
        score += 1 if lexicon.REGISTER.search(shown.title) and shown.method == "post" else 0
    score += 0.5 if _TERMS.search(f"{shown.labels} {shown.names}") else 0
    score += 0.5 if _NAME.search(f"{shown.names} {shown.labels}") else 0
    score += 0.5 if len(shown.emails) > 1 else 0
    if lexicon.LOGIN.search(shown.says) and not lexicon.REGISTER.search(shown.says):
        score -= 2
    if shown.typed + shown.passwords <= 1:
        score -= 1.5
    if lexicon.SUBSCRIBE.marked(f"{shown.says} {shown.marks}"):
        score -= 1
    if shown.typed + shown.passwords + shown.areas == 0:
        score -= 3
    return score - 1 * bool(shown.areas)


def _recover(shown: Evidence) -> float:
    if shown.areas or shown.typed + shown.passwords == 0 or lexicon.SEARCH.search(shown.says):
        return -5.0
    score = _said(lexicon.RECOVER, shown, 2, 1.5, 1.5, 0.5)
    if not shown.passwords and shown.typed <= 2:
        # Who has no field for a password but speaks of one wants a new one.
        score += _said(lexicon.PASSWORD, shown, 2.5, 1.5, 1.5, 0)
    elif score:
        score += (
            1.5 if lexicon.PASSWORD.search(f"{shown.says} {shown.heading} {shown.title}") else 0
        )
    if score:
        score += 1 if lexicon.RECOVER.search(shown.title) else 0
    if shown.passwords == 1:
        score -= 4
    if lexicon.LOGIN.search(shown.says) and not lexicon.RECOVER.search(shown.heading):
        score -= 2
    if lexicon.SUBSCRIBE.marked(f"{shown.marks} {shown.says}"):
        score -= 2
    if not score:
        return 0.0
    score += 0.5 if shown.typed <= 2 else -1
    return score + (0.5 if shown.emails or _USER.search(shown.names) else 0)


def _subscribe(shown: Evidence) -> float:
    score = _said(lexicon.SUBSCRIBE, shown, 2, 2, 1, 1)
    score += 1 if lexicon.SUBSCRIBE.marked(shown.names) else 0
    alone = shown.typed == 1 and not shown.passwords
    if shown.emails:
        score += (1.5 if score else 1.0) + alone
    else:
        score -= 0 if alone and score else 1.5
    if shown.typed > 3:
        score -= shown.typed - 3
    if lexicon.RECOVER.search(f"{shown.says} {shown.marks}") or lexicon.LOGIN.search(shown.says):
        score -= 2
    if lexicon.PASSWORD.marked(f"{shown.says} {shown.marks}"):
        score -= 2
    if lexicon.SEARCH.search(shown.says):
        score -= 1.5
    return score - 4 * bool(shown.passwords) - 3 * bool(shown.areas)


def _contact(shown: Evidence) -> float:
    score = _said(lexicon.CONTACT, shown, 1, 1.5, 1, 0.5)
    score += 2.5 if shown.areas else -2
    score += 0.5 if shown.emails else 0
    score += 0.5 if _SUBJECT.search(f"{shown.names} {shown.labels}") else 0
    score += 0.5 if shown.method == "post" else -0.5
    if not shown.areas and shown.typed < 2:
        score -= 1
    return score - 2.5 * bool(shown.passwords)


def _cart(shown: Evidence) -> float:
    score = _said(lexicon.CART, shown, 3, 1.5, 0, 0)
    score += 2 if _QUANTITY.search(shown.names) else 0
    if shown.typed > 2:
        score -= 1.5
    if lexicon.SEARCH.search(shown.says):
        score -= 3
    return score - 3 * bool(shown.passwords) - 2 * bool(shown.areas) - 1.5 * bool(shown.emails)


def query_field(shown: Evidence) -> Field | None:
    """Return the field of a search that takes the words."""
    if not shown.texts:
        return None
    for test in (
        lambda each: each.kind == "search",
        lambda each: bool(_QUERY.match(each.name)),
        lambda each: bool(lexicon.SEARCH.search(each.about)),
    ):
        for each in shown.texts:
            if test(each):
                return each
    return shown.texts[0] if len(shown.texts) == 1 else None
