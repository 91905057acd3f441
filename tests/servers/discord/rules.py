"""The platform's numbers and switches that a test may set."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Rules:
    # Privileged intents as switched on in the developer portal.
    message_content_granted: bool = True
    members_granted: bool = True
    presences_granted: bool = False
    # Whether posts of the app's own webhooks come with content when message content is off; not documented.
    own_webhook_content: bool = False

    # https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback
    response_deadline: float = 3.0
    token_life: float = 15 * 60.0

    pins: int = 250
    webhooks_per_channel: int = 15
    webhooks_per_guild: int = 1000
    file_bytes: int = 10 * 1024 * 1024
    request_bytes: int = 25 * 1024 * 1024
    # How long a signed attachment address works, in seconds.
    attachment_life: float = 24 * 3600.0
    # How long a nonce identifies a message ("the past few minutes"), in seconds.
    nonce_window: float = 300.0

    heartbeat_seconds: float = 41.25
    # False plays a zombie connection.
    heartbeats_acknowledged: bool = True
    shards: int = 1
    identifies_left: int = 1000
