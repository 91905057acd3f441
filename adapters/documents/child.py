"""The child process: reads one request, works under its limits, writes one answer.

Request: one line of JSON {job, options, seconds, memory_bytes}, then the content's bytes, until the end
of standard input. Answer: JSON {done} or {fault} or {over: "memory"}.
"""

import contextlib
import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

from adapters.documents.faults import Unreadable

Options = dict[str, Any]


def _extract(data: bytes, options: Options) -> dict[str, Any]:
    from adapters.documents.extraction import extracted

    return {"text": extracted(data, **options)}


def _survey(_data: bytes, options: Options) -> dict[str, Any]:
    from adapters.documents.survey import survey

    return survey(**options)


def _grep(_data: bytes, options: Options) -> dict[str, Any]:
    from adapters.documents.search import grep

    return grep(**options)


def _glob(_data: bytes, options: Options) -> dict[str, Any]:
    from adapters.documents.search import glob

    return glob(**options)


JOBS: dict[str, Callable[[bytes, Options], dict[str, Any]]] = {
    "extract": _extract,
    "survey": _survey,
    "grep": _grep,
    "glob": _glob,
}


def answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    """What the parent is told; a parser's own failure is the file's fault, in words."""
    try:
        return {"done": JOBS[request["job"]](data, request["options"])}
    except Unreadable as fault:
        return {"fault": str(fault)}
    except MemoryError:
        return {"over": "memory"}
    # A parser on a hostile file raises anything at all; this process ends here either way.
    except Exception as error:  # noqa: BLE001 (see above)
        return {"fault": f"is broken: it can not be read ({type(error).__name__})"}


def _bound(seconds: float, memory_bytes: int) -> None:
    cpu = max(1, int(seconds))
    for kind, wanted in (
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        _, ceiling = resource.getrlimit(kind)
        # macOS refuses a limit on address space; the time limits hold there all the same.
        with contextlib.suppress(ValueError, OSError):
            limit = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
            resource.setrlimit(kind, (limit, ceiling if kind == resource.RLIMIT_CPU else limit))
    sys.setrecursionlimit(5000)
    os.nice(5)


def main() -> None:
    """Serve one request on standard input and output."""
    out = os.fdopen(os.dup(1), "wb")
    # A library that prints must not garble the answer.
    os.dup2(2, 1)
    request = json.loads(sys.stdin.buffer.readline())
    _bound(request["seconds"], request["memory_bytes"])
    out.write(json.dumps(answer(request, sys.stdin.buffer.read())).encode())
    out.close()


if __name__ == "__main__":
    main()
