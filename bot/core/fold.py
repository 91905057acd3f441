"""The fold: from the log's entries to the panel's state. Pure; linear in the number of entries."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from bot.core.entries import (
    AnyEntry,
    Closing,
    Control,
    Decision,
    Directive,
    Human,
    Opened,
    Placed,
    Recap,
    Revised,
    Skipped,
    StatusChanged,
    Turn,
)
from bot.core.measured import Usage
from bot.core.panel import Panel, RosterChange
from bot.core.place import Place
from bot.core.revising import revised

CONTINUED = "continued"
"""The name of the event by which a finished or stopped panel goes on."""


def fold(panel: Panel, entries: Iterable[AnyEntry]) -> Panel:
    """The state after these entries, which follow the panel's last one in order of `seq`."""
    draft = _Draft(panel)
    for entry in entries:
        draft.take(entry)
    return draft.panel()


def opened(panel_id: str, place: Place, entries: Iterable[AnyEntry]) -> Panel:
    """The state of a panel from its whole log, whose first entry is `opened`."""
    rest = iter(entries)
    first = next(rest)
    if not isinstance(first, Opened):
        raise ValueError(f"panel {panel_id}: its log starts with {first.kind}, not with opened")
    start = Panel(
        id=panel_id,
        place=place,
        opened=first,
        status="waiting" if first.approval else "running",
        reason="go-ahead" if first.approval else "",
        last_seq=first.seq,
        entries=(first,),
        rounds_max=first.options.rounds,
        max_cost=first.options.max_cost,
        usage=first.usage,
        spent_usd=first.cost_usd or 0.0,
        unpriced=first.cost_usd is None,
    )
    return fold(start, rest)


class _Draft:
    """Takes entries one by one; lists while it works, so that a fold of n entries takes time linear in n."""

    def __init__(self, panel: Panel) -> None:
        self.base = panel
        self.entries = list(panel.entries)
        self.turns = list(panel.turns)
        self.skipped = list(panel.skipped)
        self.humans = list(panel.humans)
        self.directives = list(panel.directives)
        self.withdrawn = set(panel.withdrawn)
        self.controls = list(panel.controls)
        self.changes = list(panel.changes)
        self.added = list(panel.added)
        self.done = set(panel.done)
        self.skips = list(panel.skips)
        self.asks = list(panel.asks)
        self.decisions = list(panel.decisions)
        self.artifacts = dict(panel.artifacts)
        self.revisions = dict(panel.revisions)
        self.recap = panel.recap
        self.place = panel.place
        self.status, self.reason = panel.status, panel.reason
        self.running_since = panel.running_since
        self.rounds_max, self.round = panel.rounds_max, panel.round
        self.max_cost, self.approved = panel.max_cost, panel.approved
        self.closing, self.closing_since = panel.closing, panel.closing_since
        self.spent, self.unpriced = panel.spent_usd, panel.unpriced
        self.usage = panel.usage
        self.last_seq = panel.last_seq

    def take(self, entry: AnyEntry) -> None:
        if not isinstance(entry, Revised):
            entry = revised(entry, self.revisions)
        self.last_seq = entry.seq
        self.entries.append(entry)
        match entry:
            case Turn() | Skipped():
                self._speech(entry)
            case Human():
                if entry.text:
                    self.humans.append(entry)
            case Directive():
                self.directives.append(entry)
                if not entry.text:
                    self.withdrawn.add(entry.seq)
            case Control():
                self.controls.append(entry)
                if not entry.refused:
                    _CONTROLS.get(entry.word, _nothing)(self, entry)
            case Revised():
                self._revise(entry)
            case Recap():
                self.recap = entry
                self._count(entry.usage, entry.cost_usd)
            case StatusChanged():
                self.status, self.reason = entry.status, entry.reason
                if entry.status == "running":
                    self.running_since = entry.seq
            case Closing():
                self.closing, self.closing_since = entry.reason, entry.seq
            case Decision():
                self.decisions.append(entry)
            case Placed():
                self.place = entry.place
            case _:
                self._keep(entry)

    def _keep(self, entry: AnyEntry) -> None:
        if entry.kind == "artifact":
            self.artifacts[entry.what] = entry.ref
        elif entry.kind == "event" and entry.name == CONTINUED:
            self.closing = ""
            self.done = {key for key in self.done if key[0] not in ("summary", "synthesis")}

    def _speech(self, entry: Turn | Skipped) -> None:
        if isinstance(entry, Skipped) and entry.withdrawn:
            self._count(entry.usage, entry.cost_usd)
            return
        if isinstance(entry, Turn):
            self.turns.append(entry)
        else:
            self.skipped.append(entry)
            self._spend_skip(entry)
        if entry.round > self.round:
            self.round = entry.round
            self.done = {key for key in self.done if key[0] in ("opening", "digest", "answer")}
        self.done.add((entry.turn_kind, entry.round, entry.persona, entry.ref))
        if entry.ref:
            self.asks = [ask for ask in self.asks if ask.seq != entry.ref]
        self._count(entry.usage, entry.cost_usd)

    def _spend_skip(self, entry: Skipped) -> None:
        """A pending skip is used up by the turn that it dropped."""
        for word in (entry.persona, ""):
            if entry.by_human and word in self.skips:
                self.skips.remove(word)
                return

    def _count(self, usage: Usage, cost: float | None) -> None:
        self.usage = self.usage + usage
        if cost is None:
            self.unpriced = True
        else:
            self.spent += cost

    def _revise(self, entry: Revised) -> None:
        """The newest text stands everywhere from now on, also where it arrives first; a deletion is final.

        What personas already answered stays as it is.
        """
        if not entry.message_id:
            return
        gone = self.revisions.get(entry.message_id, "") is None
        self.revisions[entry.message_id] = None if gone else entry.text
        self.entries = [revised(e, self.revisions) for e in self.entries]
        self.humans = [h for h in (revised(h, self.revisions) for h in self.humans) if h.text]
        self.directives = [revised(d, self.revisions) for d in self.directives]
        self.withdrawn.update(d.seq for d in self.directives if not d.text)
        self.controls = [revised(c, self.revisions) for c in self.controls]
        self.asks = [a for a in (revised(a, self.revisions) for a in self.asks) if a.question]
        self.decisions = [revised(d, self.revisions) for d in self.decisions]

    def panel(self) -> Panel:
        return replace(
            self.base,
            place=self.place,
            status=self.status,
            reason=self.reason,
            last_seq=self.last_seq,
            running_since=self.running_since,
            turns=tuple(self.turns),
            skipped=tuple(self.skipped),
            humans=tuple(self.humans),
            directives=tuple(self.directives),
            withdrawn=frozenset(self.withdrawn),
            revisions=self.revisions,
            controls=tuple(self.controls),
            recap=self.recap,
            entries=tuple(self.entries),
            changes=tuple(self.changes),
            added=tuple(self.added),
            rounds_max=self.rounds_max,
            round=self.round,
            done=frozenset(self.done),
            skips=tuple(self.skips),
            asks=tuple(self.asks),
            max_cost=self.max_cost,
            closing=self.closing,
            closing_since=self.closing_since,
            spent_usd=self.spent,
            unpriced=self.unpriced,
            usage=self.usage,
            decisions=tuple(self.decisions),
            approved=self.approved,
            artifacts=self.artifacts,
        )


