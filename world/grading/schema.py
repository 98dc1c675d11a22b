"""The rubric language as pydantic models: its keys, required ones, and refusals before any name is looked up."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

NAME = r"[a-z][a-z0-9_]*"
Id = Annotated[str, StringConstraints(pattern=rf"^({NAME}#[0-9]+\.)?{NAME}$", max_length=100)]
Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Mapping_ = dict[str, Any]
Target = str | dict[str, Any]
MAX_COMBINATIONS = 64
MAX_JUDGE_SHARE = 0.10


def find_part(id: str) -> str:
    """The chore of a composed day that an item belongs to, `<chore>#<number>`; empty in any other rubric."""
    part, mark, rest = id.partition("#")
    return f"{part}#{rest.partition('.')[0]}" if mark else ""


class Strict(BaseModel):
    """Unknown keys are errors, types are exact."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Count(Strict):
    """`{min, max}`; both bounds are written out."""

    min: int = Field(ge=0)
    max: int = Field(ge=1, le=500)

    @model_validator(mode="after")
    def _check_order(self) -> "Count":
        if self.min > self.max:
            raise ValueError("min is above max")
        return self


def _one_target(item: object) -> None:
    named = [name for name in ("insert", "update", "delete") if getattr(item, name, None) is not None]
    if len(named) != 1:
        raise ValueError("needs exactly one of insert, update, delete")


