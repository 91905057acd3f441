"""The port to language models: one call in, one answer out. Everything a provider is told is in the request."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.core.measured import ToolCall, Usage
from bot.core.scene import Scene
from bot.core.tools import Toolbox

Stop = Literal["end", "max_tokens", "refusal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of the shared user message."""

    text: str
    breakpoint: bool = False
    """True: the prefix up to here is worth a cache entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent, in the order of the bytes: rules, shared blocks, then the one who speaks."""

    system: str
    """The common rules: the same bytes for every persona and round of a panel."""
    shared: tuple[Block, ...]
    """Document, then one block per turn of the transcript; the same bytes for all who may see the same."""
    tail: str
    """Who speaks and what is asked now; never cached."""
    schema_words: str = ""
    """The wanted answer's schema in words, for the end of the tail where a provider is not told it otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelId:
    """A provider's name and its id for a model."""

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call."""

    model: ModelId
    prompt: Prompt
    scene: Scene
    """The same matter as values, for a voice that is no language model (`rehearsal`)."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the wanted answer; None where text is wanted."""
    enforce: bool = False
    """True: let the provider enforce the schema even where that costs the shared cache (a repair)."""
    toolbox: Toolbox | None = None
    """Read-only tools that the persona may use during this call."""
    max_tokens: int = 4096
    """With room for thinking."""
    deadline: float = 180.0
    """Seconds that the whole call may take, waits included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """One answer, with what all its attempts cost."""

    text: str
    stop: Stop = "end"
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    """`provider:id` of the model that answered."""
    latency_ms: int = 0
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What a provider says is left of one of its limits."""

    kind: Literal["requests", "input", "output", "tokens"]
    limit: int
    left: int
    resets_in: float
    """Seconds until it is whole again."""


class Progress:
    """What is known of a turn's calls while they run: kept by the caller, told by the model."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        """Set at the answer's first event: from here on, other calls can read this one's cache."""
        self.usage = Usage()
        """Tokens of all attempts so far, failed and cancelled ones too, as far as the provider told."""
        self.until: float | None = None
        """When to give the turn up, on the clock's monotonic time; set at its first call, for all its calls."""
        self.on_allowance: Callable[[tuple[Allowance, ...]], None] | None = None
        """Who wants to hear of the provider's limits as soon as an answer's headers tell them."""

    def spent(self, usage: Usage) -> None:
        """The model tells what an attempt used, at its first event, and again what came after."""
        self.usage = self.usage + usage

    def allowed(self, allowances: tuple[Allowance, ...]) -> None:
        """The model passes on what the provider says is left of its limits."""
        if self.on_allowance and allowances:
            self.on_allowance(allowances)


class ChatModel(ABC):
    """One provider."""

    is_ai: bool = True

    @abstractmethod
    async def call(self, request: ModelRequest, progress: Progress) -> ModelReply:
        """Answer once, without retries; cancelling the task cancels the request. Usage is told to `progress` as well.

        Raises CallRetryable where another attempt may help, CallFailed where none will, NoModel for an unknown model
        or one that the key may not use, ProviderDown for a key that is refused or an account that can not pay.
        """

    async def models(self) -> tuple[str, ...]:
        """The ids that the provider lists; empty where it has no list, and then nothing is checked.

        Raises NoModel for a wrong key or an address that is no such API, ProviderDown where nobody answers.
        """
        return ()

    async def window(self, model: str) -> int | None:
        """How many tokens a request may have; None where the provider does not say."""
        _ = model
        return None

    async def count(self, model: str, text: str) -> int | None:
        """How many tokens a text has; None where the provider does not count."""
        _ = (model, text)
        return None

    async def close(self) -> None:
        """Let go of connections."""
        return


class Prices(ABC):
    """What tokens cost."""

    @abstractmethod
    def cost(self, model: str, usage: Usage) -> float | None:
        """US dollars for one call of `provider:id`; None where the price is not known."""


class NoPrices(Prices):
    """No price is known."""

    def cost(self, model: str, usage: Usage) -> float | None:
        _ = model, usage
        return None
