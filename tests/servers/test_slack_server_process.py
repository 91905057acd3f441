"""The server as a process of its own: it outlives the app, and its journal outlives it."""

from pathlib import Path

from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack.remote import RemoteSlack


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


async def _error(slack: RemoteSlack, verb: str, **arguments: str) -> str:
    try:
        await slack.do(verb, **arguments)
    except RuntimeError as error:
        return str(error)
    return ""
