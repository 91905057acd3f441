"""The doctor names each thing that is missing, with its remedy, and changes nothing."""

from pathlib import Path

import yaml

from adapters.slack.doctor import Finding, examined
from adapters.slack.oauth import SCOPES
from adapters.slack.seen import EVENTS
from adapters.slack.surface import SlackSettings
from tests.servers.slack import SlackServer
from tests.servers.slack.manifest import MANIFEST
from tests.slack.house import house, settings_of
from tests.slack.stages import RealClock, server
from tests.slack.talk import SHORT, begun


def faults(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.text for finding in findings if finding.sign == "fault"]


async def look(slack: SlackServer, **given: str) -> tuple[Finding, ...]:
    return await examined(settings_of(slack, **given), clock=RealClock())


def test_what_we_ask_for_is_what_the_manifest_grants() -> None:
    """Scopes and events, line by line."""
    manifest = yaml.safe_load(MANIFEST.read_text("utf-8"))

    assert list(SCOPES) == manifest["oauth_config"]["scopes"]["bot"]
    assert list(EVENTS) == manifest["settings"]["event_subscriptions"]["bot_events"]


async def test_a_whole_set_up_has_no_fault() -> None:
    """Token, scopes, channels, socket."""
    async with server() as slack:
        findings = await look(slack)

    assert faults(findings) == []
    assert {finding.text.split(":")[0] for finding in findings} >= {"token", "scopes", "channels", "socket"}
    assert {call.method for call in slack.calls} == {"auth.test", "users.conversations", "apps.connections.open"}


async def test_every_missing_scope_is_named_with_what_it_breaks() -> None:
    """And how to add it."""
    async with server() as slack:
        dropped = ("chat:write.customize", "files:read", "groups:read")
        for scope in dropped:
            slack.drop_scope(scope)
        found = faults(await look(slack))

    assert [
        scope in text for scope, text in zip(("chat:write.customize", "files:read", "groups:read"), found, strict=True)
    ]
    assert all("OAuth & Permissions" in text for text in found)


async def test_wrong_tokens_are_told_apart() -> None:
    """A bot token for an app token, a dead one, none."""
    async with server() as slack:
        swapped = faults(await look(slack, app_token=slack.bot_token))
        dead = faults(await look(slack, bot_token="xoxb-dead"))
        slack.sockets.enabled = False
        off = faults(await look(slack))
    none = await examined(SlackSettings(), clock=RealClock())
    half = await examined(SlackSettings(bot_token="xoxb-1"), clock=RealClock())

    assert "xapp-" in swapped[0]
    assert "install the app again" in dead[0]
    assert "Socket Mode is turned off" in off[0]
    assert [finding.sign for finding in none] == ["note"]
    assert "SLACK_APP_TOKEN" in faults(half)[0]


async def test_a_bot_that_nobody_invited_is_told_so() -> None:
    """`/invite @Panel`."""
    async with server() as slack:
        for channel in list(slack.workspace.channels.values()):
            if slack.workspace.bot_user in channel.members:
                slack.kick_bot(channel)
        findings = await look(slack)

    assert any("/invite @Panel" in finding.text for finding in findings)


async def test_events_that_never_arrived_are_named(tmp_path: Path) -> None:
    """Those that did are confirmed."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, SHORT)
        slack.say("ben", "general", "hm", thread_ts=card.ts)
        slack.say("ben", "general", "@panel help")
        await it.settled()
        findings = await examined(settings_of(slack), clock=RealClock(), shelf=it.store.shelf)

    told = {finding.text.split(":")[0]: finding.sign for finding in findings}
    assert told["event message.channels"] == "ok"
    assert told["event app_mention"] == "ok"
    assert told["event message.groups"] == "note"
