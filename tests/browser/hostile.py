"""A world in which every text a person can write is hostile: found from the operations' params models, written, spread by table."""

import base64
import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, cycle, pairwise
from typing import Any

import orjson
from sqlmodel import SQLModel

from tests.browser.hostile_shapes import SHAPES, letter
from tests.browser.payloads import EVIL, PAYLOADS, packs
from world.agents.examples import Examples
from world.core.app import App
from world.core.directory import TABLES
from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.principal import Principal
from world.run.host import Host

Steps = tuple[str | int, ...]
MARK = re.compile(r"zqx\d+z")
FORMS = ("{}", f"{EVIL}/{{}}", 'summary ~ "{}"', "{} <{}@acme.example>")  # a text, an address, a query, somebody's name
ENDS = re.compile(r"delete|remove|archive|leave|kick|close|disable", re.IGNORECASE)
LIMITS = (4_000, 1_000, 300, 255, 120, 60)
FREE = 300  # characters of a text that a shape repeats in many places
ROUNDS = 2  # texts tried per field: others in each, more than 200 payloads where there is room


@dataclass(frozen=True, slots=True)
class Leaf:
    """A place for text in an operation's arguments; `free` ones take any JSON and have a builder in SHAPES."""

    operation: str
    path: Steps
    free: bool

    def __str__(self) -> str:
        return f"{self.operation} {'.'.join(map(str, self.path))}"


@dataclass(slots=True)
class Harvest:
    """What became of the fields: the columns that kept a text given to it, why it was refused, and the payloads it took."""

    accepted: dict[Leaf, set[str]] = field(default_factory=dict)
    refused: dict[Leaf, str] = field(default_factory=dict)
    taken: dict[Leaf, set[str]] = field(default_factory=dict)


def leaves(operation: Operation) -> list[Leaf]:
    """Every place for text in an operation's params model."""
    schema = operation.params.model_json_schema(by_alias=True)
    found = dict.fromkeys(_walk(schema, schema.get("$defs", {}), ()))
    return [Leaf(operation.id, path, free) for path, free in found if path]


def _walk(schema: Mapping[str, Any], known: Mapping[str, Any], path: Steps) -> Iterator[tuple[Steps, bool]]:
    if "$ref" in schema:
        yield from _walk(known[schema["$ref"].rsplit("/", 1)[1]], known, path)
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _walk(part, known, path)
    kind = schema.get("type")
    if kind == "string" and not {"enum", "const"} & set(schema):
        yield path, False
    elif kind == "array":
        yield from _walk(schema.get("items", {}), known, (*path, 0))
    elif kind == "object":
        yield from _object(schema, known, path)
    elif kind is None and not {"$ref", "anyOf", "oneOf", "allOf", "enum", "const"} & set(schema):
        yield path, True


def _object(schema: Mapping[str, Any], known: Mapping[str, Any], path: Steps) -> Iterator[tuple[Steps, bool]]:
    for name, part in schema.get("properties", {}).items():
        yield from _walk(part, known, (*path, name))
    values = schema.get("additionalProperties")
    if isinstance(values, Mapping):
        for inner, free in _walk(values, known, ("*",)):
            yield (path, True) if free else ((*path, *inner), False)


WITH: dict[tuple[str, str], dict[str, Any]] = {  # what must be said along with a field
    ("users.profile.set", "value"): {"name": "title"},
    ("files.upload", "file"): {"file": {"filename": "a.txt", "mimetype": "text/plain", "data": "aGk="}},
}
ALWAYS: dict[str, dict[str, Any]] = {"mail.receive": {"to": ["ada@tiny.example"]}}  # whatever the field is
INSTEAD = {"markdown_text": "text", "blocks": "markdown_text"}
SPARED = {
    "repos/update name",
    "repos/update default_branch",
    "repos/rename-branch new_name",
    "repos/rename-branch branch",
}  # all else stands on them
HERE = {"quayline": "tiny", "payments": "app"}  # the seed company's names in examples, and the small company's
CODED = {
    ("addAttachment", "content"),
    ("repos/create-or-update-file-contents", "content"),
    ("repos/upload-release-asset", "content"),
    ("files.upload", "data"),
    ("files.uploadContent", "data"),
    *((f"mail.{name}", "data") for name in ("send", "saveDraft", "schedule", "receive")),
}  # bytes as base64


