"""Installing the app in a workspace by a link: consent at Slack, then its token, sealed, in the database."""

from urllib.parse import urljoin

from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings

from adapters.slack.installations import STATE_SECONDS, Installations
from adapters.slack.web import API_URL, Web

SCOPES = (
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "chat:write.customize",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "pins:read",
    "pins:write",
    "reactions:write",
    "users:read",
)
"""The bot scopes of slack-manifest.yaml, no more and no fewer."""
INSTALL, REDIRECT = "/slack/install", "/slack/oauth_redirect"
CONSENT = "https://slack.com/oauth/v2/authorize"


def flow(
    web: Web, installations: Installations, *, client_id: str, client_secret: str, public_url: str
) -> AsyncOAuthFlow:
    """The two pages of an installation. `public_url` is where Slack's consent page sends people back to."""
    consent = CONSENT if web.api_url == API_URL else urljoin(web.api_url, "/oauth/v2/authorize")
    settings = AsyncOAuthSettings(
        client_id=client_id,
        client_secret=client_secret,
        scopes=list(SCOPES),
        user_scopes=[],
        redirect_uri=f"{public_url.rstrip('/')}{REDIRECT}" if public_url else None,
        install_path=INSTALL,
        redirect_uri_path=REDIRECT,
        authorization_url=consent,
        installation_store=installations,
        state_store=installations.states,
        state_expiration_seconds=STATE_SECONDS,
    )
    return AsyncOAuthFlow(client=web.client(""), settings=settings)
