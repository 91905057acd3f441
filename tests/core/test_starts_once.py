"""A message that is delivered twice asks for one panel."""

from bot.core.engine.opening import panel_id_for
from bot.core.entries import Opened
from bot.core.place import Person, Place
from bot.core.speech.casting import HouseCasting, ModelSettings
from bot.core.starting.catalogs import Catalogs
from bot.core.starting.starts import Starts
from bot.core.store import Query
from storage.memory import MemoryStore
from tests.core.threads import Shelved
from tests.fakes.receipts import StillClock
from tests.fakes.targets import MemoryTargets

PLACE = Place(platform="fake", channel="c")


def starts(store: MemoryStore, catalogs: Catalogs) -> Starts:
    casting = HouseCasting({}, ModelSettings(named="rehearsal"))
    return Starts(store=store, clock=StillClock(), catalogs=catalogs, targets=MemoryTargets({}), casting=casting)


async def test_the_same_cause_opens_one_panel() -> None:
    """Another cause opens another."""
    store = MemoryStore()
    house = starts(store, Shelved())
    opened = Opened(format="discussion", topic="Retries", starter=Person(id="1", name="Maria"), seats=())
    ids = [await house.open(opened, PLACE, cause=cause) for cause in ("m1", "m1", "m2")]

    assert ids[0] == ids[1] != ids[2]
    assert len(await store.summaries(Query())) == 2


def test_the_id_is_that_of_a_panel() -> None:
    """Eight letters that nobody mixes up."""
    one = panel_id_for("council", "T1:C1:1.2")

    assert one.startswith("council-")
    assert len(one) == len("council-") + 8
    assert one == panel_id_for("council", "T1:C1:1.2") != panel_id_for("review", "T1:C1:1.2")
