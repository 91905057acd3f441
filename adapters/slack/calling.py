"""What a mention of the bot is: words for the bot, which of them are commands even in a panel's own thread."""

from adapters.slack.messages import Message, mentioned
from adapters.slack.web import Account
from bot.core.options import COMMANDS
from bot.core.starting.command import ALONE

NAME = "@panel"
"""How the bot is called in what `heard` makes of a message."""
IN_THREADS = frozenset({"personas", "persona", "note", "preset", "list", "trends", "settings"})
"""Words of the desk that a panel's own thread takes too; the others are steering there."""


def calls(account: Account, message: Message) -> bool:
    """Whether the message mentions the bot."""
    return account.bot_user in mentioned(message.text)


def spoken_words(text: str) -> str:
    """The words behind the mention in front: `@panel discuss …` → `discuss …`."""
    rest = text.strip()
    while rest.casefold().startswith(NAME):
        rest = rest[len(NAME) :].lstrip(" ,:;–—-\n")
    return rest


def asked(text: str) -> str | None:
    """What a mention asks for; None where the bot is only spoken of, in the middle of something else."""
    if text.strip().casefold().startswith(NAME):
        return spoken_words(text)
    _, _, behind = text.partition(NAME)
    words = spoken_words(f"{NAME} {behind}")
    return words if words.partition(" ")[0].casefold() in COMMANDS else None


def is_command(account: Account, message: Message, words: str) -> bool:
    """Whether words in a panel's thread are no steering: they start a panel, or ask the desk."""
    if not calls(account, message):
        return False
    head, _, rest = words.partition(" ")
    word = head.casefold()
    return word in COMMANDS or (word in IN_THREADS and (not rest or word not in ALONE))
