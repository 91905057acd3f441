"""The stores in memory keep the contracts."""

import pytest

from bot.core.store import Shelf, Store
from storage.memory import MemoryShelf, MemoryStore
from tests.contracts.shelf import ShelfContract
from tests.contracts.store import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestMemoryShelf(ShelfContract):
    @pytest.fixture
    def shelf(self) -> Shelf:
        return MemoryShelf()
