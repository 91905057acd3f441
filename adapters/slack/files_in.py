"""Files that people attach: their bytes, from Slack's own hosts alone, never more than the limit.

Without the scope Slack answers with a login page and status 200: https://github.com/slackapi/bolt-js/issues/2585
"""

import asyncio
import logging
from urllib.parse import urlsplit

import aiohttp

from adapters.slack.messages import File, file_of
from adapters.slack.translate import scope_missing
from adapters.slack.web import Account, Web
from bot.core.errors import DocumentError
from bot.core.shown import shown
from bot.core.targets.port import GivenBytes

log = logging.getLogger("panelist.slack.files")

MOST_BYTES = 10 * 1024 * 1024
SECONDS = 30.0
MOST_FILES = 10
_PIECE = 64 * 1024


class Downloads:
    """Fetches attachments with the bot's token."""

    def __init__(self, web: Web, *, most_bytes: int = MOST_BYTES) -> None:
        self._web, self._most = web, most_bytes

    async def fetch(self, account: Account, files: tuple[File, ...]) -> tuple[GivenBytes, ...]:
        """The files' bytes, in order. Raises DocumentError that names the file, PlatformError from Slack."""
        if len(files) > MOST_FILES:
            raise DocumentError(f"{len(files)} files are too many; attach at most {MOST_FILES}")
        return tuple([await self._one(account, file) for file in files])

    async def _one(self, account: Account, file: File) -> GivenBytes:
        if not file.complete or not file.address:
            file = file_of((await self._web.call(account, "files.info", file=file.id)).get("file") or {})
        name = shown(file.name or "a file")
        if file.external:
            raise DocumentError(f"{name} lies outside Slack and is not fetched; attach the file itself")
        if file.size > self._most:
            raise DocumentError(f"{name} has {file.size:,} bytes; at most {self._most:,} can be read")
        if not self._ours(file.address):
            raise DocumentError(f"{name} does not lie on Slack's file hosts and is not fetched; attach it anew")
        data, media_type = await self._bytes(account, file, name)
        return GivenBytes(name=file.name, data=data, media_type=file.media_type or media_type)

    def _ours(self, address: str) -> bool:
        """The token goes to Slack alone: over https to its hosts, or to the host that the settings name for the API."""
        parts, api = urlsplit(address), urlsplit(self._web.api_url)
        host = parts.hostname or ""
        if (parts.scheme, parts.netloc) == (api.scheme, api.netloc):
            return True
        return parts.scheme == "https" and parts.port in (None, 443) and host.endswith(".slack.com")

    async def _bytes(self, account: Account, file: File, name: str) -> tuple[bytes, str]:
        headers = {"Authorization": f"Bearer {account.token}"}
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._web.session.get(file.address, headers=headers, allow_redirects=False) as answer,
            ):
                if answer.status != 200:
                    raise self._login(name) if answer.status in (301, 302, 303, 307, 308, 401, 403) else _failed(name)
                data = await self._read(answer, name)
        except (aiohttp.ClientError, TimeoutError) as fault:
            log.info("no file: %s", type(fault).__name__)
            raise _failed(name) from fault
        html = answer.content_type == "text/html" or data[:200].lstrip().lower().startswith(
            (b"<!doctype html", b"<html")
        )
        if html and not (file.media_type == "text/html" and len(data) == file.size):
            raise self._login(name)
        if file.size and len(data) != file.size:
            raise DocumentError(f"{name} arrived with {len(data):,} of {file.size:,} bytes; attach it again")
        return data, answer.content_type

    async def _read(self, answer: aiohttp.ClientResponse, name: str) -> bytes:
        data = bytearray()
        async for piece in answer.content.iter_chunked(_PIECE):
            data += piece
            if len(data) > self._most:
                raise DocumentError(f"{name} has more than {self._most:,} bytes, which is the most that can be read")
        return bytes(data)

    def _login(self, name: str) -> DocumentError:
        return DocumentError(f"Slack does not give {name} out: {scope_missing('files:read')}; then attach it again")


def _failed(name: str) -> DocumentError:
    return DocumentError(f"{name} can not be fetched from Slack just now; attach it again, or paste the text")
