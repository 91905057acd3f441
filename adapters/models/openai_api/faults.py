"""The one table from the SDK's exceptions, and those that it lets through raw, to the house's own.

Compatible servers agree on statuses and little else, so the status decides, and the code where it says more. An error
in the middle of a stream has no status; then its type and code alone speak.
"""

from openai import APIConnectionError, APIError, APIResponseValidationError, APIStatusError, APITimeoutError

from adapters.models import broken
from adapters.models.broken import RAW, raw_fault, retry_after, unreachable
from bot.core.errors import CallFailed, CallRetryable, ModelError, NoModel, ProviderDown

PROVIDER = "openai"
CAUGHT = (APIError, *RAW)
"""All that the SDK may raise from a call."""

_PASSING_STATUS = (408, 409, 425, 429)
_NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached", "billing_error")
_TOO_LONG = ("context_length_exceeded", "exceed_context_size_error")
_NO_MODEL = ("model_not_found", "not_found_error")


def translated(error: Exception, *, base_url: str, model: str = "") -> ModelError:
    """The house's error for one of the SDK's."""
    match error:
        case APITimeoutError():
            return CallRetryable(f"{base_url} did not answer in time")
        case APIConnectionError():
            return unreachable(error, base_url)
        case APIResponseValidationError():
            return not_such_an_api(base_url)
        case APIError():
            return _api_error(error, base_url, model)
    return raw_fault(error, base_url)


def not_such_an_api(base_url: str) -> NoModel:
    """For an address that answers with something else."""
    return broken.not_such_an_api(base_url, "Chat Completions API", "PANELIST_OPENAI_BASE_URL")


def _api_error(error: APIError, base_url: str, model: str) -> ModelError:
    status = error.status_code if isinstance(error, APIStatusError) else 0
    kinds = {str(error.code), str(error.type)}
    if kinds & set(_NO_MONEY) or status == 402:
        return ProviderDown(f"the account can not pay: {error.message}", PROVIDER)
    if kinds & set(_TOO_LONG) or status == 413:
        return CallFailed(
            f"the document and the talk are larger than the model's window ({error.message}); narrow the document"
        )
    if status == 401:
        return ProviderDown(f"{base_url} refuses the key: {error.message}; check PANELIST_OPENAI_API_KEY", PROVIDER)
    if status == 403:
        return NoModel(f"the key may not use {model or 'this'}: {error.message}")
    if status == 404 or kinds & set(_NO_MODEL):
        return NoModel(f"{base_url} has no model {model!r}" if model else f"{base_url}: {error.message}")
    if status in _PASSING_STATUS or status >= 500 or not status:
        return _passing(error, status)
    return CallFailed(f"the model service refused the request: {error.message}")


def _passing(error: APIError, status: int) -> CallRetryable:
    after = retry_after(error.response.headers) if isinstance(error, APIStatusError) else None
    wide = status >= 500 or error.type in ("overloaded_error", "api_error", "server_error")
    what = error.type or status or "error"
    return CallRetryable(
        f"the model service is not well ({what}): {error.message}", retry_after=after, provider_wide=wide
    )
