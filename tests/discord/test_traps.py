"""The first twelve traps that public bots fell into, by number (§7 of the platform notes)."""

import asyncio

import pytest

from bot.core.engine.splitting import split
from bot.core.errors import PostInDoubt, PostRefused
from bot.core.place import Place
from bot.core.starting.catalog import Catalog
from bot.core.starting.catalogs import Catalogs
from personas.loader import load_bundled
from tests.contracts.platform import BO, HOST, a_card, speech
from tests.discord.house import RealClock
from tests.discord.room import room
from tests.discord.said import begun, named, say, sent
from tests.servers.discord import EXECUTE_WEBHOOK, SEND_MESSAGE, Permission

CREATE_WEBHOOK = "POST /channels/{channel}/webhooks"


async def test_trap_01_nobody_is_pinged_by_what_a_model_or_a_title_says() -> None:
    """Neither by a persona, the host, the card, nor by an edit of the card, which parses mentions anew."""
    async with begun() as (it, place):
        call = f"@everyone @here {it.server.mention('ann')} <@&{place.workspace}>"
        await say(it, place, call)
        await say(it, place, call, speaker=HOST, turn=3)
        await it.platform.edit_card(place, place.thread, a_card(topic=call))
        await it.server.until(lambda: "everyone" in str(it.server.platform.created[0].embeds))

        assert it.server.pinging == []


class SlowCatalogs(Catalogs):
    """Takes its time, as a disk or a database may."""

    async def of(self, place: Place) -> Catalog:
        await asyncio.sleep(1.5)
        return await asyncio.to_thread(load_bundled)


async def test_trap_02_the_first_response_does_not_wait_for_anything() -> None:
    """The catalog, the store or a model may be slow; Discord waits three seconds and no longer."""
    async with room(clock=RealClock(), catalogs=SlowCatalogs()) as it:
        asked = await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        told = await it.answer(asked)

        assert asked.answered_after is not None
        assert asked.answered_after < 1.5
        assert "It begins in" in told.content


async def test_trap_03_nothing_depends_on_the_interaction_after_its_quarter_of_an_hour() -> None:
    """The panel goes on and its card changes; no dead token is used."""
    async with room(delay=0.02) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 3})
        await it.until(lambda panel: panel.turns)
        it.server.platform.clock.advance(16 * 60)
        panel = await it.ended()
        await it.server.until(lambda: "Finished" in str(it.card(panel).embeds))

        assert it.server.ledger.refused(401) == []


async def test_trap_04_long_speeches_are_cut_between_paragraphs_and_never_in_a_fence() -> None:
    """Nothing is lost, and every piece fits."""
    async with begun() as (it, place):
        code = "```python\n" + "\n".join(f"print({n})" for n in range(90)) + "\n```"
        text = "\n\n".join(["First. " * 150, code, "Last. " * 150])
        able = await it.platform.capabilities(place)
        pieces = split(text, able.max_chars, it.platform.measure)
        for number, piece in enumerate(pieces, 1):
            await sent(it, place, speech(2, BO, piece, part=number, parts=len(pieces), label="Round 1 of 3 · Opening"))
        posts = [one.content for one in it.server.posts(int(place.thread)) if one.webhook_id]

        assert len(posts) == len(pieces) > 1
        assert all(len(post) <= 2000 and post.count("```") % 2 == 0 for post in posts)
        assert sum(code in post for post in posts) == 1


async def test_trap_05_a_message_that_is_delivered_twice_is_heard_once() -> None:
    """After a resume events come again; starting a thread makes a second message of another type."""
    async with room(delay=0.02) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 40})
        panel = await it.until(lambda state: state.turns)
        it.server.say("ann", int(panel.place.thread), "Only once.")
        await it.until(lambda state: state.humans)
        it.server.gateway.replay(3)
        it.server.gateway.drop()
        await it.server.until(lambda: "resume" in it.server.gateway.greetings)
        it.server.say("ann", int(panel.place.thread), "And this.")
        state = await it.until(lambda state: len(state.humans) >= 2)

        assert [human.text for human in state.humans] == ["Only once.", "And this."]


async def test_trap_06_what_was_said_during_a_lost_session_is_read_back() -> None:
    """After an invalid session Discord replays nothing."""
    async with room(delay=0.02) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 60})
        panel = await it.until(lambda state: state.turns)
        thread = int(panel.place.thread)
        it.server.say("ann", thread, "Before.")
        await it.until(lambda state: state.humans)
        it.server.gateway.forget()
        it.server.gateway.drop()
        for text in ("While away, one.", "While away, two."):
            it.server.say("ben", thread, text)
        state = await it.until(lambda state: len(state.humans) == 3)

        assert [human.text for human in state.humans] == ["Before.", "While away, one.", "While away, two."]


async def test_trap_07_our_own_words_are_never_heard() -> None:
    """Whoever the webhook speaks for, and whatever the bot answers."""
    async with room(delay=0.02) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 2})
        panel = await it.ended()

        assert panel.humans == ()
        assert panel.controls == ()


