"""Forms of the desk: which fields they have, and the command that a filled-in one stands for."""

from collections.abc import Mapping

from bot.core.desk.answer import DeskForm, FormField
from bot.core.errors import UsageError
from bot.core.persona import Persona
from bot.core.starting.command import DeskCommand

ADD, EDIT, NOTE, SETTINGS = "persona add", "persona edit", "note", "settings"


def adding(name: str, text: str) -> DeskForm:
    """A new persona, its file filled in as far as we can."""
    fields = (
        FormField(key="name", label="Name", value=name),
        FormField(
            key="text", label="What it is like", kind="text", value=text, help="Its file, or just how it thinks."
        ),
    )
    return DeskForm(key=ADD, title="Add a persona", fields=fields)


def editing(persona: Persona, text: str) -> DeskForm:
    """A persona's file as it stands."""
    field = FormField(key="text", label="Its file", kind="text", value=text)
    return DeskForm(key=f"{EDIT} {persona.short_name}", title="Edit a persona", fields=(field,))


def noting(name: str) -> DeskForm:
    """A dated note for a persona."""
    fields = (
        FormField(key="name", label="Persona", value=name),
        FormField(key="text", label="What it should know", kind="text"),
    )
    return DeskForm(key=NOTE, title="Add a note", fields=fields)


def submitted(key: str, values: Mapping[str, str]) -> DeskCommand:
    """The command that a filled-in form stands for, to be asked like one that was typed.

    Raises UsageError for a form that is not ours.
    """
    word, _, rest = key.partition(" ")
    text = values.get("text", "")
    if key == ADD:
        return DeskCommand(word=word, rest=f'add "{_quotable(values)}"\n{text}')
    if key.startswith(f"{EDIT} "):
        return DeskCommand(word=word, rest=f"{rest}\n{text}")
    if key == NOTE:
        return DeskCommand(word=word, rest=f'"{_quotable(values)}" {text}')
    if key == SETTINGS:
        lines = (f"{name} {' '.join(value.split()) or 'default'}" for name, value in values.items())
        return DeskCommand(word=word, rest="\n".join(lines))
    raise UsageError("this form is from another version; open it again")


def _quotable(values: Mapping[str, str]) -> str:
    return " ".join(values.get("name", "").replace('"', "'").split())
