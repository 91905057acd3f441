"""What people do with the app itself: commands, shortcuts, buttons, forms, its home tab."""

import copy
from dataclasses import dataclass
from typing import Any

from tests.servers.slack.api_views import faults_of, open_views, push, replace, view_body
from tests.servers.slack.forms import GestureError, filled, find_element, find_option
from tests.servers.slack.payloads import command_body, interaction_body, message_body
from tests.servers.slack.people import People, Where, Who
from tests.servers.slack.platform import View, Whisper
from tests.servers.slack.records import Ack
from tests.servers.slack.text import escape, typed
from tests.servers.slack.web_routes import Routes
from tests.servers.slack.workspace import Workspace
from tests.servers.slack.world import JSON, Channel, Message, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """What became of a form: its errors by block id, and the modal that is on top now."""

    ack: Ack
    errors: dict[str, str]
    on_top: View | None


class Gestures(People):
    """The driver's second part. Each gesture waits for the app's answer or its time-out."""

    async def slash(self, user: Who, channel: Where, text: str, command: str = "/panel") -> Ack:
        """Type a slash command (`text` is what follows it) in the channel, never in a thread."""
        if command not in self.manifest.commands:
            raise GestureError(f"{command} is not a command of this app")
        ws, where = self.home_of(channel)
        person = ws.user(user)
        if person.kind == "stranger" or (where.kind != "public" and person.id not in where.members):
            raise GestureError(f"{person.name} has no {command} in #{where.name}")
        wire = typed(text, ws.names()) if self.manifest.escapes_commands else escape(text)
        url = self.response_url(ws, where, person)
        body = command_body(ws, self.settings, person, where, command, wire, self.trigger(person), url)
        ack = await self.tell("slash_commands", command, body)
        self._show_answer(ws, where, person, ack)
        return ack

    async def shortcut(self, user: Who, callback_id: str = "new_panel") -> Ack:
        """Choose a global shortcut."""
        self._declared(callback_id, "global")
        ws, person = self._person(user)
        body = interaction_body(ws, self.settings, person, "shortcut", self.trigger(person))
        return await self.tell(
            "interactive", callback_id, body | {"callback_id": callback_id, "action_ts": ws.next_ts()}
        )

    async def message_shortcut(self, user: Who, message: Message, callback_id: str = "review_message") -> Ack:
        """Choose a shortcut in a message's menu."""
        self._declared(callback_id, "message")
        ws, where = self.home_of(message.channel)
        person = ws.user(user)
        body = interaction_body(ws, self.settings, person, "message_action", self.trigger(person)) | {
            "callback_id": callback_id,
            "action_ts": ws.next_ts(),
            "message_ts": message.ts,
            "channel": {"id": where.id, "name": where.name},
            "message": message_body(ws, where, message, self.base_url),
            "response_url": self.response_url(ws, where, person, message),
        }
        return await self.tell("interactive", callback_id, body)

    async def press(self, user: Who, where: Message | Whisper | View, button: str, choice: str | None = None) -> Ack:
        """Press a button (by its label or action_id), or pick `choice` in a menu, in a message or a view."""
        blocks = where.body["blocks"] if isinstance(where, View) else where.blocks
        block, found = find_element(blocks, button)
        action: JSON = {key: found[key] for key in ("type", "action_id", "text", "value", "style") if key in found}
        if choice is not None:
            action["selected_option"] = find_option(found, choice)
        if isinstance(where, View):
            return await self._press_in_view(user, where, block, action)
        ws, channel = self.home_of(where.channel)
        person = ws.user(user)
        if person.id not in channel.members:
            raise GestureError(f"{person.name} can not see #{channel.name}")
        action |= {"block_id": block["block_id"], "action_ts": ws.next_ts()}
        message = where if isinstance(where, Message) else None
        body = interaction_body(ws, self.settings, person, "block_actions", self.trigger(person)) | {
            "channel": {"id": channel.id, "name": channel.name},
            "container": _container(where, channel),
            "actions": [action],
            "state": {"values": {}},
            "response_url": self.response_url(ws, channel, person, message),
        }
        if message is not None:
            body["message"] = message_body(ws, channel, message, self.base_url)
        return await self.tell("interactive", str(action["action_id"]), body)

    async def submit(self, user: Who, values: dict[str, Any] | None = None, view: View | None = None) -> Submitted:
        """Fill the top modal's fields (by block_id, action_id or label) and press its submit button.

        Raises GestureError for what Slack's client would not let a human do.
        """
        ws, person = self._person(user)
        view = view or self.modal(person)
        view.state = filled(view, values or {}, lambda name, content: self._upload(person, name, content))
        body = interaction_body(ws, self.settings, person, "view_submission", self.trigger(person, view.id)) | {
            "view": view_body(self, view),
            "response_urls": [],
        }
        ack = await self.tell("interactive", str(view.body.get("callback_id", "")), body)
        errors = self._after_submission(ws, view, ack)
        stack = open_views(self, person.id)
        return Submitted(ack=ack, errors=errors, on_top=stack[-1] if stack else None)

    async def close(self, user: Who) -> Ack | None:
        """Close the top modal; the app hears it only when the view asked for that."""
        ws, person = self._person(user)
        view = self.modal(person)
        view.open = False
        if not view.body.get("notify_on_close"):
            return None
        body = interaction_body(ws, self.settings, person, "view_closed", self.trigger(person))
        return await self.tell(
            "interactive",
            str(view.body.get("callback_id")),
            body | {"view": view_body(self, view), "is_cleared": False},
        )

    async def suggest(self, user: Who, view: View, field: str, query: str) -> JSON:
        """Type into a menu with external options; the options that the app offers."""
        ws, person = self._person(user)
        block, found = find_element(view.body["blocks"], field)
        body = interaction_body(ws, self.settings, person, "block_suggestion", self.trigger(person)) | {
            "action_id": found["action_id"],
            "block_id": block["block_id"],
            "value": query,
            "container": {"type": "view", "view_id": view.id},
            "view": view_body(self, view),
        }
        return (await self.tell("interactive", str(found["action_id"]), body)).payload

    def open_home(self, user: Who) -> None:
        """Open the app's home tab."""
        ws, person = self._person(user)
        home = self.homes.get((ws.id, person.id))
        event: JSON = {"type": "app_home_opened", "user": person.id, "channel": "D0HOME", "tab": "home"}
        event["event_ts"] = ws.next_ts()
        self.publish(ws, event | ({"view": view_body(self, home)} if home else {}))

    def modal(self, user: Who) -> View:
        """The modal that someone has on top; raises GestureError when none is open."""
        _, person = self._person(user)
        views = open_views(self, person.id)
        if not views:
            raise GestureError(f"{person.name} has no modal open")
        return views[-1]

    def home(self, user: Who) -> View:
        """Someone's published home tab; raises KeyError."""
        ws, person = self._person(user)
        return self.homes[ws.id, person.id]

    async def _press_in_view(self, user: Who, view: View, block: JSON, action: JSON) -> Ack:
        ws, person = self._person(user)
        action |= {"block_id": block["block_id"], "action_ts": ws.next_ts()}
        body = interaction_body(ws, self.settings, person, "block_actions", self.trigger(person, view.id)) | {
            "container": {"type": "view", "view_id": view.id},
            "view": view_body(self, view),
            "actions": [action],
        }
        return await self.tell("interactive", str(action["action_id"]), body)

    def _after_submission(self, ws: Workspace, view: View, ack: Ack) -> dict[str, str]:
        """https://docs.slack.dev/surfaces/modals#response_actions"""
        if not ack.ok:
            return {}
        match ack.payload.get("response_action"):
            case None:
                view.open = False
            case "clear":
                for other in open_views(self, view.user):
                    other.open = False
            case "errors":
                return self._form_errors(view, ack.payload.get("errors"))
            case "update" | "push" as action if not faults_of(ack.payload.get("view"), "modal"):
                body = copy.deepcopy(ack.payload["view"])
                if action == "update":
                    replace(view, body)
                else:
                    push(self, ws, view, body)
            case action:
                faults = faults_of(ack.payload.get("view"), "modal")
                self.complaints.append(f"response_action {action!r} that Slack can not use: {faults}")
        return {}

    def _form_errors(self, view: View, errors: Any) -> dict[str, str]:
        inputs = {block["block_id"] for block in view.body["blocks"] if block["type"] == "input"}
        if not isinstance(errors, dict) or not errors or not errors.keys() <= inputs:
            self.complaints.append(f"errors for blocks that are no inputs of the form: {errors!r}; inputs: {inputs}")
            return {}
        return {str(key): str(value) for key, value in errors.items()}

    def _show_answer(self, ws: Workspace, channel: Channel, person: User, ack: Ack) -> None:
        """A command's ack may carry an answer."""
        if not ack.ok or (not ack.payload.get("text") and not ack.payload.get("blocks")):
            return
        if ack.payload.get("response_type") == "in_channel":
            Routes(self).say_in_channel(ws, channel, ack.payload)
        else:
            Routes(self).whisper(channel, person.id, ack.payload, "ack")

    def _person(self, user: Who) -> tuple[Workspace, User]:
        for ws in self.workspaces.values():
            try:
                return ws, ws.user(user)
            except KeyError:
                continue
        raise KeyError(f"no user {user!r}")

    def _upload(self, person: User, name: str, content: bytes) -> JSON:
        ws, _ = self._person(person)
        made = self.new_file(person, name, content)
        ws.files[made.id] = made
        made.shares.append("modal")
        return made.public(self.base_url, ws.id)

    def _declared(self, callback_id: str, kind: str) -> None:
        if not any(s.callback_id == callback_id and s.kind == kind for s in self.manifest.shortcuts):
            raise GestureError(f"the manifest declares no {kind} shortcut {callback_id!r}")


def _container(where: Message | Whisper, channel: Channel) -> JSON:
    container: JSON = {"type": "message", "message_ts": where.ts, "channel_id": channel.id}
    container["is_ephemeral"] = isinstance(where, Whisper)
    if where.thread_ts:
        container["thread_ts"] = where.thread_ts
    return container
