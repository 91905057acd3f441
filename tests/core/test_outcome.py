"""What words do, where the table of phases alone does not show it."""

import pytest

from bot.core.entries import AnyEntry, Closing, Control, Directive, Revised, Skipped, StatusChanged, Turn
from bot.core.fold import fold
from bot.core.options import Options
from bot.core.panel import Panel
from bot.core.persona import HOST
from bot.core.phases import cold
from bot.core.place import Person
from bot.core.steering.naming import who
from bot.core.steering.outcome import entries_of
from bot.core.steering.taking import Taken, take
from tests.core.steered import BENCH, GUEST, MARIA, MEMBER, human, in_phase, panel_of, seat, spoken_rounds, view_of


def saying(panel: Panel, text: str, author: Person = MARIA) -> tuple[Panel, Taken]:
    """The panel after the message, and how it was taken."""
    taken = take(text, view_of(panel, author))
    if taken.entry is None:
        return panel, taken
    return after(panel, *entries_of(panel, taken.entry)), taken


def after(panel: Panel, *entries: AnyEntry) -> Panel:
    return fold(panel, (e.model_copy(update={"seq": panel.last_seq + n}) for n, e in enumerate(entries, 1)))


def test_the_last_speaker_stays() -> None:
    """Whoever would leave nobody to speak can not be dropped or muted; unmuting makes room again."""
    panel = in_phase("running")
    for text in ("drop Ada", "mute Bo"):
        panel, taken = saying(panel, text)

    assert taken.sign == "❓"
    assert "Nobody else is left to speak" in taken.answer
    panel, _ = saying(panel, "unmute Cy")
    panel, taken = saying(panel, "mute Bo")
    assert [s.persona.short_name for s in panel.speakers(3)] == ["cy"]


def test_a_debate_keeps_two_speakers() -> None:
    """One persona alone does not debate."""
    panel, _ = saying(in_phase("running", "debate"), "drop Ada")
    _, taken = saying(panel, "mute Bo")

    assert "needs two speakers" in taken.answer


def test_roster_changes_begin_with_the_next_round() -> None:
    """Who is dropped still has this round's turn; who is added has none in it."""
    panel, _ = saying(in_phase("running"), "drop Bo")
    panel, _ = saying(panel, "add Dora")

    assert [s.persona.short_name for s in panel.speakers(1)] == ["ada", "bo", "cy"]
    assert [s.persona.short_name for s in panel.speakers(2)] == ["ada", "bo", "cy"]
    assert [s.persona.short_name for s in panel.speakers(3)] == ["ada", "dora"]


def test_a_dropped_persona_comes_back_in_its_old_place() -> None:
    """`unmute` does not bring back who was dropped, `add` does."""
    panel, _ = saying(in_phase("running"), "drop Ada")
    _, refused = saying(panel, "unmute Ada")
    panel, _ = saying(panel, "add Ada")

    assert "`add Ada Lowell`" in refused.answer
    assert [s.persona.short_name for s in panel.speakers(3)] == ["ada", "bo"]


def test_a_lens_left_out_of_a_council_joins_in_its_place() -> None:
    """The seat changes its line in the roster instead of getting a second one."""
    panel, _ = saying(in_phase("running", "council"), "add Tester Breaker")

    assert len(panel.seats) == 6
    assert [s.persona.short_name for s in panel.speakers(2)].count("tester-breaker") == 0
    assert [s.persona.short_name for s in panel.speakers(3)].count("tester-breaker") == 1


def test_a_moderator_can_be_muted_unless_it_decides_the_end() -> None:
    """With `until-done` the moderator says when the panel is over, so it stays; it never joins as a speaker."""
    seats = (seat("ada", "Ada"), seat("bo", "Bo"), seat("mo", "Mo", moderates=True))
    ordinary = panel_of(seats=seats)
    until_done = panel_of(seats=seats, options=Options(rounds=40, duration="until-done"))

    assert saying(ordinary, "mute Mo")[1].sign == "▶️"
    assert "so it stays" in saying(until_done, "drop Mo")[1].answer
    assert "moderates already" in saying(ordinary, "add Mo")[1].answer


