"""From a model's text to the structured answer that was wanted, held against its schema and its persona's contract."""

import json
from typing import Any

from pydantic import ValidationError

from bot.core.formats.answer import Answer
from bot.core.formats.answers import ANSWERS, contract_fields
from bot.core.formats.format import Cue
from bot.core.persona import Persona
from bot.core.speech.contract import ContractCheck

MOST_CHARS = 60_000
"""A longer answer is no answer: nobody would read it, and no model with our limits writes it."""
_LISTED = 5


class Unusable(Exception):
    """The text is not the wanted answer; its words say why."""


async def parsed(cue: Cue, text: str, persona: Persona | None, contracts: ContractCheck | None) -> Answer:
    """The structured answer: the object alone, or the first one inside fences or prose. Raises Unusable."""
    try:
        raw = json.loads(_object_in(text))
    except (ValueError, RecursionError) as fault:
        raise Unusable(f"it is not one JSON object: {fault}") from fault
    if not isinstance(raw, dict):
        raise Unusable("it is not one JSON object")
    try:
        answer = ANSWERS[cue.answer].model_validate(raw)
    except ValidationError as fault:
        raise Unusable(f"it does not fit the schema: {faults_of(fault)}") from fault
    return await _with_extras(cue, answer, raw, persona, contracts) if cue.contract else answer


async def _with_extras(
    cue: Cue, answer: Answer, raw: dict[str, Any], persona: Persona | None, contracts: ContractCheck | None
) -> Answer:
    """The answer with the fields that the persona's contract adds, once they fit it."""
    contract = persona.output_contract if persona else None
    if contract is None:
        return answer.model_copy(update={"extra": {}})
    own = {**raw, **answer.model_dump(mode="json", exclude={"extra"}, exclude_unset=True)}
    faults = await contracts.faults(contract, own) if contracts else []
    if faults:
        raise Unusable(f"it does not fit your output contract: {'; '.join(faults[:_LISTED])}")
    added = contract_fields(cue.answer, persona)
    return answer.model_copy(update={"extra": {key: raw[key] for key in added if key in raw}})


def _object_in(text: str) -> str:
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def faults_of(fault: ValidationError) -> str:
    """What does not fit, field by field, in one line."""
    return "; ".join(
        f"{'.'.join(map(str, error['loc'])) or 'answer'}: {error['msg']}"
        for error in json.loads(fault.json(include_url=False, include_input=False))[:_LISTED]
    )
