"""Panels from the first word to the pinned synthesis, over the real library and the wire."""

from tests.discord.room import room


async def test_a_discussion_from_the_slash_command_to_the_pinned_synthesis() -> None:
    """The answer comes at once, the card stands in the channel, the personas speak in its thread by name."""
    async with room() as it:
        answer = await it.server.slash(
            "ann", "general", "panel discuss", {"topic": "Shall we rewrite the parser?", "rounds": 2}
        )
        panel = await it.ended()
        said = it.said(panel)
        card = it.card(panel)

        assert answer.answered_after is not None
        assert answer.answered_after < 0.3
        assert panel.status == "finished"
        assert len(said) == len([turn for turn in panel.turns])
        assert {name for name, _ in said} > {"panelist"} or len({name for name, _ in said}) > 2
        assert card.channel.name == "general"
        assert [one.content for one in it.server.pinned(int(panel.place.thread))] == [said[-1][1]]