def test_wrapping_up_never_makes_a_panel_longer() -> None:
    """`wrap up in N rounds` takes what is left where that is less."""
    panel, taken = saying(in_phase("running"), "wrap up in ten rounds")

    assert panel.rounds_max == 3
    assert taken.answer == "It closes after 1 round more."


def test_continuing_a_panel_that_used_up_its_rounds_adds_some() -> None:
    """Otherwise it would end again at once."""
    turns = spoken_rounds("discussion")
    ended: tuple[AnyEntry, ...] = (Closing(reason="rounds"), StatusChanged(status="finished"))
    spent = panel_of(*turns, *ended, options=Options(rounds=2))
    panel, taken = saying(spent, "continue")

    assert (panel.status, panel.closing, panel.rounds_max) == ("running", "", 5)
    assert taken.answer == "3 rounds more."


def test_a_panel_that_closed_at_its_cap_wants_a_higher_one_first() -> None:
    """`continue` names the remedy; after `budget` it goes on."""
    ended: tuple[AnyEntry, ...] = (Closing(reason="budget"), StatusChanged(status="finished", reason="budget"))
    panel = panel_of(*spoken_rounds("discussion"), *ended, options=Options(rounds=3, max_cost=0.5))
    _, refused = saying(panel, "continue")
    raised = after(panel, Control(author=MARIA, text="budget $2", word="budget", number=2.0))

    assert "`budget $N` first" in refused.answer
    assert saying(raised, "continue")[0].status == "running"


def test_a_cap_below_the_old_one_keeps_the_panel_waiting() -> None:
    """Only a higher cap is what it waits for."""
    panel = in_phase("waiting")
    lower = take("budget $1", view_of(panel))

    assert "still waits" in lower.answer
    assert saying(panel, "budget $1")[0].status == "waiting"


@pytest.mark.parametrize(("format_name", "says"), [("review", "which is a fail"), ("council", "ERRORED")])
def test_a_skip_in_a_cold_round_is_a_missing_verdict(format_name: str, says: str) -> None:
    """The one who skips is told what it means."""
    panel = panel_of(format_name=format_name)  # type: ignore[arg-type]  # two names of formats

    assert cold(panel)
    assert says in take("skip", view_of(panel)).answer


def test_a_cold_round_takes_words_in_for_later() -> None:
    """Contributions, directives and questions are kept, and their authors told when they count."""
    panel = panel_of(format_name="council")
    told = [take(text, view_of(panel)).answer for text in ("I doubt it", "steer: be kind", "ask User Advocate: why?")]

    assert ["after this round" in told[0], "next round" in told[1], "after this round" in told[2]] == [True] * 3


def test_a_council_is_no_longer_cold_when_every_lens_has_spoken() -> None:
    """From the exchange on, everybody hears everything."""
    names = [s.persona.short_name for s in panel_of(format_name="council").speakers(1)]
    verdicts = [Turn(turn_kind="verdict", round=1, persona=name, text="PASS") for name in names[1:]]
    errored = Skipped(turn_kind="verdict", round=1, persona=names[0], reason="no verdict")

    assert cold(panel_of(*verdicts, format_name="council"))
    assert not cold(panel_of(*verdicts, errored, format_name="council"))


def test_stop_after_the_end_drops_the_answers_under_way() -> None:
    """Nothing more is posted; the panel stays finished."""
    panel, _ = saying(in_phase("finished"), "Ada, what is open?")
    panel, taken = saying(panel, "stop")

    assert (panel.status, panel.asks) == ("finished", ())
    assert taken.sign == "⏹"


def test_a_question_to_a_muted_persona_is_refused_with_the_remedy() -> None:
    """Muted is silent; the next round decides only after this one."""
    panel = after(in_phase("running"), Turn(turn_kind="statement", round=3, persona="ada", text="So."))

    assert "`unmute Cy Tan` first" in saying(panel, "ask Cy: why?")[1].answer


