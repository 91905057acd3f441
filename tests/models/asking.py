"""Requests as the layout makes them, for tests that call a model directly."""

from collections.abc import Mapping
from typing import Any

from bot.core.model import Block, ModelId, ModelRequest, Prompt
from bot.core.persona import Persona
from bot.core.scene import Scene
from bot.core.tools import Toolbox

ADA = Persona(short_name="ada", name="Ada", body="## Beliefs\n\nI count before I talk.\n")
SCENE = Scene(format="discussion", topic="Tea or coffee?", speaker=ADA, kind="statement", round=1, rounds_max=2)
DOCUMENT = "Topic of the panel: Tea or coffee?\n\n" + "The kettle is on. " * 400
"""Long enough to be worth a cache entry."""
VERDICT = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["pass", "fail"]}},
    "required": ["verdict"],
}


def asking(
    model: str = "claude-sonnet-5-5",
    *,
    provider: str = "anthropic",
    tail: str = "You are Ada. Speak.",
    turns: int = 0,
    schema: Mapping[str, Any] | None = None,
    enforce: bool = False,
    toolbox: Toolbox | None = None,
    deadline: float = 180.0,
    max_tokens: int = 4096,
) -> ModelRequest:
    """A request with a document of some two thousand tokens and so many turns after it."""
    blocks = [Block(text=DOCUMENT, breakpoint=True)]
    blocks += [Block(text=f'<turn n="{n}">Turn {n}.</turn>', breakpoint=n == turns) for n in range(1, turns + 1)]
    words = "Answer in JSON: {...}" if schema is not None else ""
    return ModelRequest(
        model=ModelId(provider=provider, name=model),
        prompt=Prompt(system="Rules of the house.", shared=tuple(blocks), tail=tail, schema_words=words),
        scene=SCENE,
        schema=schema,
        enforce=enforce,
        toolbox=toolbox,
        deadline=deadline,
        max_tokens=max_tokens,
    )
