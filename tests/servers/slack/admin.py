"""What admins and Slack itself do to the app: archive, kick, take scopes, revoke, install, bad days."""

import secrets
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.servers.slack import api_install
from tests.servers.slack.faults import Fault
from tests.servers.slack.forms import GestureError
from tests.servers.slack.gestures import Gestures
from tests.servers.slack.people import Where, Who
from tests.servers.slack.workspace import Installation, Workspace, fresh_id
from tests.servers.slack.world import JSON, Channel, ChannelKind, User, UserKind


class Admin(Gestures):
    """The driver's third part."""

    @property
    def workspace(self) -> Workspace:
        """The first workspace, where most tests live."""
        return next(iter(self.workspaces.values()))

    @property
    def installation(self) -> Installation:
        """The app's installation in the first workspace; raises LookupError when there is none."""
        if self.workspace.installation is None:
            raise LookupError("the app is not installed here")
        return self.workspace.installation

    def user(self, name: Who) -> User:
        """Someone in the first workspace by name or id; raises KeyError."""
        return self.workspace.user(name)

    def channel(self, name: Where) -> Channel:
        """A channel in any workspace by name or id; raises KeyError."""
        return self.home_of(name)[1]

    def add_user(self, name: str, kind: UserKind = "member", real_name: str | None = None) -> User:
        """A new person in the first workspace."""
        return self.workspace.add_user(name, kind, real_name)

    def add_channel(
        self,
        name: str,
        members: list[Who],
        kind: ChannelKind = "public",
        *,
        bot: bool = True,
        shared: bool = False,
    ) -> Channel:
        """A new channel in the first workspace."""
        people = [self.user(member) for member in members]
        return self.workspace.add_channel(name, people, kind, bot=bot, shared=shared)

    def add_workspace(self, name: str, enterprise: str | None = None) -> Workspace:
        """Another team, where the app is not installed yet."""
        ws = Workspace(id=fresh_id("T", name), name=name, domain=name.lower(), enterprise=enterprise)
        self.workspaces[ws.id] = ws
        return ws

    def fault(self, method: str, fault: Fault, **where: Any) -> None:
        """Script a bad day: see `faults.Faults.add` for `times`, `skip`, `channel`, `thread_ts`."""
        self.faults.add(method, fault, **where)

    def archive(self, channel: Where) -> None:
        """Archive a channel."""
        self._set_archived(channel, True)

    def unarchive(self, channel: Where) -> None:
        """Bring an archived channel back; the bot is not in it any more, as in Slack."""
        self._set_archived(channel, False)
        ws, place = self.home_of(channel)
        if ws.bot_user in place.members:
            place.members.remove(ws.bot_user)

    def kick_bot(self, channel: Where) -> None:
        """Remove the bot from a channel."""
        ws, place = self.home_of(channel)
        place.members.remove(ws.bot_user)

    def invite_bot(self, channel: Where) -> None:
        """Invite the bot (again)."""
        ws, place = self.home_of(channel)
        if ws.bot_user not in place.members:
            place.members.append(ws.bot_user)
        event = {"type": "member_joined_channel", "user": ws.bot_user, "channel": place.id, "team": ws.id}
        self.publish(ws, event, place)

    def delete_channel(self, channel: Where) -> None:
        """Delete a channel with everything in it."""
        ws, place = self.home_of(channel)
        del ws.channels[place.id]

    def drop_scope(self, scope: str, ws: Workspace | None = None) -> None:
        """Take a scope from the installed token."""
        installation = self._installed(ws)
        installation.scopes = installation.scopes - {scope}

    def grant_scope(self, scope: str, ws: Workspace | None = None) -> None:
        """Add a scope, as a reinstallation does."""
        installation = self._installed(ws)
        installation.scopes = installation.scopes | {scope}

    def revoke_token(self, ws: Workspace | None = None) -> None:
        """Revoke the token; the app is told by an event."""
        target = ws or self.workspace
        api_install.revoke(self, target, self._installed(ws))

    def uninstall(self, ws: Workspace | None = None) -> None:
        """Uninstall the app; the app is told by two events."""
        target = ws or self.workspace
        api_install.uninstall(self, target, self._installed(ws))

    def approve(self, authorize_url: str, ws: Workspace, user: Who) -> str:
        """An admin clicks Allow on the consent page at this address; where Slack sends the browser.

        Raises GestureError where Slack's page would show an error instead.
        """
        query = {key: values[0] for key, values in parse_qs(urlsplit(authorize_url).query).items()}
        if query.get("client_id") != self.settings.client_id:
            raise GestureError("invalid client_id")
        scopes = frozenset(scope for scope in query.get("scope", "").split(",") if scope)
        if not scopes or not scopes <= self.manifest.scopes:
            raise GestureError(f"scopes that the manifest does not declare: {sorted(scopes - self.manifest.scopes)}")
        person, redirect, code = ws.user(user), query.get("redirect_uri", ""), secrets.token_hex(8)
        self.codes[code] = (ws.id, person.id, scopes, redirect)
        back: JSON = {"code": code, "state": query.get("state", "")}
        return f"{redirect}?{urlencode(back)}"

    def deliver_to(self, url: str) -> None:
        """Where signed HTTP deliveries go from now on."""
        self.signed.url = url

    def _installed(self, ws: Workspace | None) -> Installation:
        installation = (ws or self.workspace).installation
        if installation is None:
            raise LookupError("the app is not installed there")
        return installation

    def _set_archived(self, channel: Where, archived: bool) -> None:
        ws, place = self.home_of(channel)
        kind = "channel_archive" if archived else "channel_unarchive"
        self.publish(ws, {"type": kind, "channel": place.id, "user": "U0ADMIN"}, place)
        place.archived = archived
