"""From a message in a thread to the panel's inbox and back as a receipt, on the in-memory store."""

import asyncio
import json
import time
from dataclasses import replace

import pytest

from bot.core.entries import Control, Human
from bot.core.fold import opened
from bot.core.platform import Heard
from bot.core.speech.casting import Casting, HouseCasting, ModelSettings
from bot.core.starting.catalogs import Catalogs
from bot.core.steering.bench import Bench
from bot.core.steering.hearing import REMEMBERED
from bot.core.steering.permissions import PERMISSIONS, SETTINGS, Permissions
from bot.core.store import Signal
from bot.core.summary import summary_of
from tests.core.steered import BOSS, GUEST, MARIA, MEMBER, PLACE, in_phase, panel_of
from tests.core.threads import Shelved, Thread, running
from tests.fakes.receipts import ReceiptPlatform

REHEARSED = HouseCasting({}, ModelSettings(named="rehearsal"))
NOBODY = HouseCasting({}, ModelSettings())


async def test_a_message_is_stored_the_panel_woken_and_the_author_shown() -> None:
    """In this order, so that a slow receipt delays nothing."""
    thread = await running()
    taken = await thread.hear("I doubt that", MEMBER)

    assert taken.kind == "contribution"
    assert [e.text for e in await thread.inbox() if isinstance(e, Human)] == ["I doubt that"]
    assert (thread.rung, thread.platform.reactions, thread.platform.whispers) == (["p1"], [("m1", "👀")], [])


async def test_a_message_delivered_twice_is_taken_in_once() -> None:
    """Both platforms deliver twice; the second time shows and changes nothing."""
    thread = await running()
    for _ in range(2):
        await thread.hear("extend 2", message_id="same")
        await thread.hear("status", message_id="asked")

    assert len(await thread.inbox()) == 1
    assert thread.platform.reactions == [("same", "▶️")]
    assert [text.split("\n")[0] for _, text in thread.platform.whispers] == [
        "Now 5 rounds at most.",
        "**Panel discussion**: Retries",
    ]


async def test_an_aside_is_never_stored() -> None:
    """No text, no receipt, no ring."""
    thread = await running()
    taken = await thread.hear("// the intern should not see this")

    assert taken.kind == "aside"
    assert (await thread.inbox(), thread.rung, thread.platform.reactions) == ([], [], [])


async def test_a_thread_without_a_panel_hears_nothing() -> None:
    """Text outside a panel's thread is never stored."""
    assert (await Thread().hear("stop")).kind == "nobody"


async def test_the_latest_panel_of_the_thread_hears() -> None:
    """After the end, replies go to the newest."""
    thread = Thread()
    await thread.open(in_phase("finished"), "p1")
    newer = in_phase("running")
    first = newer.opened.model_copy(update={"at": 3000.0})
    await thread.open(opened("p2", PLACE, (first, *newer.entries[1:])), "p2")
    await thread.hear("pause")

    assert thread.rung == ["p2"]


async def test_words_in_quick_succession_are_read_in_their_order() -> None:
    """`continue` right behind `pause` resumes, although the panel has not taken in the pause yet."""
    thread = await running()
    signs = [(await thread.hear(text)).sign for text in ("pause", "pause", "continue", "continue")]

    assert signs == ["⏸", "❓", "▶️", "❓"]
    assert (await thread.take_in()).status == "running"


async def test_what_the_author_is_told_is_what_the_log_gets() -> None:
    """The receipt looks ahead over the inbox; taking in comes to the same."""
    thread = await running()
    texts = ("mute Bo", "mute Ada", "steer: short", "withdraw 2", "ask Bo: why?", "stop", "stop")
    told = [(await thread.hear(text)).answer for text in texts]
    panel = await thread.take_in()

    assert [c.refused for c in panel.controls[-6:]] == ["", told[1], "", "", "", told[6]]
    assert panel.status == "stopped"


async def test_a_platform_without_reactions_loses_nothing() -> None:
    """Receipts are best effort."""
    thread = Thread(ReceiptPlatform(fails=True))
    await thread.open(in_phase("running"))

    assert (await thread.hear("stop")).sign == "⏹"
    assert thread.rung == ["p1"]


async def test_a_pressed_button_has_no_message_to_react_to() -> None:
    """Its words go to the one who pressed; requests that are no steering go back to the caller."""
    thread = Thread()
    await thread.open(in_phase("finished"))
    again = await thread.hear("run again", pressed=True)
    accepted = await thread.hear("accept", pressed=True)

    assert (again.kind, again.word) == ("request", "run again")
    assert accepted.kind == "decision"
    assert thread.platform.reactions == []


