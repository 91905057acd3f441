"""Transcript and record of a stored panel, as files for whoever asks."""

import json

from bot.core.fold import opened
from bot.core.platform import Attachment
from bot.core.records.record import file_stem, record
from bot.core.records.transcript import transcript
from bot.core.store import Store


async def kept_files(store: Store, panel: str, what: str) -> tuple[Attachment, ...]:
    """`transcript` or `record`, made from the log as it stands. Raises NotFound, StoreError."""
    loaded = await store.load(panel)
    state = opened(panel, loaded.place, loaded.entries)
    if what == "record":
        content = json.dumps(record(state, loaded.deliveries), ensure_ascii=False, indent=2).encode()
        return (Attachment(name=f"{file_stem(state)}.json", media_type="application/json", content=content),)
    withdrawn = frozenset(delivery.turn for delivery in loaded.deliveries if delivery.withdrawn)
    text = transcript(state, undelivered=withdrawn)
    return (Attachment(name=f"{file_stem(state)}.md", media_type="text/markdown", content=text.encode()),)
