"""Files by signed addresses, and a picture for every avatar."""

import base64

from aiohttp import web

from . import payloads
from .state import Platform
from .world import Attachment

_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def mount(app: web.Application, platform: Platform) -> None:
    async def file(request: web.Request) -> web.Response:
        return _file(request, platform)

    app.router.add_get("/attachments/{channel}/{attachment}/{name}", file)
    for path in ("/avatars/{tail:.*}", "/embed/avatars/{tail:.*}", "/icons/{tail:.*}"):
        app.router.add_get(path, _picture)


async def _picture(request: web.Request) -> web.Response:
    return web.Response(body=_PIXEL, content_type="image/png")


def _file(request: web.Request, platform: Platform) -> web.Response:
    """404 for an address that is not signed, has expired, or whose message is gone.

    https://docs.discord.com/developers/reference#signed-attachment-cdn-urls
    """
    attachment = _find(platform, int(request.match_info["attachment"]))
    expires = request.query.get("ex", "0")
    if attachment is None or int(expires, 16) < platform.clock.now():
        return web.Response(status=404, text="This content is no longer available.")
    if request.query.get("hm") != payloads.signature(platform, attachment.id, expires):
        return web.Response(status=403, text="Forbidden")
    kind = (attachment.content_type or "application/octet-stream").split(";")[0]
    return web.Response(body=attachment.content, content_type=kind)


def _find(platform: Platform, attachment_id: int) -> Attachment | None:
    for message in platform.created:
        for attachment in message.attachments:
            if attachment.id == attachment_id and not message.deleted:
                return attachment
    return platform.uploads.get(attachment_id)
