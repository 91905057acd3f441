"""`python -m benchmarks [NAME …]`: the measured ratios, all of them or those named."""

import sys
from collections.abc import Callable, Mapping


def _tokens() -> int:
    from benchmarks.tokens import main

    return main()


def _discord() -> int:
    from benchmarks.discord import main

    return main()


BENCHES: Mapping[str, Callable[[], int]] = {"tokens": _tokens, "discord": _discord}
"""Name → what prints its lines and returns 0 where all reach what they must."""


def main(names: list[str]) -> int:
    """Run the benches; the worst of their results."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"unknown bench: {', '.join(unknown)}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    return max(BENCHES[name]() for name in names or BENCHES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
