"""Files that we attach to a thread: two steps and an upload, and never twice.

https://docs.slack.dev/messaging/working-with-files. The answer to the last step knows neither message nor time, so the
thread is read: before, whether the files are there already, and afterwards for the message they hang on.
"""

import logging
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bundle:
    """Files that are attached together, once."""

    account: Account
    place: Place
    mark: str
    """Behind the files' titles: the same files of a later run of the panel are others."""
    files: tuple[Attachment, ...]

    @property
    def titles(self) -> dict[str, str]:
        """File name → title."""
        behind = f" ({self.mark})" if self.mark.isdigit() else ""
        return {file.name: f"{file.name}{behind}" for file in self.files}


class Uploads:
    """Attaches files."""

    def __init__(self, web: Web, reader: Reader, clock: Clock) -> None:
        self._web, self._reader, self._clock = web, reader, clock

    async def attach(self, account: Account, place: Place, key: str, files: tuple[Attachment, ...]) -> str:
        """The ts of the message with these files, or a file's id where it can not be found; empty where it failed.

        Files of one key are attached once, whatever is in them: what is written anew after a crash may differ.
        """
        given = tuple(file for file in files if file.content)
        bundle = _Bundle(account=account, place=place, mark=key.rpartition(":")[2], files=given)
        return await self._attached(bundle) if given else ""

    async def _attached(self, bundle: _Bundle) -> str:
        try:
            return await self._before(bundle) or await self._once(bundle)
        except PlatformError as refused:
            log.warning("files are not attached: %s", refused, extra={"channel": bundle.place.channel})
            return ""

    async def _before(self, bundle: _Bundle) -> str:
        """Whether an earlier process attached them already; a limit on reading is waited out once."""
        try:
            return await self._standing(bundle)
        except Throttled as limit:
            await self._clock.sleep(min(limit.retry_after, LONGEST))
            return await self._standing(bundle)

    async def _once(self, bundle: _Bundle) -> str:
        """Upload; where one of several is refused, the others go alone.

        Between organisations some types are refused: https://github.com/slackapi/node-slack-sdk/issues/2301
        """
        doubt: PostInDoubt | None = None
        answer: JSON = {}
        try:
            answer = await self._upload(bundle)
        except SlackRefused as refused:
            if refused.code == "missing_scope" or len(bundle.files) == 1:
                raise
            return max([await self._attached(replace(bundle, files=(file,))) for file in bundle.files])
        except PostInDoubt as fault:
            doubt = fault
        if there := await self._looked_for(bundle):
            return there
        if doubt is not None:
            raise doubt
        return str(((answer.get("files") or [{}])[0]).get("id", ""))

    async def _looked_for(self, bundle: _Bundle) -> str:
        """Slack shares files a moment after it said that it did."""
        try:
            for look in range(LOOKS):
                if there := await self._standing(bundle):
                    return there
                await self._clock.sleep(PAUSE * 2**look)
        except Throttled:
            log.info("the message with the files is not looked for: Slack limits reading here")
        return ""

    async def _upload(self, bundle: _Bundle) -> JSON:
        uploads = [
            {"content": file.content, "filename": file.name, "title": bundle.titles[file.name]} for file in bundle.files
        ]
        try:
            answer = await self._web.client(bundle.account.token).files_upload_v2(
                file_uploads=uploads, channel=bundle.place.channel, thread_ts=bundle.place.thread or None
            )
        except Exception as error:
            if not known(error):
                raise
            raise fault("files.completeUploadExternal", error) from error
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    async def _standing(self, bundle: _Bundle) -> str:
        """The message of ours that carries all of them; empty where there is none."""
        account, place = bundle.account, bundle.place
        wanted = set(bundle.titles.items())
        found = ""
        async for message in self._reader.thread(account, place.channel, place.thread):
            ours = message.bot == account.bot_id or message.user == account.bot_user
            if ours and wanted <= {(file.name, file.title) for file in message.files}:
                found = message.ts
        return found
