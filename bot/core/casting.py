"""The port to model names: from what a persona declares to the model that speaks for it."""

from abc import ABC, abstractmethod

from bot.core.entries import Opened


class Casting(ABC):
    """Knows the providers and the aliases of this house."""

    @abstractmethod
    async def cast(self, opened: Opened) -> Opened:
        """The panel with every seat's model and the host's written down as `provider:id`.

        Raises NoModel where none is configured, where a persona's provider is not, or for an id that its provider
        does not list, naming near ones; UsageError for a cap that can not be kept because a price is unknown.
        """
