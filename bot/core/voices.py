"""From a cue to a turn: the model call, the structured answer with one repair, the checks with one re-ask."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from bot.core.answers import ANSWERS, Answer, schema_of
from bot.core.checks import run_checks
from bot.core.clock import Clock
from bot.core.entries import Check, Skipped, ToolCall, Turn, Usage
from bot.core.errors import CallFailed, NoModel
from bot.core.format import Cue, Format, passed
from bot.core.layout import Templates, filled, prompt_of, scene_of, schema_words
from bot.core.model import ChatModel, ModelId, ModelReply, ModelRequest, Prices, Progress
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.tools import Toolbox

HEAD_CHARS = 400
"""How much of the system prompt a verbose panel keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What came of one or more calls for one cue."""

    text: str
    answer: Answer | None
    data: dict[str, Any] | None
    checks: tuple[Check, ...]


class Voices:
    """Lets personas and the host speak, each through its own model."""

    def __init__(
        self,
        *,
        models: Mapping[str, ChatModel],
        host_model: ModelId,
        prices: Prices,
        templates: Templates,
        clock: Clock,
    ) -> None:
        self.clock = clock
        self._models = models
        self._host_model = host_model
        self._prices = prices
        self._templates = templates

    def model_of(self, panel: Panel, persona: str) -> ModelId:
        """Who answers for that persona. Raises NoModel for a provider that is not configured."""
        seat = panel.seat(persona)
        named = seat.model if seat and seat.model else panel.opened.host_model or str(self._host_model)
        provider, _, name = named.partition(":")
        if provider not in self._models:
            raise NoModel(f"{panel.name_of(persona)} wants the model {named!r}, but the provider is not configured")
        return ModelId(provider=provider, name=name)

    async def say(
        self, panel: Panel, cue: Cue, format_: Format, progress: Progress, toolbox: Toolbox | None = None
    ) -> Turn | Skipped:
        """The turn that the cue asks for, or the skip with its reason. Both carry what all attempts cost.

        Raises ProviderDown where the provider as a whole does not answer: then nothing was skipped.
        """
        take = _Take(self, panel, cue, progress, toolbox if cue.tools else None)
        try:
            said = await take.accepted()
        except (CallFailed, NoModel) as fault:
            if cue.persona != HOST:
                return take.skipped(str(fault))
            failed = Check(name="model", result="failed", detail=str(fault))
            return take.turn(format_.fallback(panel, cue), None, (failed,), deterministic=True)
        broken = [c.name for c in said.checks if c.result == "failed" and c.name in cue.required]
        if broken:
            return take.turn(format_.fallback(panel, cue), said.data, said.checks, deterministic=True)
        if not said.text.strip() and cue.persona == HOST:
            empty = Check(name="model", result="failed", detail="the answer was empty")
            return take.turn(format_.fallback(panel, cue), said.data, (*said.checks, empty), deterministic=True)
        if not said.text.strip():
            return take.skipped("nothing to add")
        return take.turn(said.text, said.data, said.checks)

    async def call(self, model: ModelId, request: ModelRequest, progress: Progress) -> ModelReply:
        """One call to the provider of that model."""
        return await self._models[model.provider].call(request, progress)

    def cost(self, model: ModelId, usage: Usage) -> float | None:
        """US dollars; 0 for a voice that is no AI, None where the price is not known."""
        return self._prices.cost(str(model), usage) if self._models[model.provider].is_ai else 0.0

    @property
    def templates(self) -> Templates:
        return self._templates


class _Take:
    """One cue on its way to a turn: counts what the attempts cost, whatever comes of them."""

    def __init__(self, voices: Voices, panel: Panel, cue: Cue, progress: Progress, toolbox: Toolbox | None) -> None:
        self.voices, self.panel, self.cue, self.progress, self.toolbox = voices, panel, cue, progress, toolbox
        self.model: ModelId | None = None
        self.tool_calls: tuple[ToolCall, ...] = ()
        self.began = voices.clock.monotonic()
        self.request: ModelRequest | None = None

    async def accepted(self) -> _Said:
        """The answer, asked again once with the precise complaint where a check failed."""
        self.model = self.voices.model_of(self.panel, self.cue.persona)
        scene = scene_of(self.panel, self.cue)
        prompt = prompt_of(self.panel, self.cue, scene, self.voices.templates)
        schema = schema_of(self.cue.answer) if self.cue.answer else None
        if schema is not None:
            prompt = replace(prompt, schema_words=schema_words(schema, self.voices.templates))
        self.request = ModelRequest(
            model=self.model,
            prompt=prompt,
            scene=scene,
            schema=schema,
            toolbox=self.toolbox,
        )
        said = await self._answered(self.request)
        if passed(said.checks):
            return said
        complaint = "; ".join(f"{c.name}: {c.detail}" for c in said.checks if c.result == "failed")
        again = await self._answered(self._with_complaint(self.request, said.text, complaint))
        return again

    async def _answered(self, request: ModelRequest) -> _Said:
        """One valid answer, repaired once where it did not fit its schema. Raises CallFailed."""
        text = await self._text(request)
        if not self.cue.answer:
            return self._said(text, None)
        try:
            return self._said(text, _parsed(self.cue.answer, text))
        except ValidationError as fault:
            complaint = f"it does not fit the schema: {_faults(fault)}"
        text = await self._text(replace(self._with_complaint(request, text, complaint), enforce=True))
        try:
            return self._said(text, _parsed(self.cue.answer, text))
        except ValidationError as fault:
            raise CallFailed(f"the model's answer does not fit its schema after a repair: {_faults(fault)}") from fault

    async def _text(self, request: ModelRequest) -> str:
        reply = await self.voices.call(request.model, request, self.progress)
        self.tool_calls += reply.tool_calls
        if reply.stop == "refusal":
            raise CallFailed("the model declined to answer")
        if not reply.text.strip() or (reply.stop == "max_tokens" and request.schema is not None):
            why = "its limit was reached first" if reply.stop == "max_tokens" else "it was empty"
            raise CallFailed(f"the model gave no usable answer: {why}")
        return reply.text

    def _said(self, text: str, answer: Answer | None) -> _Said:
        spoken = answer.speech() if answer else text.strip()
        checks = run_checks(self.panel, self.cue, spoken, answer) if self.cue.checks else ()
        return _Said(text=spoken, answer=answer, data=answer.model_dump() if answer else None, checks=checks)

    def _with_complaint(self, request: ModelRequest, earlier: str, complaint: str) -> ModelRequest:
        asked = filled(self.voices.templates["complaint"], {"complaint": complaint[:2000]})
        tail = f"{request.prompt.tail}\n\nYour earlier answer was:\n{earlier[:8000]}\n\n{asked}"
        return replace(
            request,
            prompt=replace(request.prompt, tail=tail),
            scene=replace(request.scene, complaint=complaint),
        )

    def turn(
        self, text: str, data: dict[str, Any] | None, checks: tuple[Check, ...], *, deterministic: bool = False
    ) -> Turn:
        cue, verbose = self.cue, self.panel.opened.options.verbose and self.request is not None
        prompt = self.request.prompt if self.request else None
        return Turn(
            turn_kind=cue.kind,
            round=cue.round,
            persona=cue.persona,
            text=text,
            data=data,
            label=cue.label,
            ref=cue.ref,
            order=cue.order,
            usage=self.progress.usage,
            cost_usd=self._cost(),
            model=str(self.model or ""),
            latency_ms=round((self.voices.clock.monotonic() - self.began) * 1000),
            checks=checks,
            tool_calls=self.tool_calls,
            deterministic=deterministic,
            prompt_head=prompt.system[:HEAD_CHARS] if verbose and prompt else "",
            prompt_chars=len(prompt.system) if verbose and prompt else 0,
            message=prompt.tail if verbose and prompt else "",
        )

    def skipped(self, reason: str) -> Skipped:
        cue = self.cue
        return Skipped(
            turn_kind=cue.kind,
            round=cue.round,
            persona=cue.persona,
            reason=reason,
            ref=cue.ref,
            usage=self.progress.usage,
            cost_usd=self._cost(),
            model=str(self.model or ""),
        )

    def _cost(self) -> float | None:
        return self.voices.cost(self.model, self.progress.usage) if self.model else 0.0


def _parsed(name: str, text: str) -> Answer:
    """The structured answer out of a model's text: the object alone, or the first one inside fences or prose."""
    start, end = text.find("{"), text.rfind("}")
    return ANSWERS[name].model_validate_json(text[start : end + 1] if 0 <= start < end else text)


def _faults(fault: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, error['loc'])) or 'answer'}: {error['msg']}"
        for error in json.loads(fault.json(include_url=False, include_input=False))[:5]
    )
