"""Contracts compiled and answers checked in bounded time: at once where that is safe, else in a process that is killed.

A regular expression or a costly keyword can keep an interpreter busy for hours, and a thread can not be stopped.
So whatever is not plainly harmless runs in a program of its own under a time and a memory limit.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from threading import Timer

from bot.core.speech.contract import ContractCheck, described
from personas import contract_job
from personas.contract_rules import canonical, checks_at_once, compiles_at_once

LIMIT = 2.0
"""Seconds that one contract may take, the program's start not counted."""
START_LIMIT = 20.0
"""Seconds that the program may take to start on a busy machine."""
AT_ONCE = 4
"""Programs that run side by side while a catalog is loaded."""
MAX_ANSWER = 1024 * 1024
"""Characters of an answer, as JSON."""

Contract = Mapping[str, object]


class BoundedContracts(ContractCheck):
    """The port's real implementation, on threads of its own: hostile contracts use up nobody else's."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="contracts")

    async def faults(self, contract: Mapping[str, object], answer: Mapping[str, object]) -> list[str]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, contract_faults, contract, answer, self._limit)


def contract_faults(contract: Contract, answer: Contract, limit: float = LIMIT) -> list[str]:
    """Where the part of the answer that the contract describes does not fit; empty when it does.

    Blocks for at most `limit` seconds plus the start of a process.
    """
    part = described(contract, answer)
    try:
        size = len(json.dumps(part, allow_nan=False))
    except (ValueError, TypeError, RecursionError):
        return ["answer: not plain JSON"]
    if size > MAX_ANSWER:
        return [f"answer: {size} characters; at most {MAX_ANSWER} are checked"]
    if checks_at_once(contract, part):
        return contract_job.answer_faults(contract, part)
    return _in_process(contract, part, limit)


def compile_all(contracts: Sequence[Contract], limit: float = LIMIT) -> list[list[str]]:
    """Each contract's faults, in order. Contracts that may take long are compiled side by side."""
    results: list[list[str] | None] = [
        list(_compiled(canonical(each))) if compiles_at_once(each) else None for each in contracts
    ]
    slow = [at for at, result in enumerate(results) if result is None]
    if slow:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = pool.map(lambda at: _in_process(contracts[at], None, limit), slow)
            for at, faults in zip(slow, found, strict=True):
                results[at] = faults
    return [result or [] for result in results]


@lru_cache(maxsize=512)
def _compiled(contract: str) -> tuple[str, ...]:
    """Most personas of a catalog share one contract; compiling it is the dearest part of loading."""
    return tuple(contract_job.compile_faults(json.loads(contract)))


def _in_process(contract: Contract, answer: Contract | None, limit: float) -> list[str]:
    job = json.dumps({"contract": contract, "answer": answer})
    subject = "output_contract" if answer is None else "answer"
    command = [sys.executable, "-I", str(Path(contract_job.__file__).resolve())]
    try:
        with subprocess.Popen(  # noqa: S603 - our own interpreter on our own file
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            started = _answered(process, "", START_LIMIT) == "ready"
            line = _answered(process, job, limit) if started else ""
            process.kill()
    except OSError:  # the process could not be made, or died with the job half sent
        started, line = False, ""
    if not started:
        return [f"{subject}: could not be checked, the process that checks it did not start; try again"]
    if not line:
        verb = "compile" if answer is None else "end its check"
        return [f"{subject}: did not {verb} within {limit:g} s and {contract_job.MEMORY >> 20} MiB; make it simpler"]
    return [str(fault) for fault in json.loads(line)]


def _answered(process: "subprocess.Popen[str]", job: str, limit: float) -> str:
    """The line that the process prints within the limit; empty where it is killed or dies first."""
    if process.stdin is None or process.stdout is None:
        return ""
    timer = Timer(limit, process.kill)
    timer.start()
    try:
        if job:
            process.stdin.write(job + "\n")
            process.stdin.flush()
        return process.stdout.readline().strip()
    except OSError:
        return ""
    finally:
        timer.cancel()
