"""views.*: modals by trigger, at most three deep, and the home tab. https://docs.slack.dev/surfaces/modals"""

import copy
import secrets
from collections.abc import Iterator

from tests.servers.slack.blocks import view_faults, view_too_large, with_ids
from tests.servers.slack.errors import SlackError, invalid_arguments
from tests.servers.slack.platform import Platform, Trigger, View
from tests.servers.slack.request import Request
from tests.servers.slack.workspace import Workspace, fresh_id
from tests.servers.slack.world import JSON

TRIGGER_SECONDS = 3.0
DEEPEST = 3


def open_view(call: Request) -> JSON:
    """views.open: a trigger is good once, for three seconds."""
    trigger = _spend(call)
    body = _valid(call, call.arguments["view"], "modal")
    view = place(call.platform, call.ws, trigger.user, body)
    return {"ok": True, "view": view_body(call.platform, view)}


def push_view(call: Request) -> JSON:
    """views.push: onto the modal that the trigger came from."""
    trigger = _spend(call)
    root = call.platform.views.get(trigger.root_view or "")
    if root is None or not root.open:
        raise SlackError("not_found")
    body = _valid(call, call.arguments["view"], "modal")
    view = push(call.platform, call.ws, root, body)
    return {"ok": True, "view": view_body(call.platform, view)}


def update_view(call: Request) -> JSON:
    """views.update: an open view by its id or external_id; a stale `hash` is refused."""
    view = _existing(call)
    if call.arguments.get("hash") not in {None, view.hash}:
        raise SlackError("hash_conflict")
    body = _valid(call, call.arguments["view"], str(view.body["type"]), view)
    replace(view, body)
    return {"ok": True, "view": view_body(call.platform, view)}


def publish_view(call: Request) -> JSON:
    """views.publish: the home tab of one person, if the manifest turned it on."""
    if not call.platform.manifest.home_tab:
        raise SlackError("not_enabled")
    user = call.ws.users.get(call.text("user_id"))
    if user is None:
        raise invalid_arguments("user_id: no such user")
    body = _valid(call, call.arguments["view"], "home")
    old = call.platform.homes.get((call.ws.id, user.id))
    if old is not None and call.arguments.get("hash") not in {None, old.hash}:
        raise SlackError("hash_conflict")
    view = old or _new(call.platform, call.ws, user.id, body, None)
    replace(view, body)
    call.platform.homes[call.ws.id, user.id] = view
    return {"ok": True, "view": view_body(call.platform, view)}


def place(platform: Platform, ws: Workspace, user: str, body: JSON) -> View:
    """Show a modal to someone; an open one of theirs is replaced."""
    for other in open_views(platform, user):
        other.open = False
    return _new(platform, ws, user, body, None)


def push(platform: Platform, ws: Workspace, root: View, body: JSON) -> View:
    """Put a modal on top of its stack; raises `push_limit_reached`."""
    stack = [view for view in open_views(platform, root.user) if view.root == root.root]
    if len(stack) >= DEEPEST:
        raise SlackError("push_limit_reached")
    return _new(platform, ws, root.user, body, stack[-1])


def replace(view: View, body: JSON) -> None:
    """Show other content in the same view; what was typed stays where block and action keep their ids."""
    view.body = body | {"blocks": with_ids(body["blocks"], lambda: fresh_id("b"))}
    view.hash = secrets.token_hex(6)


def open_views(platform: Platform, user: str) -> list[View]:
    """Someone's open modals, the top one last."""
    return [v for v in platform.views.values() if v.user == user and v.open and v.body["type"] == "modal"]


def view_body(platform: Platform, view: View) -> JSON:
    """A view as answers and interactions show it."""
    ws = platform.workspaces[view.team]
    defaults: JSON = {"private_metadata": "", "callback_id": "", "external_id": "", "title": None}
    defaults |= {"close": None, "submit": None, "clear_on_close": False, "notify_on_close": False}
    return (
        defaults
        | copy.deepcopy(view.body)
        | {
            "id": view.id,
            "team_id": view.team,
            "app_id": platform.settings.app_id,
            "app_installed_team_id": view.team,
            "bot_id": ws.installation.bot_id if ws.installation else None,
            "hash": view.hash,
            "root_view_id": view.root,
            "previous_view_id": view.previous,
            "state": {"values": copy.deepcopy(view.state)},
        }
    )


def faults_of(view: object, kind: str) -> list[str]:
    """Why Slack would refuse this view as a modal or a home tab."""
    faults = view_faults(view)
    if not faults and isinstance(view, dict) and view["type"] != kind:
        faults.append(f"must be a {kind} [json-pointer:/view/type]")
    return faults


def _new(platform: Platform, ws: Workspace, user: str, body: JSON, below: View | None) -> View:
    key = fresh_id("V")
    root, previous = (below.root, below.id) if below else (key, None)
    view = View(id=key, team=ws.id, user=user, body={}, hash="", root=root, previous=previous)
    replace(view, body)
    platform.views[view.id] = view
    return view


def _valid(call: Request, view: object, kind: str, itself: View | None = None) -> JSON:
    faults = faults_of(view, kind)
    if faults:
        raise invalid_arguments(*faults)
    assert isinstance(view, dict)
    if view_too_large(view):
        raise SlackError("view_too_large")
    external = view.get("external_id")
    if external and any(v is not itself and v.body.get("external_id") == external for v in _open(call)):
        raise SlackError("duplicate_external_id")
    return view


def _open(call: Request) -> Iterator[View]:
    return (view for view in call.platform.views.values() if view.team == call.ws.id and view.open)


def _existing(call: Request) -> View:
    external = call.text("external_id")
    for view in _open(call):
        if view.id == call.text("view_id") or (external and view.body.get("external_id") == external):
            return view
    raise SlackError("not_found")


def _spend(call: Request) -> Trigger:
    trigger = call.platform.triggers.get(call.text("trigger_id"))
    if trigger is None:
        raise SlackError("invalid_trigger_id")
    if trigger.used:
        raise SlackError("exchanged_trigger_id")
    if call.platform.now() - trigger.born > TRIGGER_SECONDS:
        raise SlackError("expired_trigger_id")
    trigger.used = True
    return trigger
