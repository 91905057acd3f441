"""What a panel will take, from its format's plan: turns, words, minutes, dollars. Pure.

Each planned turn is sent through the prompt layout's sizes and a cache as the services keep it, so that the forecast
knows why a panel of many turns is cheap.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from bot.core.entries import Opened
from bot.core.formats.format import Format, PlannedTurn
from bot.core.measured import Forecast, Usage
from bot.core.persona import HOST
from bot.core.speech.counting import BLOCK_TOKENS, TOKENS_PER_WORD, CacheCourse, answer_tokens, tokens
from bot.core.speech.layout import Templates, filled, opening_block
from bot.core.speech.persona_text import persona_text

ASK_TOKENS = 90
"""What is asked of a speaker, after who it is."""
SCHEMA_TOKENS = 350
"""A structured answer's schema in words."""
FIRST_TOKEN = 2.0
TOKENS_PER_SECOND = 60.0
PACE = 1.0
"""Seconds from one post to the next that a thread can take."""

Price = Callable[[str, Usage], float | None]
"""`provider:id` and usage → US dollars; None where the price is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    usage: Usage
    model: str
    seconds: float


def forecast(
    format_: Format, opened: Opened, templates: Templates, price: Price, *, counted: int | None = None
) -> Forecast:
    """The forecast of a panel that nobody steers.

    `counted` is how many tokens topic and documents really have, where the model's service counted them. The cost is
    None where a model has no known price.
    """
    plan = format_.plan(opened.options, opened.seats)
    calls = list(_calls(plan, opened, templates, counted))
    costs = [price(call.model, call.usage) for group in calls for call in group]
    known = [cost for cost in costs if cost is not None]
    seconds = sum(_duration(group) for group in calls) if opened.model_is_ai else 0.0
    return Forecast(
        turns=len(plan),
        words=sum(turn.words for turn in plan),
        minutes=round((seconds + PACE * len(plan)) / 60, 1),
        cost_usd=round(sum(known), 6) if len(known) == len(costs) else None,
    )


def _calls(
    plan: tuple[PlannedTurn, ...], opened: Opened, templates: Templates, counted: int | None
) -> Iterator[list[_Planned]]:
    """The calls of the plan; those of one list run at the same time."""
    opening = opening_block(opened.topic, opened.documents)
    stretch = counted / max(1, tokens(opening)) if counted else 1.0
    rules, start = _stretched(templates["rules"], stretch), _stretched(opening, stretch)
    cache = CacheCourse()
    talk = earlier_rounds = 0
    round_ = 0
    for group in _groups(plan):
        if group[0].round != round_:
            round_, earlier_rounds = group[0].round, talk
        seen = {"document": 0, "earlier rounds": earlier_rounds}
        calls = []
        for turn in group:
            model = _model(opened, turn.persona)
            prefix = rules + start + seen.get(turn.sees, talk)
            output = answer_tokens(turn.words)
            usage = cache.call(model, prefix=prefix, tail=_tail(opened, turn, templates, stretch), output=output)
            calls.append(_Planned(usage=usage, model=model, seconds=FIRST_TOKEN + output / TOKENS_PER_SECOND))
        yield calls
        talk += sum(round(turn.words * TOKENS_PER_WORD) + BLOCK_TOKENS for turn in group)


def _groups(plan: tuple[PlannedTurn, ...]) -> Iterator[list[PlannedTurn]]:
    """Parallel turns of one round and kind together, every other turn alone."""
    keyed = ((turn.kind, turn.round, 0 if turn.parallel else number) for number, turn in enumerate(plan, 1))
    for _key, pairs in groupby(zip(keyed, plan, strict=True), key=lambda pair: pair[0]):
        yield [turn for _, turn in pairs]


def _model(opened: Opened, persona: str) -> str:
    seat = next((seat for seat in opened.seats if seat.persona.short_name == persona), None)
    return seat.model if seat and seat.model else opened.host_model


def _tail(opened: Opened, turn: PlannedTurn, templates: Templates, stretch: float) -> int:
    seat = next((seat for seat in opened.seats if seat.persona.short_name == turn.persona), None)
    if turn.persona == HOST or seat is None:
        who = templates["host"]
    else:
        persona = seat.persona.variant(opened.options.variant)
        who = filled(templates["speaker"], {"name": persona.name, "persona": persona_text(persona)})
    return _stretched(who, stretch) + ASK_TOKENS + (SCHEMA_TOKENS if turn.structured else 0)


def _stretched(text: str, stretch: float) -> int:
    return round(tokens(text) * stretch)


def _duration(group: list[_Planned]) -> float:
    """The slowest of calls at the same time, and the first's head start where there are more than one."""
    return max(call.seconds for call in group) + (FIRST_TOKEN if len(group) > 1 else 0.0)
