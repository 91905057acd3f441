"""One question to the desk, with all that answering it needs to know about who asks where."""

from dataclasses import dataclass

from bot.core.desk.answer import AttachedText, Reads
from bot.core.desk.workspace import WorkspaceSettings
from bot.core.errors import NotAllowed
from bot.core.place import Person, Place
from bot.core.steering.permissions import Right, refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody asks."""

    place: Place
    person: Person
    rest: str
    """What stands behind the word, or behind its verb."""
    settings: WorkspaceSettings
    reads: Reads
    attached: tuple[AttachedText, ...] = ()

    @property
    def workspace(self) -> str:
        return self.place.workspace

    def need(self, right: Right) -> None:
        """Raises NotAllowed, saying who may, where the asker may not."""
        if why := refusal(right, self.person, "", self.settings.rules):
            raise NotAllowed(why)

    def may(self, right: Right) -> bool:
        """Whether the asker has that right."""
        return not refusal(right, self.person, "", self.settings.rules)
