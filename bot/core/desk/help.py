"""The help that the desk gives: what starts panels, what the desk does, what can be said in a thread."""

from bot.core.desk.answer import DeskAnswer
from bot.core.desk.asked import Asked
from bot.core.options import COMMANDS, OPTIONS
from bot.core.steering.grammar import help_text

DESK_LINES = (
    ("personas", "who there is, from which level, and what failed to load"),
    ("persona show|add|edit|copy|remove|reset|export|history|restore NAME", "look at one, or change it here"),
    (
        "note NAME TEXT",
        "a dated note that the persona knows; `note list`, `note edit NAME ID TEXT`, `note remove NAME ID`",
    ),
    (
        "preset save NAME …",
        "keep a format and options under a name; then `/panel NAME`; `preset list`, `show`, `remove`",
    ),
    ("list", "the newest panels that you can read"),
    ("status [ID]", "where a panel stands"),
    ("resume [ID]", "go on with a panel that waits"),
    ("trends [TARGET]", "verdicts over time per persona and target, of the panels that you can read"),
    ("budget", "what was spent today, and the limits"),
    ("settings [KEY [VALUE]]", "what this workspace has set"),
)


async def help_answer(_asked: Asked) -> DeskAnswer:
    """`help`."""
    starts = "\n".join(f"- `{word} …`" for word in COMMANDS)
    options = "\n".join(f"- `--{o.name}` ({', '.join(o.formats)}): {o.help}" for o in OPTIONS)
    desk = "\n".join(f"- `{say}`: {does}" for say, does in DESK_LINES)
    parts = (
        f"**Start a panel**\n{starts}",
        f"**Options**\n{options}",
        f"**Ask the desk**\n{desk}",
        f"**In a panel's thread**\n{help_text()}",
    )
    return DeskAnswer(title="Help", text="\n\n".join(parts))
