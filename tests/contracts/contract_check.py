"""What every check of answers against contracts does."""

from abc import ABC, abstractmethod

from bot.core.speech.contract import ContractCheck

CLOSED: dict[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdict", "class"],
    "properties": {
        "verdict": {"type": "string", "enum": ["pass", "fail", "warn"]},
        "class": {"type": "integer"},
    },
}


class ContractCheckContract(ABC):
    """Subclassed by the tests of each implementation."""

    @abstractmethod
    def check(self) -> ContractCheck:
        """A fresh implementation."""

    async def test_answer_that_fits_has_no_faults(self) -> None:
        """Nothing to say is an empty list."""
        assert await self.check().faults(CLOSED, {"verdict": "pass", "class": 2}) == []

    async def test_our_own_fields_have_room_in_a_closed_contract(self) -> None:
        """`additionalProperties: false` is about the contract's part of the answer, not about ours."""
        answer = {"verdict": "pass", "class": 2, "findings": [], "derived_sources": [], "rationale": "because"}

        assert await self.check().faults(CLOSED, answer) == []

    async def test_foreign_fields_have_none(self) -> None:
        """A field that neither the contract nor we know is a fault that names it."""
        (fault,) = await self.check().faults(CLOSED, {"verdict": "pass", "class": 2, "mood": "good"})

        assert "'mood'" in fault

    async def test_missing_field_is_named(self) -> None:
        """A required field that is not there."""
        (fault,) = await self.check().faults(CLOSED, {"verdict": "pass"})

        assert "'class'" in fault

    async def test_each_wrong_value_is_a_fault_with_its_place(self) -> None:
        """Two wrong values, two sentences."""
        faults = await self.check().faults(CLOSED, {"verdict": "perhaps", "class": "two"})

        assert sorted(fault.partition(":")[0] for fault in faults) == ["answer.class", "answer.verdict"]
