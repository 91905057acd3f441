"""The stores on PostgreSQL keep the contracts."""

import pytest

from bot.core.store import Shelf
from storage.store import SqlStore
from tests.contracts.shelf import ShelfContract
from tests.contracts.store import StoreContract


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, postgres: SqlStore) -> SqlStore:
        return postgres


class TestPostgresShelf(ShelfContract):
    @pytest.fixture
    def shelf(self, postgres: SqlStore) -> Shelf:
        return postgres.shelf
