"""From what Slack sends to whoever of ours deals with it."""

import logging
from collections.abc import Coroutine
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.commands import Commands, slash_of
from adapters.slack.desk_forms import DESK, DeskForms, origin_of
from adapters.slack.events import Events
from adapters.slack.form import Origin, Prefill
from adapters.slack.forms import Forms
from adapters.slack.handing_out import HandingOut
from adapters.slack.home import Home
from adapters.slack.inbox import Inbox
from adapters.slack.mentions import Mentions
from adapters.slack.messages import message_of
from adapters.slack.platform import SLACK
from adapters.slack.presses import Presses
from adapters.slack.seen import SeenEvents
from adapters.slack.services import Services
from adapters.slack.starting import Starting
from adapters.slack.telling import Asker, Teller
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.options import COMMANDS, FormatName
from bot.core.place import Place

log = logging.getLogger("panelist.slack.routes")

COMMAND_SECONDS = 600.0
"""For what a command asks for: models may be asked who fits the topic."""


class Routes:
    """The surface's parts, put together."""

    def __init__(self, services: Services) -> None:
        self._services = services
        starting, teller = Starting(services), Teller(services.platform)
        self._forms = Forms(services, starting, teller)
        self._desk_forms = DeskForms(services, teller)
        self._commands = Commands(services, starting, teller, self._forms, self._desk_forms)
        self._presses = Presses(services, starting, teller, self._forms, self._commands, HandingOut(services))
        self._teller, self._home = teller, Home(services)
        mentions = Mentions(services, starting, teller)
        self.inbox = Inbox(
            store=services.store,
            shelf=services.shelf,
            clock=services.clock,
            errands=services.platform.errands,
            deal=mentions.deal,
        )
        self._events = Events(services, self.inbox)
        self._seen = SeenEvents(services.shelf, services.clock, services.platform.errands)

    def client(self) -> AsyncWebClient:
        """A client without a token, for Bolt and for opening sockets."""
        return self._services.platform.web.client("")

    async def event(self, account: Account, event: JSON) -> None:
        """An event, to be confirmed once this returns. Raises StoreError."""
        self._seen.note(event)
        match str(event.get("type")):
            case "message" | "app_mention":
                await self._events.message(account, event)
            case "app_home_opened" if event.get("tab", "home") == "home":
                user = str(event.get("user") or "")
                self._services.platform.errands.run(self._home.publish(account, user), "home")

    async def removed(self, team: str, event: JSON) -> None:
        """The app was removed, or its bot token revoked.

        Raises StoreError, Throttled, PostInDoubt; then it is to be told again.
        """
        revoked = event.get("tokens") or {}
        if event.get("type") == "tokens_revoked" and not revoked.get("bot"):
            return
        if await self._services.platform.accounts.lives(team):
            log.info("a late farewell of a workspace that has the app again", extra={"workspace": team})
            return
        workspace = await self._services.platform.accounts.forget(team)
        if workspace:
            self._services.platform.forget(workspace)
        log.info("removed from a workspace", extra={"workspace": team})

    def slash(self, account: Account, body: JSON) -> None:
        """A slash command, confirmed already."""
        self._later(self._commands.slash(account, slash_of(body)), "command")

    def shortcut(self, account: Account, body: JSON) -> None:
        """A shortcut, confirmed already; the right to open a form lasts three seconds."""
        self._later(self._open_form(account, body), "shortcut")

    def pressed(self, account: Account, body: JSON, action: JSON) -> None:
        """A button, confirmed already."""
        self._later(self._presses.pressed(account, body, action), "press")

    def said(self, account: Account, body: JSON) -> None:
        """The words behind a button, confirmed already."""
        view, user = body.get("view") or {}, str((body.get("user") or {}).get("id") or "")
        self._later(self._presses.said(account, user, view), "press")

    def chosen_format(self, account: Account, body: JSON, action: JSON) -> None:
        """Another format was chosen in the form."""
        value = str((action.get("selected_option") or {}).get("value"))
        chosen: FormatName = next((name for name in COMMANDS.values() if name == value), "discussion")
        self._later(self._forms.redraw(account, body.get("view") or {}, chosen), "form")

    async def submitted(self, account: Account, body: JSON) -> dict[str, str]:
        """A form was filled in; returns what is wrong, by block id."""
        view, user = body.get("view") or {}, str((body.get("user") or {}).get("id") or "")
        if view.get("callback_id") != DESK:
            return await self._forms.submit(account, user, view)
        origin = origin_of(view)
        place = Place(platform=SLACK, workspace=account.key, channel=origin.channel, thread=origin.thread)
        person = await self._services.platform.people.person(account, user)
        asker = Asker(account=account, place=place, person=person, url=origin.url)
        return await self._desk_forms.submit(asker, view)

    async def _open_form(self, account: Account, body: JSON) -> None:
        message, user = message_of(body.get("message") or {}), str((body.get("user") or {}).get("id") or "")
        channel, url = str((body.get("channel") or {}).get("id") or ""), str(body.get("response_url") or "")
        thread = message.thread or message.ts
        place = Place(platform=SLACK, workspace=account.key, channel=channel, thread=thread)
        person = await self._services.platform.people.person(account, user)
        trigger = str(body.get("trigger_id") or "")
        asker = Asker(account=account, place=place, person=person, url=url, trigger=trigger)
        origin = Origin(channel=channel, thread=thread, url=url, message=message.ts)
        prefill = Prefill(format="review") if message.ts else Prefill()
        async with self._teller.told(asker):
            await self._forms.open(asker, origin, prefill)

    def _later(self, errand: Coroutine[Any, Any, object], name: str) -> None:
        self._services.platform.errands.run(errand, name, COMMAND_SECONDS)
