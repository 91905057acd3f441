"""Who somebody is: name and role, from users.info; kept for a while, because every message asks."""

import asyncio
import logging
from collections import OrderedDict

from adapters.slack.faces import folded
from adapters.slack.translate import JSON, scope_missing
from adapters.slack.web import Account, Web
from bot.core.clock import Clock
from bot.core.errors import NotAllowed, PlatformError
from bot.core.place import Person

log = logging.getLogger("panelist.slack.people")

KEPT = 600.0
"""Seconds after which a person is asked for again: somebody may have become an admin."""
REMEMBERED = 5000
PATIENCE = 1.5
"""Seconds for one question; a message waits for its answer before it is confirmed to Slack."""
MEMBERS_KEPT = 3600.0
MOST_PAGES = 20


class People:
    """People of all workspaces."""

    def __init__(self, web: Web, clock: Clock) -> None:
        self._web, self._clock = web, clock
        self._known: OrderedDict[tuple[str, str], tuple[float, Person]] = OrderedDict()
        self._members: dict[str, tuple[float, frozenset[str]]] = {}

    async def person(self, account: Account, user: str) -> Person:
        """The person with their role; whoever can not be asked for just now is who they last were, else a guest."""
        key = (account.key, user)
        at, known = self._known.get(key, (0.0, None))
        if known is not None and self._clock.monotonic() - at < KEPT:
            return known
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._web.call(account, "users.info", user=user)
        except (PlatformError, TimeoutError) as fault:
            log.info("nobody knows a user just now: %s", fault)
            return known or Person(id=user, name=user, role="guest")
        person = _person(answer.get("user") or {}, user, account)
        self._known[key] = (self._clock.monotonic(), person)
        self._known.move_to_end(key)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return person

    async def starter(self, account: Account, user: str) -> Person:
        """As `person`. Raises NotAllowed with the remedy where roles can not be read at all here."""
        person = await self.person(account, user)
        granted = self._web.scopes(account)
        if person.role == "guest" and granted and "users:read" not in granted:
            raise NotAllowed(f"who may start panels can not be told, because {scope_missing('users:read')}")
        return person

    async def names(self, account: Account, users: tuple[str, ...]) -> dict[str, str]:
        """User id → name, for mentions."""
        return {user: (await self.person(account, user)).name for user in dict.fromkeys(users)}

    async def taken_names(self, account: Account) -> frozenset[str]:
        """The names of the workspace's people, folded; empty where they can not be listed just now."""
        at, names = self._members.get(account.key, (-MEMBERS_KEPT, frozenset()))
        if self._clock.monotonic() - at < MEMBERS_KEPT:
            return names
        try:
            found = await self._listed(account)
        except PlatformError as fault:
            log.info("members can not be listed: %s", fault)
            return names
        self._members[account.key] = (self._clock.monotonic(), found)
        return found

    def forget(self, workspace: str) -> None:
        """The app was removed there."""
        self._members.pop(workspace, None)
        for key in [key for key in self._known if key[0] == workspace]:
            del self._known[key]

    async def _listed(self, account: Account) -> frozenset[str]:
        names: set[str] = set()
        cursor = ""
        for _ in range(MOST_PAGES):
            page = await self._web.call(account, "users.list", limit=1000, cursor=cursor or None)
            for user in page.get("members") or ():
                profile = user.get("profile") or {}
                told = (user.get("name"), user.get("real_name"), profile.get("real_name"), profile.get("display_name"))
                if not user.get("is_bot") and not user.get("deleted"):
                    names |= {folded(str(name)) for name in told if name}
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                break
        return frozenset(names - {""})


def _person(user: JSON, user_id: str, account: Account) -> Person:
    profile = user.get("profile") or {}
    name = profile.get("display_name") or profile.get("real_name") or user.get("real_name") or user.get("name")
    return Person(id=user_id, name=" ".join(str(name or user_id).split()), role=_role(user, account))


def _role(user: JSON, account: Account) -> str:
    """Guests and people of other organisations may contribute, nothing more."""
    enterprise = (user.get("enterprise_user") or {}).get("enterprise_id")
    colleague = user.get("team_id") in (None, "", account.team) or (enterprise and enterprise == account.enterprise)
    outside = ("is_restricted", "is_ultra_restricted", "is_stranger", "is_bot", "deleted")
    if not user or not colleague or any(user.get(mark) for mark in outside):
        return "guest"
    admin = any(user.get(mark) for mark in ("is_admin", "is_owner", "is_primary_owner"))
    return "admin" if admin else "member"
