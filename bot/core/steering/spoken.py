"""Reading one message: which row of the grammar it is, before anybody's name or the panel's state is looked at."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from bot.core.options import MAX_ROUNDS
from bot.core.steering.grammar import DIRECTIVES, WORDS, Moment, Takes, Word

LONGEST_COMMAND = 120
"""Characters; a longer message is no command without a question or a reason."""

_COUNT = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
_NUMBER = rf"(?P<number>[+-]?[\d.,]*\d|{'|'.join(_COUNT)})"
_ROUNDS = r"(?: (?:more )?rounds?)?"
_ARGUMENTS: dict[Takes, str] = {
    "nothing": "",
    "rounds": rf" (?:by |to )?{_NUMBER}{_ROUNDS}",
    "within": rf"(?: in {_NUMBER}{_ROUNDS})?",
    "name": r" @?(?P<name>.+)",
    "name?": r"(?: @?(?P<name>.+))?",
    "money": rf" (?:to )?(?P<coin>[$€£¥])? ?{_NUMBER} ?(?P<unit>\$|usd|dollars?|€|£|¥|eur|euros?)?",
    "number?": r"(?: #?(?P<number>\d{1,9}))?",
    "reason": "",
}
_PATTERNS: tuple[tuple[Word, re.Pattern[str]], ...] = tuple(
    (word, re.compile(rf"(?:{'|'.join(map(re.escape, word.heads))}){_ARGUMENTS[word.takes]}", re.IGNORECASE))
    for word in WORDS
    if word.takes != "question"
)
_MENTION = re.compile(r"@(?:panelist|panel)(?![\w-])[\s,:;–—-]*", re.IGNORECASE)
_PREFIX = re.compile(r"(?P<word>steer|note|say)\s*[:：](?P<text>.*)", re.IGNORECASE | re.DOTALL)
_ASK = re.compile(r"ask\s+@?(?P<name>[^:：\n]{1,80}?)\s*[:：](?P<text>.*)", re.IGNORECASE | re.DOTALL)
_NEARLY_ASK = re.compile(r"(?P<head>\w{2,4})\s+@?(?P<rest>[^:：\n]{1,80}[:：].+)", re.DOTALL)
_ADDRESS = re.compile(r"@(?P<text>(?=\S).+)", re.DOTALL)
_REASON = re.compile(
    r"(?P<word>accept|reject|defer)(?:\s*[:：;,]|\s+[-–—]+\s|\s+(?:because|since)\s)(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_PLEASE = re.compile(r"^(?:please|pls|ok|okay)[, ]+|[, ]+(?:please|pls|now|it)$", re.IGNORECASE)
_INVISIBLE = {"Cf", "Cc", "Co", "Cn"}

Kind = Literal["blank", "aside", "control", "address", "directive", "contribution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One message as the grammar reads it."""

    kind: Kind
    text: str
    """What is said: the message without mention and prefix; of a command, the question or the reason."""
    whole: str = ""
    """The message as a contribution would keep it: without the mention alone."""
    word: str = ""
    name: str = ""
    """As it was said; for `address` it stands at the start of `text`."""
    number: float | None = None
    mentions: bool = False
    """It starts with the bot's name."""
    forced: bool = False
    """`say:` or `steer:` stood before it."""
    guess: str = ""
    """The command that it may have been meant to be; it is not obeyed."""
    fault: str = ""
    """Why something that looks like a command is none, for the one who said it."""


