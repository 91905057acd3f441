"""The stores without a database: for tests, and for a panel that leaves nothing behind. Same contract, same refusals.

Nothing here waits, so every method is one step that no other can come between.
"""

from dataclasses import dataclass, field, replace

from bot.core.entries import AnyEntry, Opened
from bot.core.place import Person, Place
from bot.core.store import Delivery, Loaded, Query, Shelf, Signal, Store, Summary, Write
from storage.erasing import deleted, erased
from storage.rules import (
    EVENT_SECONDS,
    SWEEP_SECONDS,
    as_json,
    check_order,
    fenced,
    no_panel,
    no_post,
    out_of_order,
    owned,
    taken_id,
    words_of,
)


@dataclass(slots=True)
class _Kept:
    """One panel: what the SQL store has in its tables."""

    opened_at: Place
    summary: Summary
    epoch: int = 0
    entries: list[AnyEntry] = field(default_factory=list)
    posts: dict[tuple[int, int], Delivery] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)
    inbox: dict[int, Signal] = field(default_factory=dict)


class MemoryStore(Store):
    """Everything is gone when the process ends."""

    def __init__(self) -> None:
        self.shelf = MemoryShelf()
        self._panels: dict[str, _Kept] = {}
        self._beats: dict[str, float] = {}
        self._seen: dict[str, float] = {}
        self._swept = 0.0
        self._signals = 0

    async def create(self, summary: Summary, opened: Opened, card: Delivery | None) -> None:
        check_order(summary.id, 0, (opened,))
        if summary.id in self._panels:
            raise taken_id(summary.id)
        kept = _Kept(opened_at=summary.place, summary=summary, entries=[opened])
        if card is not None:
            kept.posts[card.turn, card.part] = card
        self._panels[summary.id] = kept

    async def load(self, panel: str, after: int = 0) -> Loaded:
        kept = self._kept(panel)
        posts = (kept.posts[key] for key in sorted(kept.posts))
        return Loaded(
            place=kept.opened_at,
            epoch=kept.epoch,
            entries=tuple(kept.entries[after:]),
            deliveries=tuple(post for post in posts if not after or post.open),
        )

    async def claim(self, panel: str, owner: str, *, stale_before: float) -> int:
        kept = self._kept(panel)
        holder = kept.summary.owner
        if holder != owner and self._lives(holder, stale_before):
            raise owned(panel, holder)
        kept.summary = replace(kept.summary, owner=owner)
        kept.epoch += 1
        return kept.epoch

    async def release(self, panel: str, epoch: int) -> None:
        kept = self._panels.get(panel)
        if kept is not None and kept.epoch == epoch:
            kept.summary = replace(kept.summary, owner="")

    async def commit(self, panel: str, epoch: int, write: Write) -> None:
        kept = self._kept(panel)
        if kept.epoch != epoch:
            raise fenced(panel, epoch, kept.epoch)
        if write.entries and write.entries[0].seq != len(kept.entries) + 1:
            raise out_of_order(panel, len(kept.entries), write.entries[0].seq)
        check_order(panel, len(kept.entries), write.entries)
        for entry in write.entries:
            as_json(panel, entry)
        kept.entries = list(erased((*kept.entries, *write.entries), deleted(write.entries)))
        for post in write.deliveries:
            kept.posts[post.turn, post.part] = _merged(kept.posts.get((post.turn, post.part)), post)
        for number in write.taken:
            kept.inbox.pop(number, None)
        if write.summary is not None:
            kept.summary = replace(write.summary, id=panel, owner=kept.summary.owner)

    async def confirm(self, panel: str, turn: int, part: int, ext_id: str, *, next_at: float | None) -> str:
        posts = self._posts(panel)
        post = posts.get((turn, part))
        if post is None:
            raise no_post(panel, turn, part)
        if post.ext_id is not None:
            return post.ext_id
        posts[turn, part] = replace(post, ext_id=ext_id, withdrawn=False)
        following = posts.get((turn, part + 1))
        if next_at is not None and following is not None and following.open and following.attempted_at is None:
            posts[turn, part + 1] = replace(following, attempted_at=next_at)
        return ext_id

    async def rearm(self, panel: str, turn: int, part: int, *, seen: float, now: float) -> bool:
        posts = self._posts(panel)
        post = posts.get((turn, part))
        if post is None or not post.open or post.attempted_at != seen:
            return False
        posts[turn, part] = replace(post, attempted_at=now)
        return True

    async def delivery(self, panel: str, turn: int, part: int) -> Delivery | None:
        return self._posts(panel).get((turn, part))

    async def signal(self, signal: Signal) -> bool:
        kept = self._kept(signal.panel)
        if signal.message_id in kept.heard:
            return False
        self._signals += 1
        kept.heard.add(signal.message_id)
        kept.inbox[self._signals] = replace(signal, id=self._signals)
        return True

    async def signals(self, panel: str) -> tuple[Signal, ...]:
        kept = self._panels.get(panel)
        return tuple(kept.inbox.values()) if kept else ()

    async def rung(self) -> frozenset[str]:
        return frozenset(name for name, kept in self._panels.items() if kept.inbox)

    async def summaries(self, query: Query) -> tuple[Summary, ...]:
        found = [kept.summary for kept in self._panels.values() if _matches(kept.summary, query)]
        found.sort(key=lambda summary: (summary.created_at, summary.id), reverse=True)
        return tuple(found[: query.limit])

    async def beat(self, owner: str, now: float) -> None:
        self._beats[owner] = now

    async def ownerless(self, platforms: frozenset[str], *, stale_before: float) -> tuple[str, ...]:
        found = [
            kept.summary
            for kept in self._panels.values()
            if kept.summary.status == "running"
            and kept.summary.place.platform in platforms
            and not self._lives(kept.summary.owner, stale_before)
        ]
        return tuple(summary.id for summary in sorted(found, key=lambda one: (one.created_at, one.id)))

    async def first_seen(self, event: str, now: float) -> bool:
        first = event not in self._seen
        self._seen.setdefault(event, now)
        if now - self._swept >= SWEEP_SECONDS:
            self._seen = {known: at for known, at in self._seen.items() if at >= now - EVENT_SECONDS}
            self._swept = now
        return first

    async def close(self) -> None:
        """Nothing to let go of."""

    def _kept(self, panel: str) -> _Kept:
        if panel not in self._panels:
            raise no_panel(panel)
        return self._panels[panel]

    def _posts(self, panel: str) -> dict[tuple[int, int], Delivery]:
        kept = self._panels.get(panel)
        return kept.posts if kept else {}

    def _lives(self, owner: str, stale_before: float) -> bool:
        return owner in self._beats and self._beats[owner] >= stale_before


