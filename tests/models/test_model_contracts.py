"""Every provider, wrapper and fake keeps the contract of its port."""

from collections.abc import AsyncIterator

from adapters.models.anthropic_api.provider import AnthropicModels
from adapters.models.openai_api.provider import OpenAIModels
from adapters.models.prices import OfflinePrices
from adapters.models.rehearsal import Rehearsal
from bot.core.model import ChatModel, ModelRequest, NoPrices, Prices
from bot.core.speech.limiter import Limiter
from bot.core.speech.retry import Retrying
from bot.wiring import SystemClock
from tests.contracts.chat_model import ChatModelContract
from tests.contracts.prices import PricesContract
from tests.fakes import model as fakes
from tests.fakes.stage import FlatPrices
from tests.models.asking import asking
from tests.models.scripted import ScriptedModel
from tests.servers.messages_api import MessagesServer, faults


class _Served(ChatModelContract):
    """A provider in front of our own server."""

    server: MessagesServer
    provider = ""

    async def make(self) -> AsyncIterator[ChatModel]:
        async with MessagesServer() as self.server:
            yield self.over(self.server)

    def over(self, server: MessagesServer) -> ChatModel:
        raise NotImplementedError

    def request(self) -> ModelRequest:
        return asking(provider=self.provider)

    def slow_down(self) -> None:
        self.server.fail(faults.slow_first_byte(60), times=None)


class TestAnthropicModels(_Served):
    """The vendor's API."""

    provider = "anthropic"

    def over(self, server: MessagesServer) -> ChatModel:
        return AnthropicModels(SystemClock(), api_key=server.key, base_url=server.url)


class TestOpenAIModels(_Served):
    """Compatible servers."""

    provider = "openai"

    def over(self, server: MessagesServer) -> ChatModel:
        return OpenAIModels(SystemClock(), api_key=server.key, base_url=server.openai_url)


class TestRetrying(_Served):
    """The policy around a provider."""

    provider = "anthropic"

    def over(self, server: MessagesServer) -> ChatModel:
        clock = SystemClock()
        inner = AnthropicModels(clock, api_key=server.key, base_url=server.url)
        return Retrying(inner, provider="anthropic", clock=clock, limiter=Limiter(clock))


class TestRehearsal(ChatModelContract):
    """The voices without a model."""

    rehearsal: Rehearsal

    async def make(self) -> AsyncIterator[ChatModel]:
        self.rehearsal = Rehearsal(SystemClock())
        yield self.rehearsal

    def request(self) -> ModelRequest:
        return asking("rehearsal", provider="rehearsal")

    def slow_down(self) -> None:
        self.rehearsal._delay = 60


class TestScriptedModel(ChatModelContract):
    """The script of these tests."""

    scripted: ScriptedModel

    async def make(self) -> AsyncIterator[ChatModel]:
        self.scripted = ScriptedModel()
        yield self.scripted

    def request(self) -> ModelRequest:
        return asking("scripted-1", provider="scripted")

    def slow_down(self) -> None:
        self.scripted._seconds = 60


class TestStageModel(ChatModelContract):
    """The stage's script."""

    scripted: fakes.ScriptedModel

    async def make(self) -> AsyncIterator[ChatModel]:
        self.scripted = fakes.ScriptedModel()
        yield self.scripted

    def request(self) -> ModelRequest:
        return asking("one", provider="scripted")

    def slow_down(self) -> None:
        self.scripted.hold("ada")


class TestOfflinePrices(PricesContract):
    """The data as installed."""

    def prices(self) -> Prices:
        return OfflinePrices(openai_base_url="http://127.0.0.1:1/v1")


class TestOwnPrices(PricesContract):
    """The settings' own."""

    def prices(self) -> Prices:
        return OfflinePrices({"somebody's-own": {"input": 1.0, "output": 2.0}})


class TestNoPrices(PricesContract):
    """None."""

    def prices(self) -> Prices:
        return NoPrices()


class TestFlatPrices(PricesContract):
    """The stage's."""

    def prices(self) -> Prices:
        return FlatPrices()
