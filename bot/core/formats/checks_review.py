"""What a verdict has to keep to: anchors that stand in the target, and a coordinator bound by every fail."""

from bot.core.formats.anchors import spot_of
from bot.core.formats.answer import Answer
from bot.core.formats.answers_council import LensAnswer
from bot.core.formats.answers_review import Coordinated, Verdict
from bot.core.formats.format import Cue
from bot.core.formats.verdicts import missing, verdict_of, verdicts_in
from bot.core.measured import Check
from bot.core.panel import Panel
from bot.core.said import short_name_of


def anchors_found(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """Every finding points at lines or words that stand in the target."""
    name = "anchors_found"
    if not isinstance(answer, Verdict | LensAnswer):
        return Check(name=name, result="not_run", detail="no structured answer")
    documents = panel.opened.documents
    lost = [finding.anchor for finding in answer.findings if spot_of(finding.anchor, documents) is None]
    if not lost:
        return Check(name=name, result="passed")
    if any(document.root for document in documents):
        return Check(name=name, result="not_run", detail=f"{lost[0][:80]!r} may stand in another file below the root")
    detail = f"{lost[0][:120]!r} does not stand in the target; give line numbers, or words copied exactly from it"
    return Check(name=name, result="failed", detail=detail)


def no_pass_over_a_fail(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """A coordinator never makes a pass of a review in which anybody failed the target."""
    name = "no_pass_over_a_fail"
    if not isinstance(answer, Coordinated):
        return Check(name=name, result="not_run", detail="no structured answer")
    failed = _failed(panel)
    if answer.verdict == "pass" and failed:
        names = ", ".join(panel.name_of(persona) for persona in failed)
        return Check(name=name, result="failed", detail=f"{names} failed it, so the verdict can not be pass")
    return Check(name=name, result="passed")


def fails_named(panel: Panel, _cue: Cue, _text: str, answer: Answer | None) -> Check:
    """A coordinator's points name every persona whose spoken verdict is fail."""
    name = "fails_named"
    if not isinstance(answer, Coordinated):
        return Check(name=name, result="not_run", detail="no structured answer")
    named = {short_name_of(panel, speaker) for point in answer.points for speaker in point.speakers}
    left_out = [persona for persona in _spoken_fails(panel) if persona not in named]
    if left_out:
        return Check(name=name, result="failed", detail=f"the fail of {panel.name_of(left_out[0])} is left out")
    return Check(name=name, result="passed")


def _failed(panel: Panel) -> list[str]:
    """Everybody who failed it, those without a verdict too."""
    return [*_spoken_fails(panel), *missing(panel, 1)]


def _spoken_fails(panel: Panel) -> list[str]:
    return [persona for persona, turn in verdicts_in(panel, 1).items() if verdict_of(turn) == "fail"]
