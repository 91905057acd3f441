"""Every setting of a workspace as data: its key, what it takes, what it does. Chat, forms and docs are made from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from bot.core.desk.workspace import WorkspaceSettings
from bot.core.errors import UsageError
from bot.core.shown import shown
from bot.core.steering.permissions import Right

Kind = Literal["circle", "ids", "roots", "money", "count", "switch", "pins", "model"]

CIRCLES = {"members": "members", "everyone": "members", "starter": "starter", "admins": "admins", "admin": "admins"}
ON = ("on", "yes", "true")
OFF = ("off", "no", "false")
NONE = ("none", "unlimited", "no limit", "all")
MAX_IDS = 500
MAX_ID = 100
MAX_COUNT = 10_000
MAX_PINS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, as every surface shows it."""

    key: str
    kind: Kind
    field: str
    """Of WorkspaceSettings, or of its `rules` for a circle."""
    help: str
    right: Right = "settings"
    """Who may change it."""


SETTINGS: tuple[Setting, ...] = (
    Setting(key="who-starts", kind="circle", field="start", help="Who may start panels."),
    Setting(key="who-steers", kind="circle", field="steer", help="Who may steer a panel."),
    Setting(key="who-stops", kind="circle", field="stop", help="Who may stop a panel."),
    Setting(key="who-budgets", kind="circle", field="budget", help="Who may change budgets."),
    Setting(key="who-edits-personas", kind="circle", field="personas", help="Who may edit personas and their notes."),
    Setting(key="channels", kind="ids", field="channels", help="Where panels may run: `here`, ids, or all."),
    Setting(
        key="max-cost",
        kind="money",
        field="max_cost",
        help="US dollars a panel may cost that names no cap.",
        right="budget",
    ),
    Setting(
        key="daily-budget",
        kind="money",
        field="daily_budget",
        help="US dollars a day for the workspace.",
        right="budget",
    ),
    Setting(
        key="person-budget",
        kind="money",
        field="person_budget",
        help="US dollars a day for each person.",
        right="budget",
    ),
    Setting(
        key="go-ahead-over",
        kind="money",
        field="go_ahead_over",
        help="Forecast in US dollars above which a panel waits for a go-ahead.",
        right="budget",
    ),
    Setting(
        key="panels-at-once",
        kind="count",
        field="panels_at_once",
        help="Panels that run at once in the workspace.",
        right="budget",
    ),
    Setting(
        key="panels-each",
        kind="count",
        field="panels_each",
        help="Panels that run at once for each person.",
        right="budget",
    ),
    Setting(key="ai-suffix", kind="switch", field="ai_suffix", help="Personas post as “Name (AI)”."),
    Setting(key="pins", kind="pins", field="keep_pins", help="Pin results: on, off, or how many of ours stay."),
    Setting(key="model", kind="model", field="model", help="The model of personas that name none."),
    Setting(
        key="roots",
        kind="roots",
        field="roots",
        help="The installation's folders that may be read in the whole workspace.",
    ),
    Setting(
        key="roots-here", kind="roots", field="channel_roots", help="Folders that may be read in this channel too."
    ),
    Setting(key="bots", kind="ids", field="bots", help="Ids of other bots that are heard."),
)
BY_KEY = {setting.key: setting for setting in SETTINGS}


TAKES: dict[Kind, str] = {
    "circle": "members, starter (the starter and admins) or admins",
    "ids": "ids with commas between",
    "roots": "names with commas between",
    "money": "US dollars above 0, for example 2.50, or none",
    "count": f"a whole number from 1 to {MAX_COUNT}, or none",
    "switch": "on or off",
    "pins": f"on, off, or how many of our pins stay, 1 to {MAX_PINS}",
    "model": "a model id, provider:id, or strongest, balanced or fast",
}
"""What each kind of setting takes, in words."""


def settings_table() -> str:
    """The settings as a Markdown table, for the docs."""
    plain = WorkspaceSettings()
    rows = (f"| `{s.key}` | {value_shown(s, plain, '')} | {TAKES[s.kind]} | {s.help} |" for s in SETTINGS)
    return "\n".join(("| key | default | takes | what it does |", "|---|---|---|---|", *rows))


