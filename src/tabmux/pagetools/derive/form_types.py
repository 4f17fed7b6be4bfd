"""Form types: scores what a form is for: search, login, contact and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from tabmux.pagetools.derive.fields import Field
from tabmux.pagetools.derive.parameters import TEXT_KINDS
from tabmux.pagetools.language import lexicon
from tabmux.pagetools.language.lexicon import Lexicon

FormType = Literal[
    "search", "login", "register", "recover", "subscribe", "contact", "cart", "other"
]
THRESHOLD = 1.5

_QUERY = re.compile(
    r"^(?:q|s|p|query|search[\w-]*|[\w-]*search(?:text|term|word|string|query|box|field|input|"
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
            if each.kind in TEXT_KINDS and each.kind not in ("password", "textarea", "editable")
        ]
        self.emails = [
            each for each in self.texts if each.kind == "email" or _EMAIL.search(each.about)
        ]
        self.typed = len(self.texts)
        self.chosen = len(kinds) - self.typed - self.passwords - self.areas
        self.names = " ".join(each.name for each in self.fields).lower()
        self.all = f"{self.says} {self.marks} {self.heading} {self.labels}"


def form_type(evidence: Evidence) -> FormType:
    """Return what a form is for, or `other`."""
    scores = {
        "search": _search_score(evidence),
        "login": _login_score(evidence),
        "register": _register_score(evidence),
        "recover": _recover_score(evidence),
        "subscribe": _subscribe_score(evidence),
        "contact": _contact_score(evidence),
        "cart": _cart_score(evidence),
    }
    evidence.scores = scores
    best = max(scores, key=lambda each: scores[each])
    return best if scores[best] >= THRESHOLD else "other"  # type: ignore[return-value]


def _word_score(
    lexicon: Lexicon, evidence: Evidence, says: float, marks: float, heading: float, labels: float
) -> float:
    score = says if lexicon.search(evidence.says) else 0.0
    score += marks if lexicon.marked(evidence.marks) else 0.0
    score += heading if lexicon.search(evidence.heading) else 0.0
    return score + (labels if lexicon.search(evidence.labels) else 0.0)


def _search_score(evidence: Evidence) -> float:
    score = _word_score(lexicon.SEARCH, evidence, 2, 1.5, 0.5, 1.5)
    score += 3 if evidence.is_search else 0
    score += 2 if any(each.kind == "search" for each in evidence.fields) else 0
    score += (
        2
        if any(
            _QUERY.match(each.name) for each in evidence.texts if _is_telling_name(each, evidence)
        )
        else 0
    )
    if evidence.typed == 1 and evidence.method == "get":
        score += 0.5
    if (
        not evidence.areas
        and not evidence.passwords
        and not evidence.emails
        and evidence.chosen + evidence.typed
    ):
        score += _filter_score(evidence)
    if not evidence.typed:
        score -= 0.5 if evidence.chosen else 3
    if evidence.typed > 3:
        score -= 1
    score -= 4 * bool(evidence.passwords) + 3 * bool(evidence.areas)
    return score - 1.5 * bool(evidence.emails)


def _is_telling_name(field: Field, evidence: Evidence) -> bool:
    """A short name says nothing among several fields."""
    return evidence.typed == 1 or len(field.name) > 4 or field.name.lower() in ("q", "qs")


def _filter_score(evidence: Evidence) -> float:
    """Sorting and filtering is searching too."""
    said = f"{evidence.names} {evidence.labels} {evidence.marks} {evidence.says}"
    score = 2.5 if lexicon.SORT.search(said) else 0.0
    return score + (1.5 if lexicon.FILTER.marked(said) else 0.0)


def _login_score(evidence: Evidence) -> float:
    score = _word_score(lexicon.LOGIN, evidence, 2, 1, 1, 0.5)
    if evidence.passwords == 1:
        score += 2.5
        score += 1 if evidence.typed <= 1 else 0
        score += 1 if _REMEMBER.search(f"{evidence.names} {evidence.labels}") else 0
    elif evidence.passwords > 1:
        score -= 2
    else:
        score -= 2 if evidence.typed != 1 else 1
        score -= 1 if evidence.areas else 0
    if evidence.typed > 2:
        score -= 1.5 * (evidence.typed - 2)
    if lexicon.REGISTER.search(evidence.says) and not lexicon.LOGIN.search(evidence.says):
        score -= 2.5
    if _CONFIRM.search(evidence.names) or _TERMS.search(evidence.labels):
        score -= 1
    return score - 2 * bool(evidence.areas)


def _register_score(evidence: Evidence) -> float:
    score = _word_score(lexicon.REGISTER, evidence, 2.5, 1.5, 1, 0)
    if evidence.passwords >= 2:
        score += 3
    elif evidence.passwords == 1:
        score += 0.5 + 0.75 * max(0, min(3, evidence.typed - 1))
    else:
        score -= 1
        score += 1 if evidence.typed >= 5 and evidence.method == "post" else 0
        score += 1 if lexicon.REGISTER.search(evidence.title) and evidence.method == "post" else 0
    score += 0.5 if _TERMS.search(f"{evidence.labels} {evidence.names}") else 0
    score += 0.5 if _NAME.search(f"{evidence.names} {evidence.labels}") else 0
    score += 0.5 if len(evidence.emails) > 1 else 0
    if lexicon.LOGIN.search(evidence.says) and not lexicon.REGISTER.search(evidence.says):
        score -= 2
    if evidence.typed + evidence.passwords <= 1:
        score -= 1.5
    if lexicon.SUBSCRIBE.marked(f"{evidence.says} {evidence.marks}"):
        score -= 1
    if evidence.typed + evidence.passwords + evidence.areas == 0:
        score -= 3
    return score - 1 * bool(evidence.areas)


def _recover_score(evidence: Evidence) -> float:
    if (
        evidence.areas
        or evidence.typed + evidence.passwords == 0
        or lexicon.SEARCH.search(evidence.says)
    ):
        return -5.0
    score = _word_score(lexicon.RECOVER, evidence, 2, 1.5, 1.5, 0.5)
    if not evidence.passwords and evidence.typed <= 2:
        # Who has no field for a password but speaks of one wants a new one.
        score += _word_score(lexicon.PASSWORD, evidence, 2.5, 1.5, 1.5, 0)
    elif score:
        score += (
            1.5
            if lexicon.PASSWORD.search(f"{evidence.says} {evidence.heading} {evidence.title}")
            else 0
        )
    if score:
        score += 1 if lexicon.RECOVER.search(evidence.title) else 0
    if evidence.passwords == 1:
        score -= 4
    if lexicon.LOGIN.search(evidence.says) and not lexicon.RECOVER.search(evidence.heading):
        score -= 2
    if lexicon.SUBSCRIBE.marked(f"{evidence.marks} {evidence.says}"):
        score -= 2
    if not score:
        return 0.0
    # Classes may speak of resetting anything.
    about = f"{evidence.all} {evidence.title}"
    asks = (
        evidence.emails or evidence.passwords or _USER.search(f"{evidence.names} {evidence.labels}")
    )
    if not (asks or lexicon.PASSWORD.search(about)):
        return 0.0
    score -= max(0, evidence.chosen - 2)
    score += 0.5 if evidence.typed <= 2 else -1
    return score + (0.5 if evidence.emails or _USER.search(evidence.names) else 0)


def _subscribe_score(evidence: Evidence) -> float:
    score = _word_score(lexicon.SUBSCRIBE, evidence, 2, 2, 1, 1)
    score += 1 if lexicon.SUBSCRIBE.marked(evidence.names) else 0
    alone = evidence.typed == 1 and not evidence.passwords
    if evidence.emails:
        score += (1.5 if score else 1.0) + alone
    else:
        score -= 0 if alone and score else 1.5
    if evidence.typed > 3:
        score -= evidence.typed - 3
    if lexicon.RECOVER.search(f"{evidence.says} {evidence.marks}") or lexicon.LOGIN.search(
        evidence.says
    ):
        score -= 2
    if lexicon.PASSWORD.marked(f"{evidence.says} {evidence.marks}"):
        score -= 2
    if lexicon.SEARCH.search(evidence.says) or lexicon.FILTER.search(evidence.says):
        score -= 1.5
    if evidence.method == "get" and evidence.chosen:
        score -= 1.5
    return score - 4 * bool(evidence.passwords) - 3 * bool(evidence.areas)


def _contact_score(evidence: Evidence) -> float:
    score = _word_score(lexicon.CONTACT, evidence, 1, 1.5, 1, 0.5)
    score += 2.5 if evidence.areas else -2
    score += 0.5 if evidence.emails else 0
    score += 0.5 if _SUBJECT.search(f"{evidence.names} {evidence.labels}") else 0
    score += 0.5 if evidence.method == "post" else -0.5
    if not evidence.areas and evidence.typed < 2:
        score -= 1
    return score - 2.5 * bool(evidence.passwords)


def _cart_score(evidence: Evidence) -> float:
    score = _word_score(lexicon.CART, evidence, 3, 1.5, 0, 0)
    score += 2 if _QUANTITY.search(evidence.names) else 0
    if evidence.typed > 2:
        score -= 1.5
    if lexicon.SEARCH.search(evidence.says):
        score -= 3
    return (
        score
        - 3 * bool(evidence.passwords)
        - 2 * bool(evidence.areas)
        - 1.5 * bool(evidence.emails)
    )


def query_field(evidence: Evidence) -> Field | None:
    """Return the field of a search that takes the words."""
    if not evidence.texts:
        return None
    for test in (
        lambda each: each.kind == "search",
        lambda each: bool(_QUERY.match(each.name)),
        lambda each: bool(lexicon.SEARCH.search(each.about)),
    ):
        for each in evidence.texts:
            if test(each):
                return each
    return evidence.texts[0] if len(evidence.texts) == 1 else None
