"""Letting the host's model choose who takes part; whatever it can not do, the rules have done already."""

import logging
from collections.abc import Mapping
from dataclasses import replace

from bot.core.entries import Opened, Seat
from bot.core.errors import ModelError, NotFound
from bot.core.formats.answer import Answer
from bot.core.formats.answers import schema_of
from bot.core.formats.answers_council import BenchChoice
from bot.core.formats.answers_debate import Choice
from bot.core.formats.council_bench import asked_lenses, with_choice
from bot.core.formats.format import Cue
from bot.core.measured import Usage
from bot.core.model import ChatModel, ModelId, ModelRequest, Prices, Progress, Prompt
from bot.core.persona import HOST, Persona
from bot.core.scene import Scene
from bot.core.speech.layout import Templates, defused, filled, schema_words
from bot.core.speech.parsing import MOST_CHARS, Unusable, parsed
from bot.core.starting.catalog import Catalog, at_hand, found
from bot.core.starting.debate_start import FEWEST, MOST, sized
from bot.core.starting.discussion_start import DEFAULT_SIZE, Start

log = logging.getLogger("panelist.selecting")

SEEN_CHARS = 6_000
"""Of the documents, that the choice is made by."""
SHOWN = 120
"""Personas of a large catalog that are offered."""
FEWEST_TO_DISCUSS = 3
DEADLINE = 60.0
"""Seconds."""


class Selecting:
    """Asks the host's model once, before the panel opens. It never raises: what the rules chose stands otherwise."""

    def __init__(self, *, models: Mapping[str, ChatModel], prices: Prices, templates: Templates) -> None:
        self._models, self._prices, self._templates = models, prices, templates

    async def refined(self, opened: Opened, start: Start, catalog: Catalog) -> Opened:
        """The panel with the roster that the model chose; the same one where there was nothing to choose.

        Its seats have no models yet. What the call took is written down in it.
        """
        if not opened.model_is_ai:
            return opened
        if opened.format == "debate" and not start.options.get("personas"):
            return sized(await self._speakers(opened, catalog, FEWEST, MOST))
        if opened.format == "discussion" and not start.options.get("with"):
            return await self._speakers(opened, catalog, FEWEST_TO_DISCUSS, DEFAULT_SIZE)
        if opened.format == "council" and asked_lenses(opened):
            return await self._lenses(opened)
        return opened

    async def _speakers(self, opened: Opened, catalog: Catalog, fewest: int, most: int) -> Opened:
        """The panel with those whom the model chose, and its moderator, if it has one."""
        moderators = tuple(seat for seat in opened.seats if seat.moderates)
        leading = {seat.persona.short_name for seat in moderators}
        pool = replace(catalog, personas=tuple(p for p in at_hand(catalog) if p.short_name not in leading))
        values = {
            "catalog": _lines(pool.personas[:SHOWN]),
            "target": _excerpt(opened) or "(no document)",
            "fewest": str(fewest),
            "most": str(most),
        }
        answer, opened = await self._asked(opened, "choose", "choice", values)
        seats = _seats(answer, pool, fewest, most) if isinstance(answer, Choice) else ()
        if not seats:
            return opened
        return opened.model_copy(update={"seats": (*seats, *moderators), "notes": _settled(opened.notes)})

    async def _lenses(self, opened: Opened) -> Opened:
        values = {"catalog": _lines(asked_lenses(opened)), "target": _excerpt(opened)}
        answer, opened = await self._asked(opened, "council_bench", "bench", values)
        return with_choice(opened, answer) if isinstance(answer, BenchChoice) else opened

    async def _asked(
        self, opened: Opened, prompt: str, answer: str, values: Mapping[str, str]
    ) -> tuple[Answer | None, Opened]:
        """The answer, if it can be used, and the panel with what it took."""
        provider, _, name = opened.host_model.partition(":")
        model = ModelId(provider=provider, name=name)
        progress = Progress()
        try:
            reply = await self._models[provider].call(self._request(opened, model, prompt, answer, values), progress)
            if len(reply.text) > MOST_CHARS:
                raise Unusable(f"{len(reply.text)} characters")
            cue = Cue(kind="statement", persona=HOST, round=0, prompt=prompt, answer=answer)
            found_answer = await parsed(cue, reply.text, None, None)
        except (ModelError, Unusable, KeyError) as fault:
            log.info("chosen by rule: %s", fault)
            found_answer = None
        return found_answer, self._counted(opened, model, progress.usage)

    def _request(
        self, opened: Opened, model: ModelId, prompt: str, answer: str, values: Mapping[str, str]
    ) -> ModelRequest:
        shown = {"format": opened.format, "topic": defused(opened.topic), **values}
        schema = schema_of(answer)
        asked = Prompt(
            system=self._templates["rules"],
            shared=(),
            tail=f"{self._templates['host']}\n\n{filled(self._templates[prompt], shown)}",
            schema_words=schema_words(schema, self._templates),
        )
        scene = Scene(
            format=opened.format,
            topic=opened.topic,
            speaker=None,
            kind="statement",
            round=0,
            rounds_max=opened.options.rounds,
            documents=opened.documents,
            answer=answer,
        )
        return ModelRequest(model=model, prompt=asked, scene=scene, schema=schema, deadline=DEADLINE)

    def _counted(self, opened: Opened, model: ModelId, usage: Usage) -> Opened:
        if usage == Usage():
            return opened
        cost = self._prices.cost(str(model), usage)
        total = None if cost is None or opened.cost_usd is None else opened.cost_usd + cost
        return opened.model_copy(update={"usage": opened.usage + usage, "cost_usd": total})


def _seats(choice: Choice, catalog: Catalog, fewest: int, most: int) -> tuple[Seat, ...]:
    """The chosen seats; empty where the choice can not be used: unknown names, doubles, too few or too many."""
    seats: dict[str, Seat] = {}
    for one in choice.personas:
        try:
            persona = catalog.persona(one.persona) or found(catalog, one.persona)
        except NotFound:
            return ()
        seats[persona.short_name] = Seat(persona=persona, reason=f"chosen: {' '.join(one.reason.split())[:160]}")
    return tuple(seats.values()) if fewest <= len(seats) == len(choice.personas) <= most else ()


def _settled(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Without what the rules assumed about the roster."""
    return tuple(note for note in notes if not note.startswith("Nobody in the catalog"))


def _lines(personas: tuple[Persona, ...]) -> str:
    rows = (
        f"- {p.short_name} | {p.name} | {p.tier} | {', '.join(p.tags)} | {' '.join(p.description.split())[:300]}"
        for p in personas
    )
    return defused("\n".join(rows))


def _excerpt(opened: Opened) -> str:
    text = "\n\n".join(f"{document.kind}: {document.title}\n{document.text}" for document in opened.documents)
    return defused(text[:SEEN_CHARS])