async def test_the_workspace_says_who_may_stop() -> None:
    """Its setting is read anew for every word; one that can not be read counts as none."""
    thread = await running()
    refused = await thread.hear("stop", MEMBER)
    rules = Permissions(stop="members").model_dump_json()
    await thread.store.shelf.put("W", SETTINGS, PERMISSIONS, "{not json", BOSS, 1.0)
    still = await thread.hear("stop", MEMBER)
    await thread.store.shelf.put("W", SETTINGS, PERMISSIONS, rules, BOSS, 1.0)
    obeyed = await thread.hear("stop", MEMBER)

    assert [refused.sign, still.sign, obeyed.sign] == ["❓", "❓", "⏹"]
    assert thread.platform.whispers[0] == ("Mei", "Only the one who started it and admins can stop a panel here.")


async def test_even_a_generous_workspace_gives_guests_no_reins() -> None:
    """People of other organisations contribute, but never control."""
    thread = await running()
    rules = json.dumps({"start": "members", "steer": "members", "stop": "members", "budget": "members"})
    await thread.store.shelf.put("W", SETTINGS, PERMISSIONS, rules, BOSS, 1.0)
    taken = [await thread.hear(text, GUEST) for text in ("stop", "pause", "budget $9", "hello")]

    assert [t.sign for t in taken] == ["❓", "❓", "❓", "👀"]
    assert (await thread.take_in()).status == "running"


async def test_an_added_persona_brings_its_model() -> None:
    """So that it can speak in the next round."""
    thread = Thread(bench=Bench(Shelved(), REHEARSED))
    await thread.open(in_phase("running"))
    await thread.hear("add dora")
    panel = await thread.take_in()

    assert [s.model for s in panel.speakers(3) if s.persona.short_name == "dora"] == ["rehearsal:rehearsal"]


@pytest.mark.parametrize(
    ("catalogs", "casting", "kind"),
    [
        (Shelved(), NOBODY, "control"),
        (Shelved(broken=True), REHEARSED, "contribution"),
    ],
)
async def test_nobody_joins_without_a_model_or_a_catalog(catalogs: Catalogs, casting: Casting, kind: str) -> None:
    """The one who asked is told why."""
    thread = Thread(bench=Bench(catalogs, casting))
    await thread.open(in_phase("running"))
    taken = await thread.hear("add dora")

    assert (taken.kind, taken.sign) == (kind, "❓")
    assert (await thread.take_in()).added == ()


async def test_after_the_end_questions_wait_for_their_answers() -> None:
    """A mention asks the host, a name its persona; others talk on undisturbed."""
    thread = Thread()
    await thread.open(in_phase("finished"))
    await thread.hear("what is open?", addressed=True)
    await thread.hear("Bo, what would change your mind?")
    await thread.hear("lunch?")
    panel = await thread.take_in()

    assert [(a.persona, a.question) for a in panel.asks] == [
        ("host", "what is open?"),
        ("bo", "what would change your mind?"),
    ]
    assert (panel.status, [h.text for h in panel.humans]) == ("finished", ["lunch?"])


async def test_every_one_of_many_messages_at_once_is_kept() -> None:
    """Two hundred people at once: each taken in once, in the order of arrival, quickly."""
    thread = await running()
    began = time.monotonic()
    texts = [f"point {number}" for number in range(200)]
    await asyncio.gather(*(thread.hear(text) for text in texts))
    took = time.monotonic() - began

    assert [e.text for e in await thread.inbox() if isinstance(e, Human)] == texts
    assert took < 4.0  # fifty a second, on a machine that does other things too


async def test_memory_is_bounded() -> None:
    """A house with many threads keeps only the newest states at hand."""
    thread = Thread()
    for number in range(REMEMBERED + 5):
        panel = panel_of()
        place = PLACE.model_copy(update={"thread": f"T{number}"})
        summary = replace(summary_of(panel, 1.0), id=f"p{number}", place=place)
        await thread.store.create(summary, panel.opened, None)
        await thread.hearing.hear(
            Heard(place=place, author=MARIA, text="hello", message_id="m", at=2000.0),
        )

    assert len(thread.hearing.remembered) == REMEMBERED


async def test_a_state_that_was_dropped_is_loaded_again() -> None:
    """Also what is still in the inbox is known again."""
    thread = await running()
    await thread.store.signal(
        Signal(panel="p1", message_id="x", entry=Control(author=MARIA, text="pause", word="pause"))
    )

    assert (await thread.hear("continue")).sign == "▶️"
