"""Settings of a workspace, shown and changed; every change is a version with author and time."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from bot.core.clock import Clock
from bot.core.desk.answer import DeskAnswer, DeskForm, FormField
from bot.core.desk.asked import Asked
from bot.core.desk.form import SETTINGS as FORM
from bot.core.desk.listing import Version, day_and_time
from bot.core.desk.setting_table import BY_KEY, Setting, value_from, value_shown
from bot.core.desk.setting_table import SETTINGS as TABLE
from bot.core.desk.shelving import amend
from bot.core.desk.words import split_verb
from bot.core.desk.workspace import WORKSPACE, WorkspaceSettings, applied, overrides
from bot.core.errors import NotAllowed, NotFound, UsageError
from bot.core.shown import shown
from bot.core.steering.permissions import PERMISSIONS, SETTINGS, Permissions, permissions
from bot.core.store import Shelf

DEFAULT, HISTORY = "default", "history"
HISTORY_SHOWN = 20
MOST_LINES = 40


class DeskSettings:
    """Answers `settings …`."""

    def __init__(self, *, shelf: Shelf, clock: Clock, defaults: WorkspaceSettings, grantable: frozenset[str]) -> None:
        """`grantable` are the names of the folders that the installation's operator lets workspaces read."""
        self._shelf, self._clock, self._defaults, self._grantable = shelf, clock, defaults, grantable

    async def answer(self, asked: Asked) -> DeskAnswer:
        """`settings`, `settings KEY`, `settings KEY VALUE` (one a line), `settings KEY default`, `settings history`.

        Raises NotAllowed, NotFound, UsageError; then none of the lines took effect.
        """
        if asked.person.role == "guest":
            raise NotAllowed("Settings are for members of this workspace; ask one of them.")
        lines = [line.strip() for line in asked.rest.split("\n") if line.strip()]
        if not lines:
            return self._shown(asked)
        if lines == [HISTORY]:
            return await self._history(asked)
        if len(lines) > MOST_LINES:
            raise UsageError(f"at most {MOST_LINES} settings are changed at once")
        named = [self._named(line) for line in lines]
        if len(named) == 1 and not named[0][1]:
            return self._one(asked, named[0][0])
        return await self._changed(asked, named)

    def _shown(self, asked: Asked) -> DeskAnswer:
        lines = [
            f"- `{setting.key}` **{_value(setting, asked)}**{self._ours(setting, asked)}: {setting.help}"
            for setting in TABLE
        ]
        how = (
            "`settings KEY VALUE` changes one, `settings KEY default` takes it back, `settings history` lists changes."
        )
        form = _form(asked) if asked.may("settings") else None
        return DeskAnswer(title="Settings", text="\n".join([*lines, "", how]), form=form)

    def _one(self, asked: Asked, setting: Setting) -> DeskAnswer:
        text = f"`{setting.key}` is **{_value(setting, asked)}**{self._ours(setting, asked)}. {setting.help}"
        return DeskAnswer(title="Settings", text=text)

    def _ours(self, setting: Setting, asked: Asked) -> str:
        here, plain = asked.place.channel, self._defaults
        same = value_shown(setting, asked.settings, here) == value_shown(setting, plain, here)
        return "" if same else f" (default {value_shown(setting, plain, here)})"

    def _named(self, line: str) -> tuple[Setting, str]:
        key, words = split_verb(line)
        if key not in BY_KEY:
            near = get_close_matches(key, BY_KEY, n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise NotFound(f"there is no setting `{shown(key, 40)}`.{hint} Known: {', '.join(BY_KEY)}")
        return BY_KEY[key], words

    async def _changed(self, asked: Asked, named: list[tuple[Setting, str]]) -> DeskAnswer:
        for setting, words in named:
            if not words:
                raise UsageError(f"`{setting.key}` needs a value, or `{DEFAULT}`; nothing was changed")
            self._check(asked, setting, words)
        new = [(setting, words) for setting, words in named if _value(setting, asked) != words]
        if any(setting.kind == "circle" for setting, _ in new):
            await self._amend(asked, PERMISSIONS, lambda value: self._with_rules(new, value))
        if any(setting.kind != "circle" for setting, _ in new):
            await self._amend(asked, WORKSPACE, lambda value: self._with_values(asked, new, value))
        told = await self._told(asked, new or named)
        return DeskAnswer(title="Changed" if new else "Unchanged", text=told)

    def _check(self, asked: Asked, setting: Setting, words: str) -> None:
        """Raises what is wrong with one line, before any is kept."""
        if _value(setting, asked) == words:
            return
        asked.need(setting.right)
        if words.casefold() == DEFAULT:
            return
        value = value_from(setting, words, (), asked.place.channel)
        if setting.kind == "roots" and not words.startswith("-"):
            self._check_roots(value)

    def _check_roots(self, names: tuple[str, ...]) -> None:
        wrong = [name for name in names if name not in self._grantable]
        if wrong:
            known = ", ".join(sorted(self._grantable)) or "none"
            raise NotAllowed(
                f"the folder “{shown(wrong[0], 40)}” is not open to chats; the installation's operator opens it with "
                f"PANELIST_CHAT_ROOTS. Open: {known}"
            )

    def _with_rules(self, named: list[tuple[Setting, str]], value: str | None) -> str | None:
        rules = permissions(value)
        plain = self._defaults.rules
        for setting, words in named:
            if setting.kind == "circle":
                circle = getattr(plain, setting.field) if _default(words) else value_from(setting, words, (), "")
                rules = rules.model_copy(update={setting.field: circle})
        return None if rules == Permissions() else rules.model_dump_json()

    def _with_values(self, asked: Asked, named: list[tuple[Setting, str]], value: str | None) -> str | None:
        kept, here = overrides(value), asked.place.channel
        for setting, words in named:
            if setting.kind == "circle":
                continue
            now = getattr(applied(self._defaults, kept), setting.field)
            if setting.field == "channel_roots":
                granted = () if _default(words) else value_from(setting, words, now.get(here, ()), here)
                kept[setting.field] = _without_empty({**now, here: granted})
            elif _default(words):
                kept.pop(setting.field, None)
            else:
                kept[setting.field] = value_from(setting, words, now, here)
        return json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else None

    async def _amend(self, asked: Asked, name: str, change: Any) -> None:
        await amend(self._shelf, asked.workspace, SETTINGS, name, change, asked.person, self._clock.now())

    async def _told(self, asked: Asked, named: list[tuple[Setting, str]]) -> str:
        kept = overrides(await self._shelf.take(asked.workspace, SETTINGS, WORKSPACE))
        rules = permissions(await self._shelf.take(asked.workspace, SETTINGS, PERMISSIONS))
        now = applied(self._defaults, {**kept, "rules": rules})
        here = asked.place.channel
        lines = [f"`{setting.key}` is **{value_shown(setting, now, here)}**." for setting, _ in named]
        return "\n".join(lines)

    async def _history(self, asked: Asked) -> DeskAnswer:
        asked.need("settings")
        changes: list[Version] = []
        for name in (WORKSPACE, PERMISSIONS):
            changes += await self._shelf.history(asked.workspace, SETTINGS, name)
        changes.sort(key=lambda change: -change[1])
        lines = [
            f"- {day_and_time(at)} UTC by {shown(by, 80)}: {_told_value(value)}"
            for _, at, by, value in changes[:HISTORY_SHOWN]
        ]
        return DeskAnswer(title="Changes of settings", text="\n".join(lines) or "Nothing was ever changed here.")


def _default(words: str) -> bool:
    return words.casefold() == DEFAULT


def _value(setting: Setting, asked: Asked) -> str:
    return value_shown(setting, asked.settings, asked.place.channel)


def _without_empty(granted: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {channel: names for channel, names in granted.items() if names}


def _told_value(value: str | None) -> str:
    return f"`{shown(value, 300)}`" if value else "back to the defaults"


def _form(asked: Asked) -> DeskForm:
    fields = tuple(
        FormField(key=setting.key, label=setting.key, value=_value(setting, asked), help=setting.help, optional=True)
        for setting in TABLE
    )
    return DeskForm(key=FORM, title="Settings", fields=fields)
