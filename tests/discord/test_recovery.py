"""Restarts, lost sessions, posts in doubt: nothing is lost, nothing is said twice."""

from adapters.discord.markup import plain, rendered
from bot.core.panel import Panel
from tests.discord.house import QuickClient, RealClock, stage
from tests.discord.room import Room, build, lives, room
from tests.servers.discord import EXECUTE_WEBHOOK, SEND_MESSAGE


async def _begun(it: Room, **options: object) -> Panel:
    await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 12, **options})
    return await it.until(lambda panel: panel.turns and panel.place.thread)


def _once(it: Room, panel: Panel) -> None:
    """Every turn stands once, under its own name, in order; some say the same words again."""
    said = it.said(panel)
    names = {seat.persona.short_name: seat.persona.name for seat in panel.seats}
    wanted = [turn for turn in panel.turns if turn.text]

    assert len(said) == len(wanted)
    for (name, text), turn in zip(said, wanted, strict=True):
        assert names.get(turn.persona, "panelist") in name
        assert plain(rendered(turn.text, frozenset())) == plain(text)


async def test_a_5xx_after_every_commit_of_a_long_panel_loses_and_doubles_nothing() -> None:
    """48 posts, each with an answer that says nothing; the thread is read back each time."""
    async with room() as it:
        it.server.faults.server_error(503, on=EXECUTE_WEBHOOK, times=None)
        it.server.faults.server_error(500, on=SEND_MESSAGE, times=None)
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 12})
        await it.until(lambda panel: len(panel.turns) >= 48, 100.0)
        it.server.faults.clear()
        panel = await it.ended(60.0)

        _once(it, panel)
        assert len(panel.turns) >= 49


async def test_a_cut_before_the_commit_is_sent_again_once_the_thread_was_read() -> None:
    """In doubt both times; only one of them stands."""
    async with room() as it:
        it.server.faults.cut(on=EXECUTE_WEBHOOK, commits=False, times=3)
        await it.server.slash("ann", "general", "panel discuss", {"topic": "Shall we?", "rounds": 1})
        panel = await it.ended(60.0)

        _once(it, panel)


async def test_a_new_process_takes_the_panel_up_where_the_old_one_was_killed() -> None:
    """With a post in doubt, and people's words from in between; each persona keeps its name."""
    async with stage() as server:
        first = build(server, delay=0.02, clock=RealClock())
        store = first.store
        async with lives(first):
            panel = await _begun(first)
            await first.until(lambda state: len(state.turns) >= 3)
            server.faults.cut(on=EXECUTE_WEBHOOK)
            await server.until(lambda: any(one.status == 0 for one in server.ledger.to(EXECUTE_WEBHOOK)))
            await first.driver.stop()
        server.say("ben", int(panel.place.thread), "Said while nobody listened.")
        server.say("ben", int(panel.place.thread), "wrap up")
        second = build(server, store=store, owner="two", clock=RealClock())
        async with lives(second):
            await second.until(lambda state: state.humans)
            await second.driver.kick(panel.id)
            ended = await second.ended(60.0)

            assert ended.status == "finished"
            assert [human.text for human in ended.humans] == ["Said while nobody listened."]
            _once(second, ended)


async def test_five_hundred_missed_messages_are_heard_once_in_order_and_none_of_our_own() -> None:
    """Also those of people in between that came live while the past was being read."""
    async with room(delay=0.02) as it:
        panel = await _begun(it)
        thread = int(panel.place.thread)
        it.server.say("ann", thread, "pause")
        await it.until(lambda state: state.status == "paused")
        it.server.gateway.forget()
        it.server.gateway.drop()
        for number in range(500):
            it.server.say("ann" if number % 2 else "ben", thread, f"Missed {number}.")
        await it.server.connected(timeout=20.0)
        it.server.say("ann", thread, "Live.")
        state = await it.until(lambda state: len(state.humans) >= 501, 60.0)

        assert [human.text for human in state.humans] == [*(f"Missed {n}." for n in range(500)), "Live."]


async def test_a_thread_deleted_while_nobody_listened_ends_its_panel() -> None:
    """The card says so as soon as the bot is back."""
    async with stage() as server:
        first = build(server, delay=0.02)
        async with lives(first):
            panel = await _begun(first)
            server.say("ann", int(panel.place.thread), "pause")
            await first.until(lambda state: state.status == "paused")
        server.delete_channel(int(panel.place.thread))
        second = build(server, store=first.store, owner="two")
        async with lives(second):
            ended = await second.ended()

            assert ended.status == "failed"