def shape(leaf: Leaf, text: str) -> Any:
    """The JSON for a place that takes any."""
    name = str(next(step for step in reversed(leaf.path) if isinstance(step, str) and step != "*"))
    return SHAPES.get(f"{leaf.operation} {name}", SHAPES[name])(text)


def filled(example: Mapping[str, Any], leaf: Leaf, text: str) -> dict[str, Any]:
    """The example with the text at the place."""
    first = str(leaf.path[0])
    made = copy.deepcopy({**example, **WITH.get((leaf.operation, first), {}), **ALWAYS.get(leaf.operation, {})})
    made.pop(INSTEAD.get(first, ""), None)
    path, value = leaf.path, text
    if leaf.free:
        path, value = tuple(step for step in leaf.path if step != "*"), shape(leaf, text)
        path = path[:-1] if path[-1] == 0 and isinstance(value, list) else path
    elif path[-1] == "raw":
        value = letter(text)
    elif (leaf.operation, str(path[-1])) in CODED:
        value = base64.b64encode(text.encode()).decode()
    _put(made, path, value)
    return made


def _put(inside: Any, path: Steps, value: Any) -> None:
    for step, after in pairwise(path):
        step = next(iter(inside), "x") if step == "*" else step
        if isinstance(inside, list):
            inside.extend([] if inside else [{} if isinstance(after, str) else []])
        elif not isinstance(inside.get(step), (dict, list)):
            inside[step] = {} if isinstance(after, str) else []
        inside = inside[step]
    last = path[-1]
    if isinstance(inside, list):
        inside[:1] = [{**inside[0], **value} if inside and isinstance(value, dict) else value]
    elif isinstance(value, dict) and isinstance(inside.get(last), dict):
        inside[last].update(value)
    else:
        inside[last] = value


