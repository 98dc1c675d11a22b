"""Grading: a rubric and the frozen evidence of a run in, a verdict out."""

from world.grading.customer_promises import agrees, find_promises, find_withdrawals
from world.grading.customer_promises.concessions import find_concession
from world.grading.directory import Directory
from world.grading.errors import GraderError, RubricError
from world.grading.explain import explain
from world.grading.grade import grade
from world.grading.inputs import Answer, CallRow, Change, Evidence, FiredEvent, Provenance, Rows, SeedRows
from world.grading.judge import Cassette, HttpJudge, Judge, JudgeError, JudgeSettings
from world.grading.labels import label_items, lock_of
from world.grading.predicates import Finding, Run
from world.grading.rubric_loader import Lock, Rubric, load_rubric, read_lock, write_lock
from world.grading.scope import PersonRef, RowRef
from world.grading.tables import Table, describe
from world.grading.verdict import Verdict

__all__ = [
    "Answer",
    "CallRow",
    "Cassette",
    "Change",
    "Directory",
    "Evidence",
    "Finding",
    "FiredEvent",
    "GraderError",
    "HttpJudge",
    "Judge",
    "JudgeError",
    "JudgeSettings",
    "Lock",
    "Provenance",
    "PersonRef",
    "RowRef",
    "Rows",
    "Rubric",
    "RubricError",
    "Run",
    "SeedRows",
    "Table",
    "Verdict",
    "agrees",
    "describe",
    "explain",
    "find_concession",
    "find_promises",
    "find_withdrawals",
    "grade",
    "label_items",
    "load_rubric",
    "lock_of",
    "read_lock",
    "write_lock",
]
