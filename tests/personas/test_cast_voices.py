"""The cast rehearsed aloud: on any topic each speaks in its own voice, and says nobody else's sentences."""

import re
from hashlib import sha256
from itertools import combinations

import pytest

from adapters.models.rehearsal.voice import said
from bot.core.document import Document
from bot.core.persona import Persona
from bot.core.scene import Line, Scene
from bot.core.words import sentences, words
from personas.loader import load_bundled

CAST = load_bundled().personas
ROUNDS = 3
QUOTED = re.compile(r"“[^”]*”")
SHORTEST = 5
"""Words; what is shorter joins quotations (“…” says Ada.) and belongs to nobody."""

TOPICS = {
    "Should we rewrite the billing service?": (
        "The nightly job retries each charge by hand and has no rollback. We measured nothing before. The migration "
        "moves all customers at once on Monday. A runbook exists, and the pilot group was happy."
    ),
    "Do we let a model answer our customers?": (
        "The assistant reads every ticket and answers without a person. Transcripts are kept indefinitely. There is no "
        "metric yet, though everyone else has one. Customers can opt out, and a support lead reviews ten answers a day."
    ),
    "Should new people learn from the old hands or from documents?": (
        "There is no owner for training. Newcomers start with a worked example and practise in a sandbox. The glossary "
        "is outdated. After two weeks they explain the system to a colleague, and their feedback decides what changes."
    ),
}


def rehearsed(topic: str, text: str) -> dict[str, list[str]]:
    """Everything that each persona says in a discussion of the whole cast."""
    raw = text.encode()
    document = Document(
        key="text:t", kind="text", title="Proposal", text=text, bytes=len(raw), sha256=sha256(raw).hexdigest()
    )
    heard: list[Line] = []
    spoken: dict[str, list[str]] = {persona.short_name: [] for persona in CAST}
    for round_ in range(1, ROUNDS + 1):
        for persona in CAST:
            words_said = said(_scene(topic, document, persona, round_, tuple(heard)))
            spoken[persona.short_name].append(words_said)
            heard.append(_line(persona, round_, words_said, len(heard) + 1))
    return spoken


def _scene(topic: str, document: Document, persona: Persona, round_: int, heard: tuple[Line, ...]) -> Scene:
    return Scene(
        format="discussion",
        topic=topic,
        speaker=persona,
        kind="statement",
        round=round_,
        rounds_max=ROUNDS + 1,
        documents=(document,),
        transcript=heard,
        others=tuple(other for other in CAST if other != persona),
    )


def _line(persona: Persona, round_: int, text: str, seq: int) -> Line:
    name, short_name = persona.name, persona.short_name
    return Line(seq=seq, round=round_, speaker=name, short_name=short_name, kind="statement", text=text)


def own_sentences(texts: list[str]) -> set[str]:
    """What was said without the quotations in it, sentence by sentence."""
    bare = (QUOTED.sub("\n", text) for text in texts)
    return {s for text in bare for s in sentences(text) if words(s) >= SHORTEST and s[-1] in ".!?"}


@pytest.mark.parametrize(("topic", "text"), TOPICS.items(), ids=["billing", "assistant", "teaching"])
def test_nobody_says_anothers_sentence(topic: str, text: str) -> None:
    """Apart from quotations, which are marked, every sentence has one owner."""
    spoken = {name: own_sentences(texts) for name, texts in rehearsed(topic, text).items()}
    shared = {(one, other): spoken[one] & spoken[other] for one, other in combinations(spoken, 2)}

    assert {pair: both for pair, both in shared.items() if both} == {}
    assert [name for name, said_by in spoken.items() if len(said_by) < ROUNDS] == []


@pytest.mark.parametrize(("topic", "text"), TOPICS.items(), ids=["billing", "assistant", "teaching"])
def test_every_voice_has_something_to_say_each_time(topic: str, text: str) -> None:
    """No turn is empty, none is said twice."""
    for name, texts in rehearsed(topic, text).items():
        assert "Nothing to add." not in texts, name
        assert len(set(texts)) == ROUNDS, name


def test_nobody_has_one_speech_for_every_topic() -> None:
    """Convictions and questions may come again; what is in front of the speaker shows, but for one in ten."""
    by_topic = [rehearsed(topic, text) for topic, text in TOPICS.items()]
    speeches = ["\n".join(texts) for spoken in by_topic for texts in spoken.values()]

    assert len(set(speeches)) >= 0.9 * len(CAST) * len(TOPICS)
