"""Files in and out, links to messages, pins."""

from pathlib import Path

import pytest

from adapters.slack.links import message_link
from tests.servers.slack import Refused, SlackServer
from tests.slack.house import house
from tests.slack.stages import place_of, platform, server
from tests.slack.talk import SHORT, begun, buttons, status, told

REVIEW = "@panel review --personas engineer-lens,security-engineer"
PLAN = b"# Plan\n\nWe retry every call five times without a pause.\n"


async def documents(it) -> list[str]:  # type: ignore[no-untyped-def]
    loaded = await it.store.load((await it.panels())[0].id)
    return [document.text for document in loaded.entries[0].documents]


async def test_an_attached_file_is_reviewed(tmp_path: Path) -> None:
    """Whole, with the token only to Slack's file host."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.say("ada", "general", REVIEW, files=[("plan.md", PLAN)])
        await slack.until(lambda: slack.posts("general"), 10)
        await status(it, "finished", 20)
        texts = await documents(it)

    assert texts == [PLAN.decode().rstrip("\n")] or texts == [PLAN.decode()]
    assert slack.leaked_tokens == []


async def test_a_snippet_is_fetched_whole(tmp_path: Path) -> None:
    """Its preview is cut."""
    async with server() as slack, house(slack, tmp_path) as it:
        snippet = slack.new_file("ada", "long.txt", b"line of the snippet\n" * 100)
        snippet.mode = "snippet"
        slack.say("ada", "general", REVIEW, files=[snippet])
        await slack.until(lambda: slack.posts("general"), 10)
        texts = await documents(it)

    assert texts[0].count("line of the snippet") == 100


async def test_a_file_from_another_organisation_is_asked_for(tmp_path: Path) -> None:
    """Slack Connect: the event has its id alone."""
    async with server() as slack, house(slack, tmp_path) as it:
        shared = slack.new_file("ada", "plan.md", PLAN)
        shared.check_info = True
        slack.say("ada", "partners", REVIEW, files=[shared])
        await slack.until(lambda: slack.posts("partners"), 10)
        texts = await documents(it)

    assert "five times" in texts[0]


@pytest.mark.parametrize("page", ["page", "redirect", "leak"])
async def test_a_login_page_is_no_document(tmp_path: Path, page: str) -> None:
    """Without files:read Slack answers with one, or sends us elsewhere; the token goes nowhere else."""
    async with server(login_page=page) as slack, house(slack, tmp_path) as it:
        slack.drop_scope("files:read")
        slack.say("ada", "general", REVIEW, files=[("plan.md", PLAN)])
        await slack.until(lambda: slack.whispers_to("ada"), 10)
        rows = await it.panels()

    assert "files:read" in told(slack, "ada")
    assert rows == ()
    assert slack.leaked_tokens == []


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ("size", "of 9,999 bytes"),
        ("external", "outside Slack"),
        ("binary", "photo.png"),
        ("huge", "at most"),
    ],
)
async def test_files_that_can_not_be_read_are_named(tmp_path: Path, spoil: str, words: str) -> None:
    """To whoever attached them."""
    async with server() as slack, house(slack, tmp_path) as it:
        file = slack.new_file("ada", "photo.png" if spoil == "binary" else "plan.md", PLAN)
        if spoil == "size":
            file.size = 9999
        if spoil == "external":
            file.external = "https://drive.example/plan.md"
        if spoil == "binary":
            file.content = b"\x89PNG\r\n\x1a\n" + bytes(200)
            file.size = len(file.content)
        if spoil == "huge":
            file.size = 60 * 1024 * 1024
        slack.say("ada", "general", REVIEW, files=[file])
        await slack.until(lambda: slack.whispers_to("ada"), 10)
        rows = await it.panels()

    assert words in told(slack, "ada")
    assert rows == ()


def test_only_slack_s_own_links_are_links_to_messages() -> None:
    """Everything else is text, or refused elsewhere."""
    good = message_link("<https://acme.slack.com/archives/C0123/p1700000000123456?thread_ts=1.2&cid=C0123>")

    assert good is not None
    assert (good.channel, good.ts) == ("C0123", "1700000000.123456")
    for text in (
        "https://evil.example/archives/C0123/p1700000000123456",
        "http://acme.slack.com/archives/C0123/p1700000000123456",
        "https://acme.slack.com.evil.example/archives/C0123/p1700000000123456",
        "see https://acme.slack.com/archives/C0123/p1700000000123456",
        "https://acme.slack.com/archives/C0123",
    ):
        assert message_link(text) is None


def link(slack: SlackServer, channel: str, text: str, who: str = "iris") -> str:
    message = slack.say(who, channel, text)
    return slack.workspace.permalink(slack.channel(channel), message)


async def test_a_message_link_is_reviewed(tmp_path: Path) -> None:
    """From this channel, or a public one that the bot is in."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.add_channel("plaza", ["ada", "iris"])
        address = link(slack, "plaza", "We retry every call five times.")
        await slack.slash("ada", "general", f"review {address} --personas engineer-lens,security-engineer")
        await status(it, "finished", 20)
        texts = await documents(it)

    assert texts == ["We retry every call five times."]


