"""Rounds: who speaks when, in which order it is posted, and what a panel leaves behind."""

from tests.fakes.stage import Stage, speakers


async def test_sequential_turns_are_posted_in_roster_order_round_after_round() -> None:
    """Each participant once a round, in the order of the roster; the synthesis last."""
    stage = Stage()
    await stage.open()

    panel = await stage.run()

    assert panel.status == "finished"
    assert speakers(stage.thread()) == ["ada", "bo", "ada", "bo", "host"]


async def test_each_speaker_sees_all_earlier_turns() -> None:
    """Sequential turns see every earlier one."""
    stage = Stage()
    await stage.open()

    await stage.run()

    seen = [[line.short_name for line in request.scene.transcript] for request in stage.model.requests]
    assert seen[:4] == [[], ["ada"], ["ada", "bo"], ["ada", "bo", "ada"]]
