"""A discussion from the slash command to the pinned synthesis, over the real SDK."""

from pathlib import Path

from tests.slack.house import house
from tests.slack.stages import server


async def test_a_discussion_runs_from_the_command_to_the_synthesis(tmp_path: Path) -> None:
    """Card first, every persona under its own name, synthesis pinned, papers attached."""
    async with server() as slack, house(slack, tmp_path) as it:
        ack = await slack.slash(
            "ada", "general", "discuss Shall we rewrite billing? --rounds 1 --with engineer-lens,pm-lens"
        )
        await slack.until(lambda: slack.channel("general").pins, 15)
        await it.settled()
        posts = slack.posts("general")
        statuses = [row.status for row in await it.panels()]

    assert ack.ok
    assert posts[0].blocks[0]["type"] == "header"
    assert all(post.thread_ts == posts[0].ts for post in posts[1:])
    assert [post.username for post in posts[1:3]] == ["Yuki, Engineer Lens (AI)", "Odile, PM Lens (AI)"]
    assert slack.complaints == []
    assert slack.pings() == []
    assert statuses == ["finished"]
    assert [file.name.rsplit(".")[-1] for file in posts[-1].files] == ["md", "json"]
