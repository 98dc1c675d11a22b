"""A world of the company with one room of each kind in its chat, all of them full of canaries."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.settings import Settings
from world.run.host import Host

OWNER, MEMBER, THIRD, OUTSIDER = "p_0005", "p_0009", "p_0016", "p_0025"
ROOMS = {
    "public": frozenset({OWNER, MEMBER}),
    "private": frozenset({OWNER, MEMBER}),
    "im": frozenset({OWNER, MEMBER}),
    "mpim": frozenset({OWNER, MEMBER, THIRD}),
    "own": frozenset({OWNER}),
}
TYPES = "public_channel,private_channel,im,mpim"


@dataclass
class Room:
    """A conversation, its canary, and the ids of what is in it."""

    kind: str
    word: str
    ids: dict[str, Any] = field(default_factory=dict)

    def open_to(self, person: str) -> bool:
        """The oracle: public rooms are everybody's, the rest their members'."""
        return self.kind == "public" or person in ROOMS[self.kind]


class Office:
    """A world with one room of each kind, all of them full of canaries."""

    def __init__(self, host: Host) -> None:
        self.host = host
        host.create("t3", Settings(limits="off"))
        raw = host.actors["t3"].bound.raw
        self.people = [
            r[0] for r in raw.execute("SELECT id FROM person WHERE kind = 'employee' AND status = 'active' ORDER BY id")
        ]
        self.account = dict(raw.execute("SELECT person_id, external_id FROM account WHERE app = 'slack'").fetchall())
        self.rooms = [self.fill(kind) for kind in ROOMS]

    def do(self, person: str, operation: str, /, **arguments: Any) -> Any:
        return self.host.call(self.host.principal("t3", person), "rest", operation, arguments)

    def look(self, person: str, operation: str, arguments: dict[str, Any]) -> str:
        try:
            answer = self.host.peek(self.host.principal("t3", person), "rest", operation, arguments)
        except OperationError as refusal:
            text = f"{refusal.code} {refusal.detail}"
            for sent in sorted((v for v in arguments.values() if isinstance(v, str)), key=len, reverse=True):
                text = text.replace(sent, "")  # a refusal may repeat what it was sent
            return text
        answer = (
            {name: value for name, value in answer.items() if name != "query"} if isinstance(answer, dict) else answer
        )
        return orjson.dumps(answer).decode()

    def channel(self, kind: str, word: str) -> str:
        others = [self.account[p] for p in sorted(ROOMS[kind]) if p != OWNER]
        if kind in ("im", "mpim"):
            return self.do(OWNER, "conversations.open", users=others)["channel"]["id"]
        made = self.do(OWNER, "conversations.create", name=f"room-{word}", is_private=kind != "public")["channel"]["id"]
        if others:
            self.do(OWNER, "conversations.invite", channel=made, users=others)
        return made

    def fill(self, kind: str) -> Room:
        word = f"qz{kind}zq"
        at = self.channel(kind, word)
        ts = self.do(OWNER, "chat.postMessage", channel=at, text=f"{word} said")["ts"]
        self.do(OWNER, "chat.postMessage", channel=at, text=f"{word} answered", thread_ts=ts)
        file = self.do(OWNER, "files.upload", channels=[at], content=f"{word} written", filename=f"{word}.txt")["file"][
            "id"
        ]
        note = {"type": "markdown", "markdown": f"{word} planned"}
        canvas = self.do(
            OWNER, "conversations.canvases.create", channel_id=at, title=f"{word} canvas", document_content=note
        )
        self.do(OWNER, "pins.add", channel=at, timestamp=ts)
        self.do(OWNER, "bookmarks.add", channel_id=at, title=f"{word} mark", link=f"https://{word}.test")
        self.do(OWNER, "reactions.add", channel=at, timestamp=ts, name="eyes")
        if kind not in ("im", "mpim"):
            self.do(OWNER, "conversations.setTopic", channel=at, topic=f"{word} topic")
        return Room(
            kind,
            word,
            {"channel": at, "ts": ts, "file": file, "canvas": canvas["canvas_id"], "content": f"{word} written"},
        )

    def probe(self, operation: Operation, room: Room) -> dict[str, Any]:
        """Arguments that point an operation at a room as hard as its params allow."""
        ids = room.ids
        values = {
            "channel": ids["channel"],
            "channel_id": ids["channel"],
            "ts": ids["ts"],
            "timestamp": ids["ts"],
            "message_ts": ids["ts"],
            "thread_ts": ids["ts"],
            "file": ids["file"],
            "canvas_id": ids["canvas"],
            "query": room.word,
            "types": TYPES,
            "limit": 200,
            "count": 100,
            "user": self.account[OWNER],
            "criteria": {"contains_text": room.word},
            "full": True,
        }
        if operation.id in ("files.list", "canvases.list", "reactions.list", "users.conversations"):
            values.pop("types")
        return {name: values[name] for name in operation.params.model_fields if name in values}
