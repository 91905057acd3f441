"""What happens to a panel when Slack, or somebody in it, takes something away: a defined end, nothing lost."""

from itertools import pairwise
from pathlib import Path

import pytest

from bot.core.place import Person
from bot.core.platform import Speaker
from tests.contracts.platform import speech
from tests.servers.slack import Broken, Limited, Lost, Refused, SlackServer, Slow
from tests.slack.house import House, house
from tests.slack.stages import place_of, platform, said, server
from tests.slack.talk import LONG, begun, buttons, in_thread, shown, status


async def reason(it: House) -> str:
    return (await it.panels())[0].reason


def speeches(slack: SlackServer) -> list[str]:
    return [f"{post.username}: {said(post)}" for post in slack.posts("general") if post.username]


async def test_an_archived_channel_pauses_the_panel_which_goes_on_afterwards(tmp_path: Path) -> None:
    """The reason names the remedy; after it, every turn stands once."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        card = await begun(it, LONG.replace("--rounds 8", "--rounds 3"))
        slack.archive("general")
        await status(it, "paused")
        why = await reason(it)
        slack.unarchive("general")
        slack.invite_bot("general")
        slack.say("ada", "general", "continue", thread_ts=card.ts)
        await status(it, "finished", 20)

    assert "archived" in why
    assert len(speeches(slack)) == len(set(speeches(slack))) == 6


async def test_a_bot_that_was_removed_and_invited_again_goes_on(tmp_path: Path) -> None:
    """Public channels say `not_in_channel`."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        card = await begun(it, LONG.replace("--rounds 8", "--rounds 3"))
        slack.kick_bot("general")
        await status(it, "paused")
        why = await reason(it)
        slack.invite_bot("general")
        slack.say("ada", "general", "continue", thread_ts=card.ts)
        await status(it, "finished", 20)

    assert "invite" in why
    assert len(speeches(slack)) == len(set(speeches(slack))) == 6


async def test_a_private_channel_without_the_bot_looks_gone_and_may_come_back(tmp_path: Path) -> None:
    """`channel_not_found` may mean both, so the panel is paused, not lost."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        card = await begun(it, channel="lab")
        slack.kick_bot("lab")
        await status(it, "paused")
        why = await reason(it)
        slack.invite_bot("lab")
        slack.say("ada", "lab", "continue", thread_ts=card.ts)
        await status(it, "running")

    assert "private" in why


async def test_a_deleted_channel_ends_the_panel(tmp_path: Path) -> None:
    """A public channel that is not found any more is gone; the transcript is kept."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        await begun(it)
        slack.delete_channel("general")
        await status(it, "failed")
        await it.driver.all_settled()
        why = await reason(it)
        loaded = await it.store.load((await it.panels())[0].id)

    assert "deleted" in why
    assert "transcript" in [getattr(entry, "what", "") for entry in loaded.entries]


async def test_a_deleted_card_takes_the_thread_with_it(tmp_path: Path) -> None:
    """A reply to a root that is gone would land in the channel: it is taken back, and the panel ends."""
    async with server() as slack, house(slack, tmp_path, delay=0.3) as it:
        await slack.slash("ada", "general", LONG)
        await slack.until(lambda: slack.posts("general"))
        card = slack.posts("general")[0]
        place = slack.channel("general")
        slack.workspace.erase(place, card)
        place.messages.pop(card.ts, None)
        await status(it, "failed")
        why = await reason(it)

    assert [post for post in slack.posts("general") if post.username] == []
    assert "deleted" in why


async def test_names_that_are_taken_away_in_mid_panel_stand_in_front_of_the_words(tmp_path: Path) -> None:
    """Slack ignores the name: the post is replaced, and no post stands without its speaker."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        card = await begun(it, LONG.replace("--rounds 8", "--rounds 3"))
        slack.drop_scope("chat:write.customize")
        await status(it, "finished", 20)
        await it.settled()
        posts = in_thread(slack, card)[:6]

    names = [post.username or said(post).removeprefix("**").split("**")[0].rstrip(":") for post in posts]
    assert names == ["Yuki, Engineer Lens (AI)", "Odile, PM Lens (AI)"] * 3
    assert any(not post.username for post in posts)
    assert "chat:write.customize" in slack.posts("general")[0].shown


async def test_names_that_are_refused_stand_in_front_of_the_words(tmp_path: Path) -> None:
    """`missing_scope` means that nothing was posted, so it is posted again with the name."""
    async with server(unlicensed_face="refused") as slack, house(slack, tmp_path, delay=0.05) as it:
        await begun(it, LONG.replace("--rounds 8", "--rounds 2"))
        slack.drop_scope("chat:write.customize")
        await status(it, "finished", 20)

    assert slack.calls_of("chat.delete") == []
    assert any("(AI):**" in said(post) for post in slack.posts("general"))


@pytest.mark.parametrize("scope", ["reactions:write", "pins:write", "files:write"])
async def test_other_scopes_that_are_missing_stop_nothing(tmp_path: Path, scope: str) -> None:
    """The card names what is missing; the panel ends as planned."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.drop_scope(scope)
        await begun(it, "discuss Shall we? --rounds 1 --with engineer-lens,pm-lens")
        await status(it, "finished")
        await it.settled()

    assert scope in slack.posts("general")[0].shown


async def test_a_revoked_token_pauses_and_a_new_one_goes_on(tmp_path: Path) -> None:
    """The reason says to install again."""
    async with server() as slack, house(slack, tmp_path, delay=0.05) as it:
        await begun(it)
        slack.revoke_token()
        await status(it, "paused")
        why = await reason(it)

    assert "install" in why
    assert slack.leaked_tokens == []


