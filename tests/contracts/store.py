"""The contract of `Store`: what every store must do, in five parts by subject.

A subclass gives the fixture `store`: an empty store, open, and closed afterwards.
"""

from tests.contracts.store_inbox import InboxContract
from tests.contracts.store_listing import ListingContract
from tests.contracts.store_owners import OwnersContract
from tests.contracts.store_panels import PanelsContract
from tests.contracts.store_posts import PostsContract


class StoreContract(PanelsContract, PostsContract, InboxContract, OwnersContract, ListingContract):
    """All of it."""
