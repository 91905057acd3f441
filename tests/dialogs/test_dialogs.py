"""Each format's whole conversation reads as it is kept here, word for word."""

from pathlib import Path

import pytest

from tests.dialogs.conversations import CONVERSATIONS, Conversation, spoken


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=[one.name for one in CONVERSATIONS])
def test_conversation_reads_as_kept(conversation: Conversation, tmp_path: Path) -> None:
    """The command line's own output; `python -m tests.dialogs` writes them anew."""
    assert spoken(conversation, tmp_path) == conversation.path.read_text(encoding="utf-8")
