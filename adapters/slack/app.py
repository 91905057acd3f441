"""The Bolt app: who may ask, what is written down before it is confirmed, and which of ours answers what."""

import logging
import re
from collections.abc import Awaitable, Callable

from slack_bolt import BoltResponse
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext

from adapters.slack.accounts import Accounts
from adapters.slack.cards import PRESS
from adapters.slack.desk_forms import DESK
from adapters.slack.form import NEW_PANEL
from adapters.slack.form_fields import FORMAT
from adapters.slack.presses import SAY
from adapters.slack.routes import Routes
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.errors import PostRefused

log = logging.getLogger("panelist.slack.bolt")

ANY = re.compile(r".*", re.DOTALL)


class Authorize(AsyncAuthorize):
    """Answers from what is known of the workspace.

    Where it can not be known just now it raises, so that Slack delivers again; Bolt takes a `None` for a stranger's
    workspace and confirms.
    """

    def __init__(self, accounts: Accounts) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Bolt's
        self._accounts = accounts

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,
        actor_team_id: str | None = None,
        actor_user_id: str | None = None,
    ) -> AuthorizeResult | None:
        account = await self._accounts.of_team(team_id or "")
        if account is None:
            return None
        return AuthorizeResult(
            enterprise_id=account.enterprise or None,
            team_id=account.team,
            bot_user_id=account.bot_user,
            bot_id=account.bot_id,
            bot_token=account.token,
            user_id=user_id,
        )


def bolt_app(accounts: Accounts, routes: Routes, *, signing_secret: str = "") -> AsyncApp:
    """The app. Everything that Slack sends is confirmed, whether or not it is for us: what is not confirmed is sent
    again, and an app that confirms too little is cut off."""
    log.setLevel(logging.ERROR)  # it warns at each start that it will not use the token that we do not give it
    app = AsyncApp(
        name="panelist",
        logger=log,
        client=routes.client(),
        authorize=Authorize(accounts),  # type: ignore[arg-type]  # Bolt takes its own class there, too
        signing_secret=signing_secret,
        request_verification_enabled=bool(signing_secret),
    )

    async def account_of(context: AsyncBoltContext) -> Account:
        account = await accounts.of_team(context.team_id or "")
        if account is None:
            raise PostRefused("the app is not installed in this workspace")
        return account

    @app.middleware
    async def write_down(
        body: JSON,
        context: AsyncBoltContext,
        next: Callable[[], Awaitable[BoltResponse]],  # noqa: A002  # Bolt's name
    ) -> BoltResponse | None:
        """Bolt confirms an event before its listener runs, so that what must not be lost is done here."""
        event = body.get("event")
        if isinstance(event, dict):
            if str(event.get("type")) in ("app_uninstalled", "tokens_revoked"):
                await routes.removed(context.team_id or "", event)
            else:
                await routes.event(await account_of(context), event)
        return await next()

    @app.event(ANY)
    async def confirmed() -> None:
        """Whatever else comes."""

    @app.command(ANY)
    async def slash(ack: AsyncAck, body: JSON, context: AsyncBoltContext) -> None:
        await ack()
        routes.slash(await account_of(context), body)

    @app.shortcut(ANY)
    async def shortcut(ack: AsyncAck, body: JSON, context: AsyncBoltContext) -> None:
        await ack()
        routes.shortcut(await account_of(context), body)

    @app.action(ANY)
    async def action(ack: AsyncAck, body: JSON, action: JSON, context: AsyncBoltContext) -> None:
        await ack()
        name = str(action.get("action_id") or "")
        if name == FORMAT:
            routes.chosen_format(await account_of(context), body, action)
        elif name.startswith(PRESS) and not name.startswith(f"{PRESS}link:"):
            routes.pressed(await account_of(context), body, action)

    @app.view(re.compile(f"^({NEW_PANEL}|{DESK})$"))
    async def form(ack: AsyncAck, body: JSON, context: AsyncBoltContext) -> None:
        errors = await routes.submitted(await account_of(context), body)
        await (ack(response_action="errors", errors=errors) if errors else ack())

    @app.view(SAY)
    async def words(ack: AsyncAck, body: JSON, context: AsyncBoltContext) -> None:
        await ack()
        routes.said(await account_of(context), body)

    @app.view_closed(ANY)
    async def closed(ack: AsyncAck) -> None:
        await ack()

    return app
