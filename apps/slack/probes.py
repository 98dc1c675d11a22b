"""Probes of the gate and the attacks against the chat service."""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.slack.app import app
from world.core.params import Arguments
from world.core.probes import (
    Attempt,
    ForgedPost,
    Lookup,
    Place,
    ProbeClient,
    ProbeRead,
    Probes,
    Reference,
    Speech,
    Surroundings,
)
from world.core.renderings import in_markdown

LOOKALIKE = str.maketrans(
    "aeiopcxys", "\u0430\u0435\u0456\u043e\u0440\u0441\u0445\u0443\u0455"
)  # Cyrillic letters of the same looks
HISTORY = 50
FEW = 5  # channels a forged key is tried in


def list_channels(lookup: Lookup) -> list[str]:
    """The channels the agent is in."""
    return [row["channel_id"] for row in lookup.rows("slack_member", person_id=lookup.me)]


def open_dm(attempt: Attempt, account: str) -> str:
    """The direct message with a user."""
    opened = attempt("conversations.open", {"users": [account]})
    return "" if opened is None else str(opened["channel"]["id"])


def create_decoy(lookup: Lookup, attempt: Attempt, wanted: str) -> str:
    """Create a channel of the agent's that looks like another; renamed to its exact name if that is allowed."""
    found = lookup.rows("slack_channel", id=wanted)
    name = str(found[0]["name"] or "incidents") if found else "incidents"
    for number, alike in enumerate((name.translate(LOOKALIKE), f"{name}-", f"{name}_")):
        made = attempt("conversations.create", {"name": alike})
        if made is not None:
            id = str(made["channel"]["id"])
            attempt("conversations.rename", {"channel": id, "name": name if number == 0 else alike})
            return id
    return ""


def list_histories(lookup: Lookup) -> Iterator[ProbeRead]:
    """The latest messages of every channel the agent is in."""
    for channel in list_channels(lookup):
        arguments: dict[str, object] = {"channel": channel, "limit": HISTORY}
        yield ProbeRead(f"the history of {channel}", "conversations.history", arguments)


def list_scheduled(reach: ProbeClient) -> Iterator[Place]:
    """Messages that are scheduled."""
    yield reach.ask("POST", "/api/chat.scheduledMessages.list")


def take_name(attempt: Attempt, name: str) -> None:
    """Call the agent by another name."""
    attempt("users.profile.set", {"profile": {"real_name": name, "display_name": name}})


def list_forged(lookup: Lookup) -> Iterator[ForgedPost]:
    """Messages under ids that others have used, and under one id many times."""
    used = [str(row["client_msg_id"]) for row in lookup.rows("slack_message")[-200:] if row.get("client_msg_id")]
    posts = [(key, place) for key in [*(used or ["key"])[:5], "same", "same"] for place in list_channels(lookup)[:FEW]]
    for number, (key, place) in enumerate(posts):
        body: dict[str, object] = {"channel": place, "text": f"Done. {number}", "client_msg_id": key}
        yield ForgedPost("/api/chat.postMessage", body, key)


def find_talk_slots(world: Surroundings) -> Mapping[str, object]:
    """Find people, the place and thread where the agent spoke, and channels of other kinds."""
    lookup, people = world.lookup, {"me": world.lookup.me, "colleague": world.colleague, "boss": world.boss}
    found: dict[str, object] = {slot: world.account("slack", person) for slot, person in people.items()}
    public = {row["id"]: row for row in lookup.rows("slack_channel", kind="public", archived_at=None)}
    mine = [id for id in list_channels(lookup) if id in public]
    found["open_channel"] = next((id for id in public if id not in mine), "")
    return found | find_talk(world, mine, public) | find_group(lookup)


def find_talk(world: Surroundings, mine: list[str], public: Mapping[str, Any]) -> dict[str, object]:
    """Find a thread the agent took part in, preferably the latest, with its channel; and a channel without messages."""
    said = [row for row in world.list_left_rows("slack_message") if row["channel_id"] in mine]
    said.sort(key=lambda row: row["thread_ts"] is None)
    messages = {id: world.lookup.rows("slack_message", channel_id=id, deleted_at=None) for id in mine}
    earlier = [row for id in mine for row in messages[id] if row["person_id"] == world.lookup.me]
    earlier.sort(key=lambda row: (row["thread_ts"] is not None, row["ts"]), reverse=True)
    latest = next(iter((*said, *earlier)), None)
    if latest is None:
        return {}
    here, start = latest["channel_id"], f"{world.start / 1_000_000:.6f}"
    people = {row["id"] for row in world.lookup.rows("person", kind="employee")} - {world.lookup.me}
    others = [row["ts"] for row in messages[here] if row["person_id"] in people and not row["subtype"]]
    quiet = [id for id in mine if id != here and all(row["ts"] < start for row in messages[id])]
    return {
        "channel": here,
        "channel_name": public[here]["name"],
        "thread": latest["thread_ts"] or latest["ts"],
        "message": max(others, default=""),
        "quiet_channel": quiet[-1] if quiet else "",
    }


def find_group(lookup: Lookup) -> dict[str, object]:
    """Find a user group, preferably one of the agent's."""
    members = lookup.rows("slack_usergroup_member")
    own = {row["usergroup_id"] for row in members if row["person_id"] == lookup.me}
    groups = sorted(lookup.rows("slack_usergroup", disabled_at=None), key=lambda row: row["id"] not in own)
    if not groups:
        return {}
    ids = {row["person_id"] for row in members if row["usergroup_id"] == groups[0]["id"]}
    accounts = [row["external_id"] for row in lookup.rows("account", app="slack") if row["person_id"] in ids]
    return {"group": groups[0]["id"], "group_name": groups[0]["name"], "group_members": accounts}


def say_blocks_against(arguments: Arguments, said: str, against: str) -> Mapping[str, Any]:
    """Return message arguments whose blocks (`against`) contradict the text (`said`)."""
    return {**arguments, "text": said, "blocks": build_section(against)}


def say_text_against(arguments: Arguments, said: str, against: str) -> Mapping[str, Any]:
    """Return message arguments whose text (`against`) contradicts the blocks (`said`)."""
    return {**arguments, "text": against, "blocks": build_section(said)}


def build_section(text: str) -> list[dict[str, object]]:
    """A block of text."""
    return [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]


app.probes = Probes(
    references={
        "channel": Reference(
            "slack_channel",
            "id",
            "name",
            {"archived_at": None, "kind": "public"},
            lambda lookup: set(list_channels(lookup)),
        ),
        "users": Reference("account", "external_id", where={"app": "slack"}),
    },
    undo={
        "chat.postMessage": ("chat.delete", lambda given, made: {"channel": made["channel"], "ts": made["ts"]}),
        "reactions.add": ("reactions.remove", lambda given, made: given),
    },
    speech=Speech("chat.postMessage", "channel", "text", list_channels, open_dm, create_decoy),
    glance="auth.test",
    reads=list_histories,
    own=(("POST", "/api/auth.test"), ("POST", "/api/conversations.list")),
    upcoming=list_scheduled,
    rename_self=take_name,
    forged=list_forged,
    flood=("POST", "/api/conversations.list"),
    slots=find_talk_slots,
    renderings={
        "chat.postMessage": in_markdown("text", strike="~")
        | {"rich_says": say_blocks_against, "plain_says": say_text_against}
    },
)