class Sower:
    """Writes hostile texts into a world as one person, by every writing operation of an app.

    `shared` are results that examples may take for granted: so all texts meet in one channel, one issue.
    """

    def __init__(
        self, host: Host, world: str, who: str, app: App, shared: Mapping[str, Any], only: frozenset[str] = frozenset()
    ) -> None:
        self.host, self.world, self.app, self.only = host, world, app, only
        self.me = host.principal(world, who, kind="bot" if who == "vendor-status" else "user")
        self.harvest = Harvest()
        self._numbers = count(1)
        self._lasting = self._examples(shared)

    def sow(self) -> Harvest:
        """A mark and payloads in every field that takes them, then all payloads in place of every mark."""
        writing = [operation for operation in self.app.operations.values() if operation.writes]
        for operation in (o for o in writing if not ENDS.search(o.id)):
            for place, leaf in enumerate(leaves(operation)):
                if (
                    str(leaf) not in SPARED
                    and (not self.only or self.only & set(map(str, leaf.path)))
                    and self._mark(leaf)
                ):
                    self._pour(leaf, place)
        self.host.actor(self.world).events.fire_until(self.host.actor(self.world).now)
        spread(self.host, self.world)
        return self.harvest

    def send(self, leaf: Leaf, text: str) -> str | None:
        """One call with the text in the field; the code of its refusal."""
        operation = self.host.operations[leaf.operation]
        undone = any(ENDS.search(earlier) for earlier in operation.after)
        refused = self._try(leaf, text, self._examples() if undone else self._lasting)
        return refused and self._try(
            leaf, text, self._examples()
        )  # once more with things of its own, where one holds only one

    def _try(self, leaf: Leaf, text: str, examples: Examples) -> str | None:
        try:
            example = self._apart(examples.of(leaf.operation)[0])
            self.host.call(self._caller(leaf.operation), "rest", leaf.operation, filled(example, leaf, text))
        except OperationError as refusal:
            return refusal.code
        except LookupError:
            return "nothing_left"  # what the example is about was closed, merged or renamed before
        return None

    def _caller(self, operation: str) -> Principal:
        """Mail from outside is brought by its own bot."""
        return self.host.principal(self.world, "mail-gateway", kind="bot") if operation == "mail.receive" else self.me

    def _examples(self, known: Mapping[str, Any] | None = None) -> Examples:
        made = Examples(
            self.host.operations,
            lambda name, given: self.host.call(self._caller(name), "rest", name, self._apart(given)),
        )
        made._results.update(known or {})
        return made

    def _apart(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with names of things to be made that nothing has yet."""
        own = () if "repo" in arguments else ("name", "handle")
        more = {
            name: f"{arguments[name]}-{next(self._numbers)}" for name in own if isinstance(arguments.get(name), str)
        }
        return {
            name: HERE.get(value, value) if isinstance(value, str) else value
            for name, value in {**arguments, **more}.items()
        }

    def _mark(self, leaf: Leaf) -> bool:
        for form in FORMS:
            mark = f"zqx{next(self._numbers)}z"
            code = self.send(leaf, form.replace("{}", mark))
            if code is None:
                self.harvest.accepted[leaf] = columns_with(self.host, self.world, mark)
                return True
            self.harvest.refused[leaf] = code
        return False

    def _pour(self, leaf: Leaf, place: int) -> None:
        for limit in (limit for limit in LIMITS if limit <= (FREE if leaf.free else limit)):
            texts = packs(limit, between="\n\n" if limit > 1_000 else " ")
            chosen = [texts[(place * ROUNDS + n) % len(texts)] for n in range(min(ROUNDS, len(texts)))]
            done = [text for text in chosen if self.send(leaf, text) is None]
            if done:
                self.harvest.taken[leaf] = {payload for payload in PAYLOADS if any(payload in text for text in done)}
                return


def columns_with(host: Host, world: str, mark: str) -> set[str]:
    """The columns of a world that hold a mark."""
    raw = host.actor(world).bound.raw
    return {
        f"{table}.{column}"
        for table, names in texts_of(host).items()
        for column in names
        if raw.execute(f'SELECT 1 FROM "{table}" WHERE instr("{column}", ?) LIMIT 1', (mark,)).fetchone()
    }


def texts_of(host: Host) -> dict[str, list[str]]:
    """Columns of every table of the host's apps and company that may hold text or JSON."""
    own = tuple(f"{app}_" for app in host.apps)
    return {
        name: [column.name for column in table.columns if column.type.python_type not in (int, float, bool, bytes)]
        for name, table in sorted(SQLModel.metadata.tables.items())
        if (name in TABLES or name.startswith(own)) and table.dialect_options["sqlite"]["with_rowid"]
    }


def spread(host: Host, world: str) -> None:
    """Put payloads in place of every mark, past all limits: what a column may ever hold, every page must bear."""
    bound = host.actor(world).bound
    bound.sql.begin()
    for table, names in texts_of(host).items():
        for column in names:
            found = bound.raw.execute(
                f'SELECT rowid, "{column}" FROM "{table}" WHERE instr("{column}", \'zqx\')'
            ).fetchall()
            parts = cycle(SLICES if sum(len(MARK.findall(value)) for _, value in found) > 3 else [ALL])
            for row, value in found:
                bound.raw.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (hostile(value, parts), row))
    bound.sql.commit()


ALL, SLICES = "\n\n".join(PAYLOADS), packs(FREE)


def hostile(value: str, parts: Iterator[str]) -> str:
    """A stored text or JSON with payloads in place of its marks."""
    if value[:1] in ("{", "["):
        return orjson.dumps(_hostile(orjson.loads(value), parts)).decode()
    return MARK.sub(lambda found: next(parts) + found[0][2:], value)


def _hostile(value: Any, parts: Iterator[str]) -> Any:
    if isinstance(value, Mapping):
        return {_hostile(name, parts): _hostile(item, parts) for name, item in value.items()}
    if isinstance(value, list):
        return [_hostile(item, parts) for item in value]
    return MARK.sub(lambda _: next(parts), value) if isinstance(value, str) else value
