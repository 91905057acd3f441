"""Signed HTTP delivery: https://docs.slack.dev/authentication/verifying-requests-from-slack"""

import hashlib
import hmac
import json
import time
from urllib.parse import urlencode

import aiohttp

from tests.servers.slack.delivery import Delivery, Outcome
from tests.servers.slack.settings import Settings
from tests.servers.slack.world import JSON


class SignedHttp:
    """Posts deliveries to the app's request URL, signed with the signing secret."""

    def __init__(self, settings: Settings) -> None:
        self.url = settings.request_url
        self.skew = 0.0
        """Seconds by which the signatures' clock is off."""
        self.forged = False
        """Sign with a wrong secret."""
        self._settings = settings
        self._session: aiohttp.ClientSession | None = None

    async def carry(self, delivery: Delivery, attempt: int, reason: str) -> Outcome:
        """One POST; anything but a 2xx in time is a failure."""
        content_type, body = _encoded(delivery)
        retry = {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason} if attempt else {}
        return await self.post(body, content_type, retry)

    async def verify(self) -> str:
        """The request URL's challenge, as the app answers it."""
        body = json.dumps({"type": "url_verification", "challenge": "c" * 32, "token": "t"})
        outcome = await self.post(body, "application/json", {})
        return str(outcome.payload.get("challenge", ""))

    async def post(self, body: str, content_type: str, extra: dict[str, str]) -> Outcome:
        """A signed POST of this body."""
        if self.url is None:
            return Outcome(ok=False, reason="connection_failed")
        self._session = self._session or aiohttp.ClientSession()
        timeout = aiohttp.ClientTimeout(total=self._settings.ack_timeout)
        headers = {"Content-Type": content_type, **self.signature(body), **extra}
        try:
            async with self._session.post(self.url, data=body.encode(), headers=headers, timeout=timeout) as answer:
                text = await answer.text()
        except TimeoutError:
            return Outcome(ok=False, reason="http_timeout")
        except aiohttp.ClientError:
            return Outcome(ok=False, reason="connection_failed")
        if 200 <= answer.status < 300:
            return Outcome(ok=True, payload=_payload(text))
        return Outcome(ok=False, reason="http_error", final=answer.headers.get("x-slack-no-retry") == "1")

    def signature(self, body: str) -> dict[str, str]:
        """The two headers that prove a request is Slack's."""
        at = str(int(time.time() + self.skew))
        secret = "forged" if self.forged else self._settings.signing_secret
        digest = hmac.new(secret.encode(), f"v0:{at}:{body}".encode(), hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": f"v0={digest}"}

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()


def _encoded(delivery: Delivery) -> tuple[str, str]:
    form = "application/x-www-form-urlencoded"
    match delivery.kind:
        case "events_api":
            return "application/json", json.dumps(delivery.body)
        case "slash_commands":
            return form, urlencode(delivery.body)
        case "interactive":
            return form, urlencode({"payload": json.dumps(delivery.body)})


def _payload(text: str) -> JSON:
    if not text.strip():
        return {}
    try:
        parsed = json.loads(text)
    except ValueError:
        return {"text": text}
    return parsed if isinstance(parsed, dict) else {"text": text}
