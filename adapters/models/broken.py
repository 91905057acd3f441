"""Faults of the line itself, the same under every SDK: what `httpx2` and JSON raise when an answer breaks."""

import json
import math

import httpx2
from pydantic import ValidationError

from bot.core.errors import CallRetryable, NoModel

RAW = (httpx2.HTTPError, httpx2.StreamError, json.JSONDecodeError, ValidationError)
"""What SDKs let through as it is."""


def raw_fault(error: Exception, base_url: str) -> CallRetryable:
    """The house's error for one of them."""
    match error:
        case httpx2.ConnectError():
            return unreachable(error, base_url)
        case httpx2.TimeoutException():
            return CallRetryable("the answer stopped coming")
        case json.JSONDecodeError():
            return CallRetryable("the answer's stream was garbled")
        case ValidationError():
            return CallRetryable("the answer does not have the API's form")
    return CallRetryable("the connection broke off in the middle of the answer")


def unreachable(error: Exception, base_url: str) -> CallRetryable:
    """Nobody is at that address, for any call."""
    cause = str(error.__cause__ or error) or type(error).__name__
    return CallRetryable(f"{base_url} can not be reached: {cause}", provider_wide=True)


def not_such_an_api(base_url: str, api: str, setting: str) -> NoModel:
    """For an address that answers with something else."""
    return NoModel(f"{base_url} does not answer like the {api}; check {setting}")


def retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds to wait, where the provider named them as a number."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def estimated_tokens(text: str) -> int:
    """Tokens of a text that nobody counted: about four bytes each."""
    return math.ceil(len(text.encode()) / 4)
