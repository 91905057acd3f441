"""One class a port; every implementation, fakes too, subclasses it and gives it a fixture."""

import pytest

pytest.register_assert_rewrite(
    "tests.contracts.shelf",
    "tests.contracts.store_inbox",
    "tests.contracts.store_listing",
    "tests.contracts.store_owners",
    "tests.contracts.store_panels",
    "tests.contracts.store_posts",
)