async def test_a_private_channel_s_link_is_read_for_its_members_only(tmp_path: Path) -> None:
    """The bot sits in #lab, ben does not."""
    async with server() as slack, house(slack, tmp_path) as it:
        address = link(slack, "lab", "The layoffs are in May.")
        await slack.slash("ben", "general", f"review {address}")
        await slack.until(lambda: slack.whispers_to("ben"))
        refused = await it.panels()
        words = f"review {address} --personas engineer-lens,security-engineer"
        await slack.slash("ada", "general", words)
        await status(it, "finished", 20)

    assert refused == ()
    assert "layoffs" not in told(slack, "ben")
    assert "member" in told(slack, "ben")


@pytest.mark.parametrize(
    "address",
    [
        "https://other.slack.com/archives/C0123456/p1700000000123456",
        "https://example.com/design.md",
    ],
)
async def test_links_of_other_places_are_refused(tmp_path: Path, address: str) -> None:
    """Nothing is fetched from the web."""
    async with server() as slack, house(slack, tmp_path):
        await slack.slash("ada", "general", f"review {address}")
        await slack.until(lambda: slack.whispers_to("ada"))

    assert "paste the text" in told(slack, "ada")


async def test_what_slack_makes_of_a_path_is_undone(tmp_path: Path) -> None:
    """`design.md` is typed, a link arrives."""
    root = tmp_path / "docs"
    root.mkdir()
    (root / "design.md").write_text("# Design\n\nWe retry every call five times.\n")
    async with server() as slack, house(slack, tmp_path, roots={"docs": root}) as it:
        await slack.slash("iris", "general", "settings roots docs")
        await slack.until(lambda: slack.whispers_to("iris"))
        slack.say(
            "ada",
            "general",
            f"<@{slack.installation.bot_user}> review <http://docs:design.md|docs:design.md> "
            "--personas engineer-lens,security-engineer",
            raw=True,
        )
        await slack.until(lambda: slack.posts("general") or slack.whispers_to("ada"), 10)
        texts = await documents(it)

    assert "five times" in texts[0]


async def test_transcript_and_record_are_attached_and_linked_on_request(tmp_path: Path) -> None:
    """A press of the button says where; where they are gone, they are attached anew."""
    async with server() as slack, house(slack, tmp_path) as it:
        card = await begun(it, SHORT)
        await status(it, "finished")
        await slack.until(lambda: "Transcript" in buttons(card))
        await slack.press("ben", card, "Transcript")
        await slack.until(lambda: slack.whispers_to("ben"))
        attached = next(post for post in slack.posts("general") if post.files)
        slack.workspace.erase(slack.channel("general"), attached)
        await slack.press("ada", card, "Record")
        await slack.until(lambda: slack.whispers_to("ada"), 10)
        again = [post for post in slack.posts("general") if post.files]

    assert "/archives/" in told(slack, "ben")
    assert [file.name.rsplit(".")[-1] for file in again[-1].files] == ["json"]


async def test_a_refused_type_keeps_no_other_file_back(tmp_path: Path) -> None:
    """Between organisations some types are refused; each file then goes alone."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.fault("files.completeUploadExternal", Refused(error="file_type_not_allowed"), times=2)
        await begun(it, SHORT)
        await status(it, "finished")
        files = [file.name.rsplit(".")[-1] for post in slack.posts("general") for file in post.files]

    assert files == ["json"]


async def test_pins_that_are_there_or_too_many(tmp_path: Path) -> None:
    """Already pinned is success; a full channel is said; the newest of ours stay where only some may."""
    async with server(pins=2) as slack, platform(slack) as made:
        place = place_of(slack)
        account = await made.accounts.of(place.workspace)
        posts = [
            (await made.web.call(account, "chat.postMessage", channel=place.channel, text=f"{n}", metadata=META))["ts"]
            for n in range(3)
        ]
        first = [await made.pin(place, ts) for ts in (posts[0], posts[0], posts[1])]
        full = await made.pin(place, posts[2])
        kept = await made._pins.pin(account, place.channel, posts[2], keep=1)
        pinned = list(slack.channel("general").pins)

    assert first == ["", "", ""]
    assert "as many pins" in full
    assert kept == ""
    assert pinned == [posts[2]]


META = {"event_type": "panelist_post", "event_payload": {"panel": "p", "turn": 2, "part": 1}}
