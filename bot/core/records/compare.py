"""Two records of one target: which findings were fixed, which are still open, which are new."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.core.errors import UsageError
from bot.core.words import plain

ALIKE = 0.5
"""Share of words that two claims have in common before they are one, whoever made them."""
ALIKE_FOR_ONE = 0.34
"""The same for two claims of one persona."""
FEWEST_LETTERS = 8
"""A shorter quotation stands in too many places to tell a finding by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding of a record."""

    persona: str
    anchor: str
    claim: str
    weight: str
    """Its severity or stance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What became of a target's findings from one record to a later one."""

    target: str
    before: str
    """The final verdict of the first record."""
    after: str
    fixed: tuple[Finding, ...]
    open: tuple[Finding, ...]
    """As the later record words them."""
    new: tuple[Finding, ...]


def compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> Comparison:
    """What the second record says of the first one's findings.

    Raises UsageError for records without a target, or of different ones.
    """
    keys = [str((record.get("target") or {}).get("key", "")) for record in (first, second)]
    if not all(keys):
        raise UsageError("only reviews and councils of a target can be compared; one of these has none")
    if keys[0] != keys[1]:
        raise UsageError(f"these are records of different targets, {keys[0]} and {keys[1]}; compare two of one")
    old, new = findings_of(first), findings_of(second)
    pairs = _matched(old, new)
    return Comparison(
        target=keys[0],
        before=_final(first),
        after=_final(second),
        fixed=tuple(finding for index, finding in enumerate(old) if index not in pairs),
        open=tuple(finding for index, finding in enumerate(new) if index in pairs.values()),
        new=tuple(finding for index, finding in enumerate(new) if index not in pairs.values()),
    )


def findings_of(record: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Every finding of every persona of a record, merits left out: what is to be kept was never to be fixed."""
    return tuple(
        Finding(
            persona=str(output["persona_name"]),
            anchor=str(finding.get("anchor", "")),
            claim=str(finding.get("claim", "")),
            weight=str(finding.get("severity") or finding.get("stance") or ""),
        )
        for output in record.get("outputs", [])
        for finding in output.get("findings", [])
        if finding.get("stance") != "keep"
    )


def comparison_text(found: Comparison) -> str:
    """The comparison as Markdown."""
    parts = [f"**{found.target}**: {found.before} → {found.after}"]
    for title, findings in (("Fixed", found.fixed), ("Open", found.open), ("New", found.new)):
        lines = [f"- {_line(finding)}" for finding in findings] or ["- none"]
        parts.append(f"**{title}** ({len(findings)})\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _final(record: Mapping[str, Any]) -> str:
    return str((record.get("consolidation") or {}).get("final_verdict", "no verdict"))


def _matched(old: tuple[Finding, ...], new: tuple[Finding, ...]) -> dict[int, int]:
    """Old place → new place of findings that are one, the most alike first; each once."""
    scores = [
        (score, -i, -j) for i, one in enumerate(old) for j, other in enumerate(new) if (score := _alike(one, other)) > 0
    ]
    pairs: dict[int, int] = {}
    for _score, i, j in sorted(scores, reverse=True):
        if -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    return pairs


def _alike(one: Finding, other: Finding) -> float:
    """How alike two findings are; 0 where they are two. Line numbers move between revisions, so they do not count."""
    words = _words(one.claim), _words(other.claim)
    shared = len(words[0] & words[1]) / len(words[0] | words[1]) if words[0] | words[1] else 0.0
    mine = one.persona == other.persona
    quoted = _same_quote(one.anchor, other.anchor)
    if not quoted and shared < (ALIKE_FOR_ONE if mine else ALIKE):
        return 0.0
    return shared + quoted + 0.5 * mine


def _same_quote(one: str, other: str) -> bool:
    """One quotation holds the other."""
    left, right = (plain(anchor).strip(" \"'.…").casefold() for anchor in (one, other))
    if min(len(left), len(right)) < FEWEST_LETTERS or not any(c.isalpha() for c in left + right):
        return False
    return left in right or right in left


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,;:!?()\"'").casefold() for word in plain(text).split())


def _line(finding: Finding) -> str:
    claim = " ".join(finding.claim.split())
    return f"{finding.persona} ({finding.weight}) {' '.join(finding.anchor.split())}: {claim}"
