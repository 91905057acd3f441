"""Files that we attach to a thread: two steps and an upload, and never twice.

https://docs.slack.dev/messaging/working-with-files. The answer to the last step knows neither message nor time, so the
thread is read: before, whether the files are there already, and afterwards for the message they hang on.
"""

import logging

from adapters.slack.reading import Reader
from adapters.slack.translate import JSON, SlackRefused, fault, known
from adapters.slack.web import Account, Web
from bot.core.clock import Clock
from bot.core.errors import PlatformError, PostInDoubt, Throttled
from bot.core.place import Place
from bot.core.platform import Attachment

log = logging.getLogger("panelist.slack.files")

LOOKS = 3
"""So many looks for the message; Slack shares files a moment after it said that it did."""
PAUSE = 0.5
LONGEST = 65.0
"""Seconds for which a limit on reading is waited out."""


class Uploads:
    """Attaches files."""

    def __init__(self, web: Web, reader: Reader, clock: Clock) -> None:
        self._web, self._reader, self._clock = web, reader, clock

    async def attach(self, account: Account, place: Place, files: tuple[Attachment, ...]) -> str:
        """The ts of the message with these files, or a file's id where it can not be found; empty where it failed."""
        files = tuple(file for file in files if file.content)
        try:
            there = await self._before(account, place, files) if files else ""
            return there or (await self._once(account, place, files) if files else "")
        except PlatformError as refused:
            log.warning("files are not attached: %s", refused, extra={"channel": place.channel})
            return ""

    async def _before(self, account: Account, place: Place, files: tuple[Attachment, ...]) -> str:
        """Whether an earlier process attached them already; a limit on reading is waited out once."""
        try:
            return await self._standing(account, place, files)
        except Throttled as limit:
            await self._clock.sleep(min(limit.retry_after, LONGEST))
            return await self._standing(account, place, files)

    async def _once(self, account: Account, place: Place, files: tuple[Attachment, ...]) -> str:
        """Upload; where one of several is refused, the others go alone.

        Between organisations some types are refused: https://github.com/slackapi/node-slack-sdk/issues/2301
        """
        doubt: PostInDoubt | None = None
        answer: JSON = {}
        try:
            answer = await self._upload(account, place, files)
        except SlackRefused as refused:
            if refused.code == "missing_scope" or len(files) == 1:
                raise
            return max([await self.attach(account, place, (file,)) for file in files])
        except PostInDoubt as fault:
            doubt = fault
        try:
            for look in range(LOOKS):
                if there := await self._standing(account, place, files):
                    return there
                await self._clock.sleep(PAUSE * 2**look)
        except Throttled:
            log.info("the message with the files is not looked for: Slack limits reading here")
        if doubt is not None:
            raise doubt
        return str(((answer.get("files") or [{}])[0]).get("id", ""))

    async def _upload(self, account: Account, place: Place, files: tuple[Attachment, ...]) -> JSON:
        uploads = [{"content": file.content, "filename": file.name, "title": file.name} for file in files]
        try:
            answer = await self._web.client(account.token).files_upload_v2(
                file_uploads=uploads, channel=place.channel, thread_ts=place.thread or None
            )
        except Exception as error:
            if not known(error):
                raise
            raise fault("files.completeUploadExternal", error) from error
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    async def _standing(self, account: Account, place: Place, files: tuple[Attachment, ...]) -> str:
        """The message of ours that carries all of them, by name and size; empty where there is none."""
        wanted = {(file.name, len(file.content)) for file in files}
        found = ""
        async for message in self._reader.thread(account, place.channel, place.thread):
            ours = message.bot == account.bot_id or message.user == account.bot_user
            if ours and wanted <= {(file.name, file.size) for file in message.files}:
                found = message.ts
        return found
