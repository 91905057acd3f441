"""`panelist run` with two tokens in the environment, and nothing else, serves Slack."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.servers.slack.remote import RemoteSlack

ROOT = Path(__file__).parents[2]


async def test_the_program_serves_slack_from_its_environment_alone(tmp_path: Path) -> None:
    """A panel runs to its synthesis; the program leaves when it is told to."""
    async with RemoteSlack(log=tmp_path / "slack.jsonl", options=("--no-rates",)) as slack:
        given = {
            "PATH": os.environ["PATH"],
            "SLACK_BOT_TOKEN": slack.facts["bot_token"],
            "SLACK_APP_TOKEN": slack.facts["app_token"],
            "SLACK_API_URL": slack.facts["api_url"],
            "PANELIST_HOME": str(tmp_path / "home"),
            "PANELIST_MODEL": "rehearsal",
            "PANELIST_REHEARSAL_DELAY": "0",
            "PYTHONPATH": str(ROOT),
        }
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"),
            cwd=tmp_path,
            env=given,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            await _answers(slack)
            words = "discuss Shall we rewrite billing? --rounds 1 --with engineer-lens,pm-lens"
            await slack.do("slash", user="ada", channel="general", text=words)
            for _ in range(300):
                if any(row["kind"] == "pin" for row in slack.journal()):
                    break
                await asyncio.sleep(0.1)
            posts = [row for row in slack.journal() if row["kind"] == "post" and row["metadata"]]
        finally:
            program.send_signal(signal.SIGTERM)
            out, _ = await asyncio.wait_for(program.communicate(), 20)

    assert [row["username"] for row in posts][:3] == [None, "Yuki, Engineer Lens (AI)", "Odile, PM Lens (AI)"], out
    assert program.returncode in (0, -signal.SIGTERM), out
    assert slack.facts["bot_token"].encode() not in out
    assert b"Traceback" not in out


async def _answers(slack: RemoteSlack) -> None:
    """Return when the program answers a command."""
    for _ in range(100):
        ack = await slack.do("slash", user="ada", channel="general", text="help")
        if ack["state"] == "acked":
            return
        await asyncio.sleep(0.2)
    raise AssertionError("the program does not answer")
