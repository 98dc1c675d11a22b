"""Content packs: their strict schema, the slots in their texts, and the draw of each item at most once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from world.core.yaml_text import load_yaml

SLOT = re.compile(r"\{([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\}")
TURN_KEY = re.compile(r"^([a-z][a-z0-9_-]*)(>?)((?: [a-z]+| ~[a-z0-9_+-]+(?:\*[0-9])?)*)$")
GAP_NAMES = ("now", "short", "work", "hours", "overnight", "day")
PHASES = ("created", "planned", "started", "review", "done")
ANCHORS = ("fault", "detected", "declared", "found", "mitigated", "resolved", "reviewed")
FLAGS = ("ack", "pin", "edit")
LETTER_KEY = re.compile(r"^([a-z][a-z0-9_-]*)((?: [a-z]+| (?:to|fwd|cc):[a-z0-9_@,-]+| file:[\w.-]+)*)$")
# The worlds a slot may be filled from besides an item's own roles and needs.
SHARED = ("issue", "sheet", "channel", "thread", "company", "vendor", "oncall", "t", "deploy")
NEEDS = ("customer", "small", "count", "many", "percent", "latency", "money", "order", "build", "sha", "host", "points")


PackEntry = Mapping[str, Any]  # a document of a content pack, or an entry of one, as its YAML has it


class PackError(ValueError):
    """A pack that does not load; the message names the item and the mend."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: `reply` puts it in the thread of the last message outside one."""

    by: str
    say: str
    reply: bool = False
    gap: str = ""
    phase: str = ""
    flags: frozenset[str] = frozenset()
    react: tuple[tuple[str, int], ...] = ()


def parse_turn(raw: object, where: str) -> Turn:
    """`{"b> work ~eyes*2": "text"}` -> Turn. Raises PackError."""
    if not isinstance(raw, dict) or len(raw) != 1:
        raise PackError(f"{where}: a turn is one `role: text`, not {raw!r}")
    [(key, say)] = raw.items()
    found = TURN_KEY.match(str(key))
    if found is None or not isinstance(say, str) or not say.strip():
        raise PackError(f"{where}: cannot read the turn {key!r}")
    gap, phase, flags, react = "", "", set[str](), []
    for word in found[3].split():
        if word.startswith("~"):
            emoji, _, times = word[1:].partition("*")
            react.append((emoji, int(times or 1)))
        elif word in GAP_NAMES:
            gap = word
        elif word in PHASES or word in ANCHORS:
            phase = word
        elif word in FLAGS:
            flags.add(word)
        else:
            raise PackError(f"{where}: {word!r} is no gap, flag or reaction")
    return Turn(found[1], say, bool(found[2]), gap, phase, frozenset(flags), tuple(react))


@dataclass(frozen=True, slots=True)
class MailTurn:
    """One mail of an exchange: its recipients (roles and @lists) and its files.

    Without named recipients it goes to everybody in the exchange so far.
    """

    by: str
    say: str
    gap: str = ""
    phase: str = ""
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    forward: bool = False
    files: tuple[str, ...] = ()


def parse_letter(raw: object, where: str) -> MailTurn:
    """`{"s work cc:p file:list.csv": "text"}` -> Written. Raises PackError.

    `to:` names the only recipients, `fwd:` the recipients of a forward. A mail with a phase waits for its issue to reach it.
    """
    if not isinstance(raw, dict) or len(raw) != 1:
        raise PackError(f"{where}: a mail is one `role: text`, not {raw!r}")
    [(key, say)] = raw.items()
    found = LETTER_KEY.match(str(key))
    if found is None or not isinstance(say, str) or not say.strip():
        raise PackError(f"{where}: cannot read the mail {key!r}")
    gap, phase, named, files = "", "", dict[str, tuple[str, ...]](), list[str]()
    for word in found[2].split():
        kind, colon, value = word.partition(":")
        if kind == "file":
            files.append(value)
        elif colon:
            named[kind] = tuple(value.split(","))
        elif word in GAP_NAMES:
            gap = word
        elif word in PHASES:
            phase = word
        else:
            raise PackError(f"{where}: {word!r} is no gap")
    to = named.get("fwd", named.get("to", ()))
    return MailTurn(found[1], say, gap, phase, to, named.get("cc", ()), "fwd" in named, tuple(files))


