"""Rows of checks, found by id, and the latest check of each name."""

from collections.abc import Sequence

from sqlmodel import col, select

from apps.github.domain.context import GithubContext
from apps.github.models import Repository
from apps.github.models_actions import CheckRun, CheckSuite
from world.core.errors import OperationError


def run_of(context: GithubContext, repo: Repository, id: int) -> CheckRun:
    """Return a check of a repository. Raises not_found."""
    row = context.call.session.get(CheckRun, id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row


def suite_of(context: GithubContext, repo: Repository, id: int) -> CheckSuite:
    """Return a suite of a repository. Raises not_found."""
    row = context.call.session.get(CheckSuite, id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row


def latest(context: GithubContext, suite: CheckSuite) -> list[CheckRun]:
    """Return the latest check of each name in a suite."""
    rows = context.call.session.exec(
        select(CheckRun).where(CheckRun.suite_id == suite.id).order_by(col(CheckRun.id).desc())
    ).all()
    return newest(rows)


def newest(rows: Sequence[CheckRun]) -> list[CheckRun]:
    """Return the first check of each suite and name."""
    found: dict[tuple[int, str], CheckRun] = {}
    for row in rows:
        found.setdefault((row.suite_id, row.name), row)
    return list(found.values())