def cleaned(text: str) -> str:
    """The message as it can be stored: no NUL, no half of a surrogate pair, no blanks around it."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()


def read(text: str, moment: Moment = "always") -> Spoken:
    """What the message is at that moment of a panel. Never raises; `contribution` keeps what nothing else fits."""
    whole = cleaned(text)
    rest = _MENTION.sub("", whole, count=1) if _MENTION.match(whole) else whole
    mentions = rest != whole
    if not rest:
        return Spoken(kind="control", word="help", text="") if mentions else Spoken(kind="blank", text="")
    return replace(_read(rest, moment), whole=rest, mentions=mentions)


def _read(text: str, moment: Moment) -> Spoken:
    if text.startswith("//"):
        return Spoken(kind="aside", text="")
    if found := _PREFIX.fullmatch(text):
        return _prefixed(found["word"].casefold(), found["text"].strip(), text)
    return (
        _asked(text)
        or _decided(text, moment)
        or _commanded(text, moment)
        or _directed(text)
        or _mistyped(text, moment)
        or Spoken(kind="contribution", text=text)
    )


def _prefixed(word: str, rest: str, text: str) -> Spoken:
    if not rest:
        return Spoken(kind="contribution", text=text, fault=f"Say something after `{word}:`.")
    return Spoken(kind="contribution" if word == "say" else "directive", text=rest, forced=True)


def _asked(text: str) -> Spoken | None:
    if found := _ASK.fullmatch(text):
        return Spoken(kind="control", word="ask", name=found["name"], text=found["text"].strip())
    if found := _ADDRESS.fullmatch(text):
        return Spoken(kind="address", text=found["text"])
    return None


def _decided(text: str, moment: Moment) -> Spoken | None:
    if moment != "ended" or not (found := _REASON.fullmatch(text)):
        return None
    return Spoken(kind="control", word=found["word"].casefold(), text=found["text"].strip())


def plain(text: str) -> tuple[str, bool]:
    """For comparing: one form of each character, single blanks, no marks at the end; and whether it was a question."""
    shown = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) not in _INVISIBLE)
    words = " ".join(shown.split())
    bare = words.rstrip(" .!?,;:。、")
    return bare, "?" in words[len(bare) :]


def _commanded(text: str, moment: Moment) -> Spoken | None:
    if "\n" in text or len(text) > LONGEST_COMMAND:
        return None
    said, question = plain(text)
    for word, pattern in _PATTERNS:
        if word.moment not in ("always", moment) or not (found := pattern.fullmatch(said)):
            continue
        if question and not word.told:
            return _doubt(text, said) if _short(said) else None
        return _control(word, found.groupdict(), text)
    return _bare(said, text)


def _control(word: Word, parts: dict[str, str | None], text: str) -> Spoken | None:
    number, fault = _number(word, parts)
    if fault:
        return Spoken(kind="contribution", text=text, fault=fault)
    reason = "" if word.takes == "reason" else text
    return Spoken(kind="control", word=word.word, name=(parts.get("name") or "").strip(), number=number, text=reason)


def _number(word: Word, parts: dict[str, str | None]) -> tuple[float | None, str]:
    """The number that was said, or why it can not be one."""
    said = parts.get("number")
    if said is None:
        return None, ""
    value = _value(said.casefold())
    if word.takes == "money":
        coin = (parts.get("coin") or "") + (parts.get("unit") or "")
        if value is None or not 0 < value < 1e6 or re.search("[€£¥e]", coin.replace("dollars", "").casefold()):
            return None, "`budget` takes US dollars above 0, for example `budget $2.50`."
        return value, ""
    low, high = (1, 10**9) if word.takes == "number?" else (0 if word.takes == "within" else 1, MAX_ROUNDS)
    if value is None or not value.is_integer() or not low <= value <= high:
        return None, f"`{word.word}` takes a whole number from {low} to {high}, not {said}."
    return value, ""


def _value(said: str) -> float | None:
    if said in _COUNT:
        return float(_COUNT.index(said))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", said):
        said = said.replace(",", "")
    try:
        return float(said)
    except ValueError:
        return None


def _bare(said: str, text: str) -> Spoken | None:
    """A head without the argument that it needs."""
    for word in WORDS:
        if word.takes not in ("nothing", "within", "name?", "number?", "reason") and said.casefold() in word.heads:
            return Spoken(kind="contribution", text=text, fault=f"`{said}` needs more: {word.say}.")
    return None


def _directed(text: str) -> Spoken | None:
    if "\n" in text or len(text) > LONGEST_COMMAND:
        return None
    said, question = plain(text)
    bare = re.sub(r"^please,? |,? please$", "", said.casefold())
    if question or not any(pattern.fullmatch(bare) for _, pattern in DIRECTIVES):
        return None
    return Spoken(kind="directive", text=text)


def _short(said: str) -> bool:
    return len(said) <= 40 and len(said.split()) <= 5


def _doubt(text: str, guess: str) -> Spoken:
    return Spoken(kind="contribution", text=text, guess=guess, fault=f"Did you mean `{guess}`?")


def _mistyped(text: str, moment: Moment) -> Spoken | None:
    """A near miss of a command: kept as a contribution, with a question back."""
    if (found := _NEARLY_ASK.fullmatch(text)) and _near(found["head"].casefold(), "ask"):
        return _doubt(text, f"ask {found['rest']}")
    if "\n" in text or not _short(text):
        return None
    said, _ = plain(text)
    decided = re.sub(r"^(accept|reject|defer) (?=\w)", r"\1: ", said, flags=re.IGNORECASE)
    for guess in (_PLEASE.sub("", said), decided, *_corrected(said)):
        meant = _decided(guess, moment) or _commanded(guess, moment)
        if guess != said and meant and meant.kind == "control":
            return _doubt(text, guess)
    return None


def _corrected(said: str) -> list[str]:
    """The text with its first words replaced by the head of a command that they nearly are, the nearest first."""
    tokens = said.split()
    guesses: list[tuple[int, str]] = []
    for head in (head for word in WORDS for head in word.heads if len(head) > 3):
        count = len(head.split())
        for taken in {count, max(1, count - 1), count + 1}:
            start = " ".join(tokens[:taken]).casefold()
            guesses += [(distance, " ".join((head, *tokens[taken:]))) for distance in _near(start, head)]
    return [guess for _, guess in sorted(guesses)]


def _near(said: str, head: str) -> list[int]:
    """The distance, in a list, where the words may be a slip of the fingers; an empty list where they are not."""
    alike = said[:1] == head[:1] or sorted(said) == sorted(head)
    if not alike or abs(len(said) - len(head)) > 2 or said == head:
        return []
    distance = edits(said, head)
    return [distance] if distance <= (1 if len(head) < 6 else 2) else []


def edits(one: str, other: str) -> int:
    """How many letters to add, leave out, change or swap with their neighbour, to get from one to the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, above, row = row, before, [i]
        for j, b in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, above[j - 2] + 1)
            row.append(best)
    return row[-1]
