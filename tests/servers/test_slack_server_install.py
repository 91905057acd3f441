"""The manifest, several workspaces, OAuth, revocation, uninstalling."""

import copy
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import GestureError, InvalidManifestError, Manifest, SlackServer
from tests.servers.slack.manifest import MANIFEST
from tests.servers.slack_app import bolt, client, connected, refused

Body = dict[str, Any]


def test_the_apps_manifest_is_complete() -> None:
    """Slack would take it, and it offers what the product promises."""
    manifest = Manifest.load()

    assert manifest.commands == ("/panel",)
    assert {(s.kind, s.callback_id) for s in manifest.shortcuts} == {
        ("message", "review_message"),
        ("global", "new_panel"),
    }
    assert manifest.events == {
        *("app_mention", "app_home_opened", "app_uninstalled"),
        *("message.channels", "message.groups", "tokens_revoked"),
    }
    assert manifest.home_tab
    assert manifest.escapes_commands


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("oauth_config", "scopes", "bot"), ["commands"], "needs the scope"),
        (("settings", "event_subscriptions", "bot_events"), ["message.everything"], "unknown event"),
        (("display_information", "description"), "x" * 141, "140"),
        (("display_information", "long_description"), "x", "174"),
        (("features", "slash_commands"), [{"command": "panel"}], "begins with /"),
        (("colour",), "red", "unknown key"),
    ],
)
def test_manifests_that_slack_refuses(path: tuple[str, ...], value: object, fault: str) -> None:
    """Each fault is named."""
    raw = copy.deepcopy(yaml.safe_load(MANIFEST.read_text("utf-8")))
    place = raw
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value

    with pytest.raises(InvalidManifestError, match=fault):
        Manifest.parse(raw)


@pytest.mark.filterwarnings("ignore:BasicAuth is deprecated")  # the SDK's own way to send the secret
async def test_an_installation_by_oauth(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Consent, code, token: the new workspace answers to the new token alone."""
    other = slack.add_workspace("Beta", enterprise="E0BETA")
    owner = other.add_user("olga", "owner")
    scopes = ",".join(sorted(slack.manifest.scopes))
    consent = (
        f"https://slack.com/oauth/v2/authorize?client_id=1111.2222&scope={scopes}&state=s1&redirect_uri=http://x/y"
    )

    back = slack.approve(consent, other, owner)
    query = {key: values[0] for key, values in parse_qs(urlsplit(back).query).items()}
    secrets = {"client_id": "1111.2222", "client_secret": "client-secret", "redirect_uri": "http://x/y"}
    token = await bot.oauth_v2_access(code=query["code"], **secrets)
    again = await refused(bot.oauth_v2_access(code=query["code"], **secrets))
    wrong = await refused(bot.oauth_v2_access(code="x", client_id="1111.2222", client_secret="no"))
    who = await client(slack, token["access_token"]).auth_test()

    assert back.startswith("http://x/y?")
    assert query["state"] == "s1"
    assert (token["team"]["id"], token["enterprise"]["id"]) == (other.id, "E0BETA")
    assert who["team_id"] == other.id
    assert (again, wrong) == ("invalid_code", "bad_client_secret")


async def test_consent_to_undeclared_scopes_is_impossible(slack: SlackServer) -> None:
    """Slack's page would show an error."""
    consent = "https://slack.com/oauth/v2/authorize?client_id=1111.2222&scope=chat:write,admin"

    with pytest.raises(GestureError, match="admin"):
        slack.approve(consent, slack.workspace, "iris")


async def test_workspaces_do_not_see_each_other(slack: SlackServer) -> None:
    """A token reaches its own channels, and events name their team."""
    other = slack.add_workspace("Beta")
    slack.install(other)
    place = other.add_channel("plaza", [other.add_user("olga")])

    foreign = await refused(client(slack).chat_postMessage(channel=place.id, text="x"))
    assert other.installation is not None
    await client(slack, other.installation.token).chat_postMessage(channel=place.id, text="x")

    assert foreign == "channel_not_found"
    assert [post.team for post in slack.posts("plaza")] == [other.id]


async def test_revoking_and_uninstalling_are_told(slack: SlackServer) -> None:
    """tokens_revoked, and app_uninstalled with it; the token is dead."""
    app, heard = bolt(slack), []

    @app.event("tokens_revoked")
    @app.event("app_uninstalled")
    async def gone(body: Body) -> None:
        heard.append(body["event"]["type"])

    async with connected(slack, app):
        await app.client.auth_test()
        slack.hold_events()
        slack.revoke_token()
        revoked = await refused(app.client.auth_test())
        slack.uninstall()
        uninstalled = await refused(app.client.auth_test())
        sent = [delivery.name for delivery in slack.courier.events]
        assert slack.release_events() == 3

    assert (revoked, uninstalled) == ("token_revoked", "account_inactive")
    assert sent == ["tokens_revoked", "tokens_revoked", "app_uninstalled"]
    assert slack.installation.bot_user not in slack.channel("general").members


async def test_the_app_can_uninstall_itself(slack: SlackServer, bot: AsyncWebClient) -> None:
    """apps.uninstall needs the client's secret."""
    wrong = await refused(bot.apps_uninstall(client_id="1111.2222", client_secret="no"))
    await bot.apps_uninstall(client_id="1111.2222", client_secret="client-secret")

    assert wrong == "bad_client_secret"
    assert await refused(bot.auth_test()) == "account_inactive"


async def test_socket_mode_needs_the_app_level_token(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A bot token is of the wrong type; an unknown one is invalid."""
    assert await refused(bot.apps_connections_open(app_token=slack.bot_token)) == "not_allowed_token_type"
    assert await refused(bot.apps_connections_open(app_token="xapp-wrong")) == "invalid_auth"
    assert (await bot.apps_connections_open(app_token=slack.app_token))["url"].startswith("ws://127.0.0.1:")