async def test_trap_08_a_deleted_webhook_is_made_again_and_no_persona_falls_back_to_the_bots_voice() -> None:
    """Without the right to make one, the post is refused with the remedy instead."""
    async with begun() as (it, place):
        first = await say(it, place, "one")
        it.server.delete_webhook(it.server.webhooks("general")[0])
        second = await say(it, place, "two", turn=3)
        it.server.delete_webhook(it.server.webhooks("general")[0])
        it.server.forbid_bot("general", deny=Permission.MANAGE_WEBHOOKS)
        await it.server.settle()
        with pytest.raises(PostRefused, match="Manage Webhooks"):
            await say(it, place, "three", turn=4)

        assert first.author.name == second.author.name
        assert [one.content for one in it.server.posts(int(place.thread)) if one.kind == 0] == ["one", "two"]


async def test_trap_09_a_proxied_message_counts_once() -> None:
    """A proxy posts the original's words again through its webhook: only a named relay is heard."""
    async with room(delay=0.02) as it:
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 40})
        panel = await it.until(lambda state: state.turns)
        thread = int(panel.place.thread)
        proxy = it.server.webhook("general", "Proxy", "ann")
        it.server.say("ann", thread, "Two of me.")
        it.server.say_by_webhook(proxy, "Two of me.", where=thread)
        await it.until(lambda state: state.humans)
        await it.server.slash("olga", "general", "panel settings", {"words": f"bots {proxy.id}"})
        it.server.say_by_webhook(proxy, "A relay's words.", where=thread)
        state = await it.until(lambda state: len(state.humans) == 2)

        assert [human.text for human in state.humans] == ["Two of me.", "A relay's words."]


async def test_trap_10_one_webhook_serves_every_persona_and_each_refusal_keeps_its_own_name() -> None:
    """Fifteen is the channel's cap; other faults are not called that."""
    async with begun() as (it, place):
        await asyncio.gather(
            *(say(it, place, f"I am {n}.", turn=n, speaker=named(f"P{n}", short_name=f"p{n}")) for n in range(2, 7))
        )
        assert len(it.server.webhooks("general")) == 1
        assert len(it.server.ledger.to(CREATE_WEBHOOK)) == 1

    async with begun() as (it, place):
        for number in range(15):
            it.server.webhook("general", f"Relay {number}", "ann")
        with pytest.raises(PostRefused, match="as many webhooks as Discord allows"):
            await say(it, place, "no room")
        it.server.forbid_bot("general", deny=Permission.MANAGE_WEBHOOKS)
        with pytest.raises(PostRefused, match="Manage Webhooks"):
            await say(it, place, "no right")


@pytest.mark.parametrize("name", ["Discord Clyde", "clyde", "everyone", "HERE", "```", "\u200b", "x" * 81, "  a   b "])
async def test_trap_11_a_name_that_discord_forbids_is_shown_in_a_way_that_it_takes(name: str) -> None:
    """The reader sees the same word."""
    async with begun(public_url="https://panel.test") as (it, place):
        shown = await say(it, place, "hello", speaker=named(name))

        assert 1 <= len(shown.author.name) <= 80
        assert (
            shown.author.name.replace("\u200a", "")[:5] == (" ".join(name.split()) if name.isprintable() else "ada")[:5]
        )


async def test_trap_11_a_rule_that_discord_does_not_publish_is_met_with_a_more_careful_name() -> None:
    """The same careful name from then on; refused again, the persona must be renamed."""
    async with begun() as (it, place):
        it.server.faults.refuse_name()
        first = await say(it, place, "one")
        second = await say(it, place, "two", turn=3)
        it.server.faults.refuse_name(times=2)
        with pytest.raises(PostRefused, match="rename the persona"):
            await say(it, place, "three", turn=4)

        assert first.author.name == second.author.name
        assert first.author.name.replace("\u200a", "") == "🦉 Ada"


async def test_trap_12_every_post_carries_its_own_face_or_the_emoji_in_front_of_the_name() -> None:
    """An address that Discord's servers can not reach is none."""
    async with begun(public_url="https://panel.test/") as (it, place):
        ada, bo = await say(it, place, "one"), await say(it, place, "two", turn=3, speaker=BO)

        assert (ada.author.name, ada.avatar_url) == ("Ada", "https://panel.test/avatars/ada.png")
        assert (bo.author.name, bo.avatar_url) == ("Bo", "https://panel.test/avatars/bo.png")

    async with begun(public_url="http://127.0.0.1:8420") as (it, place):
        ada = await say(it, place, "one")

        assert (ada.author.name, ada.avatar_url) == ("🦉 Ada", None)


@pytest.mark.parametrize("route", [EXECUTE_WEBHOOK, SEND_MESSAGE])
@pytest.mark.parametrize("fault", [500, 502, 503, 504, "cut"])
async def test_trap_13_a_post_in_doubt_is_not_sent_again(route: str, fault: int | str) -> None:
    """Neither by us nor by the library; the thread is read back instead."""
    async with begun() as (it, place):
        speaker = BO if route == EXECUTE_WEBHOOK else HOST
        post = speech(2, speaker, "said once")
        if isinstance(fault, int):
            it.server.faults.server_error(fault, on=route)
        else:
            it.server.faults.cut(on=route)
        with pytest.raises(PostInDoubt):
            await it.platform.post(place, post)
        stands = [one for one in it.server.posts(int(place.thread)) if one.kind == 0]

        assert [one.content for one in stands] == ["said once"]
        assert await it.platform.find(place, (post,)) == {post.key: str(stands[0].id)}
