"""Loading a rubric: YAML to a compiled rubric, with every error named by file, line and mend."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, TypeGuard, get_args

import orjson
from pydantic import BaseModel, ValidationError

from world.core.json_types import is_array, is_object
from world.core.yaml_document import Document, describe_unknown, load_yaml
from world.grading.acts import spell_out
from world.grading.answers.rule import AnswerRule, compile_answer
from world.grading.compiler import Compiler
from world.grading.errors import RubricError
from world.grading.invariants import Rule, compile_rule
from world.grading.items import Allowance, Benign, Item, compile_allowance, compile_item
from world.grading.predicates import Predicates, load_predicates
from world.grading.refs import compile_refs
from world.grading.schema import (
    MAX_COMBINATIONS,
    MAX_JUDGE_SHARE,
    JudgeItem,
    PythonItem,
    RubricFile,
    Score,
    find_part,
)
from world.grading.scope import Resolver
from world.grading.tables import Table

LOCK = "rubric.lock"


@dataclass(frozen=True)
class Lock:
    """The stored labels of a rubric: `labels` from all null runs, `world` from S0 and the baseline alone."""

    rubric: str
    labels: Mapping[str, str]
    world: Mapping[str, str]
    seeds: Sequence[str] = ()


@dataclass(frozen=True)
class Rubric:
    """A compiled rubric."""

    name: str
    digest: str
    resolvers: Mapping[str, Resolver]
    items: Sequence[Item]
    choices: Sequence[Sequence[Sequence[str]]]
    allowances: Sequence[Allowance]
    benign: Sequence[Benign]
    rules: Sequence[Rule]
    answer: AnswerRule | None
    python: Sequence[PythonItem]
    predicates: Predicates
    judges: Sequence[JudgeItem]
    score: Score
    source: Document
    lock: Lock | None = None
    text: str = ""  # as it was written
    injected: Sequence[Rule] = ()  # what a text orders that was planted in the world; no part of the file

    @property
    def optional_ids(self) -> frozenset[str]:
        """Items that belong to some alternative."""
        return frozenset(id for group in self.choices for chosen in group for id in chosen)

    @property
    def parts(self) -> list[str]:
        """The chores of a composed day, in order; none in any other rubric."""
        found = (find_part(item.id) for item in (*self.items, *self.python))
        return list(dict.fromkeys(part for part in found if part))

    def combinations(self) -> Iterator[frozenset[str]]:
        """The ids that count in each combination of alternatives, in file order."""
        for chosen in product(*self.choices):
            yield self.compulsory_ids.union(*chosen)

    @property
    def compulsory_ids(self) -> frozenset[str]:
        """Items that belong to no alternative."""
        everything = [item.id for item in (*self.items, *self.python)]
        return frozenset(id for id in everything if id not in self.optional_ids)

    def list_choices_by_part(self) -> list[list[frozenset[str]]]:
        """The combinations of alternatives of each chore of a day that has several, by chore; the first is the usual."""
        found: dict[str, list[Sequence[Sequence[str]]]] = {}
        for group in self.choices:
            found.setdefault(find_part(group[0][0]), []).append(group)
        return [[frozenset[str]().union(*chosen) for chosen in product(*groups)] for groups in found.values()]

    def is_benign(self, table: str) -> bool:
        """Whether the benign columns of a table are free."""
        return any(allowance.covers(table) for allowance in self.benign)


def load_rubric(
    path: Path,
    tables: Mapping[str, Table],
    *,
    events: Iterable[str] | None = None,
    stories: Iterable[str] | None = None,
) -> Rubric:
    """Read, check and compile a rubric.yaml; predicates.py and rubric.lock beside it are read too.

    `events` and `stories` are the names the scenario and the seed know, checked when given. Raises RubricError.
    """
    return compile_rubric(
        load_yaml(Path(path), RubricError),
        tables,
        name=Path(path).parent.name,
        events=events,
        stories=stories,
        predicates=load_predicates(Path(path).with_name("predicates.py")),
        lock=read_lock(Path(path).with_name(LOCK)),
        text=Path(path).read_text(encoding="utf-8"),
    )


def compile_rubric(
    document: Document,
    tables: Mapping[str, Table],
    *,
    name: str,
    events: Iterable[str] | None = None,
    stories: Iterable[str] | None = None,
    predicates: Predicates | None = None,
    lock: Lock | None = None,
    text: str = "",
    composed: bool = False,
) -> Rubric:
    """Check and compile a rubric that has been read, or made from the facts of a draw. Raises RubricError.

    In a `composed` one, that of a day, every id begins with `<chore>#<number>.`; in others none does.
    """
    file, predicates = _validate_document(document), predicates or Predicates({})
    c = Compiler(document, tables, events=_freeze_names(events), stories=_freeze_names(stories))
    resolvers = compile_refs(dict(document.data.get("refs", {})), c)
    _check_ids(file, document, composed=composed)
    _check_predicates(file, predicates, c)
    spelled = [spell_out(spec, ("expect", index), c) for index, spec in enumerate(file.expect)]
    rubric = Rubric(
        name=name,
        digest=_digest(document, predicates),
        resolvers=resolvers,
        items=[compile_item(way, ("expect", index), c) for index, ways in enumerate(spelled) for way in ways],
        choices=_choices(file, document) + [[[way.id] for way in ways] for ways in spelled if len(ways) > 1],
        allowances=[
            compile_allowance(spec, ("allow", i), c) for i, spec in enumerate(file.allow) if spec.benign is None
        ],
        benign=[_benign(spec.benign, ("allow", i), c) for i, spec in enumerate(file.allow) if spec.benign is not None],
        rules=[compile_rule(spec, ("never", index), c) for index, spec in enumerate(file.never)],
        answer=compile_answer(file.answer, c) if file.answer else None,
        python=file.python,
        predicates=predicates,
        judges=file.judge,
        score=file.score,
        source=document,
        lock=lock,
        text=text,
    )
    _check_credit(rubric, document)
    _check_judges(rubric, document)
    return rubric


def _freeze_names(names: Iterable[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)


def _digest(document: Document, predicates: Predicates) -> str:
    text = orjson.dumps([json.loads(json.dumps(document.data)), predicates.digest], option=orjson.OPT_SORT_KEYS)
    return "b2:" + blake2b(text, digest_size=16).hexdigest()


# the shape of the file


def _validate_document(document: Document) -> RubricFile:
    try:
        return RubricFile.model_validate(document.data)
    except ValidationError as error:
        first = _choose_error(error.errors(include_url=False))
        place = tuple(
            part for part in first["loc"] if isinstance(part, int) or part in _keys_on(document.data, first["loc"])
        )
        message = _describe_error(first, document.data)
        raise document.error(place if place else tuple(first["loc"][:1]), message) from None


def _choose_error(errors: Sequence[Any]) -> Any:
    """The first error; of a union's, the one of the member that was meant."""
    start = errors[0]["loc"][:2]
    mine = [error for error in errors if error["loc"][:2] == start]
    return max(mine, key=lambda error: (len(error["loc"]), not error["type"].endswith(("_type", "literal_error"))))


