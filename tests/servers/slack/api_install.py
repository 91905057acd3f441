"""OAuth, Socket Mode's door, uninstalling: https://docs.slack.dev/authentication/installing-with-oauth"""

from tests.servers.slack.errors import SlackError
from tests.servers.slack.platform import Platform
from tests.servers.slack.request import Request
from tests.servers.slack.workspace import Installation, Workspace
from tests.servers.slack.world import JSON


def connections_open(platform: Platform) -> JSON:
    """apps.connections.open: the address of one socket, good once."""
    if not platform.sockets.enabled:
        raise SlackError("forbidden_team")
    host = platform.base_url.removeprefix("http://")
    ticket = platform.sockets.ticket()
    return {"ok": True, "url": f"ws://{host}/link/?ticket={ticket}&app_id={platform.settings.app_id}"}


def oauth_access(platform: Platform, arguments: JSON, basic: tuple[str, str] | None) -> JSON:
    """oauth.v2.access: a code is good once and for the redirect address it was made for."""
    _check_client(platform, *(basic or (arguments.get("client_id", ""), arguments.get("client_secret", ""))))
    if arguments.get("grant_type") not in {None, "authorization_code"}:
        raise SlackError("invalid_grant_type")
    entry = platform.codes.pop(str(arguments.get("code")), None)
    if entry is None:
        raise SlackError("invalid_code")
    team, user, scopes, redirect = entry
    if arguments.get("redirect_uri", "") != redirect:
        raise SlackError("bad_redirect_uri")
    ws = platform.workspaces[team]
    installation = platform.install(ws, scopes)
    return {
        "ok": True,
        "app_id": platform.settings.app_id,
        "authed_user": {"id": user},
        "scope": ",".join(sorted(scopes)),
        "token_type": "bot",
        "access_token": installation.token,
        "bot_user_id": installation.bot_user,
        "team": {"id": ws.id, "name": ws.name},
        "enterprise": {"id": ws.enterprise, "name": "Enterprise"} if ws.enterprise else None,
        "is_enterprise_install": False,
    }


def apps_uninstall(call: Request) -> JSON:
    """apps.uninstall: the app is gone from this workspace, and is told so."""
    _check_client(call.platform, call.text("client_id"), call.text("client_secret"))
    uninstall(call.platform, call.ws, call.installation)
    return {"ok": True}


def uninstall(platform: Platform, ws: Workspace, installation: Installation) -> None:
    """Kill the token, put the bot out of every channel, and send the two events, in either order."""
    revoke(platform, ws, installation, "account_inactive")
    platform.publish(ws, {"type": "app_uninstalled"})
    for channel in ws.channels.values():
        if installation.bot_user in channel.members:
            channel.members.remove(installation.bot_user)


def revoke(platform: Platform, ws: Workspace, installation: Installation, code: str = "token_revoked") -> None:
    """Kill the token and tell the app by `tokens_revoked`."""
    installation.standing = "account_inactive" if code == "account_inactive" else "token_revoked"
    tokens = {"oauth": [], "bot": [installation.bot_user]}
    platform.publish(ws, {"type": "tokens_revoked", "tokens": tokens})


def _check_client(platform: Platform, client_id: str, client_secret: str) -> None:
    if client_id != platform.settings.client_id:
        raise SlackError("invalid_client_id")
    if client_secret != platform.settings.client_secret:
        raise SlackError("bad_client_secret")
