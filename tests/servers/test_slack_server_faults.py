"""Rate limits and bad days by script."""

import asyncio
import time

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncConnectionErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import Broken, Delayed, Limited, Lost, Rates, Refused, SlackServer, Slow
from tests.servers.slack.faults import Fault
from tests.servers.slack_app import client, refused


async def test_one_post_a_second_and_channel_in_the_long_run() -> None:
    """A burst passes, the next post must wait, another channel is not concerned."""
    clock = [100.0]
    async with SlackServer(rates=Rates(post_burst=2), now=lambda: clock[0]) as slack:
        bot, general, lab = client(slack), slack.channel("general").id, slack.channel("lab").id
        for _ in range(2):
            await bot.chat_postMessage(channel=general, text="x")
        with pytest.raises(SlackApiError) as caught:
            await bot.chat_postMessage(channel=general, text="x")
        await bot.chat_postMessage(channel=lab, text="x")
        clock[0] += 1
        await bot.chat_postMessage(channel=general, text="x")

    assert caught.value.response.status_code == 429
    assert caught.value.response["error"] == "ratelimited"
    assert caught.value.response.headers["Retry-After"] == "1"
    assert len(slack.posts("general")) == 3


async def test_tiers_count_by_method_and_workspace() -> None:
    """pins.add is a method of tier 2: twenty a minute."""
    clock = [100.0]
    async with SlackServer(now=lambda: clock[0]) as slack:
        bot = client(slack)
        message = slack.say("ada", "general", "x")
        where = {"channel": message.channel, "timestamp": message.ts}
        codes = [await _code(bot.pins_add(**where)) for _ in range(21)]
        other = await _code(bot.reactions_add(name="eyes", **where))
        clock[0] += 3
        later = await _code(bot.pins_add(**where))

    assert codes == ["ok", *["already_pinned"] * 19, "ratelimited"]
    assert (other, later) == ("ok", "already_pinned")


async def test_limits_can_be_set_and_turned_off() -> None:
    """Another tier for one method; none at all."""
    async with SlackServer(rates=Rates(per_minute=(("auth.test", 1),))) as slack:
        await client(slack).auth_test()
        assert await refused(client(slack).auth_test()) == "ratelimited"
    async with SlackServer(rates=Rates.none()) as slack:
        for _ in range(30):
            await client(slack).chat_postMessage(channel=slack.channel("general").id, text="x")


@pytest.mark.parametrize("fault", [Lost(how="reset"), Lost(how="500"), Lost(how="silence", seconds=0.1)])
async def test_a_lost_confirmation_has_posted(slack: SlackServer, bot: AsyncWebClient, fault: Fault) -> None:
    """The caller learns nothing, the message is there."""
    slack.fault("chat.postMessage", fault)

    with pytest.raises((aiohttp.ClientError, SlackApiError)):
        await bot.chat_postMessage(channel=slack.channel("general").id, text="x")

    assert [post.text for post in slack.posts("general")] == ["x"]
    assert [(call.outcome, call.seen) for call in slack.calls] == [("ok", False)]


async def test_the_sdks_own_retry_posts_twice_after_a_reset(slack: SlackServer) -> None:
    """Why posts go without retry handlers."""
    slack.fault("chat.postMessage", Lost(how="reset"))
    retrying = AsyncWebClient(
        token=slack.bot_token, base_url=slack.api_url, retry_handlers=[AsyncConnectionErrorRetryHandler()]
    )

    await retrying.chat_postMessage(channel=slack.channel("general").id, text="x")

    assert len(slack.posts("general")) == 2


async def test_a_delayed_confirmation_comes_after_the_post(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Others see it before the caller knows."""
    slack.fault("chat.postMessage", Delayed(seconds=0.2))
    call = asyncio.create_task(bot.chat_postMessage(channel=slack.channel("general").id, text="x"))

    await slack.until(lambda: slack.posts("general"))

    assert not call.done()
    await call


async def test_a_slow_call_is_carried_out_late(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Even when its caller has gone: the platform lives on."""
    slack.fault("chat.postMessage", Slow(seconds=0.1))
    call = asyncio.create_task(bot.chat_postMessage(channel=slack.channel("general").id, text="x"))
    await asyncio.sleep(0.05)
    assert slack.posts("general") == []
    call.cancel()

    await slack.until(lambda: slack.posts("general"))


@pytest.mark.parametrize(
    "fault", [Limited(retry_after=7), Refused(error="fatal_error"), Broken(status=503), Broken(status=0)]
)
async def test_what_fails_before_is_not_carried_out(slack: SlackServer, bot: AsyncWebClient, fault: Fault) -> None:
    """429, an error, an error page, a reset: nothing was posted."""
    slack.fault("chat.postMessage", fault)

    with pytest.raises((aiohttp.ClientError, SlackApiError)):
        await bot.chat_postMessage(channel=slack.channel("general").id, text="x")

    assert slack.posts("general") == []
    assert slack.calls[0].fault == type(fault).__name__


async def test_faults_strike_where_the_script_says(slack: SlackServer, bot: AsyncWebClient) -> None:
    """In one channel, after some calls, so many times."""
    general, lab = slack.channel("general").id, slack.channel("lab").id
    slack.fault("chat.postMessage", Refused(error="fatal_error"), channel=lab, skip=1, times=2)
    places = [lab, general, lab, lab, lab]

    codes = [await _code(bot.chat_postMessage(channel=place, text="x")) for place in places]

    assert codes == ["ok", "ok", "fatal_error", "fatal_error", "ok"]


async def test_a_channel_archived_in_the_middle(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Posts and edits are refused, each with its error; brought back, the bot is outside."""
    general = slack.channel("general").id
    sent = await bot.chat_postMessage(channel=general, text="x")
    slack.archive("general")
    post = await refused(bot.chat_postMessage(channel=general, text="x"))
    edit = await refused(bot.chat_update(channel=general, ts=sent["ts"], text="y"))
    slack.unarchive("general")
    back = await refused(bot.chat_postMessage(channel=general, text="x"))

    assert (post, edit, back) == ("is_archived", "is_inactive", "not_in_channel")


async def test_until_says_what_the_app_did_instead(slack: SlackServer, bot: AsyncWebClient) -> None:
    """A time-out that explains itself."""
    await bot.auth_test()
    begun = time.monotonic()

    with pytest.raises(TimeoutError, match=r"auth\.test"):
        await slack.until(lambda: slack.posts("general"), seconds=0.05)

    assert time.monotonic() - begun < 1


async def _code(call: object) -> str:
    try:
        await call  # type: ignore[misc]  # an awaitable of the SDK
    except SlackApiError as error:
        return str(error.response["error"])
    return "ok"
