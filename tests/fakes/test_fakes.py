"""The fakes keep the contracts of the ports that they stand for."""

from bot.core.desk.persona_files import PersonaFiles
from bot.core.speech.contract import ContractCheck
from tests.contracts.contract_check import ContractCheckContract
from tests.contracts.persona_files_contract import PersonaFilesContract
from tests.fakes.contracts import PlainContracts
from tests.fakes.persona_files import PlainFiles


class TestPlainContracts(ContractCheckContract):
    """The fake of the contract check."""

    def check(self) -> ContractCheck:
        return PlainContracts()


class TestPlainFiles(PersonaFilesContract):
    """The fake of persona files."""

    def files(self) -> PersonaFiles:
        return PlainFiles()
