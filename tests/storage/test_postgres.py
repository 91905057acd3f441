"""The stores on PostgreSQL keep the contracts."""

import pytest

from bot.core.store import Shelf
from storage.store import SqlStore
from tests.contracts.shelf import ShelfContract
from tests.contracts.store import StoreContract
from tests.storage.sql import SqlContract


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, postgres: SqlStore) -> SqlStore:
        return postgres


class TestPostgresShelf(ShelfContract):
    @pytest.fixture
    def shelf(self, postgres: SqlStore) -> Shelf:
        return postgres.shelf


class TestPostgres(SqlContract):
    @pytest.fixture
    def store(self, postgres: SqlStore) -> SqlStore:
        return postgres

    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        return postgres_url
