"""How a Slack server behaves where Slack itself differs, is slow, or is not documented."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from tests.servers.slack.rates import Rates

Transport: TypeAlias = Literal["socket", "http"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All knobs; the defaults are Slack's documented behaviour in its strict reading."""

    transport: Transport = "socket"
    strict: bool = True
    """Arguments that a method's documentation does not name are refused."""
    rates: Rates = field(default_factory=Rates)
    ack_timeout: float = 3.0
    """Seconds the app has to answer a delivery: https://docs.slack.dev/apis/events-api"""
    retry_delays: tuple[float, ...] = (0.0, 60.0, 300.0)
    """Seconds before each redelivery of an event that was not acked."""
    unlicensed_face: Literal["ignored", "refused"] = "ignored"
    """What username and icon do without chat:write.customize; both are reported."""
    deleted_root: Literal["unthreaded", "refused"] = "unthreaded"
    """A reply to a deleted root becomes a top-level message, or is refused with thread_not_found.
    https://github.com/slack-go/slack/issues/1571"""
    login_page: Literal["page", "redirect", "leak"] = "page"
    """A download without the right token: an HTML page with status 200, or a redirect, maybe elsewhere."""
    metadata_bytes: int = 2048
    """`metadata_too_large` above this; Slack publishes no number."""
    update_chars: int = 4000
    post_chars: int = 40_000
    pins: int = 100
    """Pins a conversation holds."""
    server_ping: float | None = 5.0
    """Seconds between the server's pings on a socket."""
    client_id: str = "1111.2222"
    client_secret: str = "client-secret"
    signing_secret: str = "signing-secret"
    app_token: str = "xapp-1-A0PANEL-1-secret"
    app_id: str = "A0PANEL"
    verification_token: str = "verification"
    request_url: str | None = None
    """Where signed HTTP deliveries go; a test may set it later with `deliver_to`."""
    log: Path | None = None
    """Append-only journal of everything that was carried out."""