class Strict(BaseModel):
    """Base of every part of a pack: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, populate_by_name=True)


class Scene(Strict):
    """A conversation in one place. `at`: when it begins, in the words of the story it belongs to."""

    place: str = Field(alias="in")
    at: str = ""
    part: str = ""
    urgent: bool = False
    turns: tuple[Turn, ...]

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, raw: object) -> object:
        return _with_turns(raw, "turns")


def _with_turns(raw: object, *names: str) -> object:
    if not isinstance(raw, dict):
        return raw
    where = str(raw.get("id") or raw.get("in") or "?")
    out = dict(raw)
    for name in names:
        if isinstance(raw.get(name), list):
            out[name] = tuple(one if isinstance(one, Turn) else parse_turn(one, where) for one in raw[name])
    return out


class Chat(Strict):
    """A conversation that belongs to no larger story."""

    id: str
    place: str = Field(alias="in")
    at: str = ""
    roles: dict[str, str]
    needs: dict[str, str] = {}
    about: tuple[str, ...] = ()
    unanswered: bool = False
    weight: int = 1
    turns: tuple[Turn, ...]

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, raw: object) -> object:
        return _with_turns(raw, "turns")


class Letter(Strict):
    """An exchange of mails. `about` is an issue it belongs to: then `at` is one of its phases, or `before`.

    Roles are selectors, or `outside cust`, `outside nordacq 2`: that contact of a customer or vendor.
    """

    id: str
    subject: str
    at: str = ""
    about: str = ""
    roles: dict[str, str]
    needs: dict[str, str] = {}
    files: dict[str, str] = {}
    mails: tuple[MailTurn, ...]

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, raw: object) -> object:
        if not isinstance(raw, dict) or not isinstance(raw.get("mails"), list):
            return raw
        return {**raw, "mails": tuple(parse_letter(one, str(raw.get("id"))) for one in raw["mails"])}


State = Literal["done", "review", "progress", "todo", "backlog", "wontdo", "duplicate", "open", "waiting"]


class Ticket(Strict):
    """An issue with the conversations about it. Its scenes and comments share the roles.

    Days count back from the world's start: `age` of its creation, `by` until it was done; `due` counts forward.
    """

    id: str
    type: str
    title: str
    desc: str = ""
    state: State = "done"
    reporter: str = ""
    assignee: str = ""
    parent: str = ""
    component: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    points: float | None = None
    priority: str = "Medium"
    sprint: tuple[str, ...] = ()
    age: int | None = None
    by: int | None = None
    due: int | None = None
    estimate: str = ""
    fix: str = ""
    affects: str = ""
    customer: str = ""
    severity: str = ""
    service: str = ""
    reopened: bool = False
    roles: dict[str, str] = {}
    needs: dict[str, str] = {}
    links: dict[str, tuple[str, ...]] = {}
    comments: tuple[Turn, ...] = ()
    scenes: tuple[Scene, ...] = ()
    log: tuple[Turn, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _parse(cls, raw: object) -> object:
        return _with_turns(raw, "comments", "log")


class Epic(Strict):
    """A body of work: the epic's own ticket first, then its issues. `loose` ones have nothing to do with each other."""

    id: str
    project: str
    loose: bool = False
    roles: dict[str, str] = {}
    needs: dict[str, str] = {}
    tickets: tuple[Ticket, ...]


class Incident(Strict):
    """One incident from fault to paperwork.

    `day`: days before the world's start, `hour` UTC. `clock`: anchor -> minutes after the one before it, low and high.
    `deploy`: the issue whose release broke it; `room`: name of the incident channel, empty for none.
    """

    id: str
    day: int
    hour: float
    service: str
    severity: str
    clock: dict[str, tuple[float, float]]
    roles: dict[str, str]
    needs: dict[str, str] = {}
    commander: str
    room: str = ""
    archived: int = 0
    deploy: str = ""
    revert: bool = False
    ticket: Ticket
    actions: tuple[Ticket, ...] = ()
    scenes: tuple[Scene, ...]

    @model_validator(mode="after")
    def _in_order(self) -> "Incident":
        if list(self.clock) != [name for name in ANCHORS if name in self.clock] or "fault" in self.clock:
            raise PackError(f"{self.id}: the clock's anchors are not in order")
        return self


class Pack(Strict):
    """One file of a pack: who wrote it, under which licence, and its items."""

    split: Literal["train", "heldout"]
    licence: str
    provenance: dict[str, str]
    chats: tuple[Chat, ...] = ()
    epics: tuple[Epic, ...] = ()
    incidents: tuple[Incident, ...] = ()
    letters: tuple[Letter, ...] = ()


PACK = TypeAdapter(Pack)


@dataclass(frozen=True, slots=True)
class ContentLibrary:
    """All items of one pack folder, in file and line order."""

    chats: tuple[Chat, ...] = ()
    epics: tuple[Epic, ...] = ()
    incidents: tuple[Incident, ...] = ()
    letters: tuple[Letter, ...] = ()
    plain: PackEntry = field(default_factory=dict)


PLAIN = (
    "company.yaml",
    "channels.yaml",
    "jira.yaml",
    "acks.yaml",
    "post.yaml",
    "pulls.yaml",
    "requests.yaml",
    "sheets.yaml",
)


