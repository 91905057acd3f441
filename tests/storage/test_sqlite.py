"""The stores on SQLite keep the contracts."""

import pytest

from bot.core.store import Shelf
from storage.store import SqlStore
from tests.contracts.shelf import ShelfContract
from tests.contracts.store import StoreContract
from tests.storage.sql import SqlContract


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, sqlite: SqlStore) -> SqlStore:
        return sqlite


class TestSqliteShelf(ShelfContract):
    @pytest.fixture
    def shelf(self, sqlite: SqlStore) -> Shelf:
        return sqlite.shelf


class TestSqlite(SqlContract):
    @pytest.fixture
    def store(self, sqlite: SqlStore) -> SqlStore:
        return sqlite

    @pytest.fixture
    def url(self, sqlite_url: str) -> str:
        return sqlite_url
