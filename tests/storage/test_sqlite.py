"""The stores on SQLite keep the contracts."""

import pytest

from bot.core.store import Shelf
from storage.store import SqlStore
from tests.contracts.shelf import ShelfContract
from tests.contracts.store import StoreContract


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, sqlite: SqlStore) -> SqlStore:
        return sqlite


class TestSqliteShelf(ShelfContract):
    @pytest.fixture
    def shelf(self, sqlite: SqlStore) -> Shelf:
        return sqlite.shelf
