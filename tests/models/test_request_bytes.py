"""The bytes of two personas' requests: the same up to the one who speaks. Run with `-s` to read them."""

import json

from benchmarks.matter import opened
from benchmarks.panels import run
from tests.servers.messages_api.received import Received


def _shared_length(one: bytes, other: bytes) -> int:
    """How many bytes two requests have in common from the start."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _show(one: Received, other: Received) -> int:
    """Print where the two requests first differ, with the bytes around it."""
    at = _shared_length(one.raw, other.raw)
    print(f"\n{len(one.raw):,} and {len(other.raw):,} bytes; the first {at:,} are the same, then:")
    for request in (one, other):
        print(f"  … {request.raw[at - 90 : at].decode(errors='replace')!r}")
        print(f"    {request.raw[at : at + 90].decode(errors='replace')!r} …")
    return at


async def test_two_personas_of_a_parallel_round_differ_in_the_tail_alone() -> None:
    """Rules, document and transcript are the same bytes, marks included; the first byte that differs is the persona."""
    measured = await run(opened("discussion", 3, 2, final_summary=True))
    one, other = measured.server.calls[7:9]

    at = _show(one, other)

    assert one.body["system"] == other.body["system"]
    assert one.body["messages"][0] == other.body["messages"][0]
    assert one.raw[:at].endswith(b'"role":"system","content":[{"type":"text","text":"')
    assert at > 0.9 * len(one.raw)


async def test_the_next_turn_starts_with_all_that_the_one_before_has() -> None:
    """A sequential turn adds one block to the shared ones; nothing before it changes."""
    measured = await run(opened("discussion", 3, 2))

    for before, after in zip(measured.server.calls, measured.server.calls[1:], strict=False):
        shared = _texts(before)
        assert _texts(after)[: len(shared)] == shared
    assert len(_texts(measured.server.calls[-1])) == 1 + 6


async def test_nothing_volatile_stands_before_the_tail() -> None:
    """Time, cost and round number would make every call's prefix new."""
    measured = await run(opened("discussion", 2, 3))

    for call in measured.server.calls[1:]:
        assert call.usage is not None
        assert call.usage.read >= 20_000


async def test_no_request_has_more_than_four_breakpoints() -> None:
    """In a long talk too: behind the document, at two strides, and behind the newest block."""
    measured = await run(opened("discussion", 4, 12))

    marks = [json.dumps(call.body).count("cache_control") for call in measured.server.calls]
    assert max(marks) == 4


def _texts(call: Received) -> list[str]:
    return [block["text"] for block in call.body["messages"][0]["content"]]
