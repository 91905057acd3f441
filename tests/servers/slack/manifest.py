"""An app manifest, read as Slack reads it: what the app may do, hear and offer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

MANIFEST = Path(__file__).parents[3] / "slack-manifest.yaml"

# https://docs.slack.dev/reference/events: the scope without which a subscription is refused.
EVENT_SCOPES = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    "pin_added": "pins:read",
    "pin_removed": "pins:read",
    "file_shared": "files:read",
    "member_joined_channel": "channels:read",
    "channel_archive": "channels:read",
    "app_home_opened": None,
    "app_uninstalled": None,
    "tokens_revoked": None,
}
_TOP = {"display_information", "features", "oauth_config", "settings", "_metadata"}
_FEATURES = {"app_home", "bot_user", "shortcuts", "slash_commands"}
_SETTINGS = {
    "event_subscriptions",
    "interactivity",
    "org_deploy_enabled",
    "socket_mode_enabled",
    "token_rotation_enabled",
}


class InvalidManifestError(ValueError):
    """Slack would refuse this manifest; the message lists every fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """A gesture in Slack's menus; `kind` is `message` or `global`."""

    name: str
    kind: str
    callback_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the app declared; the server grants exactly this."""

    name: str
    bot_name: str
    scopes: frozenset[str]
    events: frozenset[str]
    commands: tuple[str, ...]
    escapes_commands: bool
    shortcuts: tuple[Shortcut, ...]
    home_tab: bool
    messages_tab: bool
    interactive: bool
    socket_mode: bool

    @classmethod
    def load(cls, path: Path = MANIFEST) -> "Manifest":
        """The manifest in this file; raises InvalidManifestError for what Slack's editor refuses."""
        return cls.parse(yaml.safe_load(path.read_text("utf-8")))

    @classmethod
    def parse(cls, raw: dict[str, Any]) -> "Manifest":
        """A manifest from its parsed YAML; raises InvalidManifestError."""
        faults = _faults(raw)
        if faults:
            raise InvalidManifestError("; ".join(faults))
        features, settings = raw["features"], raw["settings"]
        home = features.get("app_home", {})
        commands = features.get("slash_commands", [])
        return cls(
            name=raw["display_information"]["name"],
            bot_name=features["bot_user"]["display_name"],
            scopes=frozenset(raw["oauth_config"]["scopes"]["bot"]),
            events=frozenset(settings.get("event_subscriptions", {}).get("bot_events", [])),
            commands=tuple(command["command"] for command in commands),
            escapes_commands=any(command.get("should_escape") for command in commands),
            shortcuts=tuple(
                Shortcut(name=s["name"], kind=s["type"], callback_id=s["callback_id"])
                for s in features.get("shortcuts", [])
            ),
            home_tab=home.get("home_tab_enabled", False),
            messages_tab=home.get("messages_tab_enabled", False),
            interactive=settings.get("interactivity", {}).get("is_enabled", False),
            socket_mode=settings.get("socket_mode_enabled", False),
        )


def _faults(raw: dict[str, Any]) -> list[str]:
    """https://docs.slack.dev/reference/app-manifest: required parts, lengths, and scopes for each event."""
    faults = [f"unknown key {key}" for key in raw.keys() - _TOP]
    faults += [f"unknown feature {key}" for key in raw.get("features", {}).keys() - _FEATURES]
    faults += [f"unknown setting {key}" for key in raw.get("settings", {}).keys() - _SETTINGS]
    information = raw.get("display_information", {})
    scopes = set(raw.get("oauth_config", {}).get("scopes", {}).get("bot", []))
    if not 1 <= len(information.get("name", "")) <= 35:
        faults.append("display_information.name: 1 to 35 characters")
    if len(information.get("description", "")) > 140:
        faults.append("display_information.description: at most 140 characters")
    if "long_description" in information and len(information["long_description"]) < 174:
        faults.append("display_information.long_description: at least 174 characters")
    for event in raw.get("settings", {}).get("event_subscriptions", {}).get("bot_events", []):
        if event not in EVENT_SCOPES:
            faults.append(f"unknown event {event}")
        elif (scope := EVENT_SCOPES[event]) and scope not in scopes:
            faults.append(f"event {event} needs the scope {scope}")
    return faults + _feature_faults(raw.get("features", {}), scopes)


def _feature_faults(features: dict[str, Any], scopes: set[str]) -> list[str]:
    faults = []
    if features.get("slash_commands") and "commands" not in scopes:
        faults.append("slash commands need the scope commands")
    if "bot_user" not in features:
        faults.append("features.bot_user is required for bot scopes")
    for shortcut in features.get("shortcuts", []):
        if shortcut.get("type") not in {"message", "global"}:
            faults.append("shortcut type: message or global")
        if len(shortcut.get("name", "")) > 24:
            faults.append(f"shortcut name {shortcut['name']!r}: at most 24 characters")
    for command in features.get("slash_commands", []):
        if not command.get("command", "").startswith("/") or len(command["command"]) > 32:
            faults.append("slash command: begins with / and has at most 32 characters")
    return faults
