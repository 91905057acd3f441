"""Two hundred faults in a hundred panels: every panel ends or rests with a reason, and the bill is right."""

import asyncio
import random
import time
from collections import Counter

import pytest

from adapters.models.anthropic_api.provider import AnthropicModels
from bot.core.engine.watching import Watch
from bot.core.measured import Usage
from bot.core.panel import Panel
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Retrying
from tests.fakes.clock import FakeClock
from tests.fakes.stage import Stage, opening, seat
from tests.servers.messages_api import MessagesServer, Reply, faults, schema_of, sentence
from tests.servers.messages_api.faults import Fault
from tests.servers.messages_api.usage import Json

LONG, SHORT = (100, 200), (25, 50)
"""Panels and faults."""
CAUSE = "provider"
"""How the reason of a pause begins that ends by itself."""
MODEL = "anthropic:claude-sonnet-5-5"
KINDS: tuple[Fault, ...] = (
    faults.rate_limited(1),
    faults.rate_limited(None),
    faults.server_error(),
    faults.server_error(503),
    faults.overloaded(),
    faults.hang_up(),
    faults.slow_first_byte(0.05),
    faults.stall(),
    faults.cut(),
    faults.cut(after=5),
    faults.end_early(),
    faults.broken_chunk(),
    faults.error_event(),
    faults.error_event("rate_limit_error", after=4),
    faults.refusal(),
    faults.out_of_tokens(),
    faults.out_of_tokens(text=False),
    faults.empty_text(),
)


def voice(body: Json) -> Reply:
    """A sentence; the host's synthesis comes as no JSON at all, so that it is repaired and then replaced."""
    if schema_of(body):
        return Reply(json={"open_questions": ["Who pays?"], "next_steps": ["Ask."]})
    return Reply(text=sentence(str(len(str(body))), 30))


class FastClock(FakeClock):
    """Time that runs for everybody at once, twenty times as fast as it should."""

    SPEED = 20.0

    def __init__(self) -> None:
        super().__init__()
        self._began = time.monotonic()

    def now(self) -> float:
        return self.time + (time.monotonic() - self._began) * self.SPEED

    def monotonic(self) -> float:
        return self.now()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds) / self.SPEED)

    def jitter(self) -> float:
        return random.random()


class House:
    """A hundred panels in one process, on one provider."""

    def __init__(self, server: MessagesServer, panels: int) -> None:
        self.clock = FastClock()
        provider = AnthropicModels(self.clock, api_key=server.key, base_url=server.url, timeout=1.0)
        self.model = Retrying(provider, provider="anthropic", clock=self.clock, limiter=Limiter(self.clock))
        self.stage = Stage(models={"anthropic": self.model}, clock=self.clock)  # type: ignore[dict-item]  # any model
        self.watch = Watch(
            store=self.stage.store,
            orchestrator=self.stage.orchestrator,
            driver=self.stage.driver,
            clock=self.clock,
            timing=self.stage.timing,
            owner="one",
            platforms=frozenset({"fake"}),
            catch_up=self.stage.hearing.catch_up,
        )
        self.names = [f"p{number}" for number in range(panels)]

    async def run(self) -> list[Panel]:
        asked = opening(seat("ada", model=MODEL), seat("bo", model=MODEL)).model_copy(update={"host_model": MODEL})
        for name in self.names:
            await self.stage.open(asked, name)
            await self.stage.driver.kick(name)
        await self.stage.driver.all_settled()
        return [await self.stage.state(name) for name in self.names]

    async def revive(self) -> list[Panel]:
        """Go on until no panel is paused by the provider any more."""
        for _ in range(20):
            panels = [await self.stage.state(name) for name in self.names]
            if not any(panel.reason.startswith(CAUSE) for panel in panels):
                break
            self.clock.time += 3600
            await self.watch.take_up()
            await self.stage.driver.all_settled()
        return [await self.stage.state(name) for name in self.names]


def planned(server: MessagesServer, panels: int, count: int, seed: int) -> None:
    """Faults of every kind on requests picked at random."""
    struck = random.Random(seed).sample(range(1, 6 * panels), count)
    for number, at in enumerate(struck):
        server.fail(KINDS[number % len(KINDS)], when=lambda received, at=at: received.number == at)  # type: ignore[misc]


async def test_every_panel_ends_or_rests_and_the_bill_is_right() -> None:
    """No turn is lost or doubled; what the service charged stands in the logs, kind by kind."""
    await _survived(*SHORT, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_two_hundred_faults_in_a_hundred_panels(seed: int) -> None:
    """The long form of the test above."""
    await _survived(*LONG, seed=seed)


async def _survived(count: int, faulty: int, *, seed: int) -> None:
    async with MessagesServer(voice=voice) as server:
        house = House(server, count)
        planned(server, count, faulty, seed)

        before = await house.run()
        panels = await house.revive()
        await server.settled()
        await house.model.close()

    struck = sum(1 for call in server.calls if call.fault is not None)
    assert struck >= faulty * 0.9, "most of the planned faults must really have been committed"
    assert all(panel.status == "finished" or panel.reason for panel in before)
    for panel in panels:
        # Two refusals in one round are a round in which every turn failed: that pauses for a human.
        assert panel.status == "finished" or panel.reason.startswith("failures: every turn of round")
        _check_turns(house, panel)
    _check_bill(server, panels)
    finished = sum(panel.status == "finished" for panel in panels)
    print(f"\nseed {seed}: {struck} faults in {count} panels, {finished} finished, the others wait for a human")


def _check_turns(house: House, panel: Panel) -> None:
    """Each turn of the plan was given or skipped with a reason, once; and posted once."""
    given = Counter((turn.turn_kind, turn.round, turn.persona) for turn in panel.turns)
    skipped = Counter((s.turn_kind, s.round, s.persona) for s in panel.skipped if not s.withdrawn)
    expected = {("statement", n, name) for n in (1, 2) for name in ("ada", "bo")} | {("synthesis", 2, "host")}
    assert max((given + skipped).values()) == 1
    assert set(given + skipped) == expected if panel.status == "finished" else set(given + skipped) < expected
    assert all(skip.reason for skip in panel.skipped)
    posted = Counter(message.text for message in house.stage.platform.standing(panel.id))
    assert posted == Counter(turn.text for turn in panel.turns)


def _check_bill(server: MessagesServer, panels: list[Panel]) -> None:
    """Input exactly; output within what broke off unseen."""
    counted = sum((panel.usage for panel in panels), Usage())
    charged = server.usage
    assert counted.input == charged.input
    assert counted.cache_read == charged.read
    assert counted.cache_creation == charged.write_5m
    unseen = sum(1 for call in server.calls if call.fault is not None)
    assert abs(counted.output - charged.output) <= unseen * 31


async def test_an_outage_in_the_middle_pauses_all_and_loses_nothing() -> None:
    """Connections are refused for a while; then all go on."""
    async with MessagesServer(voice=voice, token_delay=0.001) as server:
        house = House(server, SHORT[0])
        running = asyncio.create_task(house.run())
        await server.arrived(SHORT[0])
        async with server.down():
            paused = await running
        panels = await house.revive()
        await server.settled()
        await house.model.close()

    rests = [panel for panel in paused if panel.status == "paused"]
    assert rests, "the outage must have hit somebody"
    assert all(panel.reason.startswith(CAUSE) for panel in rests)
    assert {panel.status for panel in panels} == {"finished"}
    assert [skip.reason for panel in panels for skip in panel.skipped if not skip.withdrawn] == []
    for panel in panels:
        _check_turns(house, panel)
