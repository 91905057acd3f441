"""What the cast notices: faults in faulty documents of many kinds, none in careful ones."""

import pytest

from tests.personas.cast_files import BENCH, PERSONAS, TRIO, CastFile

NO_KEY = "The nightly job calls the provider again. The request carries no\nidempotency key."
CARDS = "To find parsing problems, card numbers are logged at debug level for a fortnight."
BIG_BANG = "We switch it on for everybody at once on the first of the month."

FAULTY = {
    "contract": "Liability of the customer is uncapped. There is no exit clause.",
    "policy": "Recordings are kept indefinitely. Staff are filmed without their consent.",
    "product brief": "We have no baseline. All customers at once get the new home page; users want it.",
    "decision record": "There is no rollback. The consumer is not idempotent and has no tests.",
    "hiring plan": "There is no owner for training, and new people are left to guess.",
    "app design": "After payment there is no undo. She cannot opt out, and it fails silently.",
}

CAREFUL = {
    "payment design": """
Goal: recover at least half of the soft declines without charging anybody twice.
Every charge carries an idempotency key, so nobody can be charged twice when the worker dies between the
call and the update. Card numbers are never logged, at debug level or any other; logs hold the token only.
No card numbers are logged in tests either, and nothing is stored in plain text.
No stuck row waits for a person: nothing is cleared by hand.
Roll-out: behind a feature flag, one percent first, then staged over two weeks; never everybody at once.
Rollback plan: switch the flag off; rehearsed on 3 May. Success is 50 % recovered against a control group.
The payments team owns it and has a runbook. Customers can opt out at any time. Out of scope: hard declines.
""",
    "contract": """
Either party may end this agreement with a notice period of 60 days. Liability is capped at a year's fees.
The supplier shall return all data within 30 days; personal data is deleted after that. The agreement has a
fixed price for its term.
""",
    "decision record": """
We move the reports to the read replica. We considered doing nothing and a cache; both are described below.
The change is reversible within a minute, was measured under twice the load, and has regression tests.
The platform team is on call. Drawbacks: reports lag by five seconds, which analysts accepted in interviews.
""",
    "teaching plan": """
Newcomers start with a worked example and practise in a sandbox. A glossary explains each term. After two
weeks they explain the system to a colleague; their feedback decides what we change; we revisit it in June.
""",
}

NAMED = {persona.short_name: persona for persona in PERSONAS}


@pytest.mark.parametrize("panel", [BENCH, TRIO], ids=["bench", "trio"])
@pytest.mark.parametrize("fault", [NO_KEY, CARDS, BIG_BANG], ids=["no key", "logged cards", "big bang"])
def test_either_panel_sees_each_of_three_serious_faults(panel: tuple[str, ...], fault: str) -> None:
    """Somebody on the panel calls a doubled charge, a leaked number and a launch to all a serious fault."""
    alarmed = [name for name in panel if NAMED[name].noticed("!", fault)]

    assert alarmed != []


@pytest.mark.parametrize("document", FAULTY.values(), ids=FAULTY)
def test_faults_are_seen_in_many_kinds_of_document(document: str) -> None:
    """Cues are general: at least two voices find a serious fault, whatever the trade."""
    alarmed = [persona.short_name for persona in PERSONAS if persona.noticed("!", document)]

    assert len(alarmed) >= 2, alarmed


@pytest.mark.parametrize("document", CAREFUL.values(), ids=CAREFUL)
@pytest.mark.parametrize("persona", PERSONAS, ids=lambda p: p.short_name)
def test_a_careful_document_raises_no_alarm(persona: CastFile, document: str) -> None:
    """A fault that is named in order to rule it out is not a fault."""
    assert persona.noticed("!", document) == []


@pytest.mark.parametrize("document", CAREFUL.values(), ids=CAREFUL)
def test_care_is_praised_more_than_it_is_doubted(document: str) -> None:
    """Over the whole cast a careful document has more to like than to question."""
    liked = sum(bool(persona.noticed("+", document)) for persona in PERSONAS)
    doubted = sum(bool(persona.noticed("?", document)) for persona in PERSONAS)

    assert liked > doubted
