"""The home tab shows panels only where its reader can read."""

from functools import partial
from pathlib import Path

from tests.servers.slack.world import words
from tests.slack.house import house
from tests.slack.stages import server
from tests.slack.talk import SHORT, begun, status


async def test_the_home_shows_what_its_reader_can_read(tmp_path: Path) -> None:
    """A private channel's panels are for its members; guests see only channels they are in."""
    async with server() as slack, house(slack, tmp_path) as it:
        await begun(it, SHORT)
        await begun(it, SHORT.replace("billing", "payroll"), channel="lab")
        await status(it, "finished")
        shown = {}
        for person in ("ada", "ben", "zoe"):
            slack.open_home(person)
            key = (slack.workspace.id, slack.user(person).id)
            await slack.until(partial(slack.homes.get, key))
            shown[person] = "\n".join(words(slack.home(person).body["blocks"]))

    assert "payroll" in shown["ada"]
    assert "billing" in shown["ada"]
    assert "payroll" not in shown["ben"]
    assert "billing" in shown["ben"]
    assert "billing" not in shown["zoe"]
    assert "Engineer Lens" in shown["ben"]


async def test_the_home_s_button_opens_the_form(tmp_path: Path) -> None:
    """With a choice of the channel."""
    async with server() as slack, house(slack, tmp_path):
        slack.open_home("ada")
        await slack.until(lambda: slack.homes)
        await slack.press("ada", slack.home("ada"), "New panel")
        view = (await slack.until(lambda: [v for v in slack.views.values() if v.open and v.body["type"] == "modal"]))[0]

    assert any(block.get("block_id") == "where" for block in view.body["blocks"])
    assert slack.complaints == []
