"""The values of a persona's keys, read strictly in our own form and liberally in those of others."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from bot.core.persona import TIERS
from personas.findings import Findings, shown
from personas.forms import Form
from personas.visible import hidden, without_hidden
from personas.yaml_tree import Tree

MAX_NAME = 80
ALIASES = ("inherit", "strongest", "balanced", "fast", "opus", "sonnet", "haiku")
_SEPARATOR = re.compile(r"[,;\uff0c\u3001\uff1b\u060c]")
_MODEL = re.compile(r"(?:[a-z][a-z0-9_-]{0,39}:)?[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}")


class Fields:
    """Reads one front matter; what is wrong goes to its findings."""

    def __init__(self, tree: Tree, form: Form, findings: Findings) -> None:
        self._tree = tree
        self._form = form
        self._findings = findings

    def has(self, key: str) -> bool:
        """Whether the key has a value; `key:` alone has none."""
        return self._tree.values.get(key) is not None

    def line(self, key: str) -> int:
        return self._tree.lines.get(key, 0)

    @property
    def strict(self) -> bool:
        """Whether the file is in our own form."""
        return self._form.strict

    def line_of(self, key: str, item: str) -> int:
        """The line of the list item that reads so; the key's own where that is not known."""
        value = self.raw(key)
        lines = self._tree.items.get(key, ())
        items = value if isinstance(value, list) else []
        at = next((n for n, each in enumerate(items) if without_hidden(str(each)) == item), len(lines))
        return lines[at] if at < len(lines) else self.line(key)

    def raw(self, key: str) -> object:
        return self._tree.values.get(key)

    def text(self, key: str) -> str:
        """The value as one line of text; empty where there is none."""
        if not self.has(key):
            return ""
        word = self._tree.words.get(key)
        if word is None:
            self._wrong(key, f"'{key}' must be text, not a list or a mapping")
            return ""
        if self._form.strict and "\n" in word.strip():
            self._findings.fault(self.line(key), f"'{key}' must be one line; join its lines")
        found = hidden(" ".join(word.split()))
        if found and self._form.strict:
            self._findings.fault(self.line(key), f"'{key}' holds the invisible character {found}; remove it")
        return without_hidden(word)

    def name(self) -> str:
        """The display name. Names that people can not read are refused in every form."""
        word = self._tree.words.get("name", "").strip() if self.has("name") else ""
        line = self.line("name")
        found = hidden(word)
        name = without_hidden(word)
        if found:
            self._findings.fault(line, f"'name' holds the invisible character {found}; remove it")
        elif not name:
            self._findings.fault(line or 1, f"'name' is missing; add 'name: …', 1 to {MAX_NAME} characters")
        elif len(name) > MAX_NAME:
            self._findings.fault(line, f"'name' is {len(name)} characters long; at most {MAX_NAME} are shown")
        return name

    def tier(self) -> str:
        word = self.text("tier")
        if not word or word in TIERS:
            return word or "custom"
        near = get_close_matches(word.casefold().replace(" ", "-"), TIERS, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ";"
        text = f"unknown tier '{shown(word)}'{hint} known tiers: {', '.join(TIERS)}"
        self._wrong("tier", text, "it counts as custom")
        return "custom"

    def model(self) -> str:
        """As `alias`, `id` or `provider:id`; a separate `provider` key is put before the id."""
        word = self.text("model")
        if word and not _MODEL.fullmatch(word):
            self._findings.fault(
                self.line("model"),
                f"'{shown(word)}' is no model; write a model id, 'provider:model', or one of {', '.join(ALIASES)}",
            )
            return ""
        provider = self.text("provider").casefold() if "provider" in self._form.keys else ""
        if not word or not provider or word in ALIASES or word.startswith(f"{provider}:"):
            return word
        joined = f"{provider}:{word}"
        if not _MODEL.fullmatch(joined):
            self._findings.remark(self.line("provider"), f"the provider '{shown(provider)}' is left out of the model")
            return word
        return joined

    def words(self, key: str) -> tuple[str, ...]:
        """A list of short words; others may write them as one text with commas."""
        if not self._form.strict and isinstance(self.raw(key), str):
            return tuple(
                filter(None, (part.strip() for part in re.split(r"[,;\uff0c\u3001\uff1b\u060c]", str(self.raw(key)))))
            )
        return self.sentences(key)

    def sentences(self, key: str) -> tuple[str, ...]:
        """A list of texts, in order."""
        value = self.raw(key)
        if value is None:
            return ()
        if self._form.strict and not isinstance(value, list):
            self._wrong(key, f"'{key}' must be a list; write one '- …' line for each")
            return ()
        items = value if isinstance(value, list) else [value]
        texts = (self._sentence(key, item) for item in items)
        return tuple(text for text in texts if text)

    def mapping(self, key: str) -> Mapping[str, object]:
        value = self.raw(key)
        if value is None:
            return {}
        if isinstance(value, dict):
            return value
        self._wrong(key, f"'{key}' must be a mapping, 'word: value' lines below it", "it is left out")
        return {}

    def _sentence(self, key: str, item: object) -> str:
        if isinstance(item, str | int | float) and not isinstance(item, bool):
            return without_hidden(str(item))
        if self._form.strict:
            self._wrong(key, f"'{key}' holds '{shown(_flat(item))}', which is not text; put it in quotes")
        return without_hidden(_flat(item))

    def _wrong(self, key: str, text: str, outcome: str = "") -> None:
        """A fault in our own form; elsewhere a remark with what becomes of it."""
        if self._form.strict:
            self._findings.fault(self.line(key), text)
        else:
            self._findings.remark(self.line(key), f"{text}; {outcome or 'it is read as far as possible'}")


def judge_keys(tree: Tree, form: Form, findings: Findings) -> dict[str, object]:
    """The keys that the form does not know, with their values: faults in our own form, kept in others."""
    unknown = {key: value for key, value in tree.values.items() if key not in form.keys}
    for at, key in enumerate(unknown):
        near = get_close_matches(key[:60].casefold(), form.keys, n=1) if at < 20 else []
        hint = f"; did you mean '{near[0]}'?" if near else ""
        line = tree.lines.get(key, 0)
        if form.strict:
            findings.fault(line, f"unknown key '{shown(key)}'{hint or ';'} known keys: {', '.join(form.keys)}")
        else:
            findings.remark(line, f"key '{shown(key)}' is not known to us and is kept{hint}")
    return {} if form.strict else unknown


def _flat(item: object) -> str:
    if isinstance(item, dict):
        return "; ".join(f"{key}: {_flat(value)}" for key, value in item.items() if value is not None)
    if isinstance(item, list):
        return ", ".join(_flat(each) for each in item)
    return "" if item is None else str(item)
