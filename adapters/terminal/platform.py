"""The terminal as a chat platform: one person, one screen, and a thread that is kept in a file."""

from collections.abc import Mapping
from pathlib import Path

from adapters.terminal.thread_log import Said, ThreadLog
from adapters.terminal.view import View
from bot.core.card import Card
from bot.core.place import Person, Place
from bot.core.platform import Attachment, Capabilities, ChatPlatform, Post, Speaker

MAX_CHARS = 100_000


class Terminal(ChatPlatform):
    """Shows posts on a view and keeps them in the home folder, so that a killed process can read its thread back."""

    name = "terminal"

    def __init__(self, folder: Path, view: View) -> None:
        self._log = ThreadLog(folder)
        self.view = view

    async def capabilities(self, place: Place) -> Capabilities:
        return Capabilities(max_chars=MAX_CHARS, edits_card=True, pins=True, files=True, reactions=True, whispers=True)

    def measure(self, text: str) -> int:
        return len(text)

    async def post(self, place: Place, post: Post) -> str:
        said = Said(
            id=post.key,
            key=post.key,
            name=post.speaker.name,
            text=post.text,
            kind=post.kind,
            label=post.label,
        )
        self._log.append(place.thread or post.panel, said)
        self.view.post(post)
        return said.id

    async def find(self, place: Place, posts: tuple[Post, ...]) -> Mapping[str, str]:
        wanted = {post.key: post for post in posts}
        thread = place.thread or next(iter(wanted.values())).panel
        found = {said.key: said.id for said in self._log.said(thread) if said.key in wanted}
        for key in found:
            self.view.post(wanted[key])  # it was written, but nobody can say whether this screen showed it
        return found

    async def thread(self, place: Place, card_id: str) -> Place:
        return place if place.thread else place.model_copy(update={"thread": card_id.partition(":")[0]})

    async def edit_card(self, place: Place, card_id: str, card: Card) -> None:
        self.view.card(card)

    async def take_back(self, place: Place, message_id: str) -> None:
        gone = Said(id=message_id, key="", name="", text="", kind="", removed=True)
        self._log.append(place.thread, gone)

    async def pin(self, place: Place, message_id: str) -> str:
        return ""

    async def attach(self, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        return ""

    async def react(self, place: Place, message_id: str, sign: str) -> None:
        self.view.say(sign)

    async def whisper(self, place: Place, person: Person, text: str) -> None:
        self.view.say(text)

    async def thinking(self, place: Place, speaker: Speaker) -> None:
        self.view.thinking(speaker)
