"""General signs in an English target, shared by all voices: of serious faults, of care, of orders to its reader.

A sign is a way of speaking that means the same in every trade. A negation belongs to many of them (`no rollback`); one
that stands before a sign in the same clause silences it (`is never stored in plain text`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from adapters.models.rehearsal.noticing import negated
from adapters.models.rehearsal.passages import Passage, passages, single_lines
from bot.core.document import Document

LONGEST_LINE = 4000
"""Characters of a line that is searched."""
WORDS_BEFORE = 5
"""A negation at most this many words before a sign, in the same clause, silences it."""

_KEY_WORDS = r"(?:(?:root|access|api|private|signing|secret|service|ssh) keys?|secrets?|passwords?|credentials|tokens?)"
_ALL = r"(?:every(?:one|body)|all (?:\w+ )?(?:customers|users|clients|accounts|tenants|regions|sites|staff|patients))"
_GONE = r"(?:deleted|removed|wiped|dropped|erased|overwritten|purged)"
_NO = r"(?:no|without(?: an?| any)?|lacks an?|has no)"


@dataclass(frozen=True, slots=True, kw_only=True)
class General:
    """A sign, what it is called, and the words by which a voice's own criteria claim it."""

    pattern: re.Pattern[str]
    name: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """A sign where it stands in a target."""

    general: General
    phrase: str
    passage: Passage


def _sign(name: str, about: str, *patterns: str) -> General:
    return General(pattern=re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE), name=name, about=about)


FAULTS = (
    _sign(
        "private data lies open to the public",
        "secret secrets sensitive access leak private privacy consent",
        r"(?:to|in|on|from|into) an? (?:public|open|world-readable) (?:\w+ )?(?:bucket|share|folder|drive|repository)",
        r"public(?:ly readable)? (?:s3 )?bucket",
        r"world-readable",
    ),
    _sign(
        "a secret is kept where it can be read",
        "secret secrets sensitive encrypted logs leak private stolen",
        rf"{_KEY_WORDS}(?: \w+)? (?:is|are|was|were|gets?) (?:\w+ )?(?:committed|checked in|published|hard-?coded)",
        rf"commit(?:s|ting)? the (?:\w+ )?{_KEY_WORDS}",
        r"(?:in|as) (?:clear|plain) ?text",
        r"(?:unencrypted|unhashed) (?:passwords?|secrets?|card numbers?|data)",
        r"(?:card numbers?|passwords?|tokens?|secrets?|personal data) (?:is|are) logged",
    ),
    _sign(
        "what would save it is destroyed first",
        "undo exit lost recover recovered bounded survivable",
        rf"(?:backups?|snapshots?|copies|originals?) (?:is|are|will be|gets?) {_GONE}",
        rf"{_GONE} before the (?:new |first )?(?:copy|backup|export|migration|restore)",
    ),
    _sign(
        "the restore or the whole was never tried",
        "tried tested measured assumed evidence proof rehearsed",
        r"(?:has|have|was|were|is|are) (?:never|not)(?: yet)?(?: been)? (?:tried|tested|rehearsed|restored|exercised)",
        rf"{_NO} (?:automated )?tests?",
        r"untested",
    ),
    _sign(
        "there is no way back",
        "undo withdrawn back exit stopped reverse refuse bounded",
        rf"{_NO} (?:rollback|roll-back|way back|way to undo|undo|fallback|feature flag|flag)",
        r"can ?not be (?:rolled back|undone|reversed|withdrawn)",
    ),
    _sign(
        "a failure reaches nobody",
        "woken fails notice notices alarm red monitored someone owns failure",
        r"(?:not|never) (?:page|alert|wake|notify|tell) any(?:body|one)",
        r"(?:nobody|no one|no-one) (?:is|gets|will be) (?:paged|alerted|woken|notified|told)",
        rf"{_NO} (?:alerts?|alerting|monitoring|alarms?)",
        r"(?:errors|failures|exceptions) are (?:ignored|swallowed|suppressed)",
    ),
    _sign(
        "nobody owns it",
        "owner owns accountable approval decision",
        r"owners?:? (?:nobody|no one|none|unknown|tbd|to be decided)",
        rf"{_NO} owner",
        r"(?:nobody|no one) owns",
    ),
    _sign(
        "everyone meets it at the same moment",
        "exposure stages smallest deployed gate everyone hear learn",
        rf"{_ALL} (?:\S+ ){{0,3}}(?:at once|in one go|at the same time|on (?:a )?friday)",
        rf"(?:switch|move|migrate|cut over) {_ALL} (?:\S+ ){{0,3}}on (?:the )?\w+",
    ),
    _sign(
        "one act can take effect twice",
        "effect operation again halfway money doubled bill",
        r"(?:can|could|may|might|will|would) (?:be|get) (?:charged|billed|debited|paid|refunded|invoiced) twice",
        r"(?:is|are) charged twice",
    ),
    _sign(
        "nothing tells a repeat from a first try",
        "effect operation again halfway doubled survivable",
        r"(?:without an?|no) idempotency key",
    ),
)
"""Any one of these, not negated, is a serious fault."""

