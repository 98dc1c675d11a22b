"""The lock of a suite: the tasks it had when it was frozen, and the revision of each scenario."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from world.suite.suite_files import Suite, SuiteError

SUFFIX = ".lock"
MOST = 5  # names that one line of a difference lists


class SuiteLock(BaseModel):
    """The content of a lock: task ids in order, and the revision of each scenario by the name in the suite file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: Literal[1] = 1
    revisions: dict[str, str]
    tasks: list[str]


def find_lock(suite: Suite) -> Path:
    """The path of a suite's lock, beside its file."""
    return suite.path.with_suffix(SUFFIX)


def write_suite_lock(suite: Suite) -> Path:
    """Freeze a suite as it is now. Raises OSError."""
    path = find_lock(suite)
    path.write_text(json.dumps(_freeze(suite).model_dump(), indent=1) + "\n", encoding="utf-8")
    return path


def _freeze(suite: Suite) -> SuiteLock:
    revisions = {_name(suite, name): revision for name, revision in suite.revisions.items()}
    return SuiteLock(revisions=dict(sorted(revisions.items())), tasks=[task.id for task in suite.tasks])


def _name(suite: Suite, scenario: str) -> str:
    """A scenario's name; of one that is named by its path, the path from the suite's file, equal on every machine."""
    return scenario if "/" not in scenario else Path(os.path.relpath(scenario, suite.path.parent)).as_posix()


def compare_lock(suite: Suite) -> list[str]:
    """What is not as the suite's lock says, a line each; nothing for a suite without a lock. Raises SuiteError."""
    path = find_lock(suite)
    if not path.is_file():
        return []
    try:
        lock = SuiteLock.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise SuiteError(f"{path.name}: not a lock: {error.errors()[0]['msg']}") from None
    return list(_list_differences(lock, _freeze(suite)))


def _list_differences(lock: SuiteLock, now: SuiteLock) -> Iterator[str]:
    before, after = set(lock.tasks), set(now.tasks)
    yield from _list_names("tasks that the lock does not name", [one for one in now.tasks if one not in before])
    yield from _list_names("tasks that are no longer there", [one for one in lock.tasks if one not in after])
    both = [name for name in lock.revisions if name in now.revisions]
    changed = [name for name in both if lock.revisions[name] != now.revisions[name]]
    yield from _list_names("scenarios of another revision", changed)
    if before == after and lock.tasks != now.tasks:
        yield "the tasks stand in another order"


def _list_names(what: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
        yield f"{len(names)} {what}: {', '.join(names[:MOST])}{more}"


def check_lock(suite: Suite) -> None:
    """Raise SuiteError when the suite is no longer what its lock says."""
    differences = compare_lock(suite)
    if differences:
        listed = "\n  ".join(differences)
        raise SuiteError(
            f"the suite {suite.name} is not what {find_lock(suite).name} says:\n  {listed}\n"
            f"run it as it is now with --unlocked, or freeze it anew with firm suite lock"
        )
