"""Opening the form that starts a panel, changing it with the format, and starting what was filled in.

The right to open a form lasts three seconds: https://docs.slack.dev/interactivity/handling-user-interaction
"""

import asyncio
import logging

from adapters.slack.documents import Wanted
from adapters.slack.form import Filled, Origin, Prefill, Wrong, filled, place_of_fault, unpacked, view
from adapters.slack.form_fields import OPTION, PRESET, TOPIC, WHERE
from adapters.slack.messages import File
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.starting import Ask, Open, Paused, Starting
from adapters.slack.telling import Asker, Teller, sentence
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.errors import CatalogError, NotAllowed, NotFound, PanelistError, Undecided
from bot.core.options import FormatName
from bot.core.place import Place
from bot.core.starting.catalog import Catalog

log = logging.getLogger("panelist.slack.forms")

AT_ONCE = 0.2
"""Seconds in which a fault is still shown in the form; what takes longer is told behind it."""


Begun = str | Paused | Open


class Forms:
    """The form, from opening to starting."""

    def __init__(self, services: Services, starting: Starting, teller: Teller) -> None:
        self._services, self._starting, self._teller = services, starting, teller

    async def open(self, asker: Asker, origin: Origin, prefill: Prefill | None = None) -> None:
        """Open it. Raises PlatformError where the right to is used up or too old."""
        body = await self._view(asker.account, asker.place, origin, prefill or Prefill())
        await self._services.platform.web.call(asker.account, "views.open", trigger_id=asker.trigger, view=body)

    async def redraw(self, account: Account, body: JSON, chosen: FormatName) -> None:
        """Another format was chosen: show its fields; what was typed stays where fields stay."""
        origin = unpacked(str(body.get("private_metadata") or ""))
        place = Place(platform=SLACK, workspace=account.key, channel=origin.channel)
        made = await self._view(account, place, origin, Prefill(format=chosen))
        await self._services.platform.web.call(
            account, "views.update", view_id=str(body.get("id")), hash=body.get("hash"), view=made
        )

    async def submit(self, account: Account, user: str, body: JSON) -> dict[str, str]:
        """Start what was filled in; returns what is wrong, by block id, where that is known at once."""
        origin = unpacked(str(body.get("private_metadata") or ""))
        read = filled(body, origin)
        if isinstance(read, Wrong):
            return read.faults
        place = Place(platform=SLACK, workspace=account.key, channel=read.channel, thread=origin.thread)
        beginning = asyncio.create_task(self._begin(account, user, place, origin, read))
        done, _ = await asyncio.wait({beginning}, timeout=AT_ONCE)
        if done and isinstance(error := beginning.exception(), PanelistError):
            return {_place_of(error, body): sentence(error)[:2000]}
        if done and not beginning.exception() and isinstance(question := beginning.result(), Open):
            return {_place_of(question.question, body): sentence(question.question)[:2000]}
        self._services.platform.errands.run(self._followed(beginning, account, user, place, origin), "form", 600.0)
        return {}

    async def _begin(
        self, account: Account, user: str, place: Place, origin: Origin, read: Filled
    ) -> str | Paused | Open:
        person = await self._services.platform.people.starter(account, user)
        if read.preset:
            await self._services.desk.save_preset(place, person, read.preset, read.command)
        wanted = Wanted(
            account=account,
            place=place,
            person=person,
            command=read.command,
            files=(*self._before(origin), *read.files),
            texts=read.texts,
            message=origin.message,
        )
        return await self._starting.start(Ask(wanted=wanted))

    def _before(self, origin: Origin) -> tuple[File, ...]:
        """The files that came with the words for which the form was opened."""
        try:
            return self._starting.waiting(origin.key).wanted.files if origin.key else ()
        except NotFound:
            return ()

    async def _followed(
        self, beginning: "asyncio.Task[Begun]", account: Account, user: str, place: Place, origin: Origin
    ) -> None:
        """Tell whoever filled in the form how it ended, where the form is closed already."""
        person = await self._services.platform.people.person(account, user)
        asker = Asker(account=account, place=place, person=person, url=origin.url)
        async with self._teller.told(asker):
            await self._teller.asked(asker, await beginning)

    async def _view(self, account: Account, place: Place, origin: Origin, prefill: Prefill) -> JSON:
        granted = self._services.platform.web.scopes(account)
        try:
            catalog = await self._services.catalogs.of(place)
        except CatalogError as fault:
            log.warning("a form without personas: %s", fault)
            catalog = Catalog()
        return view(origin, prefill, catalog, files=not granted or "files:read" in granted)


def _place_of(error: PanelistError, body: JSON) -> str:
    """The block under which the error stands."""
    blocks = {str(block.get("block_id")) for block in body.get("blocks") or ()}
    if isinstance(error, Undecided):
        return next((name for name in (f"{OPTION}personas", f"{OPTION}with") if name in blocks), TOPIC)
    if isinstance(error, NotAllowed) and WHERE in blocks:
        return WHERE
    if "preset" in str(error) and PRESET in blocks:
        return PRESET
    return place_of_fault(error, body)