CARE = (
    _sign("a way back", "", r"roll-?backs?(?: plan)?", r"way back", r"rolled back", r"undo", r"revert(?:ed)?"),
    _sign("stages", "", r"staged", r"canary", r"pilot", r"phased", r"gradual(?:ly)?", r"one in ten", r"one percent"),
    _sign("tests", "", r"tested", r"test suite", r"tests (?:cover|check|run|prove)", r"rehearsed", r"dry run"),
    _sign(
        "an owner", "", r"owner: (?!nobody|none|no one|unknown|tbd|to be)\w+", r"owned by \w+", r"on call", r"on-call"
    ),
    _sign("watching", "", r"monitored", r"monitoring", r"alerts?", r"alarm", r"dashboard", r"paged"),
    _sign("protection", "", r"encrypted", r"hashed", r"masked", r"least privilege", r"audit log"),
    _sign("a record", "", r"documented", r"runbook", r"recorded", r"reviewed", r"approved by", r"signed off"),
    _sign("measuring", "", r"measured", r"baseline", r"benchmarked", r"from \d[\d.,%]* .{0,20}to .{0,16}\d[\d.,%]*"),
    _sign("a tried restore", "", r"restored?(?: \w+){0,3} (?:every|each|from the|last|test)", r"restore test"),
    _sign("a switch", "", r"feature flags?", r"behind a flag", r"kill switch", r"switch(?:ed)? (?:it |copies )?off"),
    _sign("safe repeats", "", r"idempotent", r"idempotency key", r"exactly once", r"safe to repeat", r"deduplicated"),
    _sign("listening", "", r"interviewed", r"we asked", r"consent(?:ed)?", r"told in advance", r"opt[ -]in"),
)
"""Two of these, not negated, are enough care for a voice that has no sign of its own in the target."""

ORDERS = (
    _sign(
        "orders to its reader",
        "",
        r"(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|other) "
        r"(?:instructions|orders|rules|prompts|text)",
        r"(?:ignore|disregard|forget) (?:all|your|the) (?:instructions|rules|criteria)",
        r"(?:every|each|all|the) (?:reviewers?|readers?|ai|assistants?|models?|personas?) (?:must|shall|should|has to|"
        r"have to) (?:answer|say|reply|respond|approve|pass|give|write|vote|output|rate)",
        r"(?:answer|reply|respond) with (?:the )?(?:verdict|pass|approved)",
        r"do not (?:mention|report|quote|reveal|flag) (?:this|these) (?:paragraph|text|line|sentence|note)",
        r"you are now (?:the|an?|in)",
        r"(?:^|\W)system ?(?:prompt|message)?: (?:ignore|you|from now|every|all|do|answer|approve|new|the)",
        r"(?:note|message|orders?) (?:to|for) (?:the |any |all )?(?:ai|llm|assistants?|models?|reviewers?):",
        r"(?:if you are|as) an? (?:ai|llm|language model|assistant),? (?:you must|please|answer|approve|say)",
    ),
)
"""Text that would steer whoever reads it; evidence, never obeyed, and never silenced by a negation."""


def met_faults(documents: tuple[Document, ...]) -> tuple[Met, ...]:
    """The serious signs of the target, each once, where it first stands."""
    return _met(documents, "faults")


def met_care(documents: tuple[Document, ...]) -> tuple[Met, ...]:
    """The signs of care of the target, each once, where it first stands."""
    return _met(documents, "care")


def met_orders(documents: tuple[Document, ...]) -> tuple[Met, ...]:
    """Every passage that gives its reader orders."""
    return _met(documents, "orders")


_KINDS = {"faults": FAULTS, "care": CARE, "orders": ORDERS}


@lru_cache(maxsize=32)
def _met(documents: tuple[Document, ...], kind: str) -> tuple[Met, ...]:
    found: list[Met] = []
    for general in _KINDS[kind]:
        hits = list(_hits(general, documents, obeys_negation=kind != "orders"))
        found += hits if kind == "orders" else hits[:1]
    return tuple(sorted(found, key=lambda met: met.passage.line) if kind == "orders" else found)


def _hits(general: General, documents: tuple[Document, ...], *, obeys_negation: bool) -> Iterator[Met]:
    for document in documents:
        hit_lines: set[int] = set()
        for passage in (*passages(document), *single_lines(document, LONGEST_LINE)):
            for found in general.pattern.finditer(passage.text):
                silenced = obeys_negation and negated(passage.text[: found.start()].lower(), WORDS_BEFORE)
                if silenced or passage.line in hit_lines:
                    continue
                hit_lines |= set(range(passage.line, passage.last_line + 1))
                yield Met(general=general, phrase=found[0].strip().lower(), passage=passage)
                break