def _keys_on(data: Any, place: Sequence[Any]) -> set[str]:
    """The parts of an error's place that stand in the file (pydantic adds names of union members)."""
    found: set[str] = set()
    for part in place:
        if is_object(data) and part in data:
            found.add(part)
            data = data[part]
        elif is_array(data) and isinstance(part, int) and part < len(data):
            data = data[part]
    return found


def _describe_error(error: Any, data: Any) -> str:
    kind, place = error["type"], error["loc"]
    if kind == "extra_forbidden":
        known = _list_known_keys(place[:-1])
        near = get_close_matches(str(place[-1]), known, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        return f"unknown key {place[-1]!r}; {hint}"
    if kind == "missing":
        return f"the key {place[-1]!r} is missing"
    return error["msg"].removeprefix("Value error, ")


def _list_known_keys(place: Sequence[Any]) -> list[str]:
    model: type[BaseModel] = RubricFile
    for part in place:
        if part in model.model_fields:
            model = (_models_in(model.model_fields[part].annotation) or [model])[0]
    return list(model.model_fields)


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if _is_model(annotation):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _is_model(annotation: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


# checks that need the whole file


def _check_ids(file: RubricFile, document: Document, *, composed: bool) -> None:
    seen: dict[str, str] = {}
    for section, specs in (
        ("expect", file.expect),
        ("never", file.never),
        ("python", file.python),
        ("judge", file.judge),
    ):
        for index, spec in enumerate(specs):
            if spec.id in seen or spec.id == "answer":
                raise document.error(
                    (section, index, "id"), f"the id {spec.id!r} is taken by {seen.get(spec.id, 'the answer')}"
                )
            if bool(find_part(spec.id)) != composed:
                why = "belongs to no chore of the day" if composed else "has a #, as only items of composed days have"
                raise document.error((section, index, "id"), f"the id {spec.id!r} {why}")
            seen[spec.id] = f"{section}[{index}]"
    wanted = {spec.id for spec in file.expect}
    for index, judge in enumerate(file.judge):
        if judge.on.split(".")[0] not in wanted:
            raise document.error(
                ("judge", index, "on"), describe_unknown("expect item", judge.on.split(".")[0], wanted)
            )


def _choices(file: RubricFile, document: Document) -> list[list[list[str]]]:
    """One group of sets, or several groups."""
    if not file.one_of:
        return []
    sets = [[id for id in group if isinstance(id, str)] for group in file.one_of]
    flat = all(len(ids) == len(group) for ids, group in zip(sets, file.one_of, strict=True))
    groups = [[*sets]] if flat else [[*group] for group in file.one_of]
    known = {spec.id for spec in (*file.expect, *file.python)}
    sizes = dict[str, int]()
    for number, group in enumerate(groups):
        part = find_part(_find_first_id(group))
        sizes[part] = sizes.get(part, 1) * max(len(group), 1)
        if len(group) < 2:
            raise document.error(("one_of",), "a group of alternatives has at least two sets")
        for index, chosen in enumerate(group):
            for id in chosen if isinstance(chosen, list) else [chosen]:
                if isinstance(chosen, str) or id not in known:
                    raise document.error(("one_of", index if flat else number), describe_unknown("item", id, known))
    if (size := max(sizes.values())) > MAX_COMBINATIONS:
        raise document.error(("one_of",), f"{size} combinations of alternatives; at most {MAX_COMBINATIONS}")
    return [[chosen for chosen in group if isinstance(chosen, list)] for group in groups]


def _find_first_id(group: Sequence[object]) -> str:
    return next((str(id) for some in group for id in (some if is_array(some) else ())), "")


def _benign(raw: Any, place: tuple[str | int, ...], c: Compiler) -> Benign:
    if raw == "all":
        return Benign(None)
    return Benign(frozenset(c.table(name, (*place, "benign", index)).name for index, name in enumerate(raw)))


def _check_predicates(file: RubricFile, predicates: Predicates, c: Compiler) -> None:
    for index, item in enumerate(file.python):
        name = item.call.removeprefix("predicates.")
        if name not in predicates.functions:
            raise c.error(("python", index, "call"), describe_unknown("predicate", name, predicates.functions))
        for position, table in enumerate(item.claims):
            c.table(table, ("python", index, "claims", position))


def _check_credit(rubric: Rubric, document: Document) -> None:
    answered = rubric.answer is not None and (rubric.answer.fields or rubric.answer.status == "impossible")
    if not rubric.items and not rubric.python and not answered:
        raise document.error((), "nothing earns credit: add an expect item, answer fields or a python item")
    if all(item.required == 0 for item in rubric.items) and not rubric.python and not answered:
        raise document.error(("expect",), "every expected count may be 0, so a run that does nothing earns full marks")


def _check_judges(rubric: Rubric, document: Document) -> None:
    if not rubric.judges:
        return
    judged = sum((Fraction(str(judge.weight)) for judge in rubric.judges), Fraction(0))
    for active in rubric.combinations():
        total = judged + sum(weights(rubric, active).values(), Fraction(0))
        if judged / total > Fraction(str(MAX_JUDGE_SHARE)):
            raise document.error(
                ("judge",),
                f"judge items weigh {float(judged / total):.0%} of the rubric; at most {MAX_JUDGE_SHARE:.0%}",
            )
    fields = {item.id: item.table for item in rubric.items}
    for index, judge in enumerate(rubric.judges):
        item, _, column = judge.on.partition(".")
        if column not in fields[item].columns:
            raise document.error(
                ("judge", index, "on"), describe_unknown(f"column of {fields[item].name}", column, fields[item].columns)
            )


def weights(rubric: Rubric, active: Iterable[str]) -> dict[str, Fraction]:
    """The weight of every deterministic item that counts, by id, exact."""
    chosen = frozenset(active)
    found = {item.id: Fraction(str(item.weight)) for item in (*rubric.items, *rubric.python) if item.id in chosen}
    if rubric.answer is not None:
        found |= {f"answer.{field.name}": Fraction(str(field.weight)) for field in rubric.answer.fields}
        if rubric.answer.status == "impossible":
            found["answer.status"] = Fraction(str(rubric.answer.weight))
    return found


# the lock


def read_lock(path: Path) -> Lock | None:
    """The labels beside a rubric, or None before the first check."""
    return parse_lock(path.read_text(encoding="utf-8"), path.name) if path.exists() else None


def parse_lock(text: str, name: str) -> Lock:
    """Read the labels of a lock file of a name. Raises RubricError."""
    try:
        data = orjson.loads(text)
        return Lock(data["rubric"], data["labels"], data["world"], tuple(data["seeds"]))
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise RubricError("not a lock file; write it again with `firm scenario check`", file=name) from None


def write_lock(path: Path, lock: Lock) -> None:
    """Store labels, the same bytes for the same labels."""
    data = {"rubric": lock.rubric, "labels": dict(lock.labels), "world": dict(lock.world), "seeds": sorted(lock.seeds)}
    path.write_bytes(orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n")
