"""The port to persona catalogs: which personas a place has at hand."""

from abc import ABC, abstractmethod

from bot.core.place import Place
from bot.core.starting.catalog import Catalog


class Catalogs(ABC):
    """The bundled cast, the deployment's folder, and what each workspace keeps."""

    @abstractmethod
    async def of(self, place: Place) -> Catalog:
        """The personas of that place, the nearest level first.

        Raises CatalogError, and PersonaFileError where a folder was named for a command.
        """
