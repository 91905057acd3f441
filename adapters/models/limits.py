"""How long an answer may be where nobody tells what the model can do."""


def modest(max_tokens: int) -> int:
    """The room for a speech without much thinking: 1,536 of the usual 4,096 tokens.

    Small local models often do not stop by themselves, and are slow. A model that thinks all of it away is given twice
    as much at the next attempt.
    """
    return max_tokens * 3 // 8
