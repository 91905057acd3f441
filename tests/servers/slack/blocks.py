"""Block Kit's blocks, messages and views, and their limits.

https://docs.slack.dev/reference/block-kit/blocks and https://docs.slack.dev/reference/views
"""

import json
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from tests.servers.slack.check import Check
from tests.servers.slack.elements import ID, IN_ACTIONS, IN_INPUT, IN_SECTION, element
from tests.servers.slack.world import JSON, words

Surface: TypeAlias = Literal["message", "modal", "home"]

MOST_BLOCKS = {"message": 50, "modal": 100, "home": 100}
MARKDOWN_IN_ALL = 12_000
WORDS_IN_ALL = 13_200
"""Measured by others; Slack publishes no number: https://github.com/slackapi/bolt-js/issues/2509"""
VIEW_BYTES = 250_000
_RICH = {"rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"}


def block_faults(blocks: Any, surface: Surface) -> list[str]:
    """Every fault of a list of blocks on that surface; empty when Slack would take it."""
    check = Check()
    if not check.array(blocks, "/blocks", MOST_BLOCKS[surface], 0):
        return check.faults
    for index, block in enumerate(blocks):
        _block(check, block, f"/blocks/{index}", surface)
    known = [block for block in blocks if isinstance(block, dict)]
    ids = [block["block_id"] for block in known if isinstance(block.get("block_id"), str)]
    check.unique(ids, "block_id", "/blocks")
    return check.faults


def too_long(blocks: list[JSON]) -> bool:
    """True when the words of all blocks together pass what Slack takes (`msg_blocks_too_long`)."""
    markdown = sum(len(str(block.get("text", ""))) for block in blocks if block.get("type") == "markdown")
    return markdown > MARKDOWN_IN_ALL or sum(map(len, words(blocks))) > WORDS_IN_ALL


def view_faults(view: Any) -> list[str]:
    """Every fault of a modal or a home tab."""
    check = Check()
    kind = view.get("type") if isinstance(view, dict) else None
    if kind not in {"modal", "home"}:
        check.fail(f"unsupported view type: {kind}", "/view/type")
        return check.faults
    shared = {"private_metadata", "callback_id", "external_id"}
    modal = {"close", "submit", "clear_on_close", "notify_on_close", "submit_disabled"}
    required = ("type", "blocks", "title") if kind == "modal" else ("type", "blocks")
    if check.keys(view, "/view", required, shared | (modal if kind == "modal" else set())):
        check.faults += [fault.replace(":/blocks", ":/view/blocks") for fault in block_faults(view["blocks"], kind)]
    for key, most in (("private_metadata", 3000), ("callback_id", ID), ("external_id", ID)):
        if key in view:
            check.string(view[key], f"/view/{key}", most, 0)
    for key in ("title", "close", "submit"):
        if key in view and kind == "modal":
            check.text(view[key], f"/view/{key}", 24, plain=True)
    blocks = view.get("blocks")
    has_input = isinstance(blocks, list) and any(b.get("type") == "input" for b in blocks if isinstance(b, dict))
    if kind == "modal" and has_input and "submit" not in view:
        check.fail("missing required field: submit (the view has an input block)", "/view")
    return check.faults


def view_too_large(view: JSON) -> bool:
    """True past 250 kB of JSON."""
    return len(json.dumps(view).encode()) > VIEW_BYTES


def with_ids(blocks: list[JSON], fresh: Callable[[], str]) -> list[JSON]:
    """The blocks as Slack returns them: each has a block_id, each interactive element an action_id."""
    named = []
    for block in blocks:
        copy = json.loads(json.dumps(block))
        copy.setdefault("block_id", fresh())
        children = [*copy.get("elements", []), copy.get("accessory"), copy.get("element")]
        for child in children if copy["type"] in {"actions", "section", "input"} else []:
            if isinstance(child, dict) and child.get("type") not in {None, "image"}:
                child.setdefault("action_id", fresh())
        named.append(copy)
    return named


