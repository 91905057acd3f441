"""The discussion: participants in roster order, round after round, with or without a moderator.

Round: each participant once, one after the other; then the moderator's interjection, which is a full closing summary in
the last round and in the one before it. Closing: final summaries (parallel, unseen by each other), then the synthesis.
"""

from bot.core.entries import Seat
from bot.core.formats.format import Close, Cue, End, Format, Move, PlannedTurn, Rest, Speak, Written, round_failed
from bot.core.formats.synthesis import deterministic_synthesis
from bot.core.options import Options
from bot.core.panel import Panel
from bot.core.persona import HOST

STYLE_PROMPTS = {"structured": "style_structured", "loose": "style_loose", "devil": "style_devil"}
SYNTHESIS_CHECKS = ("speakers_exist", "quotes_verbatim", "length")
SYNTHESIS_WORDS = 350


class Discussion(Format):
    """Flow and rules of spec §1; see the module."""

    name = "discussion"

    def next(self, panel: Panel) -> Move:
        if panel.closing:
            return _closing(panel)
        moderator = panel.moderator
        if moderator and _heard(panel, 1) and not panel.has("opening", 0, moderator.persona.short_name):
            return Speak(cues=(_moderation(panel, 0),))
        return _round(panel, max(panel.round, 1))

    def plan(self, options: Options, seats: tuple[Seat, ...]) -> tuple[PlannedTurn, ...]:
        """Every turn if nobody steers; with `until-done`, as if the moderator never ended early."""
        chosen = [seat for seat in seats if seat.included and seat.available]
        speakers = [seat.persona.short_name for seat in chosen if not seat.moderates]
        moderator = next((seat.persona.short_name for seat in chosen if seat.moderates), "")
        turns: list[PlannedTurn] = []
        if moderator:
            turns.append(PlannedTurn(kind="opening", persona=moderator, round=0, words=120))
        for number in range(1, options.rounds + 1):
            turns += [PlannedTurn(kind="statement", persona=name, round=number, words=160) for name in speakers]
            if moderator:
                words = 220 if number >= options.rounds - 1 else 90
                turns.append(PlannedTurn(kind="moderation", persona=moderator, round=number, words=words))
        last = options.rounds
        if options.final_summary:
            turns += [
                PlannedTurn(kind="summary", persona=name, round=last, words=200, parallel=True) for name in speakers
            ]
        turns.append(PlannedTurn(kind="synthesis", persona=HOST, round=last, words=300, structured=True))
        return tuple(turns)

    def fallback(self, panel: Panel, cue: Cue) -> Written:
        return Written(text=deterministic_synthesis(panel, max_words=SYNTHESIS_WORDS))


def _round(panel: Panel, number: int) -> Move:
    speakers = panel.speakers(number)
    for seat in speakers:
        if not panel.has("statement", number, seat.persona.short_name):
            return Speak(cues=(_statement(panel, seat.persona.short_name, number),))
    if not speakers:
        return Rest(status="paused", reason="human: nobody is left to speak; `add NAME` or `unmute NAME`")
    if round_failed(panel):
        return Rest(status="paused", reason=f"failures: every turn of round {number} failed: {_why(panel, number)}")
    moderator = panel.moderator
    if moderator and _heard(panel, number) and not panel.has("moderation", number, moderator.persona.short_name):
        return Speak(cues=(_moderation(panel, number),))
    if _moderator_is_done(panel):
        return Close(reason="done")
    if number >= panel.rounds_max:
        return Close(reason="rounds")
    return _round(panel, number + 1)


def _heard(panel: Panel, number: int) -> bool:
    """The moderator can speak in that round: it is neither muted nor dropped nor unavailable."""
    seat = panel.moderator
    return seat is not None and panel.state_of(seat.persona.short_name, number) == "ok"


def _why(panel: Panel, number: int) -> str:
    skips = panel.skipped_in(number)
    return skips[-1].reason if skips else "no reason was given"


def _moderator_is_done(panel: Panel) -> bool:
    if not panel.opened.options.until_done:
        return False
    newest = next((turn for turn in reversed(panel.turns) if turn.turn_kind == "moderation"), None)
    return bool(newest and newest.round == panel.round and newest.data and newest.data.get("done"))


def _statement(panel: Panel, persona: str, number: int) -> Cue:
    first = number == 1 and panel.moderator is None
    one_left = panel.moderator is not None and number == panel.rounds_max and number > 1
    return Cue(
        kind="statement",
        persona=persona,
        round=number,
        prompt="discussion_first" if first else ("discussion_wrap_up" if one_left else "discussion_go_on"),
        label=_label(panel, number),
    )


def _label(panel: Panel, number: int) -> str:
    return f"Round {number} of {panel.rounds_max}"


def _moderation(panel: Panel, number: int) -> Cue:
    seat = panel.moderator
    if seat is None:
        raise ValueError("a discussion without a moderator has no moderation")
    opening = number == 0
    closes = not opening and number >= panel.rounds_max - 1
    style = panel.opened.options.style or "structured"
    answer = "moderation" if panel.opened.options.until_done and not opening else ""
    if style == "loose" and not opening and not closes:
        answer = answer or "interjection"
    return Cue(
        kind="opening" if opening else "moderation",
        persona=seat.persona.short_name,
        round=number,
        prompt="moderator_opening" if opening else ("moderator_closing" if closes else "moderator_interjection"),
        values={
            "style": style,
            "style_prompt": STYLE_PROMPTS.get(style, ""),
            "order": ", ".join(s.persona.name for s in panel.speakers(max(number, 1))),
        },
        answer=answer,
        label="Opening" if opening else "",
    )


def _closing(panel: Panel) -> Move:
    number = max(panel.round, 1)
    if panel.opened.options.final_summary and panel.turns:
        spoke = {turn.persona for turn in panel.turns}
        due = tuple(
            Cue(
                kind="summary",
                persona=seat.persona.short_name,
                round=number,
                prompt="discussion_summary",
                label="Final summaries",
                sees="before closing",
                order=order,
            )
            for order, seat in enumerate(panel.speakers(number))
            if seat.persona.short_name in spoke and not panel.has("summary", number, seat.persona.short_name)
        )
        if due:
            return Speak(cues=due, parallel=True)
    if panel.opened.options.synthesis and not panel.has("synthesis", number, HOST):
        return Speak(cues=(synthesis_cue(panel, number),))
    return End(status="finished", reason=panel.closing)


def synthesis_cue(panel: Panel, number: int) -> Cue:
    """The host's closing synthesis of a discussion."""
    _ = panel
    return Cue(
        kind="synthesis",
        persona=HOST,
        round=number,
        prompt="discussion_synthesis",
        answer="synthesis",
        checks=SYNTHESIS_CHECKS,
        required=SYNTHESIS_CHECKS,
        max_words=SYNTHESIS_WORDS,
    )