async def test_a_post_that_slack_may_have_taken_is_looked_for_not_sent_again(tmp_path: Path) -> None:
    """Reset, a server error, silence: each turn stands once, in order."""
    async with server() as slack, house(slack, tmp_path, delay=0.02, settle=0.6) as it:
        slack.fault("chat.postMessage", Lost(), skip=1)
        slack.fault("chat.postMessage", Lost(how="500"), skip=3)
        slack.fault("chat.postMessage", Lost(how="silence", seconds=5), skip=5)
        slack.fault("chat.postMessage", Broken(status=503), skip=7)
        slack.fault("chat.postMessage", Broken(status=0), skip=9)
        await begun(it, LONG.replace("--rounds 8", "--rounds 3"))
        await status(it, "finished", 40)

    assert len(speeches(slack)) == len(set(speeches(slack))) == 6


async def test_a_limit_is_obeyed_for_its_channel_alone(tmp_path: Path) -> None:
    """While #general waits, #lab is served."""
    async with server() as slack, house(slack, tmp_path, delay=0.02):
        place = slack.channel("general").id
        slack.fault("chat.postMessage", Limited(retry_after=2), channel=place, skip=1)
        await slack.slash("ada", "general", LONG.replace("--rounds 8", "--rounds 1"))
        await slack.until(lambda: slack.calls_of("chat.postMessage"))
        await slack.slash("ada", "lab", LONG.replace("--rounds 8", "--rounds 1"))
        await slack.until(lambda: slack.channel("lab").pins, 10)
        waiting = len(speeches(slack))
        await slack.until(lambda: slack.channel("general").pins, 10)
        calls = [call for call in slack.calls_of("chat.postMessage") if call.arguments["channel"] == place]

    assert waiting == 0
    assert len([call for call in calls if call.fault == "Limited"]) == 1
    gaps = [after.at - before.at for before, after in pairwise(calls) if before.fault]
    assert gaps[0] >= 1.9


async def test_an_edit_of_somebody_s_directive_counts(tmp_path: Path) -> None:
    """A human edits a directive: its new words stand on the card."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        told = slack.say("ben", "general", "steer: be brief", thread_ts=card.ts)
        await slack.until(lambda: "be brief" in slack.posts("general")[0].shown)
        slack.edit("ben", told, "steer: be thorough")
        await slack.until(lambda: "be thorough" in slack.posts("general")[0].shown)

    assert "be brief" not in slack.posts("general")[0].shown


async def test_a_message_of_forty_thousand_characters_is_heard_whole(tmp_path: Path) -> None:
    """As a contribution; nothing breaks."""
    async with server() as slack, house(slack, tmp_path, delay=0.1) as it:
        card = await begun(it)
        long = "Consider the seasons. " * 1800
        message = slack.say("ben", "general", long, thread_ts=card.ts)
        await slack.until(lambda: message.reactions, 10)
        signals = str(await it.store.signals((await it.panels())[0].id)) + str(
            await it.store.load((await it.panels())[0].id)
        )

    assert long.strip() in signals


async def test_a_home_and_a_form_that_slack_refuses_stop_nothing(tmp_path: Path) -> None:
    """Late right to open, refusal of the home: told, logged, no more."""
    async with server() as slack, house(slack, tmp_path) as it:
        slack.fault("views.open", Refused(error="expired_trigger_id"))
        slack.fault("views.publish", Refused(error="internal_error"))
        slack.open_home("ada")
        await slack.slash("ada", "general", "")
        await slack.until(lambda: slack.whispers_to("ada"))
        await begun(it, "discuss Shall we? --rounds 1 --with engineer-lens,pm-lens")

    assert "expired" in shown(slack.whispers_to("ada")[0])


async def test_a_slow_slack_delays_and_loses_nothing(tmp_path: Path) -> None:
    """Each post takes a while; order and number stay."""
    async with server() as slack, house(slack, tmp_path, settle=3.0) as it:
        slack.fault("chat.postMessage", Slow(seconds=0.3), times=20)
        await begun(it, LONG.replace("--rounds 8", "--rounds 2"))
        await status(it, "finished", 20)
        await slack.until(lambda: "Accept" in buttons(slack.posts("general")[0]))

    assert len(speeches(slack)) == len(set(speeches(slack))) == 4


async def test_a_persona_named_like_a_member_keeps_its_mark() -> None:
    """Although the workspace turned marks off."""
    async with server() as slack, platform(slack) as made:
        boss = Person(id="i", name="iris", role="admin")
        await made.rules._shelf.put(slack.workspace.id, "settings", "workspace", '{"ai_suffix": false}', boss, 0.0)
        for turn, name in enumerate(("Ada", "Yuki"), 2):
            one = Speaker(short_name=name.lower(), name=name, emoji="🦉")
            await made.post(place_of(slack), speech(turn, one, "I agree."))
        names = [post.username for post in slack.posts("general")]

    assert names == ["Ada (AI)", "Yuki"]


async def test_panels_start_only_where_the_workspace_lets_them(tmp_path: Path) -> None:
    """An allow-list of channels, with the way to add one."""
    async with server() as slack, house(slack, tmp_path):
        await slack.slash("iris", "lab", "settings channels here")
        await slack.until(lambda: slack.whispers_to("iris"))
        await slack.slash("ada", "general", LONG)
        await slack.until(lambda: slack.whispers_to("ada"))

    assert "only in some channels" in shown(slack.whispers_to("ada")[0])
    assert slack.posts("general") == []
