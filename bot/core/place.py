"""Where a panel stands, and who speaks there. Ids are opaque: only the adapter that made one takes it apart."""

from pydantic import BaseModel, ConfigDict


class Place(BaseModel):
    """One thread on one platform."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    platform: str
    """The adapter's name: `terminal`, `slack`, `discord`."""
    workspace: str = ""
    channel: str = ""
    thread: str = ""
    """Empty until the platform has made the thread for the panel's card."""


class Person(BaseModel):
    """A human in the thread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    role: str = "member"
    """`admin`, `member` or `guest`; guests and people of other organisations contribute but do not control."""


HOUSE = Person(id="panelist", name="Panelist", role="admin")
"""In whose name the house itself pauses a panel or takes it up again."""
