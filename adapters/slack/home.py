"""The app's home: panels that run and that ran where the reader can read, who there is, and the form's button."""

from adapters.slack.cards import ROOM, cut
from adapters.slack.channels import reads_of
from adapters.slack.emoji import icon
from adapters.slack.faces import tidy
from adapters.slack.markdown import words
from adapters.slack.platform import SLACK
from adapters.slack.services import Services
from adapters.slack.telling import FORM, button
from adapters.slack.translate import JSON
from adapters.slack.web import Account
from bot.core.desk.listing import day_and_time
from bot.core.errors import CatalogError
from bot.core.panel import OPEN
from bot.core.place import Person, Place
from bot.core.starting.catalog import Catalog
from bot.core.steering.told import TITLES, dollars
from bot.core.store import Query, Summary

LOOKED_AT = 300
SHOWN = 10


class Home:
    """Publishes the home tab of whoever opens it."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def publish(self, account: Account, user: str) -> None:
        """Show it as it is now. Raises PlatformError, StoreError."""
        person = await self._services.platform.people.person(account, user)
        rows = await self._readable(account, person)
        place = Place(platform=SLACK, workspace=account.key)
        try:
            catalog = await self._services.catalogs.of(place)
        except CatalogError:
            catalog = Catalog()
        await self._services.platform.web.call(
            account, "views.publish", user_id=user, view=view(rows, catalog, account.url)
        )

    async def _readable(self, account: Account, person: Person) -> list[Summary]:
        """The newest panels in places that the person can read."""
        may = reads_of(self._services.platform.channels, account, person)
        query = Query(platforms=frozenset({SLACK}), limit=LOOKED_AT)
        rows = [row for row in await self._services.store.summaries(query) if row.place.workspace == account.key]
        known: dict[str, bool] = {}
        found = []
        for row in rows:
            if row.place.channel not in known:
                known[row.place.channel] = await may(row.place)
            if known[row.place.channel]:
                found.append(row)
        return found


def view(rows: list[Summary], catalog: Catalog, url: str) -> JSON:
    """The home tab."""
    running = [row for row in rows if row.status in OPEN][:SHOWN]
    ended = [row for row in rows if row.status not in OPEN][:SHOWN]
    blocks: list[JSON] = [
        _header("Panelist"),
        _section("A panel of AI personas in your thread: it discusses, debates, reviews or judges."),
        {"type": "actions", "elements": [button("New panel", f"{FORM}new", "new", "primary")]},
        _header("Running"),
        *(_panels(running, url) or [_section("_No panel runs where you can read._")]),
        _header("Recent"),
        *(_panels(ended, url) or [_section("_None yet. Start one with the button, or_ `/panel` _in a channel._")]),
        _header("Personas"),
        *_personas(catalog),
    ]
    return {"type": "home", "blocks": blocks[:100]}


def _panels(rows: list[Summary], url: str) -> list[JSON]:
    return [_panel(row, url) for row in rows]


def _panel(row: Summary, url: str) -> JSON:
    where = f"<#{row.place.channel}>" if row.place.channel else ""
    verdict = f" · verdict {row.verdict}" if row.verdict else ""
    state = f"{row.status}, round {row.round} of {row.rounds_max} · {dollars(row.spent_usd)}{verdict}"
    title = f"*{TITLES.get(row.format, row.format)}*  {cut(words(row.topic), 300)}"
    text = f"{title}\n{where} · {state} · {day_and_time(row.created_at)} UTC"
    block = _section(text)
    if row.place.thread and url:
        address = f"{url.rstrip('/')}/archives/{row.place.channel}/p{row.place.thread.replace('.', '')}"
        opens = button("Open", f"{FORM}link", row.id)
        block["accessory"] = {**opens, "action_id": f"panelist:link:{row.id}", "url": address}
    return block


def _personas(catalog: Catalog) -> list[JSON]:
    lines = [
        f"{icon(one.emoji)} *{tidy(one.name) or one.short_name}*  {cut(words(' '.join(one.description.split())), 150)}"
        for one in catalog.personas
    ]
    blocks, text = [], ""
    for line in lines:
        if len(text) + len(line) > ROOM:
            blocks.append(_section(text))
            text = ""
        text += f"{line}\n"
    return [*blocks, _section(text or "_No persona can be loaded; `panelist doctor` says why._")][:20]


def _header(text: str) -> JSON:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _section(text: str) -> JSON:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:3000]}}
