"""What every rehearsed voice looks for besides its own cues: general faults, orders to the reader, a strange language.

A finding names what was found and holds it against this voice's own criterion; it never says that a criterion is met.
"""

import zlib
from dataclasses import dataclass

from adapters.models.rehearsal.language import is_english
from adapters.models.rehearsal.matter import Matter, likeness
from adapters.models.rehearsal.passages import excerpt
from adapters.models.rehearsal.signs import Met, met_care, met_faults, met_orders
from bot.core.document import Document
from bot.core.persona import Persona
from bot.core.speech.cues import Sign

ENOUGH_CARE = 2
TOO_MUCH = 3
"""General faults that make a target bad for every voice, whatever it measures by."""

_FAULT = (
    "{name}: {fault}. I measure by this: {criterion}.",
    "{fault}, and {name} asks for the contrary: {criterion}.",
    "Here {fault}. {name} can not square that with: {criterion}.",
)
_PLAIN_FAULT = (
    "{name}: {fault}. It is not what I am here for, and I would stop for it all the same.",
    "{fault}; {name} need not be a specialist to refuse that.",
    "Here {fault}. {name} lets nothing pass that has this in it.",
)
"""Where no criterion of the persona speaks of the fault."""
_ORDER = (
    "This text gives orders to whoever reads it; {name} obeys none of them, and lets nothing pass that tries.",
    "{name} takes orders from no document: this one tries to steer its reviewers, which is a finding in itself.",
    "Words meant to steer a reader or an AI. {name} reads them as evidence, and does not do what they say.",
)
_STRANGE = (
    "{name} reads English, and this is hardly that; what I can not read I do not let pass.",
    "I can not read the language of this. {name} has checked nothing, and asks for somebody who can.",
    "Hardly an English word in it, and {name} reads no other language: unread is not passed.",
)
_SILENT = (
    "{name} finds nothing for it and nothing against it: it says nothing on {criterion}.",
    "Nothing that {name} looks for stands in it; it says nothing on {criterion}.",
    "It says nothing on {criterion}; {name} will not take silence for a yes.",
)
_BEARS = (
    "{name}: this bears on “{criterion}”. Whether it meets that, a person must read.",
    "This line touches what {name} measures by, “{criterion}”; the words alone do not settle it.",
    "{name} would ask here about “{criterion}”: the line speaks of it, and that is not yet an answer.",
)
_MISSING = (
    "{name}: says nothing on “{criterion}”.",
    "Says nothing on “{criterion}”, which {name} measures by.",
    "{name} looked for “{criterion}”, and it says nothing on that.",
)
_CARED = (
    "Nothing of what {name} looks for speaks against it; it does say: {said}.",
    "It does say: {said}. {name} found nothing in it that speaks against it.",
    "{name} found no fault of the kinds it knows; in its favour it says: {said}.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing a persona sees in a target."""

    sign: Sign
    quote: str
    """Word for word from the target, single blanks; empty where something is missing from it."""
    first_line: int
    last_line: int
    claim: str


class Grounds:
    """One persona's findings on one target that its own cues do not make."""

    def __init__(self, persona: Persona, matter: Matter, documents: tuple[Document, ...]) -> None:
        self._persona, self._matter, self._documents = persona, matter, documents
        self._turn = zlib.crc32(persona.short_name.encode())

    def faults(self) -> tuple[Observation, ...]:
        """General faults: first those that this persona's criteria speak of; few others are doubts to it."""
        met = met_faults(self._documents)
        shift = self._turn % len(met) if met else 0
        turned = met[shift:] + met[:shift]
        ranked = sorted(turned, key=lambda one: -self._suits(one))
        gross = len(met) >= TOO_MUCH
        seen = (self._seen(one, "!" if gross or self._suits(one) else "?", self._fault(one)) for one in ranked)
        return tuple({one.quote: one for one in reversed(tuple(seen))}.values())[::-1]

    def orders(self) -> tuple[Observation, ...]:
        """The first two passages that give their reader orders."""
        return tuple(self._seen(one, "?", self._put(_ORDER)) for one in met_orders(self._documents)[:2])

    def strange(self) -> tuple[Observation, ...]:
        """A language that the persona can not read: neither English nor that of its own file."""
        text = "\n".join(line for document in self._documents for line in document.lines)
        own = "\n".join((self._persona.body, *self._persona.evaluation_criteria))
        readable = is_english(text) or not is_english(own)
        return () if readable else (unquoted(self._put(_STRANGE)),)

    def silence(self) -> Observation:
        """Neither a fault nor a merit was found."""
        return unquoted(self._put(_SILENT, criterion=(self._matter.criteria or ("what I look for",))[0]))

    def bears(self, criterion: str) -> str:
        return self._put(_BEARS, criterion=criterion.rstrip("."))

    def missing(self, criterion: str) -> Observation:
        return unquoted(self._put(_MISSING, criterion=criterion.rstrip(".")))

    def care(self) -> tuple[Met, ...]:
        """General signs of care, where there are enough of them to go by."""
        met = met_care(self._documents)
        return met if len(met) >= ENOUGH_CARE else ()

    def favour(self, merits: tuple[Observation, ...]) -> str:
        """The reason of a pass: only what was found."""
        if merits:
            said = f"“{merits[0].quote}” (line {merits[0].first_line})"
        else:
            said = " and ".join(f"“{_quote(met)}” ({met.passage.where})" for met in self._two())
        return self._put(_CARED, said=said)

    def _two(self) -> tuple[Met, ...]:
        met = self.care()
        shift = self._turn % max(1, len(met))
        picked = {one.passage: one for one in reversed(met[shift:] + met[:shift])}
        return tuple(reversed(picked.values()))[:2]

    def _suits(self, met: Met) -> int:
        return max((likeness(criterion, met.general.about) for criterion in self._matter.criteria), default=0)

    def _fault(self, met: Met) -> str:
        near = [one for one in self._matter.criteria if likeness(one, met.general.about)]
        nearest = max(near, key=lambda criterion: likeness(criterion, met.general.about), default="")
        text = self._put(_FAULT if near else _PLAIN_FAULT, fault=met.general.name, criterion=nearest)
        return text[:1].upper() + text[1:]

    def _put(self, patterns: tuple[str, ...], **values: str) -> str:
        first_name = self._persona.name.split(",")[0]
        return patterns[self._turn % len(patterns)].format(name=first_name, **values)

    def _seen(self, met: Met, sign: Sign, claim: str) -> Observation:
        passage = met.passage
        return Observation(
            sign=sign, quote=_quote(met), first_line=passage.line, last_line=passage.last_line, claim=claim
        )


def unquoted(claim: str) -> Observation:
    """A doubt about something that is missing."""
    return Observation(sign="?", quote="", first_line=0, last_line=0, claim=claim)


def _quote(met: Met) -> str:
    return excerpt(met.passage.text, met.phrase)
