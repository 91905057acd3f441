"""The one table from the SDK's exceptions, and those that it lets through raw, to the house's own.

Classified by the error's type, not by the status: an error event can come after HTTP 200, as an `APIStatusError` whose
`status_code` is 200. Raw `httpx2` errors and `JSONDecodeError` come out of a stream that breaks.
"""

from anthropic import APIConnectionError, APIError, APIResponseValidationError, APIStatusError, APITimeoutError

from adapters.models import broken
from adapters.models.broken import RAW, raw_fault, retry_after, unreachable
from bot.core.errors import CallFailed, CallRetryable, ModelError, NoModel, ProviderDown

PROVIDER = "anthropic"
CAUGHT = (APIError, *RAW)
"""All that the SDK may raise from a call."""

_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "rate_limit_error",
    413: "request_too_large",
    422: "invalid_request_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_PASSING = ("rate_limit_error", "overloaded_error", "api_error", "timeout_error")
_WIDE = ("overloaded_error", "api_error")


def type_of(error: APIStatusError) -> str:
    """The error's type: from its body, else what its status stands for."""
    if error.type:
        return error.type
    return _TYPES.get(error.status_code, "api_error" if error.status_code >= 500 else "invalid_request_error")


def translated(error: Exception, *, base_url: str, model: str = "") -> ModelError:
    """The house's error for one of the SDK's."""
    match error:
        case APIStatusError():
            return _status(error, base_url, model)
        case APITimeoutError():
            return CallRetryable(f"{base_url} did not answer in time")
        case APIConnectionError():
            return unreachable(error, base_url)
        case APIResponseValidationError():
            return not_such_an_api(base_url)
    return raw_fault(error, base_url)


def not_such_an_api(base_url: str) -> NoModel:
    """For an address that answers with something else."""
    return broken.not_such_an_api(base_url, "Messages API", "ANTHROPIC_BASE_URL")


def _status(error: APIStatusError, base_url: str, model: str) -> ModelError:
    kind = type_of(error)
    said = error.api_message or f"status {error.status_code}"
    match kind:
        case "authentication_error":
            return ProviderDown(f"{base_url} refuses the key: {said}; check ANTHROPIC_API_KEY", PROVIDER)
        case "billing_error":
            return ProviderDown(f"the account can not pay: {said}", PROVIDER)
        case "permission_error":
            return NoModel(f"the key may not use {model or 'this'}: {said}")
        case "not_found_error":
            return NoModel(f"{base_url} has no model {model!r}" if model else f"{base_url}: {said}")
        case "request_too_large":
            return CallFailed("the request is larger than the service takes; give a smaller document, or lines of it")
    if kind in _PASSING or error.status_code >= 500:
        wide = kind in _WIDE or error.status_code >= 500
        text = f"the model service is not well ({kind}): {said}"
        return CallRetryable(text, retry_after=retry_after(error.response.headers), provider_wide=wide)
    if "too long" in said:
        return CallFailed(f"the document and the talk are larger than the model's window ({said}); narrow the document")
    return CallFailed(f"the model service refused the request: {said}")
