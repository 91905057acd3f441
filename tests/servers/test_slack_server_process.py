"""The server as a process of its own: it outlives the app, and its journal outlives it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack.remote import RemoteSlack
from tests.servers.slack.world import JSON


async def test_a_process_serves_is_driven_and_keeps_a_journal(tmp_path: Path) -> None:
    """Web API for the app, verbs for the test, and one line for each post."""
    async with RemoteSlack(log=tmp_path / "log.jsonl", options=("--no-rates", "--retry-delays", "0")) as slack:
        bot = AsyncWebClient(
            token=slack.facts["bot_token"], base_url=slack.facts["api_url"], retry_handlers=[], timeout=5
        )
        message = await slack.do("say", user="ada", channel="general", text="@Panel hello")
        await slack.do("fault", method="chat.postMessage", kind="limited", how={"retry_after": 1}, channel="C0")
        metadata = {"event_type": "turn", "event_payload": {"turn": 1}}
        await bot.chat_postMessage(
            channel=message["channel"], thread_ts=message["ts"], text="hi", username="Ada (AI)", metadata=metadata
        )
        await slack.do("edit", user="ada", message={"channel": message["channel"], "ts": message["ts"]}, text="no")
        posts = await slack.do("posts", channel="general", thread_ts=message["ts"])
        await slack.do("settled")
        acks = await slack.do("acks")

    assert [post["username"] for post in posts] == ["Ada (AI)"]
    assert {ack["state"] for ack in acks} == {"unreachable"}
    [entry] = [line for line in slack.journal() if line["kind"] == "post"]
    assert (entry["thread_ts"], entry["metadata"]) == (message["ts"], metadata)


async def test_verbs_explain_what_is_wrong(tmp_path: Path) -> None:
    """Unknown people and verbs are errors with the names there are."""
    async with RemoteSlack(log=tmp_path / "log.jsonl") as slack:
        errors = [await _error(slack, "say", user="nemo", channel="general", text="x"), await _error(slack, "fly")]

    assert "ada" in errors[0]
    assert "unknown verb fly" in errors[1]


@asynccontextmanager
async def victim(slack: RemoteSlack, mode: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A bot in a process of its own, killed without mercy at the end."""
    facts = (slack.facts["api_url"], slack.facts["bot_token"], slack.facts["app_token"])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.servers.slack_victim", *facts, mode),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        yield process
    finally:
        process.kill()
        await process.wait()


async def test_a_killed_bot_gets_what_it_did_not_ack_again(tmp_path: Path) -> None:
    """The platform lives on, redelivers to the next process, and the journal has one answer."""
    options = ("--no-rates", "--retry-delays", "0,0.5,1,2,4,8,16")
    async with RemoteSlack(log=tmp_path / "log.jsonl", options=options) as slack:
        async with victim(slack, "hang") as process:
            assert process.stdout is not None
            await slack.do("say", user="ada", channel="general", text="hello")
            await asyncio.wait_for(process.stdout.readline(), 10)
        async with victim(slack, "answer"):
            await slack.do("settled")
            posts = await _posts(slack)
        acks = await slack.do("acks")

    assert [post["text"] for post in posts] == ["answer"]
    attempts = [ack["state"] for ack in acks if ack["key"] == acks[0]["key"]]
    assert attempts[-1] == "acked"
    assert "unreachable" in attempts
    assert [entry["text"] for entry in slack.journal() if entry["kind"] == "post"] == ["answer"]


async def _posts(slack: RemoteSlack) -> list[JSON]:
    for _ in range(100):
        posts: list[JSON] = await slack.do("posts", channel="general")
        if posts:
            return posts
        await asyncio.sleep(0.02)
    return []


async def _error(slack: RemoteSlack, verb: str, **arguments: str) -> str:
    try:
        await slack.do(verb, **arguments)
    except RuntimeError as error:
        return str(error)
    return ""
