"""Write every conversation anew; look at the difference before you commit it."""

import tempfile
from pathlib import Path

from tests.dialogs.conversations import CONVERSATIONS, spoken

for conversation in CONVERSATIONS:
    with tempfile.TemporaryDirectory() as folder:
        conversation.path.write_text(spoken(conversation, Path(folder)), encoding="utf-8")