def _merged(known: Delivery | None, new: Delivery) -> Delivery:
    """What the platform confirmed stays."""
    if known is None or known.ext_id is None:
        return new
    return replace(new, ext_id=known.ext_id, withdrawn=False)


def _matches(summary: Summary, query: Query) -> bool:
    return (
        (not query.statuses or summary.status in query.statuses)
        and (not query.platforms or summary.place.platform in query.platforms)
        and (query.workspace is None or summary.place.workspace == query.workspace)
        and (query.place is None or summary.place == query.place)
        and (not query.text or query.text.casefold() in words_of(summary))
        and (not query.target or summary.target == query.target)
    )


class MemoryShelf(Shelf):
    """Named values with their history, for as long as the process lives."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str, str], list[tuple[int, float, str, str | None]]] = {}

    async def put(
        self,
        workspace: str,
        kind: str,
        name: str,
        value: str | None,
        by: Person,
        now: float,
        *,
        after: int | None = None,
    ) -> int:
        versions = self._values.setdefault((workspace, kind, name), [])
        if after is not None and after != len(versions):
            return 0
        versions.append((len(versions) + 1, now, by.name, value))
        return len(versions)

    async def take(self, workspace: str, kind: str, name: str) -> str | None:
        versions = self._values.get((workspace, kind, name))
        return versions[-1][3] if versions else None

    async def names(self, workspace: str, kind: str) -> tuple[str, ...]:
        return tuple(await self.values(workspace, kind))

    async def values(self, workspace: str, kind: str) -> dict[str, str]:
        kept = {key[2]: versions for key, versions in self._values.items() if key[:2] == (workspace, kind) and versions}
        newest = {name: versions[-1][3] for name, versions in kept.items()}
        return {name: value for name, value in sorted(newest.items()) if value is not None}

    async def history(self, workspace: str, kind: str, name: str) -> tuple[tuple[int, float, str, str | None], ...]:
        return tuple(reversed(self._values.get((workspace, kind, name), [])))
