"""Files both ways."""

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import Rates, SlackServer, UploadedFile
from tests.servers.slack_app import client, refused


async def fetched(url: str, token: str) -> tuple[int, str, bytes]:
    """Status, type and bytes of a download with this token."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(url, headers={"Authorization": f"Bearer {token}"}) as answer,
    ):
        return answer.status, answer.content_type, await answer.read()


def shared(slack: SlackServer, name: str = "notes.md", content: bytes = b"# Notes") -> UploadedFile:
    """A file that ada put into #general."""
    return slack.say("ada", "general", "look", files=[(name, content)]).files[0]


async def test_an_upload_lands_in_the_thread(slack: SlackServer, bot: AsyncWebClient) -> None:
    """files_upload_v2 makes one file_share message with every file; its answer knows id and title alone."""
    root = slack.say("ada", "general", "root")
    uploads = [{"content": "# T", "filename": "t.md", "title": "Transcript"}, {"content": "{}", "filename": "r.json"}]

    answer = await bot.files_upload_v2(
        file_uploads=uploads, channel=root.channel, thread_ts=root.ts, initial_comment="<!here>"
    )

    [post] = slack.posts("general", root.ts)
    assert post.subtype == "file_share"
    assert post.effects.pings == ("here",)
    assert [(file.title, file.content) for file in post.files] == [("Transcript", b"# T"), ("r.json", b"{}")]
    assert [file.keys() for file in answer["files"]] == [{"id", "title"}] * 2


async def test_an_upload_wears_the_custom_identity(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The scope is chat:write.customize here, too."""
    general = slack.channel("general").id
    await bot.files_upload_v2(content="x", filename="x.txt", channel=general, username="Ada (AI)", icon_emoji=":owl:")

    assert slack.posts("general")[0].username == "Ada (AI)"


async def test_uploads_that_slack_refuses(slack: SlackServer, bot: AsyncWebClient) -> None:
    """Foreign ids, channels without the bot, bytes that were never sent."""
    ticket = await bot.files_getUploadURLExternal(filename="x.txt", length=3)
    unsent = await refused(bot.files_completeUploadExternal(files=[{"id": ticket["file_id"]}]))
    async with aiohttp.ClientSession() as session, session.post(ticket["upload_url"], data=b"four") as answer:
        status = answer.status
    unknown = await refused(bot.files_completeUploadExternal(files=[{"id": "F0"}]))
    outside = await refused(bot.files_upload_v2(content="x", channel=slack.channel("board").id))

    assert (unsent, status, unknown, outside) == ("file_not_found", 400, "file_not_found", "channel_not_found")


async def test_a_download_needs_token_scope_and_membership(slack: SlackServer) -> None:
    """All others get a login page with status 200."""
    url = shared(slack).public(slack.base_url, slack.workspace.id)["url_private"]
    good = await fetched(url, slack.bot_token)
    wrong = await fetched(url, "xoxb-wrong")
    slack.drop_scope("files:read")
    scopeless = await fetched(url, slack.bot_token)

    assert good == (200, "text/plain", b"# Notes")
    assert wrong == scopeless
    assert wrong[:2] == (200, "text/html")
    assert wrong[2].lower().startswith(b"<!doctype html")


async def test_a_login_redirect_to_another_host_catches_the_token() -> None:
    """Only a client that drops the token across hosts (or follows no redirect) is safe."""
    async with SlackServer(rates=Rates.none(), login_page="leak") as slack:
        url = shared(slack).public(slack.base_url, slack.workspace.id)["url_private"]
        slack.drop_scope("files:read")
        async with aiohttp.ClientSession() as session:
            headers = {"Authorization": f"Bearer {slack.bot_token}"}
            async with session.get(url, headers=headers, allow_redirects=False) as answer:
                target = answer.headers["Location"]
            async with session.get(target, headers=headers) as answer:
                await answer.read()

    assert "localhost" in target
    assert slack.leaked_tokens == [f"Bearer {slack.bot_token}"]


@pytest.mark.parametrize("mode", ["hosted", "snippet"])
async def test_file_objects(slack: SlackServer, bot: AsyncWebClient, mode: str) -> None:
    """Snippets carry a preview that is cut; both have size, type and address."""
    file = slack.new_file("ada", "long.py", b"x" * 300)
    file.mode = mode
    slack.say("ada", "general", "", files=[file])

    answer = (await bot.files_info(file=file.id))["file"]

    assert (answer["size"], answer["mode"], answer["filetype"]) == (300, mode, "py")
    assert len(answer.get("preview", "")) == (200 if mode == "snippet" else 0)


async def test_a_connect_file_must_be_asked_for(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The message shows its id alone."""
    file = slack.new_file("zoe", "theirs.txt", b"x")
    file.check_info = True
    message = slack.say("zoe", "partners", "mine", files=[file])

    history = await bot.conversations_history(channel=message.channel)
    info = await bot.files_info(file=file.id)

    assert history["messages"][0]["files"][0] == {
        "id": file.id,
        "mode": "file_access",
        "file_access": "check_file_info",
    }
    assert info["file"]["name"] == "theirs.txt"


async def test_files_of_other_channels_are_not_visible(slack: SlackServer, bot: AsyncWebClient) -> None:
    """The bot must be where the file is."""
    file = slack.say("iris", "board", "secret", files=[("s.txt", b"x")]).files[0]

    assert await refused(bot.files_info(file=file.id)) == "not_visible"
    assert await refused(client(slack).files_info(file="F0")) == "file_not_found"
