"""The row that folds a panel for listing."""

from bot.core.panel import Panel
from bot.core.store import Summary


def summary_of(panel: Panel, now: float) -> Summary:
    """The panel's row at this moment."""
    documents = panel.opened.documents
    return Summary(
        id=panel.id,
        place=panel.place,
        format=panel.format,
        topic=panel.topic,
        status=panel.status,
        reason=panel.reason,
        round=panel.round,
        rounds_max=panel.rounds_max,
        turns=len(panel.turns),
        spent_usd=panel.spent_usd,
        target=documents[0].key if documents else "",
        verdict=panel.verdict,
        starter=panel.opened.starter.id,
        created_at=panel.opened.at,
        updated_at=now,
        model_is_ai=panel.opened.model_is_ai,
    )
