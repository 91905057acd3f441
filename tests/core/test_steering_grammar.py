"""The grammar: what is a command, what only looks like one, and what is talk."""

import pytest

from bot.core.entries import Control, Directive, Human
from bot.core.options import FormatName
from bot.core.phases import Phase
from bot.core.steering.grammar import DIRECTIVES, WORDS, help_text, words_table
from bot.core.steering.taking import Taken, take
from tests.core.steered import in_phase, panel_of, seat, view_of


def taken(text: str, phase: Phase = "running", format_name: FormatName = "discussion") -> Taken:
    """How an admin's message is taken."""
    return take(text, view_of(in_phase(phase, format_name)))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("stop", "stop"),
        ("STOP", "stop"),
        ("Stop!!!", "stop"),
        ("  stop…  ", "stop"),
        ("stop。", "stop"),
        ("ｓｔｏｐ！", "stop"),
        ("end.", "stop"),
        ("@panel stop", "stop"),
        ("@Panel, stop.", "stop"),
        ("@panelist: Wrap Up", "wrap up"),
        ("wrap-up", "wrap up"),
        ("Wrap up in two rounds.", "wrap up"),
        ("wrap up in 1 round", "wrap up"),
        ("Pause", "pause"),
        ("resume", "continue"),
        ("extend by 3 rounds", "extend"),
        ("rounds 5", "rounds"),
        ("skip", "skip"),
        ("skip ada", "skip"),
        ("skip Ada Lowell!", "skip"),
        ("skip @ada-lowell", "skip"),
        ("ask Ada: what does it cost?", "ask"),
        ("ASK ada lowell：どう思いますか", "ask"),
        ("@Ada what does it cost?", "ask"),
        ("@Ada Lowell, what does\nit cost?", "ask"),
        ("@ada: why", "ask"),
        ("add Dora", "add"),
        ("Drop Bo", "drop"),
        ("mute ridge", "mute"),
        ("budget $5", "budget"),
        ("budget 2.50 USD", "budget"),
        ("Budget $1,500", "budget"),
        ("synthesise", "synthesize"),
        ("withdraw #1", "withdraw"),
    ],
)
def test_a_command_is_the_whole_message(text: str, word: str) -> None:
    """Any case, a mention in front, punctuation behind; names by an unambiguous part."""
    assert taken(text).word == word


@pytest.mark.parametrize(
    "text",
    [
        "We should stop retrying after three attempts.",
        "stop the retries, not the panel",
        "stop\nand think about the queue",
        "I'd say we pause deployments on Fridays",
        "Can we end the discussion about queues?",
        '"stop"',
        "`stop`",
        "don't stop",
        "skip the introduction and tell us about costs",
        "drop it",
        "add a test for the second case",
        "ask around in the team",
        "ask me anything: I was there",
        "continue with what Ada said about costs",
        "rounds are a bad idea",
        "budget matters more than speed",
        "yes",
        "go",
        "no",
        "accept: fine",
        "most",
        "@maria what do you think?",
        "Nous devrions arrêter les nouvelles tentatives",
        "重试应该停止吗",
        "the cost is high",
        "help me understand this",
    ],
)
def test_talk_about_a_command_is_a_contribution(text: str) -> None:
    """It joins the transcript word for word, and nothing else happens."""
    result = taken(text)

    assert result.kind == "contribution"
    assert isinstance(result.entry, Human)
    assert result.entry.text == text


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("stpo", "`stop`"),
        ("Stopp", "`stop`"),
        ("contine", "`continue`"),
        ("wrap upp", "`wrap up`"),
        ("warp up", "`wrap up`"),
        ("puase", "`pause`"),
        ("syntesize", "`synthesize`"),
        ("extned 3", "`extend 3`"),
        ("skp Ada", "`skip Ada`"),
        ("mtue ada", "`mute ada`"),
        ("budgt $5", "`budget $5`"),
        ("aks Ada: what would it cost us to run this for a year?", "`ask Ada: what would"),
        ("ask Ada what it costs", "`ask Ada Lowell: what it costs`"),
        ("stop?", "`stop`"),
        ("please stop", "`stop`"),
        ("stop now", "`stop`"),
        ("wrap up, please", "`wrap up`"),
        ("statsu", "`status`"),
    ],
)
def test_a_slip_of_the_fingers_is_asked_about_and_never_obeyed(text: str, guess: str) -> None:
    """Not understood, with the nearest command; the words are kept as a contribution."""
    result = taken(text)

    assert result.sign == "❓"
    assert f"Did you mean {guess}" in result.answer
    assert isinstance(result.entry, Human)
    assert result.entry.text == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("extend", "`extend N`"),
        ("rounds 0", "from 1 to 200, not 0"),
        ("rounds 10000", "from 1 to 200"),
        ("extend -3", "whole number"),
        ("extend 1.5", "whole number"),
        ("budget 0", "US dollars above 0"),
        ("budget -5", "US dollars above 0"),
        ("budget €5", "US dollars"),
        ("budget 2,50", "US dollars"),
        ("budget 99999999999", "US dollars"),
        ("ask Ada:", "Ask Ada Lowell what?"),
        ("@Ada", "Ask Ada Lowell what?"),
        ("ask Zed: why?", "Known: Ada Lowell; Bo Ridge; Cy Tan"),
        ("skip Zed", "Known: Ada Lowell"),
        ("skip Adda", "Known: Ada Lowell"),
        ("skip Ada Lowwell", "Did you mean Ada Lowell?"),
        ("add Zed", "Dora Quist"),
        ("steer:", "Say something after `steer:`"),
    ],
)
def test_a_command_that_can_not_be_gets_a_sentence_and_is_kept(text: str, says: str) -> None:
    """Nothing is changed; the sentence names the remedy."""
    result = taken(text)

    assert result.sign == "❓"
    assert says in result.answer
    assert isinstance(result.entry, Human)
    assert result.entry.text == text


