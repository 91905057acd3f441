"""The port to persona catalogs: which personas a place has at hand."""

from abc import ABC, abstractmethod

from bot.core.catalog import Catalog
from bot.core.place import Place


class Catalogs(ABC):
    """The bundled cast, the deployment's folder, and what each workspace keeps."""

    @abstractmethod
    async def of(self, place: Place) -> Catalog:
        """The personas of that place, the nearest level first.

        Raises CatalogError, and PersonaFileError where a folder was named for a command.
        """