def _block(check: Check, block: Any, at: str, surface: Surface) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    rule = _RULES.get(str(kind))
    if rule is None or (kind in {"markdown", "table"} and surface != "message"):
        check.fail(f"unsupported type: {kind}", f"{at}/type")
        return
    if "block_id" in block:
        check.string(block["block_id"], f"{at}/block_id", ID)
    rule(check, {key: value for key, value in block.items() if key != "block_id"}, at)
    if kind == "input" and surface == "message" and block.get("element", {}).get("type") == "file_input":
        check.fail("file_input is available in modals alone", at)


def _section(check: Check, block: JSON, at: str) -> None:
    check.keys(block, at, ("type",), ("text", "fields", "accessory", "expand"))
    if "text" not in block and "fields" not in block:
        check.fail("either text or fields is required", at)
    if "text" in block:
        check.text(block["text"], f"{at}/text", 3000)
    if "fields" in block and check.array(block["fields"], f"{at}/fields", 10):
        for index, field in enumerate(block["fields"]):
            check.text(field, f"{at}/fields/{index}", 2000)
    if "accessory" in block:
        element(check, block["accessory"], f"{at}/accessory", IN_SECTION)


def _header(check: Check, block: JSON, at: str) -> None:
    if check.keys(block, at, ("type", "text"), ("level",)):
        check.text(block["text"], f"{at}/text", 150, plain=True)


def _divider(check: Check, block: JSON, at: str) -> None:
    check.keys(block, at, ("type",), ())


def _image(check: Check, block: JSON, at: str) -> None:
    if check.keys(block, at, ("type", "alt_text"), ("image_url", "slack_file", "title")):
        check.string(block["alt_text"], f"{at}/alt_text", 2000)
        if "image_url" in block:
            check.string(block["image_url"], f"{at}/image_url", 3000)
        if "title" in block:
            check.text(block["title"], f"{at}/title", 2000, plain=True)


def _context(check: Check, block: JSON, at: str) -> None:
    check.keys(block, at, ("type", "elements"), ())
    if check.array(block.get("elements"), f"{at}/elements", 10):
        for index, item in enumerate(block["elements"]):
            place = f"{at}/elements/{index}"
            if isinstance(item, dict) and item.get("type") == "image":
                element(check, item, place, {"image"})
            else:
                check.text(item, place, 3000)


def _actions(check: Check, block: JSON, at: str) -> None:
    check.keys(block, at, ("type", "elements"), ())
    if check.array(block.get("elements"), f"{at}/elements", 25):
        for index, item in enumerate(block["elements"]):
            element(check, item, f"{at}/elements/{index}", IN_ACTIONS)
        ids = [str(i["action_id"]) for i in block["elements"] if isinstance(i, dict) and "action_id" in i]
        check.unique(ids, "action_id", f"{at}/elements")


def _input(check: Check, block: JSON, at: str) -> None:
    if check.keys(block, at, ("type", "label", "element"), ("hint", "optional", "dispatch_action")):
        check.text(block["label"], f"{at}/label", 2000, plain=True)
        element(check, block["element"], f"{at}/element", IN_INPUT)
    if "hint" in block:
        check.text(block["hint"], f"{at}/hint", 2000, plain=True)
    for key in ("optional", "dispatch_action"):
        if key in block:
            check.boolean(block[key], f"{at}/{key}")


def _markdown(check: Check, block: JSON, at: str) -> None:
    if check.keys(block, at, ("type", "text"), ()):
        check.string(block["text"], f"{at}/text", 12_000)


def _rich_text(check: Check, block: JSON, at: str) -> None:
    if check.keys(block, at, ("type", "elements"), ()) and check.array(block["elements"], f"{at}/elements", 1000):
        for index, item in enumerate(block["elements"]):
            kind = item.get("type") if isinstance(item, dict) else None
            check.one_of(kind, f"{at}/elements/{index}/type", _RICH)


def _table(check: Check, block: JSON, at: str) -> None:
    check.keys(block, at, ("type", "rows"), ("column_settings",))
    if check.array(block.get("rows"), f"{at}/rows", 100):
        for index, row in enumerate(block["rows"]):
            check.array(row, f"{at}/rows/{index}", 20)


_RULES: dict[str, Callable[[Check, JSON, str], None]] = {
    "section": _section,
    "header": _header,
    "divider": _divider,
    "image": _image,
    "context": _context,
    "actions": _actions,
    "input": _input,
    "markdown": _markdown,
    "rich_text": _rich_text,
    "table": _table,
}