def value_shown(setting: Setting, settings: WorkspaceSettings, channel: str) -> str:
    """The setting's value in the words that set it."""
    if setting.kind == "circle":
        return str(getattr(settings.rules, setting.field))
    value = getattr(settings, setting.field)
    if setting.field == "channel_roots":
        value = value.get(channel, ())
    match setting.kind:
        case "switch":
            return "on" if value else "off"
        case "pins":
            return "on" if value is None else "off" if value == 0 else str(value)
        case "money":
            return "none" if value is None else f"{value:.2f}"
        case "count":
            return "none" if value is None else str(value)
        case "model":
            return value or "default"
    return ",".join(value) if value else "all" if setting.field == "channels" else "none"


def value_from(setting: Setting, words: str, before: Any, here: str) -> Any:
    """The setting's new value from the words given for it; `before` is the one that a list is added to.

    Raises UsageError, naming the setting, what was given and what it takes.
    """
    text = " ".join(words.split())
    if setting.kind in ("ids", "roots"):
        return _ids(setting, text, tuple(before), here)
    return _READERS[setting.kind](setting, text)


def _circle(setting: Setting, text: str) -> Any:
    if text.casefold() not in CIRCLES:
        raise _wrong(setting, text)
    return CIRCLES[text.casefold()]


def _switch(setting: Setting, text: str) -> Any:
    if text.casefold() not in (*ON, *OFF):
        raise _wrong(setting, text)
    return text.casefold() in ON


def _pins(setting: Setting, text: str) -> Any:
    if text.casefold() in ON:
        return None
    if text.casefold() in OFF:
        return 0
    return _number(setting, text, MAX_PINS)


def _money(setting: Setting, text: str) -> Any:
    if text.casefold() in NONE:
        return None
    try:
        amount = float(text.lstrip("$").replace(",", ".")) if text.isascii() else -1.0
    except ValueError:
        amount = -1.0
    if not 0 < amount < 1e6:
        raise _wrong(setting, text)
    return amount


def _count(setting: Setting, text: str) -> Any:
    if text.casefold() in NONE:
        return None
    return _number(setting, text, MAX_COUNT)


def _model(setting: Setting, text: str) -> Any:
    plain = text.replace(":", "", 1)
    if not plain or len(text) > 128 or not all(c.isascii() and (c.isalnum() or c in "._:/@-") for c in plain):
        raise _wrong(setting, text)
    return text


def _ids(setting: Setting, text: str, before: tuple[str, ...], here: str) -> tuple[str, ...]:
    if text.casefold() in NONE:
        return ()
    sign = text[0] if text[:1] in ("+", "-") else ""
    items = [here if item == "here" else item for item in text[len(sign) :].replace(",", " ").split()]
    if not items or any(len(item) > MAX_ID or not item.isprintable() for item in items):
        raise _wrong(setting, text, f"; +ID adds one, -ID removes one, {_bare(setting)}")
    if sign == "-":
        return tuple(item for item in before if item not in items)
    kept = tuple(dict.fromkeys((*(before if sign else ()), *items)))
    if len(kept) > MAX_IDS:
        raise UsageError(f"`{setting.key}` keeps at most {MAX_IDS}, and this would be {len(kept)}; remove some first")
    return kept


def _bare(setting: Setting) -> str:
    return "here is this channel, all means every one" if setting.field == "channels" else "none empties the list"


def _number(setting: Setting, text: str, high: int) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
    if not 1 <= number <= high:
        raise _wrong(setting, text)
    return number


def _wrong(setting: Setting, text: str, more: str = "") -> UsageError:
    return UsageError(f"`{setting.key}` takes {TAKES[setting.kind]}{more}, not “{shown(text, 60)}”")


_READERS: dict[Kind, Callable[[Setting, str], Any]] = {
    "circle": _circle,
    "switch": _switch,
    "pins": _pins,
    "money": _money,
    "count": _count,
    "model": _model,
}