async def test_a_word_in_an_archived_thread_is_heard_by_a_bot_that_never_saw_the_thread() -> None:
    """Archived threads are not told at the start; writing in one reopens it."""
    async with stage() as server:
        first = build(server, delay=0.02)
        async with lives(first):
            panel = await _begun(first)
            server.say("ann", int(panel.place.thread), "pause")
            await first.until(lambda state: state.status == "paused")
        server.change_thread(int(panel.place.thread), archived=True)
        second = build(server, store=first.store, owner="two")
        async with lives(second):
            server.say("ann", int(panel.place.thread), "continue")
            await second.until(lambda state: state.status != "paused")
            ended = await second.ended(60.0)

            assert ended.status == "finished"


async def test_what_people_say_in_other_threads_is_not_read() -> None:
    """Their files are not fetched either."""
    async with room() as it:
        thread = it.server.start_thread("ann", "general", "Private matters")
        it.server.say("ann", thread, "A long secret. " * 200)
        await it.server.settle(0.2)

        assert not [one for one in it.server.requests if "attachments" in one.path]


async def test_buttons_work_after_a_restart() -> None:
    """The card's buttons answer by their ids."""
    async with stage() as server:
        first = build(server, delay=0.02)
        async with lives(first):
            panel = await _begun(first)
            await server.press("ann", first.card(panel), "Pause")
            await first.until(lambda state: state.status == "paused")
            await server.until(lambda: "Resume" in str(first.card(panel).components))
        second = build(server, store=first.store, owner="two")
        async with lives(second):
            await server.press("ann", second.card(panel), "Resume")
            ended = await second.ended(60.0)

            assert ended.status == "finished"
            _once(second, ended)


async def test_a_panel_that_is_taken_up_before_the_bot_is_connected_waits_for_it() -> None:
    """The house may be quicker than Discord; what people wrote is read once the connection stands."""
    async with stage() as server:
        first = build(server, delay=0.02, clock=RealClock())
        async with lives(first):
            panel = await _begun(first, rounds=3)
            await first.driver.stop()
        server.say("ben", int(panel.place.thread), "Said while nobody listened.")
        second = build(server, store=first.store, owner="two", clock=RealClock())
        early = await second.hearing.catch_up(panel.id)
        await second.driver.kick(panel.id)
        async with lives(second):
            await second.until(lambda state: state.humans)
            ended = await second.ended(60.0)

            assert early == 0
            assert ended.status == "finished"
            _once(second, ended)


async def test_the_webhook_is_found_again_after_a_restart() -> None:
    """By owner, name and token; no second one is made."""
    async with stage() as server:
        first = build(server)
        async with lives(first):
            await _begun(first, rounds=1)
            await first.ended()
        second = build(server, store=first.store, owner="two")
        async with lives(second):
            await server.slash("ann", "general", "panel discuss", {"topic": "Again?", "rounds": 1})
            await second.until(lambda state: state.topic == "Again?" and state.status == "finished")

            assert len(server.webhooks("general")) == 1


async def test_commands_are_sent_only_when_they_changed() -> None:
    """200 creates a day are the limit."""
    route = "PUT /applications/{app}/commands"
    async with stage() as server:
        first = build(server)
        async with lives(first):
            pass
        second = build(server, store=first.store)
        async with lives(second):
            pass

        assert len(server.ledger.to(route)) == 1


async def test_two_shards_serve_two_servers() -> None:
    """Each hears its own, and one that reconnects catches up its own."""
    async with stage() as server:
        names = []
        for shard in (0, 1):
            guild = server.guild(f"Guild {shard}", shard=(shard, 2))
            server.text_channel(guild, f"room-{shard}")
            server.member(guild, f"zoe-{shard}")
            names.append(f"room-{shard}")
        it = build(server, client=QuickClient(shard_count=2), delay=0.02)
        async with lives(it):
            for shard, name in enumerate(names):
                await server.slash(f"zoe-{shard}", name, "panel discuss", {"topic": f"In {name}", "rounds": 1})
            await server.until(lambda: sum(bool(one.pinned_at) for one in server.platform.created) == 2, 30.0)

        assert server.gateway.greetings.count("identify") == 2
