"""A Messages API of our own, over real HTTP on this machine, for tests and benches.

    async with MessagesServer(voice=scripted("Yes.", "No.")) as server, anthropic_client(server) as client:
        server.fail(faults.overloaded(), times=2)
        ...
        assert server.calls[0].usage.read == 0

What it serves
    POST /v1/messages (streamed or whole), POST /v1/messages/count_tokens, GET /v1/models and /v1/models/{id};
    POST /v1/chat/completions for OpenAI's SDK at `server.openai_url`. The list of models is in Anthropic's
    form for a request with an `anthropic-version` header, else in OpenAI's. The key comes as Bearer or
    x-api-key.

What it counts
    A text block has the tokens of its text, any other block or tool those of its compact JSON, and so has the
    schema of `output_config.format`. `tokens=quarters` (four bytes each, rounded up) is the rule; `words`
    makes sizes plain. `cache.py` has the rules of the cache. Model, format and effort are part of every cache
    key; tool_choice and thinking of the messages' keys. An entry can be read once its answer has begun.
    `server.advance(90)` ages entries and rate windows. `token_equivalents(usage)` weighs a usage in
    input tokens at full price.

What it says
    `voice(body) -> Reply | str` (or a coroutine function) chooses each reply; by default a sentence of
    `output_tokens` tokens, a value that fits a schema, a call of a forced tool. `scripted(...)` plays a list.
    `last_words(body)` and `schema_of(body)` read a request of either API. A voice that fails, or misses a
    schema unmeant, gives 500 and raises `ScriptError` at the end of the block. `first_token_delay` and
    `token_delay` are real seconds.

What goes wrong
    `server.fail(fault, times=1, when=lambda received: ..., on=GENERATING)`, with `faults.rate_limited()`,
    `server_error()`, `overloaded()`, `no_permission()`, `html()`, `hang_up()`, `slow_first_byte(s)`,
    `stall()`, `cut()`, `end_early()`, `broken_chunk()`, `error_event()`, `refusal()`, `out_of_tokens()`,
    `empty_text()`, `ignore_schema()`. `server.heal()` drops what is planned; `async with server.down():`
    refuses connections. `RateLimits(...)` are enforced and told in headers. A `Model(...)` in `models=` sets
    limits, abilities, permission, retirement.

What it remembers
    `server.requests`, `server.calls` (those that ask a model): raw bytes, parsed body, blocks, usage charged,
    times, fault, outcome. `server.usage` is their sum. `await server.arrived(n)` before cancelling;
    `await server.settled()` before asserting what became of a cancelled call.
"""

from tests.servers.messages_api import faults
from tests.servers.messages_api.answers import ScriptError
from tests.servers.messages_api.catalogue import CATALOGUE, Model
from tests.servers.messages_api.clients import anthropic_client, openai_client
from tests.servers.messages_api.limits import RateLimits
from tests.servers.messages_api.prompt import quarters, words
from tests.servers.messages_api.received import EVERY_ROUTE, GENERATING, Received
from tests.servers.messages_api.server import MessagesServer
from tests.servers.messages_api.usage import Usage, token_equivalents
from tests.servers.messages_api.voices import (
    Reply,
    ToolUse,
    Voice,
    last_words,
    schema_of,
    scripted,
    sentence,
    steady,
)

__all__ = [
    "CATALOGUE",
    "EVERY_ROUTE",
    "GENERATING",
    "MessagesServer",
    "Model",
    "RateLimits",
    "Received",
    "Reply",
    "ScriptError",
    "ToolUse",
    "Usage",
    "Voice",
    "anthropic_client",
    "faults",
    "last_words",
    "openai_client",
    "quarters",
    "schema_of",
    "scripted",
    "sentence",
    "steady",
    "token_equivalents",
    "words",
]
