"""The fields of the form that starts a panel, made from the table of options: one block an option.

https://docs.slack.dev/reference/block-kit/block-elements
"""

from adapters.slack.translate import JSON
from bot.core.options import COMMANDS, FormatName, Option, options_of
from bot.core.persona import Persona
from bot.core.starting.catalog import Catalog

FORMAT, TOPIC, WHERE, FILES, PRESET, DOCUMENT = "format", "topic", "where", "files", "preset", "document"
OPTION = "option:"
"""In front of an option's name in its block id."""
DOCUMENTS = 3
"""Fields for pasted text; each holds 3,000 characters."""
MOST_CHARS = 3000
MOST_OPTIONS = 100
FILE_TYPES = (
    *("txt", "md", "rst", "csv", "json", "yaml", "yml", "html", "pdf", "docx", "pptx", "patch", "diff", "py", "js"),
    *("ts", "go", "rs", "java", "c", "h", "cpp", "rb", "sh", "sql", "toml"),
)
_LABELS: dict[FormatName, str] = {
    "discussion": "Discussion",
    "debate": "Debate",
    "review": "Review",
    "council": "Council",
}
_TOPICS: dict[FormatName, str] = {
    "discussion": "What to discuss",
    "debate": "The question",
    "review": "What to review: text, a message's link, or a path",
    "council": "The idea to judge: text, a message's link, or a path",
}


def format_block(chosen: FormatName) -> JSON:
    """The choice of the format; another choice shows other fields."""
    options = [option(_LABELS[name], name) for name in COMMANDS.values()]
    element = {
        "type": "static_select",
        "action_id": FORMAT,
        "options": options,
        "initial_option": options[list(COMMANDS.values()).index(chosen)],
    }
    return {**block(FORMAT, "Format", element), "dispatch_action": True}


def topic_block(format_name: FormatName, words: str) -> JSON:
    return field(TOPIC, _TOPICS[format_name], typed(TOPIC, words, multiline=True))


def where_block(channel: str) -> JSON:
    """The channel; the bot must be in it."""
    element: JSON = {
        "type": "conversations_select",
        "action_id": WHERE,
        "filter": {"include": ["public", "private"], "exclude_bot_users": True},
    }
    initial = {"initial_conversation": channel} if channel else {"default_to_current_conversation": True}
    return block(WHERE, "Where", element | initial)


def document_blocks(texts: tuple[str, ...], *, files: bool) -> list[JSON]:
    """Files, and fields for pasted text. `files`: the app may read files."""
    blocks = []
    if files:
        element = {"type": "file_input", "action_id": FILES, "filetypes": list(FILE_TYPES), "max_files": 10}
        blocks.append(field(FILES, "Documents", element, "Everybody on the panel sees them. At most 10 MB each."))
    for number in range(1, max(DOCUMENTS, len(texts)) + 1):
        text = texts[number - 1] if number <= len(texts) else ""
        name = f"{DOCUMENT}:{number}"
        hint = "A longer text goes on in the next field." if number == 1 else ""
        blocks.append(field(name, f"Or paste text ({number})", typed(name, text, multiline=True), hint))
    return blocks


def option_blocks(format_name: FormatName, catalog: Catalog, given: JSON) -> list[JSON]:
    """The options of that format; `given` are their words by name, to fill in."""
    made = (_option(each, catalog, given.get(each.name)) for each in options_of(format_name) if each.kind != "files")
    return [each for each in made if each is not None]


def preset_block() -> JSON:
    element = typed(PRESET, "", multiline=False) | {"max_length": 40}
    return field(PRESET, "Keep it as a preset", element, "A name, for example weekly-review; then /panel weekly-review")


