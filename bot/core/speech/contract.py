"""The port that holds a persona's answer against the `output_contract` of its file."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

OUR_FIELDS = ("verdict", "rationale", "recommendations", "findings", "derived_sources", "evidence", "lens")
"""Fields that a panel's formats ask every persona for; a contract need not name them."""


class ContractCheck(ABC):
    """Says what is wrong with an answer, in bounded time however hostile the contract is."""

    @abstractmethod
    async def faults(self, contract: Mapping[str, object], answer: Mapping[str, object]) -> list[str]:
        """One sentence a fault, each with the field's place; empty when the described part fits.

        A check that can not end within its time limit is itself a fault.
        """


def described(contract: Mapping[str, object], answer: Mapping[str, object]) -> dict[str, object]:
    """The part of an answer that a contract describes: all but those of our own fields that it does not name."""
    named = {*_keys(contract.get("properties")), *_keys(contract.get("required"))}
    return {key: value for key, value in answer.items() if key in named or key not in OUR_FIELDS}


def added_fields(contract: Mapping[str, object] | None) -> tuple[str, ...]:
    """The names of the fields that a contract adds to our own, in its order."""
    properties = contract.get("properties") if contract else None
    return tuple(key for key in _keys(properties) if key not in OUR_FIELDS)


def _keys(value: object) -> tuple[str, ...]:
    if isinstance(value, Mapping | list):
        return tuple(key for key in value if isinstance(key, str))
    return ()