def test_an_ambiguous_name_is_asked_about() -> None:
    """Two personas of one part of a name: say more of it."""
    seats = (seat("cranky-old-sam", "Cranky Old Sam"), seat("crusty-old-engineer", "Crusty Old Engineer"))
    result = take("skip old", view_of(panel_of(seats=seats)))

    assert result.kind == "contribution"
    assert "may be Cranky Old Sam or Crusty Old Engineer" in result.answer
    assert take("skip old sam", view_of(panel_of(seats=seats))).word == "skip"
    assert take("@cranky old sam why?", view_of(panel_of(seats=seats))).word == "ask"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("steer: quote the numbers", "quote the numbers"),
        ("Note: réponds en français", "réponds en français"),
        ("STEER：日本語で答えてください", "日本語で答えてください"),
        ("steer: stop", "stop"),
        ("steer: first line\nsecond line", "first line\nsecond line"),
        ("@panel steer: sé breve", "sé breve"),
        ("be more concise", "be more concise"),
        ("Please keep it short.", "Please keep it short."),
        ("focus on the cost of retries", "focus on the cost of retries"),
        ("answer in French!", "answer in French!"),
        ("Give examples, please", "Give examples, please"),
        ("no jargon", "no jargon"),
    ],
)
def test_directives_stand_in_any_language(text: str, kept: str) -> None:
    """A prefix makes anything a directive; a few documented whole messages are directives without one."""
    result = taken(text)

    assert (result.kind, result.sign) == ("directive", "🧭")
    assert isinstance(result.entry, Directive)
    assert result.entry.text == kept


def test_say_makes_a_contribution_of_anything() -> None:
    """A wrong reading is corrected by the prefix."""
    assert [taken(text).kind for text in ("say: stop", "say: be more concise", "SAY: @Ada hello")] == [
        "contribution"
    ] * 3


@pytest.mark.parametrize("text", ["// between us", "  //secret", "@panel // secret", "//"])
def test_an_aside_leaves_nothing(text: str) -> None:
    """Never stored, never shown, no receipt."""
    assert taken(text) == Taken(kind="aside")


def test_a_bare_mention_asks_for_help_and_a_blank_message_for_nothing() -> None:
    """The bot's name alone is answered with what can be said."""
    assert taken("@panel").word == "help"
    assert taken(" \n\t ").kind == "blank"


def test_after_the_end_the_bot_and_personas_answer_when_spoken_to() -> None:
    """A mention asks the host, a name its persona; people among themselves are left alone."""
    asked = {
        text: taken(text, "finished").entry
        for text in ("@panel what is open?", "Ada, what is open?", "Ada Lowell: why?", "@bo why?")
    }

    assert [(e.persona, e.question) for e in asked.values() if isinstance(e, Control)] == [
        ("host", "what is open?"),
        ("ada", "what is open?"),
        ("ada", "why?"),
        ("bo", "why?"),
    ]
    assert taken("So, what is open?", "finished").kind == "contribution"
    assert take("what is open?", view_of(in_phase("finished"), addressed=True)).word == "ask"


def test_a_name_with_a_comma_is_one_name() -> None:
    """The longest name that fits wins, in a question and in an answer to it."""
    panel = in_phase("finished", seats=(seat("imani", "Imani, Support Lead"), seat("bo", "Bo Ridge")))
    texts = ("Imani, Support Lead, why?", "Imani, why?", "@Imani, Support Lead: why?", "ask Imani, Support Lead: why?")
    asked = [take(text, view_of(panel)).entry for text in texts]

    assert [(e.persona, e.question) for e in asked if isinstance(e, Control)] == [("imani", "why?")] * 4


def test_a_decision_needs_a_sign_before_its_reason() -> None:
    """`accept that …` is talk; it is kept, and the reader asks back."""
    assert taken("accept, because it is sound", "finished").kind == "decision"
    assert taken("Reject", "finished").word == "reject"
    unsure = taken("accept that for now", "finished")
    assert (unsure.kind, unsure.sign) == ("contribution", "❓")
    assert "`accept: that for now`" in unsure.answer


def test_help_and_the_docs_table_name_every_way_to_say_it() -> None:
    """Both are made from the one table; rows of the docs table have three cells."""
    said = [form for word in WORDS for form in word.heads if form not in ("wrap-up", "wrapup", "synthesise")]
    for text in (help_text(), words_table()):
        assert [form for form in said if f"`{form}" not in text] == []
        assert all(says in text for says, _ in DIRECTIVES)
    assert {line.count("|") for line in words_table().splitlines()} == {4}