class Act(BaseModel):
    """`{<act>: event.<name>, in: <app>}`: an act of the app's, done to what an event told of."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    app: str = Field(alias="in")

    @model_validator(mode="after")
    def _one_act(self) -> "Act":
        given = self.model_extra or {}
        if len(given) != 1 or not all(isinstance(of, str) and of.startswith("event.") for of in given.values()):
            raise ValueError("act takes {<act>: event.<name>, in: <app>}")
        return self

    @property
    def act_and_event(self) -> tuple[str, str]:
        """The act, and the event it is done to."""
        return next(iter((self.model_extra or {}).items()))


class Expect(Strict):
    """One thing that must have changed."""

    id: Id
    act: Act | None = None
    insert: str | None = None
    update: Target | None = None
    delete: Target | None = None
    where: Mapping_ = Field(default_factory=dict)
    set: Mapping_ | None = None
    only: list[str] | None = None
    text: Mapping_ | None = None
    by: Any = None
    count: Annotated[int, Field(ge=1, le=500)] | Count = 1
    after: Any = None
    before: Any = None
    within: str | None = None
    at: Literal["end", "write"] = "end"
    weight: Weight = 1
    gate: bool = False
    idempotent_ok: bool = False

    @model_validator(mode="after")
    def _sensible(self) -> "Expect":
        if self.act is None:
            _one_target(self)
        elif self.insert or self.update or self.delete or self.set or self.only:
            raise ValueError("an act stands for the rows that do it; leave insert, update, delete, set and only out")
        if self.update is None and (self.set is not None or self.only is not None):
            raise ValueError("set and only belong to update")
        if self.update is not None and not self.set and not self.text and not self.only:
            raise ValueError("an update needs set, text or only: which columns change?")
        if self.within is not None and self.after is None and self.act is None:
            raise ValueError("within counts from after; write both")
        return self


class Allow(Strict):
    """A bounded side effect: `max` is compulsory, except for benign columns."""

    insert: str | None = None
    update: Target | None = None
    delete: Target | None = None
    benign: Literal["all"] | list[str] | None = None
    where: Mapping_ = Field(default_factory=dict)
    set: Mapping_ | None = None
    only: list[str] | None = None
    text: Mapping_ | None = None
    by: Any = None
    max: int | None = Field(default=None, ge=1, le=500)
    gone_by_end: bool = False

    @model_validator(mode="after")
    def _check_bounds(self) -> "Allow":
        if self.benign is not None:
            if self.model_fields_set != {"benign"}:
                raise ValueError("benign stands alone")
            return self
        _one_target(self)
        if self.max is None:
            raise ValueError("an allowance needs max: how many rows may there be?")
        if self.update is not None and not self.set and not self.only:
            raise ValueError("an allowed update needs set or only: which columns may change?")
        if self.gone_by_end and self.insert is None:
            raise ValueError("gone_by_end belongs to insert")
        return self


class Step(Strict):
    """One step of a forbidden sequence."""

    insert: str | None = None
    update: str | None = None
    delete: str | None = None
    where: Mapping_ = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one(self) -> "Step":
        _one_target(self)
        return self


class Never(Strict):
    """Something that nobody may do at any time, through anybody."""

    id: Id
    write: str | None = None
    insert: str | None = None
    update: str | None = None
    delete: str | None = None
    table: str | None = None
    where: Mapping_ = Field(default_factory=dict)
    text: Mapping_ | None = None
    before: Any = None
    after: Any = None
    sequence: list[Step] | None = Field(default=None, min_length=2)
    early_retry: str | None = None
    consequences: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> "Never":
        kinds = [
            k
            for k in ("write", "insert", "update", "delete", "sequence", "early_retry")
            if getattr(self, k) is not None
        ]
        if len(kinds) != 1:
            raise ValueError("needs exactly one of write, insert, update, delete, sequence, early_retry")
        if self.table is not None and self.write != "any":
            raise ValueError("table belongs to write: any")
        if (self.sequence or self.early_retry) and (self.where or self.text):
            raise ValueError("where and text belong to a write")
        if self.early_retry and self.consequences:
            raise ValueError("consequences belong to writes")
        return self


class AnswerField(Strict):
    """One field of the answer; it holds one value."""

    type: Literal["text", "number", "money", "date", "datetime", "duration", "person", "choice", "row", "boolean"]
    value: Any = None
    eq_any: list[Any] | None = Field(default=None, min_length=1, max_length=20)
    matches: str | None = None
    unit: str | None = None
    currency: str | None = None
    tol: Any = None
    options: list[str] | None = None
    weight: Weight = 1
    gate: bool = False

    @model_validator(mode="after")
    def _check_one_way(self) -> "AnswerField":
        given = self.model_fields_set & {"value", "eq_any", "matches"}
        if len(given) != 1:
            raise ValueError("needs exactly one of value, eq_any, matches")
        if self.matches is not None and self.type != "text":
            raise ValueError("matches belongs to type text")
        if self.type == "choice" and not self.options:
            raise ValueError("a choice lists its options")
        return self


class AnswerSpec(Strict):
    """The typed final answer. `impossible` needs the expected reason, all reasons on offer, and the row that proves it."""

    status: Literal["done", "impossible"]
    fields: dict[Id, AnswerField] = Field(default_factory=dict)
    reason: str | None = None
    reasons: list[str] | None = None
    evidence: Mapping_ | None = None
    after: Any = None
    weight: Weight = 1

    @model_validator(mode="after")
    def _check_reasons(self) -> "AnswerSpec":
        if self.status == "done" and (self.reason or self.reasons or self.evidence):
            raise ValueError("reason, reasons and evidence belong to status impossible")
        if self.status == "impossible":
            if not (self.reason and self.reasons and self.evidence):
                raise ValueError("impossible needs reason, reasons and evidence")
            if self.reason not in self.reasons or len(self.reasons) < 2:
                raise ValueError("reasons lists at least two codes, the expected one among them")
        return self


class PythonItem(Strict):
    """A named predicate in predicates.py; it may claim rows of the listed tables."""

    id: Id
    call: Annotated[str, StringConstraints(pattern=r"^predicates\.[a-z][a-z0-9_]*$")]
    claims: list[str] = Field(default_factory=list)
    weight: Weight = 1
    gate: bool = False


class JudgeItem(Strict):
    """One line of prose a judge decides about the text of a claimed row. No gate: a judge never vetoes."""

    id: Id
    on: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*$")]
    rubric: str = Field(min_length=1, max_length=500)
    weight: Weight = 0.1


class Penalty(Strict):
    """Cost of each unclaimed effect, in training only."""

    penalty: float = Field(gt=0, le=1)


class Score(Strict):
    """Rules by which items become a score."""

    threshold: float = Field(default=1.0, gt=0, le=1)
    partial: Literal["weights", "none"] = "weights"
    unclaimed: Literal["veto", "degrees"] | Penalty = "degrees"


class RubricFile(Strict):
    """A whole rubric."""

    version: Literal[1]
    world: Literal["closed"]
    refs: dict[Id, Any] = Field(default_factory=dict[str, Any])
    expect: list[Expect] = Field(default_factory=list[Expect])
    one_of: list[list[str] | list[list[str]]] = Field(default_factory=list[list[str] | list[list[str]]])
    allow: list[Allow] = Field(default_factory=list[Allow])
    never: list[Never] = Field(default_factory=list[Never])
    answer: AnswerSpec | None = None
    python: list[PythonItem] = Field(default_factory=list[PythonItem])
    judge: list[JudgeItem] = Field(default_factory=list[JudgeItem])
    score: Score = Score()
