"""The fakes keep the contracts of the ports that they stand for."""

from bot.core.contract import ContractCheck
from tests.contracts.contract_check import ContractCheckContract
from tests.fakes.contracts import PlainContracts


class TestPlainContracts(ContractCheckContract):
    """The fake of the contract check."""

    def check(self) -> ContractCheck:
        return PlainContracts()
