"""The vendors' own clients, set up for a server: no retries, and strict about every answer's shape."""

from __future__ import annotations

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from tests.servers.messages_api.server import MessagesServer

TIMEOUT = 5.0


def anthropic_client(server: MessagesServer) -> AsyncAnthropic:
    """Anthropic's SDK; an answer that is not as documented raises APIResponseValidationError."""
    return AsyncAnthropic(
        base_url=server.url,
        api_key=server.key,
        max_retries=0,
        timeout=TIMEOUT,
        _strict_response_validation=True,
    )


def openai_client(server: MessagesServer) -> AsyncOpenAI:
    """OpenAI's SDK, equally strict."""
    return AsyncOpenAI(
        base_url=server.openai_url,
        api_key=server.key,
        max_retries=0,
        timeout=TIMEOUT,
        _strict_response_validation=True,
    )
