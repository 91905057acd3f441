"""The council's bench: which lenses sit on it, and why each is there, is not, or could not be loaded."""

import re
from pathlib import PurePosixPath

from bot.core.document import Document
from bot.core.entries import Opened, Seat
from bot.core.formats.answers_council import BenchChoice
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog

ALWAYS: dict[str, str] = {
    "intent-keeper": "is the goal clear, consistent, and still the real one?",
    "cranky-old-sam": "why does this exist, and what can go?",
    "crusty-old-engineer": "what will it cost to run and own?",
    "restless-old-brian": "is it real, proven end to end, in the right order?",
}
"""Lens → what it asks; these four are never dropped or muted."""
CONDITIONAL: dict[str, str] = {
    "user-advocate": "does the person served want this?",
    "tester-breaker": "how does it fail?",
}
USER, TESTER = CONDITIONAL

_SERVED = re.compile(
    r"\b(users?|customers?|clients?|people|person|visitors?|patients?|students?|readers?|buyers?|members?|employees?"
    r"|subscribers?|developers?|UIs?|UX|user interface|interfaces?|screens?|pages?|buttons?|forms?|dialogs?|apps?"
    r"|websites?|APIs?|endpoints?|SDKs?|command[- ]lines?|CLIs?|terminals?|e-?mails?|notifications?|error messages?"
    r"|Nutzer\w*|Kund\w+|utilisateurs?|clientes?|usuarios?)\b",
    re.IGNORECASE,
)
_TESTABLE = re.compile(
    r"\b(code|functions?|methods?|class(?:es)?|scripts?|programs?|software|services?|workers?|servers?|deploy\w*"
    r"|releases?|roll-?outs?|migrations?|databases?|quer(?:y|ies)|schemas?|APIs?|endpoints?|requests?|tests?|algorithms?"
    r"|jobs?|queues?|retr(?:y|ies)|builds?|pipelines?|systems?|apps?|features?|implement\w*|prototypes?|experiments?"
    r"|bugs?"
    r"|imports?|modules?|librar(?:y|ies)|compilers?|parsers?|protocols?|scripts?|commands?|machines?|devices?)\b",
    re.IGNORECASE,
)
_CODE_ENDINGS = (
    ".py .pyi .js .jsx .ts .tsx .go .rs .java .kt .c .h .cc .cpp .hpp .cs .rb .php .swift .scala .sh .sql .tf "
    ".html .css .vue .svelte .ipynb .proto .yaml .yml .toml"
)
_CODE = frozenset(_CODE_ENDINGS.split())
_EVERYONE = re.compile(
    r"^\s*(?:everyone|full panel)\s*(?:[:,–—-]\s*|\s+on\s*:?\s+|$)"
    r"|\s*[,;(\[–—-]\s*(?:with )?(?:everyone|(?:the )?full panel)[)\]]?[.!]?\s*$",
    re.IGNORECASE,
)


def spoken_everyone(words: str) -> tuple[str, bool]:
    """The words without "everyone" or "full panel" at either end, and whether one of them stood there."""
    return (_EVERYONE.sub("", words).strip(), True) if _EVERYONE.search(words) else (words, False)


def bench(catalog: Catalog, documents: tuple[Document, ...], *, everyone: bool) -> tuple[Seat, ...]:
    """All six lenses, by the rules that need no model; each with its reason."""
    seats = [_seat(catalog, name, reason=f"always on the bench: {asks}") for name, asks in ALWAYS.items()]
    for name in CONDITIONAL:
        applies, why = (True, "the full panel was asked for") if everyone else _rule(name, documents)
        seats.append(_seat(catalog, name, included=applies, reason=f"{'included' if applies else 'excluded'}: {why}"))
    return tuple(seats)


def asked_lenses(opened: Opened) -> tuple[Persona, ...]:
    """The conditional lenses about which a model can be asked."""
    if opened.options.everyone:
        return ()
    return tuple(seat.persona for seat in opened.seats if seat.available and seat.persona.short_name in CONDITIONAL)


def with_choice(opened: Opened, choice: BenchChoice) -> Opened:
    """The same council with the conditional lenses that the model found to apply; one it does not name stays."""
    said = {one.lens.strip().casefold(): one for one in choice.lenses}
    known = {persona.short_name for persona in asked_lenses(opened)}
    seats = []
    for seat in opened.seats:
        one = said.get(seat.persona.short_name)
        if one is not None and seat.persona.short_name in known:
            word = "included" if one.applies else "excluded"
            reason = f"{word}: {' '.join(one.reason.split())[:160]}"
            seat = seat.model_copy(update={"included": one.applies, "reason": reason})
        seats.append(seat)
    return opened.model_copy(update={"seats": tuple(seats)})


def _seat(catalog: Catalog, name: str, *, reason: str, included: bool = True) -> Seat:
    persona = catalog.persona(name)
    if persona is not None:
        return Seat(persona=persona, included=included, reason=reason)
    why = next((str(f.faults[0]) for f in catalog.failed if f.faults and PurePosixPath(f.file).stem == name), "")
    absent = Persona(short_name=name, name=name.replace("-", " ").title(), tier="reviewer", body=" ")
    lost = f"UNAVAILABLE: {why or 'no catalog at hand has it'}"
    return Seat(persona=absent, included=included, available=False, reason=lost if included else reason)


def _rule(name: str, documents: tuple[Document, ...]) -> tuple[bool, str]:
    """On unless clearly not applicable: whether the target has what the lens needs, and the word that says so."""
    return _served(documents) if name == USER else _testable(documents)


def _served(documents: tuple[Document, ...]) -> tuple[bool, str]:
    for document in documents:
        if found := _SERVED.search(document.text):
            return True, f"the target speaks of “{found[0]}”"
    return False, "no user, interface, API or command line in the target"


def _testable(documents: tuple[Document, ...]) -> tuple[bool, str]:
    for document in documents:
        if document.kind in ("diff", "directory") or PurePosixPath(document.title.casefold()).suffix in _CODE:
            return True, "the target is something that runs"
        if found := _TESTABLE.search(document.text):
            return True, f"the target speaks of “{found[0]}”, which can be tested"
    return False, "plain prose, with nothing that runs or can be tested"
