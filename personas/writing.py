"""Persona files written in our own form: a fresh one to fill in, and any persona as a file."""

import json

import yaml

from bot.core.errors import UsageError
from bot.core.persona import Note, Persona
from personas.assembly import description_from
from personas.avatar import DEFAULT_EMOJI
from personas.document import CONTEXT
from personas.fields import MAX_NAME
from personas.findings import shown
from personas.forms import RESERVED, Form, recognised, slug
from personas.visible import hidden, without_hidden
from personas.yaml_tree import plain_value

_FRESH = """\
## Beliefs

What does {name} hold to be true, from what experience? Write three or four sentences, in plain words.

## What I look for

- The first thing it checks, and what good looks like.

## What I distrust

- A habit or a claim that makes it ask again.

## How I talk

Short or long, dry or warm, with which examples?

## Three questions I always ask

1. Who is this for?
2. What would show that it does not work?
3. What happens if we do nothing?

## What would change my mind

The kind of evidence that moves it.
"""
_FRESH_CUES = [
    "! deadline, by friday → A date is no plan: what is left out to meet it?",
    "? everyone, all users → Who is meant, one person at a time?",
    "+ rollback, undo → Good: a way back was thought of.",
]


def file_name(name: str) -> str:
    """The file that a persona of this display name is kept in."""
    made = slug(name)
    return f"{made}-persona.md" if made in RESERVED else f"{made}.md"


def new(name: str) -> str:
    """The text of a fresh persona file in our own form, ready to load and to be filled in.

    Raises UsageError for a name that can not be shown.
    """
    bare = without_hidden(name)
    found = hidden(name.strip())
    if any(mark in bare for mark in "/\\"):
        raise UsageError(f"the name '{shown(name)}' holds a slash; give the persona's name, and --to for the folder")
    if found or not bare or len(bare) > MAX_NAME:
        why = f"holds the invisible character {found}" if found else f"must have 1 to {MAX_NAME} characters"
        raise UsageError(f"the name '{shown(name)}' {why}; choose another")
    front: dict[str, object] = {
        "name": bare,
        "description": f"One line on what {bare} stands for; automatic choice reads it.",
        "tier": "custom",
        "version": "1",
        "tags": ["perspective"],
        "cues": _FRESH_CUES,
    }
    return _file(front, _FRESH.format(name=bare))


def export(persona: Persona) -> str:
    """A file in our own form that loads to the same persona: its fields, document and notes.

    Variants are files of their own (`exported`); keys of other people's forms that we do not know stay behind.
    """
    return _file(_front(persona), persona.body, persona.notes)


def exported(persona: Persona) -> dict[str, str]:
    """The persona as files by name: its own, and one for each variant."""
    front = _front(persona)
    files = {name: f"{persona.short_name}.variant-{name}.md" for name in persona.variants}
    if files:
        front["variants"] = files
    own = {f"{persona.short_name}.md": _file(front, persona.body, persona.notes)}
    return own | {file: persona.variants[name] + "\n" for name, file in files.items()}


def _front(persona: Persona) -> dict[str, object]:
    """Values as they stood in the file where they still hold, so that the prompt hash stays the same."""
    values: dict[str, object] = {
        "name": persona.name,
        "short_name": persona.short_name,
        "description": persona.description,
        "tier": persona.tier,
        "version": persona.version,
        "tags": list(persona.tags),
        "model": persona.model,
        "avatar": _avatar(persona),
        "color": persona.color,
        "evaluation_criteria": list(persona.evaluation_criteria),
        "output_contract": persona.output_contract,
        "cues": list(persona.cues),
    }
    own = recognised(persona.front_matter) is Form.OWN
    was = persona.front_matter if own else {}
    front: dict[str, object] = {}
    for key, value in values.items():
        if key in was and _same(was[key], value):
            front[key] = was[key]
        elif value not in (None, "", []) and not (own and _goes_without(key, persona)):
            front[key] = value
    return front if recognised(front) is Form.OWN else {**front, "tier": persona.tier}


def _goes_without(key: str, persona: Persona) -> bool:
    """Whether a file that does not have the key loads to the same value."""
    if key == "description":
        return persona.description == description_from(persona.body)
    if key == "tier":
        return persona.tier == "custom"
    return key == "short_name" or (key == "version" and persona.version == "1")


def _same(was: object, value: object) -> bool:
    return was == value or (isinstance(was, int | float) and str(was) == value)


def _avatar(persona: Persona) -> str:
    emoji = "" if persona.emoji == DEFAULT_EMOJI else persona.emoji
    return " ".join(filter(None, (emoji, persona.image)))


def _file(front: dict[str, object], body: str, notes: tuple[Note, ...] = ()) -> str:
    head = yaml.dump(front, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    parts = [f"---\n{head}---\n", body.strip("\n")]
    if notes:
        listed = json.dumps([note.model_dump() for note in notes], ensure_ascii=False, indent=2)
        parts += [CONTEXT, listed]
    return "\n".join((parts[0], "\n\n".join(parts[1:]))) + "\n"


class _Dumper(yaml.SafeDumper):
    """Quotes every word that our reader would take for a number or a constant."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _quoted(dumper: yaml.SafeDumper, word: str) -> yaml.ScalarNode:
    style = None if isinstance(plain_value(word), str) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", word, style=style)


_Dumper.add_representer(str, _quoted)
