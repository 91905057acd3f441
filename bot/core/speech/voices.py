"""From a cue to a turn: the model call, the structured answer with one repair, the checks with one re-ask."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.core.clock import Clock
from bot.core.entries import Skipped, Turn
from bot.core.errors import CallFailed, NoModel
from bot.core.formats.answer import Answer
from bot.core.formats.answers import schema_of
from bot.core.formats.checks import run_checks
from bot.core.formats.format import Cue, Format, Written, passed
from bot.core.measured import Check, ToolCall, Usage
from bot.core.model import ChatModel, ModelId, ModelReply, ModelRequest, Prices, Progress
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.speech.contract import ContractCheck
from bot.core.speech.counting import answer_tokens, tokens
from bot.core.speech.layout import Templates, defused, filled, prompt_of, scene_of, schema_words
from bot.core.speech.parsing import MOST_CHARS, Unusable, parsed
from bot.core.tools import Toolbox

USUAL_WORDS = 250
HEAD_CHARS = 400
"""How much of the system prompt a verbose panel keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What came of one or more calls for one cue."""

    written: Written
    checks: tuple[Check, ...]
    again: bool = False
    """A check failed that is worth asking again."""


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
        contracts: ContractCheck | None = None,
    ) -> None:
        self.clock, self.contracts = clock, contracts
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

    async def window(self, panel: Panel) -> int | None:
        """Tokens of the smallest window among those who speak; None where no provider tells one."""
        names = {seat.model for seat in panel.seats if seat.included and seat.model}
        windows = [await self._window(name) for name in sorted(names)]
        return min((window for window in windows if window is not None), default=None)

    async def _window(self, named: str) -> int | None:
        provider, _, name = named.partition(":")
        return await self._models[provider].window(name) if provider in self._models else None

    async def say(
        self, panel: Panel, cue: Cue, format_: Format, progress: Progress, toolbox: Toolbox | None = None
    ) -> Turn | Skipped:
        """The turn that the cue asks for, or the skip with its reason. Both carry what all attempts cost.

        Raises ProviderDown where the provider as a whole does not answer: then nothing was skipped.
        """
        take = _Take(self, panel, cue, format_, progress, toolbox if cue.tools else None)
        if cue.by_code:
            return take.turn(format_.fallback(panel, cue), (), deterministic=True)
        try:
            said = await take.accepted()
        except (CallFailed, NoModel) as fault:
            if cue.persona != HOST:
                return take.skipped(str(fault), answered=isinstance(fault, CallFailed) and fault.answered)
            failed = Check(name="model", result="failed", detail=str(fault))
            return take.turn(format_.fallback(panel, cue), (failed,), deterministic=True)
        if any(c.result == "failed" and c.name in cue.required for c in said.checks):
            return take.turn(format_.fallback(panel, cue), said.checks, deterministic=True)
        if not said.written.text.strip() and cue.persona == HOST:
            empty = Check(name="model", result="failed", detail="the answer was empty")
            return take.turn(format_.fallback(panel, cue), (*said.checks, empty), deterministic=True)
        if not said.written.text.strip():
            return take.skipped("nothing to add", answered=True)
        return take.turn(said.written, said.checks)

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

    def __init__(
        self, voices: Voices, panel: Panel, cue: Cue, format_: Format, progress: Progress, toolbox: Toolbox | None
    ) -> None:
        self.voices, self.panel, self.cue, self.format = voices, panel, cue, format_
        self.progress, self.toolbox = progress, toolbox
        self.model: ModelId | None = None
        self.tool_calls: tuple[ToolCall, ...] = ()
        self.began = voices.clock.monotonic()
        self.request: ModelRequest | None = None

    async def accepted(self) -> _Said:
        """The answer, asked again once with the precise complaint where a check failed."""
        self.model = self.voices.model_of(self.panel, self.cue.persona)
        scene = scene_of(self.panel, self.cue)
        prompt = prompt_of(self.panel, self.cue, scene, self.voices.templates)
        speaker = scene.speaker if self.cue.contract else None
        schema = schema_of(self.cue.answer, speaker) if self.cue.answer else None
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
        if not said.again or not self._affordable(self.request):
            return said
        complaint = "; ".join(f"{c.name}: {c.detail}" for c in said.checks if c.result == "failed")
        return await self._answered(self._with_complaint(self.request, said.written.text, complaint))

    async def _answered(self, request: ModelRequest) -> _Said:
        """One valid answer, repaired once where it did not fit its schema. Raises CallFailed."""
        text = await self._text(request)
        if not self.cue.answer:
            return self._said(Written(text=text.strip()), None)
        try:
            return await self._parsed(request, text)
        except Unusable as fault:
            complaint = str(fault)
        repair = replace(self._with_complaint(request, text, complaint), enforce=True)
        if not self._affordable(repair):
            raise CallFailed(f"the model's answer could not be used, and the cap leaves no repair: {complaint}")
        text = await self._text(repair)
        try:
            return await self._parsed(request, text)
        except Unusable as fault:
            raise CallFailed(f"the model's answer could not be used after a repair: {fault}", answered=True) from fault

    async def _parsed(self, request: ModelRequest, text: str) -> _Said:
        answer = await parsed(self.cue, text, request.scene.speaker, self.voices.contracts)
        return self._said(self.format.rendered(self.panel, self.cue, answer), answer)

    async def _text(self, request: ModelRequest) -> str:
        reply = await self.voices.call(request.model, request, self.progress)
        self.tool_calls += reply.tool_calls
        if reply.stop == "refusal":
            raise CallFailed("the model declined to answer", answered=True)
        if not reply.text.strip() or (reply.stop == "max_tokens" and request.schema is not None):
            why = "its limit was reached first" if reply.stop == "max_tokens" else "it was empty"
            raise CallFailed(f"the model gave no usable answer: {why}", answered=True)
        if len(reply.text) > MOST_CHARS:
            size = f"{len(reply.text):,} characters; at most {MOST_CHARS:,} are taken"
            raise CallFailed(f"the model gave no usable answer: {size}", answered=True)
        return reply.text

    def _said(self, written: Written, answer: Answer | None) -> _Said:
        asked = run_checks(self.cue.checks, self.panel, self.cue, written.text, answer)
        noted = run_checks(self.cue.advisory, self.panel, self.cue, written.text, answer)
        return _Said(written=written, checks=asked + noted, again=not passed(asked))

    def _with_complaint(self, request: ModelRequest, earlier: str, complaint: str) -> ModelRequest:
        asked = filled(self.voices.templates["complaint"], {"complaint": defused(complaint[:2000])})
        tail = f"{request.prompt.tail}\n\nYour earlier answer was:\n{defused(earlier[:8000])}\n\n{asked}"
        return replace(
            request,
            prompt=replace(request.prompt, tail=tail),
            scene=replace(request.scene, complaint=complaint),
        )

    def _affordable(self, request: ModelRequest) -> bool:
        """Whether one more attempt fits under the panel's cap, even if no cache helps it."""
        cap = self.panel.max_cost
        if cap is None or self.model is None:
            return True
        prompt = request.prompt
        sent = tokens(prompt.system) + sum(tokens(block.text) for block in prompt.shared) + tokens(prompt.tail)
        attempt = Usage(cache_creation=sent, output=answer_tokens(self.cue.max_words or USUAL_WORDS))
        cost = self.voices.cost(self.model, attempt) or 0.0
        return self.panel.spent_usd + (self._cost() or 0.0) + cost <= cap

    def turn(self, written: Written, checks: tuple[Check, ...], *, deterministic: bool = False) -> Turn:
        cue, verbose = self.cue, self.panel.opened.options.verbose and self.request is not None
        prompt = self.request.prompt if self.request else None
        return Turn(
            turn_kind=cue.kind,
            round=cue.round,
            persona=cue.persona,
            text=written.text,
            data=written.data,
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

    def skipped(self, reason: str, *, answered: bool = False) -> Skipped:
        cue = self.cue
        return Skipped(
            turn_kind=cue.kind,
            round=cue.round,
            persona=cue.persona,
            reason=reason,
            answered=answered,
            ref=cue.ref,
            usage=self.progress.usage,
            cost_usd=self._cost(),
            model=str(self.model or ""),
        )

    def _cost(self) -> float | None:
        return self.voices.cost(self.model, self.progress.usage) if self.model else 0.0