def test_withdrawing_goes_by_the_number_on_the_card() -> None:
    """Numbers stay the same when an earlier directive is gone; alone, no number is needed."""
    panel, _ = saying(in_phase("running"), "steer: quote numbers")
    panel, _ = saying(panel, "withdraw 1")
    refused = take("withdraw 1", view_of(panel))
    panel, taken = saying(panel, "withdraw")

    assert "2: quote numbers" in refused.answer
    assert taken.answer == "Withdrawn: quote numbers"
    assert panel.standing == ()


def test_guests_contribute_and_nothing_else() -> None:
    """What a guest may not do joins as a contribution where it has words, and is refused where it has none."""
    panel = in_phase("running")
    kinds = {text: take(text, view_of(panel, GUEST)) for text in ("hello", "steer: be kind", "@Ada why?", "pause")}

    assert [t.kind for t in kinds.values()] == ["contribution"] * 3 + ["control"]
    assert kinds["hello"].answer == ""
    assert all("Guests can contribute" in t.answer for text, t in kinds.items() if text != "hello")
    assert saying(panel, "pause", GUEST)[0].status == "running"
    assert saying(in_phase("finished"), "accept", GUEST)[1].kind == "contribution"


def test_the_starter_and_admins_stop_and_admins_set_the_budget() -> None:
    """The defaults of a workspace; the sentence names who can."""
    panel = in_phase("running")

    assert take("stop", view_of(panel, MARIA)).sign == "⏹"
    assert take("stop", view_of(panel)).sign == "⏹"
    assert "the one who started it and admins" in take("stop", view_of(panel, MEMBER)).answer
    assert "Only admins" in take("budget $9", view_of(panel, MARIA)).answer
    assert take("pause", view_of(panel, MEMBER)).sign == "⏸"


def test_an_edit_counts_also_where_it_arrives_before_its_message() -> None:
    """Both platforms deliver out of order."""
    panel = panel_of(Revised(message_id="m1", text="new"), human("old", "m1"))

    assert [(h.text, h.edited) for h in panel.humans] == [("new", True)]


def test_a_deletion_is_final_and_leaves_no_text_anywhere() -> None:
    """Not in the contributions, not in the log that the transcript is made from, not in an earlier edit."""
    panel = panel_of(
        human("secret one", "m1"),
        Revised(message_id="m1", text="secret two"),
        Revised(message_id="m1", text=None),
        Revised(message_id="m1", text="secret three"),
        Directive(author=MARIA, text="secret four", message_id="m2"),
        Revised(message_id="m2", text=None),
        Control(
            author=MARIA, text="@Ada secret five", word="ask", persona="ada", question="secret five", message_id="m3"
        ),
        Revised(message_id="m3", text=None),
    )

    assert (panel.humans, panel.standing, panel.asks) == ((), (), ())
    assert not any("secret" in entry.model_dump_json() for entry in panel.entries)


def test_a_message_without_an_id_is_nobody_elses() -> None:
    """A revision without an id changes nothing."""
    assert panel_of(human("kept"), Revised(message_id="", text=None)).humans[0].text == "kept"


def test_a_stray_syllable_names_nobody() -> None:
    """A part of a name begins with a word of it and has three letters, or is that word."""
    seats = (seat("critic", "The Critic"), seat("it-lead", "IT Lead"))

    assert who("it", seats) == ()
    assert [s.persona.short_name for s in who("crit", seats)] == ["critic"]
    assert [s.persona.short_name for s in who("the critic", seats)] == ["critic"]
    assert [s.persona.short_name for s in who("IT-lead", seats)] == ["it-lead"]
    assert who("ritic", seats) == ()


def test_add_finds_the_catalogs_personas_with_their_seats() -> None:
    """The log gets the whole seat, so that a later change of the catalog changes no running panel."""
    taken = take("add dora", view_of(in_phase("running")))

    assert isinstance(taken.entry, Control)
    assert taken.entry.seat == BENCH[0]
    assert HOST not in {s.persona.short_name for s in in_phase("running").seats}
