"""Which workspaces the app is in, and with which token: one from the settings, or those that were installed."""

from abc import ABC, abstractmethod

from adapters.slack.translate import NO_TOKEN, SlackRefused
from adapters.slack.web import Account, Web
from bot.core.errors import PostRefused


def workspace_key(enterprise: str | None, team: str) -> str:
    """The workspace as places name it."""
    return f"{enterprise}/{team}" if enterprise else team


def team_of(workspace: str) -> str:
    """The team in a workspace's key."""
    return workspace.rpartition("/")[2]


class Tokens(ABC):
    """Where bot tokens come from."""

    async def prepare(self) -> None:
        """Be ready to be asked. Raises StoreError."""
        _ = self

    @abstractmethod
    async def token(self, team: str) -> str | None:
        """The token of that team's workspace; None where the app is not installed. Raises StoreError."""

    @abstractmethod
    async def every(self) -> tuple[str, ...]:
        """The tokens of all workspaces."""

    async def forget(self, team: str) -> None:
        """The app was removed there: nothing of its token is kept. Raises StoreError."""
        _ = team

    async def close(self) -> None:
        """Let go of what is held."""
        _ = self


class OneToken(Tokens):
    """The token of the settings: the app runs in one workspace."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def token(self, team: str) -> str | None:
        return self._token

    async def every(self) -> tuple[str, ...]:
        return (self._token,)


class Joined(Tokens):
    """Installed workspaces first, the settings' own token after them."""

    def __init__(self, *parts: Tokens) -> None:
        self.parts = parts

    async def prepare(self) -> None:
        for each in self.parts:
            await each.prepare()

    async def token(self, team: str) -> str | None:
        for each in self.parts:
            if (token := await each.token(team)) is not None:
                return token
        return None

    async def every(self) -> tuple[str, ...]:
        found = [await each.every() for each in self.parts]
        return tuple(token for tokens in found for token in tokens)

    async def forget(self, team: str) -> None:
        for each in self.parts:
            await each.forget(team)

    async def close(self) -> None:
        for each in self.parts:
            await each.close()


class Accounts:
    """The app's accounts, each asked for once."""

    def __init__(self, web: Web, tokens: Tokens) -> None:
        self._web, self.tokens = web, tokens
        self._known: dict[str, Account] = {}

    async def of(self, workspace: str) -> Account:
        """The app in that workspace.

        Raises PostRefused where it is not there (any more), Throttled or PostInDoubt where Slack does not answer.
        """
        known = self._known.get(workspace)
        if known is not None and not self._web.dead(known.token):
            return known
        account = await self.of_team(team_of(workspace))
        if account is None:
            raise PostRefused(NO_TOKEN)
        if account.key != workspace:
            raise PostRefused("this thread belongs to another workspace than the one that the app is installed in")
        return account

    async def of_team(self, team: str) -> Account | None:
        """The app in that team's workspace; None where it is not there. Raises Throttled, PostInDoubt, StoreError."""
        for account in self._known.values():
            if account.team == team and not self._web.dead(account.token):
                return account
        token = await self.tokens.token(team)
        if token is None or self._web.dead(token):
            return None
        try:
            account = await self.of_token(token)
        except SlackRefused:
            return None
        return account if account.team == team else None

    async def of_token(self, token: str) -> Account:
        """The account behind a token; asked for once. Raises as `of`."""
        for account in self._known.values():
            if account.token == token and not self._web.dead(token):
                return account
        who = await self._web.ask(token, "auth.test")
        enterprise = str(who.get("enterprise_id") or "")
        account = Account(
            key=workspace_key(enterprise, str(who["team_id"])),
            token=token,
            team=str(who["team_id"]),
            enterprise=enterprise,
            bot_user=str(who["user_id"]),
            bot_id=str(who.get("bot_id", "")),
            url=str(who.get("url", "")),
            name=str(who.get("team", "")),
        )
        self._known[account.key] = account
        return account

    async def every(self) -> tuple[Account, ...]:
        """Every workspace whose token Slack takes."""
        found = []
        for token in await self.tokens.every():
            try:
                found.append(await self.of_token(token))
            except SlackRefused:
                continue
        return tuple(found)

    async def lives(self, team: str) -> bool:
        """Whether Slack still takes the team's token: a farewell may come late, behind a new installation.

        Raises Throttled, PostInDoubt, StoreError.
        """
        token = await self.tokens.token(team)
        if token is None:
            return False
        try:
            return str((await self._web.ask(token, "auth.test")).get("team_id")) == team
        except SlackRefused:
            return False

    async def forget(self, team: str) -> str:
        """The token is dead: nothing of it is kept. Returns the workspace's key; empty where it was not known."""
        keys = [key for key, account in self._known.items() if account.team == team]
        for key in keys:
            del self._known[key]
        await self.tokens.forget(team)
        return keys[0] if keys else ""