@lru_cache(maxsize=8)
def library(folder: str) -> ContentLibrary:
    """The items of packs/<folder>, and its plain documents."""
    packs = [
        build_pack(_load_yaml(folder, entry), f"{folder}/{entry}") for entry in _entries(folder) if entry not in PLAIN
    ]
    return ContentLibrary(
        tuple(one for pack in packs for one in pack.chats),
        tuple(one for pack in packs for one in pack.epics),
        tuple(one for pack in packs for one in pack.incidents),
        tuple(one for pack in packs for one in pack.letters) or library("shop").letters,
        load_texts(folder),
    )


@lru_cache(maxsize=8)
def load_texts(folder: str) -> PackEntry:
    """Return channels, jira and acks of packs/<folder>; a missing one is taken from the shop."""
    own = _entries(folder)
    return {
        name.removesuffix(".yaml"): _load_yaml(folder if name in own else "shop", name)
        for name in PLAIN
        if name != "company.yaml"
    }


def _entries(folder: str) -> list[str]:
    return sorted(_yaml_files(files("seeds").joinpath("packs", folder), ""))


def _load_yaml(folder: str, entry: str) -> object:
    text = files("seeds").joinpath("packs", folder, *entry.split("/")).read_text(encoding="utf-8")
    return load_yaml(text)


def _yaml_files(folder: Any, prefix: str) -> list[str]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _yaml_files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".yaml"):
            found.append(prefix + entry.name)
    return found


def build_pack(raw: object, name: str) -> Pack:
    """A pack of a parsed file. Raises ValidationError for its shape, PackError for its slots and roles."""
    pack = PACK.validate_python(raw)
    for chat in pack.chats:
        _check_slots(f"{name} {chat.id}", chat.roles, chat.needs, chat.turns, "")
    for letter in pack.letters:
        _check_letter(f"{name} {letter.id}", letter)
    for epic in pack.epics:
        for one in epic.tickets:
            _check_ticket(f"{name} {one.id}", {**epic.roles, **one.roles}, {**epic.needs, **one.needs}, one)
    for incident in pack.incidents:
        where = f"{name} {incident.id}"
        for scene in incident.scenes:
            _check_slots(where, incident.roles, incident.needs, scene.turns, "", unused=False)
        for one in (incident.ticket, *incident.actions):
            _check_ticket(where, {**incident.roles, **one.roles}, {**incident.needs, **one.needs}, one)
    return pack


def _check_letter(where: str, one: Letter) -> None:
    turns = tuple(Turn(mail.by, mail.say) for mail in one.mails)
    known = {**one.roles, **({"cust": ""} if one.about else {})}
    clients = "".join(
        f"{{{selector.split()[1]}}}"
        for selector in one.roles.values()
        if selector.split()[1:] and selector.split()[1] in one.needs
    )
    _check_slots(where, known, one.needs, turns, one.subject + "".join(one.files.values()) + clients)
    named = {to for mail in one.mails for to in (*mail.to, *mail.cc) if not to.startswith("@")}
    if strange := sorted(named - set(one.roles)):
        raise PackError(f"{where}: nobody plays {strange[0]!r}")
    if missing := sorted({file for mail in one.mails for file in mail.files} ^ set(one.files)):
        raise PackError(f"{where}: the file {missing[0]!r} is not both described and sent")
    if not one.mails[0].to:
        raise PackError(f"{where}: the first mail is for nobody")


def _check_ticket(where: str, roles: Mapping[str, str], needs: Mapping[str, str], one: Ticket) -> None:
    turns = (*one.comments, *one.log, *(turn for scene in one.scenes for turn in scene.turns))
    speaking = {**roles, "reporter": "", "assignee": ""}
    _check_slots(where, speaking, needs, turns, one.title + one.desc + one.customer, unused=False)


def _check_slots(
    where: str,
    roles: Mapping[str, str],
    needs: Mapping[str, str],
    turns: tuple[Turn, ...],
    more: str,
    *,
    unused: bool = True,
) -> None:
    wrong = [kind for kind in needs.values() if kind not in NEEDS]
    if wrong:
        raise PackError(f"{where}: no such kind of slot: {wrong[0]}")
    used = set(SLOT.findall(more)) | {slot for turn in turns for slot in SLOT.findall(turn.say)}
    names = {slot.partition(".")[0] for slot in used}
    if strange := sorted(names - set(roles) - set(needs) - set(SHARED)):
        raise PackError(f"{where}: slot {strange[0]!r} is neither a role, a need nor shared")
    if unused and (idle := sorted(set(needs) - names)):
        raise PackError(f"{where}: need {idle[0]!r} is used by no turn")
    if silent := sorted({turn.by for turn in turns} - set(roles)):
        raise PackError(f"{where}: nobody plays {silent[0]!r}")