# What each word does to the state; a refused one does nothing. Statuses, the closing phase and the going on after the
# end are entries of their own, which `outcome.py` puts behind the word.
def _nothing(_draft: _Draft, _control: Control) -> None:
    return


def _stop(draft: _Draft, _control: Control) -> None:
    draft.asks, draft.skips = [], []


def _continue(draft: _Draft, control: Control) -> None:
    draft.approved = True
    draft.rounds_max += int(control.number or 0)


def _rounds(draft: _Draft, control: Control) -> None:
    draft.rounds_max = max(int(control.number or 0), draft.round, 1)


def _extend(draft: _Draft, control: Control) -> None:
    draft.rounds_max = (draft.round if draft.closing else draft.rounds_max) + int(control.number or 0)


def _wrap_up(draft: _Draft, control: Control) -> None:
    draft.rounds_max = max(1, min(draft.rounds_max, draft.round + int(control.number or 0)))


def _skip(draft: _Draft, control: Control) -> None:
    draft.skips.append(control.persona)


def _ask(draft: _Draft, control: Control) -> None:
    if control.question:
        draft.asks.append(control)


def _roster(state: str) -> Callable[[_Draft, Control], None]:
    def change(draft: _Draft, control: Control) -> None:
        draft.changes.append(RosterChange(persona=control.persona, state=state, round=draft.round + 1))

    return change


def _add(draft: _Draft, control: Control) -> None:
    if control.seat is not None:
        draft.added = [s for s in draft.added if s.persona.short_name != control.persona] + [control.seat]
    _roster("ok")(draft, control)


def _budget(draft: _Draft, control: Control) -> None:
    draft.max_cost = control.number


def _withdraw(draft: _Draft, control: Control) -> None:
    draft.withdrawn.add(int(control.number or 0))


_CONTROLS: dict[str, Callable[[_Draft, Control], None]] = {
    "stop": _stop,
    "continue": _continue,
    "go": _continue,
    "rounds": _rounds,
    "extend": _extend,
    "wrap up": _wrap_up,
    "skip": _skip,
    "ask": _ask,
    "add": _add,
    "drop": _roster("dropped"),
    "mute": _roster("muted"),
    "unmute": _roster("ok"),
    "budget": _budget,
    "withdraw": _withdraw,
}
