"""auth.*, users.*, bots.*, team.*: https://docs.slack.dev/reference/methods?family=users"""

from tests.servers.slack.errors import SlackError
from tests.servers.slack.request import Request
from tests.servers.slack.world import JSON


def auth_test(call: Request) -> JSON:
    """auth.test: who the token is; the granted scopes stand in a header."""
    return {
        "ok": True,
        "url": f"https://{call.ws.domain}.slack.com/",
        "team": call.ws.name,
        "team_id": call.ws.id,
        "user": call.ws.users[call.installation.bot_user].name,
        "user_id": call.installation.bot_user,
        "bot_id": call.installation.bot_id,
        "is_enterprise_install": False,
    } | ({"enterprise_id": call.ws.enterprise} if call.ws.enterprise else {})


def auth_revoke(call: Request) -> JSON:
    """auth.revoke: the token is dead afterwards."""
    if call.arguments.get("test"):
        return {"ok": True, "revoked": False}
    call.installation.standing = "token_revoked"
    return {"ok": True, "revoked": True}


def users_info(call: Request) -> JSON:
    """users.info; strangers from shared channels are visible, too."""
    user = call.ws.users.get(call.text("user"))
    if user is None:
        raise SlackError("user_not_found")
    return {"ok": True, "user": user.public()}


def users_list(call: Request) -> JSON:
    """users.list."""
    return call.page([user.public() for user in call.ws.users.values()], "members")


def bots_info(call: Request) -> JSON:
    """bots.info of our own bot or of another's."""
    wanted = call.text("bot", call.installation.bot_id)
    if wanted == call.installation.bot_id:
        user_id, name, app = (
            call.installation.bot_user,
            call.platform.manifest.bot_name,
            call.platform.settings.app_id,
        )
        bot: JSON = {"id": wanted, "deleted": False, "name": name, "app_id": app, "user_id": user_id}
        return {"ok": True, "bot": bot}
    owner = next((u for u in call.ws.users.values() if u.kind == "bot" and f"B{u.id[1:]}" == wanted), None)
    if owner is None:
        raise SlackError("bot_not_found")
    return {"ok": True, "bot": {"id": wanted, "deleted": False, "name": owner.name, "user_id": owner.id}}


def team_info(call: Request) -> JSON:
    """team.info of our own team."""
    if call.text("team", call.ws.id) != call.ws.id:
        raise SlackError("team_not_found")
    return {"ok": True, "team": {"id": call.ws.id, "name": call.ws.name, "domain": call.ws.domain}}
