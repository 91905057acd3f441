"""Everything of Slack that is not the Web API: uploads, downloads, response_url, the consent page."""

import json
from typing import Any

from aiohttp import web

from tests.servers.slack.api_files import visible
from tests.servers.slack.blocks import block_faults, with_ids
from tests.servers.slack.payloads import changed_event, message_body, message_event
from tests.servers.slack.platform import Platform, ResponseUrl, Whisper
from tests.servers.slack.text import effects, stored
from tests.servers.slack.workspace import Workspace, fresh_id
from tests.servers.slack.world import JSON, Channel, Message, UploadedFile

LOGIN_PAGE = (
    "<!DOCTYPE html><html><head><title>Sign in to Slack</title></head>"
    "<body><form id='signin_form'><input name='email'></form></body></html>"
)
MOST_USES = 5
LONGEST = 30 * 60.0
_ANSWER = {
    *("text", "blocks", "attachments", "response_type", "replace_original", "delete_original"),
    *("thread_ts", "mrkdwn", "unfurl_links", "unfurl_media", "metadata"),
}


class Routes:
    """The handlers beside `/api`."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def upload(self, request: web.Request) -> web.StreamResponse:
        """The bytes for a ticket of files.getUploadURLExternal; their number must be the one announced."""
        team, file_id, _ = request.match_info["ticket"].split("-")
        ws = self._platform.workspaces.get(team)
        file = ws.files.get(file_id) if ws else None
        if file is None or file.uploaded:
            return web.Response(status=404, text="upload ticket not found")
        content = await request.read()
        if len(content) != file.size:
            return web.Response(status=400, text=f"expected {file.size} bytes, got {len(content)}")
        file.content, file.uploaded = content, True
        return web.Response(text=f"OK - {len(content)}", content_type="text/plain")

    async def download(self, request: web.Request) -> web.StreamResponse:
        """url_private: bytes for a token with files:read that may see the file; a login page otherwise."""
        team, _, file_id = request.match_info["file"].partition("-")
        ws = self._platform.workspaces.get(team)
        file = ws.files.get(file_id) if ws else None
        if ws is None or file is None or not self._may_read(request, ws, file):
            return self._login(request)
        return web.Response(body=file.content, headers={"Content-Type": file.mimetype})

    async def elsewhere(self, request: web.Request) -> web.StreamResponse:
        """A host that is not Slack's: notes any token that it is shown."""
        if token := request.headers.get("Authorization"):
            self._platform.leaked_tokens.append(token)
        return web.Response(text="<html>not Slack</html>", content_type="text/html")

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """response_url: https://docs.slack.dev/interactivity/handling-user-interaction"""
        entry = self._platform.response_urls.get(request.match_info["key"])
        if entry is None or self._platform.now() - entry.born > LONGEST:
            return web.Response(status=404, text="expired_url")
        if entry.uses >= MOST_USES:
            return web.Response(status=404, text="used_url")
        entry.uses += 1
        try:
            body = json.loads(await request.text())
        except ValueError:
            return web.Response(status=400, text="invalid_payload")
        fault = _answer_fault(body)
        if fault:
            return web.Response(status=400, text=fault)
        return web.Response(text=self._answered(entry, body))

    def _may_read(self, request: web.Request, ws: Workspace, file: UploadedFile) -> bool:
        installation = ws.installation
        if installation is None or installation.standing != "active" or "files:read" not in installation.scopes:
            return False
        given = request.headers.get("Authorization", "")
        return given == f"Bearer {installation.token}" and visible(ws.channels, file, installation.bot_user)

    def _login(self, request: web.Request) -> web.StreamResponse:
        port = self._platform.base_url.rpartition(":")[2]
        match self._platform.settings.login_page:
            case "redirect":
                raise web.HTTPFound(f"{self._platform.base_url}/login")
            case "leak":
                raise web.HTTPFound(f"http://localhost:{port}/elsewhere")
            case _:
                return web.Response(text=LOGIN_PAGE, content_type="text/html")

    async def login(self, _: web.Request) -> web.StreamResponse:
        """The page where a browser would sign in."""
        return web.Response(text=LOGIN_PAGE, content_type="text/html")

    def _answered(self, entry: ResponseUrl, body: JSON) -> str:
        ws = self._platform.workspaces[entry.team]
        channel = ws.channels[entry.channel]
        if body.get("delete_original") or body.get("replace_original"):
            return self._on_original(ws, channel, entry, body)
        if body.get("response_type", "ephemeral") == "ephemeral":
            self.whisper(channel, entry.user, body, "response_url")
            return "ok"
        self.say_in_channel(ws, channel, body)
        return "ok"

    def _on_original(self, ws: Workspace, channel: Channel, entry: ResponseUrl, body: JSON) -> str:
        message = entry.message
        if message is None or message.ts not in channel.messages:
            if not body.get("delete_original"):
                self.whisper(channel, entry.user, body, "response_url")
            return "ok"
        previous = message_body(ws, channel, message, self._platform.base_url)
        if body.get("delete_original"):
            subtype = "message_deleted" if ws.erase(channel, message) else "message_changed"
        else:
            message.edits.append(message.text)
            message.text, message.blocks, subtype = _text(body), _blocks(body), "message_changed"
        event = changed_event(ws, channel, message, previous, subtype, self._platform.base_url)
        self._platform.publish(ws, event, channel)
        return "ok"

    def whisper(self, channel: Channel, user: str, body: JSON, via: str) -> None:
        """Show someone a message that they alone see."""
        self._platform.whispers.append(
            Whisper(
                channel=channel.id,
                user=user,
                text=_text(body),
                thread_ts=body.get("thread_ts"),
                blocks=_blocks(body),
                ts=self._platform.home_of(channel)[0].next_ts(),
                via=via,
            )
        )

    def say_in_channel(self, ws: Workspace, channel: Channel, body: JSON) -> None:
        """An in_channel answer: a message by the bot, whatever the channel's posting rules say."""
        installation = ws.installation
        message = Message(
            ts=ws.next_ts(),
            channel=channel.id,
            text=_text(body),
            blocks=_blocks(body),
            thread_ts=body.get("thread_ts"),
            bot_id=installation.bot_id if installation else None,
            user=ws.bot_user,
            subtype="bot_message",
        )
        message.effects = effects(
            message.text,
            message.blocks,
            [],
            calls_bare_names=False,
            unfurl_links=body.get("unfurl_links"),
            unfurl_media=body.get("unfurl_media"),
        )
        ws.put(channel, message)
        self._platform.journal.write("post", channel=channel.id, ts=message.ts, text=message.text, username=None)
        self._platform.publish(ws, message_event(ws, channel, message, self._platform.base_url), channel)


def _answer_fault(body: Any) -> str | None:
    if not isinstance(body, dict) or body.keys() - _ANSWER:
        return "invalid_payload"
    if body.get("response_type", "ephemeral") not in {"ephemeral", "in_channel"}:
        return "invalid_payload"
    if body.get("blocks") and block_faults(body["blocks"], "message"):
        return "invalid_blocks"
    if not body.get("delete_original") and not body.get("text") and not body.get("blocks"):
        return "no_text"
    return None


def _text(body: JSON) -> str:
    return stored(str(body.get("text", "")))


def _blocks(body: JSON) -> list[JSON]:
    return with_ids(body.get("blocks") or [], lambda: fresh_id("b"))
