"""Slack over signed HTTP: the same surface behind one door."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.slack.avatars import avatar, initials
from adapters.slack.surface import SlackSettings, slack_tokens
from bot.core.errors import UsageError
from tests.servers.slack import SlackServer
from tests.slack.house import House, house
from tests.slack.stages import server
from tests.slack.talk import SHORT, begun, status


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@asynccontextmanager
async def over_http(folder: Path, **given: Any) -> AsyncIterator[tuple[SlackServer, House, str]]:
    """A house that Slack talks to over HTTP, and its address."""
    port = free_port()
    async with server(transport="http") as slack:
        settings = {"app_token": "", "signing_secret": slack.settings.signing_secret, "port": port, **given}
        async with house(slack, folder, connect=False, **settings) as it:
            slack.deliver_to(f"http://127.0.0.1:{port}/slack/events")
            await _listening(port)
            yield slack, it, f"http://127.0.0.1:{port}"


async def _listening(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return
    raise AssertionError("nobody listens")


async def test_a_panel_runs_over_signed_http(tmp_path: Path) -> None:
    """Command, thread, buttons; the address is verified."""
    async with over_http(tmp_path) as (slack, it, _):
        challenge = await slack.signed.verify()
        card = await begun(it, SHORT)
        said = slack.say("ben", "general", "Mind the seasons.", thread_ts=card.ts)
        await status(it, "finished")
        await slack.until(lambda: said.reactions)

    assert challenge == "c" * 32
    assert {ack.state for ack in slack.acks} == {"acked"}
    assert max(ack.latency or 0 for ack in slack.acks) < 3


@pytest.mark.parametrize(("forged", "skew"), [(True, 0.0), (False, -301.0), (False, 301.0)])
async def test_what_slack_did_not_sign_is_refused(tmp_path: Path, forged: bool, skew: float) -> None:
    """And does nothing."""
    async with over_http(tmp_path) as (slack, it, _):
        slack.signed.forged, slack.signed.skew = forged, skew
        ack = await slack.slash("ada", "general", SHORT)
        await it.settled()
        rows = await it.panels()

    assert ack.state == "refused"
    assert rows == ()


async def test_without_a_signing_secret_no_event_is_taken_in_over_http(tmp_path: Path) -> None:
    """The door stands open for avatars alone."""
    port = free_port()
    async with server() as slack, house(slack, tmp_path, public_url="https://p.example", port=port):
        await _listening(port)
        async with aiohttp.ClientSession() as session:
            answers = [
                await _status(session, "POST", f"http://127.0.0.1:{port}/slack/events"),
                await _status(session, "GET", f"http://127.0.0.1:{port}/avatars/engineer-lens.png"),
                await _status(session, "GET", f"http://127.0.0.1:{port}/avatars/nobody.png"),
                await _status(session, "GET", f"http://127.0.0.1:{port}/avatars/../secrets.png"),
            ]

    assert answers == [404, 200, 404, 404]


async def _status(session: aiohttp.ClientSession, method: str, url: str) -> int:
    async with session.request(method, url) as answer:
        return answer.status


async def test_faces_are_pictures_where_the_house_has_a_public_address(tmp_path: Path) -> None:
    """icon_url instead of an emoji."""
    async with server() as slack, house(slack, tmp_path, public_url="https://panel.example", port=free_port()) as it:
        await begun(it, SHORT)

    icons = {str(post.icons) for post in slack.posts("general") if post.username}
    assert "https://panel.example/avatars/engineer-lens.png" in str(icons)


def test_the_same_name_has_the_same_face() -> None:
    """Byte for byte, and another name another one; a persona's colour is its ground."""
    one = avatar("Yuki, Engineer Lens")

    assert one == avatar.__wrapped__("Yuki, Engineer Lens")
    assert one.startswith(b"\x89PNG")
    assert one != avatar("Odile, PM Lens")
    assert avatar("Ada", "#ff0000") != avatar("Ada")
    assert (initials("Yuki, Engineer Lens"), initials("Old Sam"), initials("!!")) == ("Y", "OS", "?")


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ({"bot_token": "xoxb-1"}, "SLACK_APP_TOKEN"),
        ({"client_id": "1", "signing_secret": "s"}, "SLACK_CLIENT_SECRET"),
        ({"client_id": "1", "client_secret": "2", "signing_secret": "s"}, "PANELIST_SECRET_KEY"),
        (
            {
                "client_id": "1",
                "client_secret": "2",
                "signing_secret": "s",
                "secret_key": "short",
                "database": "sqlite:///x",
            },
            "16 characters",
        ),
    ],
)
def test_settings_that_do_not_fit_are_told_with_the_remedy(given: dict[str, Any], remedy: str) -> None:
    """Before anything is connected."""
    with pytest.raises(UsageError, match=remedy):
        slack_tokens(SlackSettings(**given))
