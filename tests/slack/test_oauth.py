"""Many workspaces: installed by a link, tokens sealed, gone when the app is."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from adapters.slack.installations import Installations
from adapters.slack.vault import Vault
from bot.core.errors import StoreError
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import Workspace
from tests.slack.house import House, house
from tests.slack.stages import said, server
from tests.slack.test_http import _listening, free_port

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated")  # the SDK's own way to send the secret

KEY = "a secret of more than sixteen characters"


def installed(slack: SlackServer, folder: Path, key: str = KEY) -> Installations:
    return Installations(
        database=f"sqlite:///{folder / 'panelist.db'}", client_id=slack.settings.client_id, vault=Vault(key)
    )


async def install(slack: SlackServer, base: str, ws: Workspace, who: str) -> str:
    """Somebody installs the app from the link; the last page's text."""
    async with aiohttp.ClientSession() as browser:
        async with browser.get(f"{base}/slack/install") as page:
            html, cookie = await page.text(), page.headers["set-cookie"].partition(";")[0]
        link = re.findall(r'href="(http[^"]+)"', html)[0].replace("&amp;", "&")
        back = slack.approve(link, ws, who)
        query = urlsplit(back).query
        async with browser.get(f"{base}/slack/oauth_redirect?{query}", headers={"Cookie": cookie}) as done:
            assert done.status == 200, await done.text()
            return await done.text()


def many(slack: SlackServer, port: int) -> dict[str, Any]:
    return {
        "bot_token": "",
        "client_id": slack.settings.client_id,
        "client_secret": slack.settings.client_secret,
        "secret_key": KEY,
        "public_url": "https://panel.example",
        "port": port,
    }


async def started(it: House, ws: Workspace, channel: str, who: str) -> str:
    """A panel in that workspace; who its first speaker was."""
    slack = it.server
    await slack.slash(ws.user(who), channel, "discuss Shall we? --rounds 1 --with engineer-lens,pm-lens")
    await slack.until(lambda: len(slack.posts(channel)) >= 2, 15)
    return slack.posts(channel)[1].team


async def test_two_workspaces_install_run_and_leave(tmp_path: Path) -> None:
    """Each with its own token, its own panels, its own settings."""
    port = free_port()
    async with server() as slack:
        beta = slack.add_workspace("Beta", enterprise="E0BETA")
        beta.add_user("olga", "owner")
        slack.uninstall()
        tokens = installed(slack, tmp_path)
        async with house(slack, tmp_path, tokens=tokens, **many(slack, port)) as it:
            await _listening(port)
            base = f"http://127.0.0.1:{port}"
            pages = [await install(slack, base, slack.workspace, "iris"), await install(slack, base, beta, "olga")]
            slack.invite_bot("general")
            beta.add_channel("plaza", [beta.user("olga")])
            teams = [await started(it, slack.workspace, "general", "ada"), await started(it, beta, "plaza", "olga")]
            rows = {row.place.workspace for row in await it.panels()}
            assert beta.installation is not None
            database = (tmp_path / "panelist.db").read_bytes() + _wal(tmp_path)
            clear = [ws.installation.token.encode() in database for ws in (slack.workspace, beta) if ws.installation]
            slack.uninstall(beta)
            await slack.settled()
            left = await tokens.token(beta.id)
            stays = await tokens.token(slack.workspace.id)

    assert ["Thank you" in page or "installed" in page.casefold() for page in pages] == [True, True]
    assert teams == [slack.workspace.id, beta.id]
    assert rows == {slack.workspace.id, f"E0BETA/{beta.id}"}
    assert clear == [False, False]
    assert left is None
    assert stays is not None


def _wal(folder: Path) -> bytes:
    wal = folder / "panelist.db-wal"
    return wal.read_bytes() if wal.exists() else b""


async def test_a_revoked_token_is_forgotten_and_installing_again_goes_on(tmp_path: Path) -> None:
    """The new token is used at once."""
    port = free_port()
    async with server() as slack:
        slack.uninstall()
        tokens = installed(slack, tmp_path)
        async with house(slack, tmp_path, tokens=tokens, **many(slack, port)) as it:
            await _listening(port)
            base = f"http://127.0.0.1:{port}"
            await install(slack, base, slack.workspace, "iris")
            slack.revoke_token()
            await slack.settled()
            gone = await tokens.token(slack.workspace.id)
            await install(slack, base, slack.workspace, "iris")
            slack.invite_bot("general")
            await started(it, slack.workspace, "general", "ada")

    assert gone is None
    assert said(slack.posts("general")[1])


async def test_a_state_that_we_did_not_issue_installs_nothing(tmp_path: Path) -> None:
    """Nobody is led to install into a stranger's browser."""
    port = free_port()
    async with server() as slack:
        tokens = installed(slack, tmp_path)
        async with house(slack, tmp_path, tokens=tokens, **many(slack, port)):
            await _listening(port)
            async with (
                aiohttp.ClientSession() as browser,
                browser.get(f"http://127.0.0.1:{port}/slack/oauth_redirect?code=x&state=made-up") as page,
            ):
                status = page.status
            every = await tokens.every()

    assert status == 400
    assert every == ()


def test_a_sealed_token_opens_with_its_key_alone() -> None:
    """Keys are changed by putting the new one in front of the old one."""
    sealed = Vault(KEY).sealed("xoxb-1")

    assert "xoxb" not in sealed
    assert Vault(f"a wholly new secret of the house, {KEY}").opened(sealed) == "xoxb-1"
    with pytest.raises(StoreError, match="PANELIST_SECRET_KEY"):
        Vault("another secret of the same house").opened(sealed)
