"""What is set up for Slack and what is missing: token, scopes, events, socket, membership; each with its remedy.

for finding in await examined(settings, clock=clock, shelf=shelf): print(finding.sign, finding.text)
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

import aiohttp

from adapters.slack.accounts import Accounts, Tokens
from adapters.slack.oauth import SCOPES
from adapters.slack.seen import EVENTS, last_seen
from adapters.slack.surface import SlackSettings, slack_tokens
from adapters.slack.translate import SlackRefused, code_of, scope_missing
from adapters.slack.web import Account, Web
from bot.core.clock import Clock
from bot.core.desk.listing import day_and_time
from bot.core.errors import PanelistError, PlatformError
from bot.core.store import Shelf

Sign = Literal["ok", "note", "fault"]
HELLO_SECONDS = 8.0
SHOWN = 5
_NEEDED_FOR = {
    "app_mentions:read": "mentions of the bot do not arrive",
    "channels:history": "messages in public channels do not arrive, and posts in doubt can not be settled there",
    "channels:read": "public channels can not be looked at, so no panel starts",
    "chat:write": "nothing can be posted",
    "chat:write.customize": "personas post under the app's name, their own in front of the words",
    "commands": "/panel and the shortcuts do not exist",
    "files:read": "attached files can not be read",
    "files:write": "transcript and record are not attached",
    "groups:history": "messages in private channels do not arrive",
    "groups:read": "private channels can not be looked at, so no panel starts in them",
    "pins:read": "old pins can not be taken off",
    "pins:write": "the synthesis is not pinned",
    "reactions:write": "messages get no receipt",
    "users:read": "nobody's role is known, so nobody can start a panel",
}
_SOCKET = {
    "invalid_auth": "SLACK_APP_TOKEN is not valid: make a new one under Basic Information, App-Level Tokens",
    "not_allowed_token_type": "SLACK_APP_TOKEN is no app-level token: it begins with xapp-; make one under Basic "
    "Information, App-Level Tokens",
    "missing_scope": "the app-level token lacks connections:write: make a new one with it",
    "forbidden_team": "Socket Mode is turned off: turn it on under Socket Mode",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line."""

    sign: Sign
    """`note`: works, but somebody should know."""
    text: str


async def examined(settings: SlackSettings, *, clock: Clock, shelf: Shelf | None = None) -> tuple[Finding, ...]:
    """Every finding, the faults too; asks Slack, changes nothing. `shelf` tells which events ever arrived."""
    if not settings.wanted:
        return (_note("not set up: SLACK_BOT_TOKEN and SLACK_APP_TOKEN are empty (docs/slack.md tells how)"),)
    try:
        tokens = slack_tokens(settings)
    except PanelistError as fault:
        return (_fault(str(fault)),)
    web = Web(clock, settings.api_url)
    try:
        findings = [finding async for finding in _all(settings, web, tokens)]
        if shelf is not None:
            findings += [finding async for finding in _events(shelf)]
    finally:
        await tokens.close()
        await web.close()
    return tuple(findings)


async def _all(settings: SlackSettings, web: Web, tokens: Tokens) -> AsyncIterator[Finding]:
    if settings.public_url and not settings.public_url.startswith("https://"):
        yield _note("PANELIST_PUBLIC_URL does not begin with https://, so personas have emoji for faces")
    accounts = Accounts(web, tokens)
    try:
        await tokens.prepare()
        every = await tokens.every()
    except PanelistError as fault:
        yield _fault(str(fault))
        return
    if not every:
        where = f"{settings.public_url or 'your public address'}/slack/install"
        yield _note(f"no workspace has installed the app yet; open {where}")
    for token in every:
        async for finding in _workspace(web, accounts, token):
            yield finding
    yield await _transport(settings, web)


async def _workspace(web: Web, accounts: Accounts, token: str) -> AsyncIterator[Finding]:
    try:
        account = await accounts.of_token(token)
    except SlackRefused as refused:
        yield _fault(
            f"the bot token is refused ({refused.code}): install the app again and set the new SLACK_BOT_TOKEN"
        )
        return
    except PlatformError as fault:
        yield _fault(f"Slack can not be asked: {fault}")
        return
    yield Finding(sign="ok", text=f"token: {account.name}, {account.url}")
    granted = web.scopes(account)
    missing = [scope for scope in SCOPES if granted and scope not in granted]
    for scope in missing:
        yield _fault(f"{_NEEDED_FOR[scope]}: {scope_missing(scope)}")
    if not missing:
        yield Finding(sign="ok", text=f"scopes: all {len(SCOPES)} granted")
    yield await _membership(web, account)


async def _membership(web: Web, account: Account) -> Finding:
    try:
        page = await web.call(account, "users.conversations", types="public_channel,private_channel", limit=200)
    except PlatformError as fault:
        return _note(f"channels can not be listed: {fault}")
    names = [f"#{channel.get('name')}" for channel in page.get("channels") or ()]
    if not names:
        return _note("the bot is in no channel yet: invite it with /invite @Panel")
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return Finding(sign="ok", text=f"channels: {', '.join(names[:SHOWN])}{more}")


async def _transport(settings: SlackSettings, web: Web) -> Finding:
    if settings.over_http:
        where = settings.public_url or "your public address"
        return Finding(sign="ok", text=f"signed HTTP; Slack's request URL must be {where}/slack/events")
    try:
        answer = await web.ask(settings.app_token, "apps.connections.open", app_token=settings.app_token)
        await _hello(web, str(answer["url"]))
    except PlatformError as fault:
        return _fault(_SOCKET.get(code_of(fault), f"the socket can not be opened: {fault}"))
    except (aiohttp.ClientError, TimeoutError, OSError) as fault:
        return _fault(f"the socket does not answer ({type(fault).__name__}): is a proxy or firewall in the way?")
    return Finding(sign="ok", text="socket: connected")


async def _hello(web: Web, url: str) -> None:
    """Open one socket until Slack says hello; whatever else comes is delivered again to the bot's own."""
    async with asyncio.timeout(HELLO_SECONDS), web.session.ws_connect(url) as socket:
        await socket.receive_json()


async def _events(shelf: Shelf) -> AsyncIterator[Finding]:
    """Slack tells nobody what an app subscribed to; what once arrived is subscribed to."""
    try:
        seen = await last_seen(shelf)
    except PanelistError as fault:
        yield _note(f"which events arrive can not be told: {fault}")
        return
    for name in EVENTS:
        if name in seen:
            yield Finding(sign="ok", text=f"event {name}: arrives, last noted {day_and_time(seen[name])} UTC")
        elif name not in ("app_uninstalled", "tokens_revoked"):
            yield _note(f"event {name}: never arrived so far; {_TRY[name]}, and if it stays so, {_SUBSCRIBE}")


_SUBSCRIBE = "add it under Event Subscriptions, Subscribe to bot events, and install the app again"
_TRY = {
    "app_home_opened": "open the app's home",
    "app_mention": "mention the bot in a channel that it is in",
    "message.channels": "write something in a public channel that the bot is in",
    "message.groups": "write something in a private channel that the bot is in",
}


def _fault(text: str) -> Finding:
    return Finding(sign="fault", text=text)


def _note(text: str) -> Finding:
    return Finding(sign="note", text=text)
