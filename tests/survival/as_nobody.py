"""`python -m tests.survival.as_nobody WARM_UP FOLDER ARGUMENT…`: one command as a user who may write nowhere else.

A first command in WARM_UP imports everything; what is imported later could not be read without the rights.
"""

import contextlib
import io
import os
import sys

from bot.cli.app import run

_NOBODY = 65534


def main(warm_up: str, folder: str, *arguments: str) -> int:
    """The exit code of the command in FOLDER."""
    os.chdir(warm_up)
    with contextlib.redirect_stdout(io.StringIO()):
        run(["discuss", "Does it import?", "--rounds", "1", "--json"])
    os.chdir(folder)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    return run(list(arguments))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