def _option(one: Option, catalog: Catalog, given: object) -> JSON | None:
    name = f"{OPTION}{one.name}"
    label = one.name.replace("-", " ").capitalize()
    match one.kind:
        case "names" | "name":
            return _personas(one, name, label, catalog, given)
        case "choice":
            options = [option(choice, choice) for choice in one.choices]
            return field(name, label, _select(name, options, given), one.help)
        case "count" | "money":
            return field(name, label, _number(one, name, given), one.help)
        case "flag":
            options = [option(one.help[:75], "on")]
            ticked = {"initial_options": options} if given else {}
            return field(name, label, {"type": "checkboxes", "action_id": name, "options": options, **ticked})
    return field(name, label, typed(name, str(given or ""), multiline=False), one.help)


def _personas(one: Option, name: str, label: str, catalog: Catalog, given: object) -> JSON | None:
    options = [_persona(persona) for persona in catalog.personas]
    if not options:
        return None
    several = one.kind == "names"
    if several and one.name == "with":
        options.insert(0, option("Everybody in the catalog", "all"))
    chosen = [each for each in options if several and each["value"] in tuple(given or ())]  # type: ignore[arg-type]  # names are a tuple
    element: JSON = {
        "type": "multi_static_select" if several else "static_select",
        "action_id": name,
        "placeholder": {"type": "plain_text", "text": "Type to search"},
        **_grouped(options),
    }
    if chosen:
        element["initial_options"] = chosen
    if not several and (single := next((each for each in options if each["value"] == given), None)):
        element["initial_option"] = single
    return field(name, label, element, one.help)


def _grouped(options: list[JSON]) -> JSON:
    """A menu holds 100 options; more go into groups."""
    if len(options) <= MOST_OPTIONS:
        return {"options": options}
    groups = [options[start : start + MOST_OPTIONS] for start in range(0, len(options), MOST_OPTIONS)]
    return {
        "option_groups": [
            {"label": {"type": "plain_text", "text": f"{group[0]['text']['text'][:30]} …"}, "options": group}
            for group in groups[:MOST_OPTIONS]
        ]
    }


def _persona(persona: Persona) -> JSON:
    told = " ".join(persona.description.split())
    described = {"description": {"type": "plain_text", "text": told[:75]}} if told else {}
    return option(f"{persona.emoji} {persona.name}", persona.short_name) | described


def _select(name: str, options: list[JSON], given: object) -> JSON:
    initial = next((each for each in options if each["value"] == given), None)
    return {"type": "static_select", "action_id": name, "options": options} | (
        {"initial_option": initial} if initial else {}
    )


def _number(one: Option, name: str, given: object) -> JSON:
    element: JSON = {"type": "number_input", "action_id": name, "is_decimal_allowed": one.kind == "money"}
    if one.kind == "count":
        element |= {"min_value": str(one.low), "max_value": str(one.high)}
    return element | ({"initial_value": str(given)} if given is not None else {})


def option(label: str, value: str) -> JSON:
    return {"text": {"type": "plain_text", "text": label[:75], "emoji": True}, "value": value[:150]}


def typed(name: str, value: str, *, multiline: bool) -> JSON:
    """A field to type in."""
    element: JSON = {"type": "plain_text_input", "action_id": name, "multiline": multiline, "max_length": MOST_CHARS}
    return element | ({"initial_value": value[:MOST_CHARS]} if value else {})


def field(name: str, label: str, element: JSON, hint: str = "") -> JSON:
    """An optional field."""
    told = {"hint": {"type": "plain_text", "text": hint[:2000]}} if hint else {}
    return {**block(name, label, element), "optional": True, **told}


def block(name: str, label: str, element: JSON) -> JSON:
    return {
        "type": "input",
        "block_id": name,
        "label": {"type": "plain_text", "text": label[:2000]},
        "element": element,
    }


def state_of(body: JSON, block_id: str) -> JSON:
    """What was filled into the one element of a block of that view."""
    state = ((body.get("state") or {}).get("values") or {}).get(block_id) or {}
    return next((value for value in state.values() if isinstance(value, dict)), {})
