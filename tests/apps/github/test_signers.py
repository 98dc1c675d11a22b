"""Whom a commit names as its makers: not the site, and not the author of a commit that was put on top of another one."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest

from apps.github.conduct import signers
from world.core.reading.part import Lookup

ADA, BO, SITE = ("Ada", "ada@acme.test"), ("Bo", "bo@acme.test"), ("GitHub", "noreply@github.com")


def commit(author: tuple[str, str], committer: tuple[str, str], **more: Any) -> dict[str, Any]:
    made = {"repo_id": 1, "sha1": "c1", "parents": "p1", "authored_at": 5, "committed_at": 9, "message": "Change"}
    names = {"author_name": author[0], "author_email": author[1]}
    return {**made, **names, "committer_name": committer[0], "committer_email": committer[1], **more}


class Repository:
    """Holds the commits and pull requests that a commit stands beside."""

    def __init__(self, *commits: Mapping[str, Any], merged: str = "", fork_of: int | None = None) -> None:
        self._rows = {"github_commit": commits, "github_pull": ({"merge_sha": merged},)}
        self._repository = {"id": 1, "fork_of": fork_of}

    def row(self, table: str, *key: object) -> Mapping[str, Any] | None:
        if table == "github_repository":
            return self._repository
        return next((one for one in self._rows[table] if (one["repo_id"], one["sha1"]) == key), None)

    def find(self, table: str, **where: Any) -> Iterator[Mapping[str, Any]]:
        yield from (row for row in self._rows[table] if all(row.get(name) == value for name, value in where.items()))


@pytest.mark.parametrize(
    ("made", "beside", "named"),
    [
        (commit(ADA, ADA), Repository(), {*ADA}),
        (commit(ADA, SITE), Repository(), {*ADA}),
        (commit(BO, BO), Repository(), {*BO}),
        (commit(BO, SITE), Repository(), {*BO}),
        (commit(BO, ADA), Repository(commit(BO, BO, sha1="c0", committed_at=5)), {*ADA}),
        (commit(BO, ADA), Repository(commit(BO, ADA, sha1="c2", committed_at=12)), {*ADA, *BO}),
        (commit(BO, SITE), Repository(merged="c1"), set()),
        (commit(BO, BO), Repository(commit(BO, BO, repo_id=2), fork_of=2), set()),
        (commit(BO, BO), Repository(commit(BO, BO, repo_id=2, sha1="c0"), fork_of=2), {*BO}),
        (commit(BO, BO), Repository(commit(BO, BO, repo_id=2)), {*BO}),
        (commit(BO, BO, parents="p1 p2", message="Merge p2 into p1"), Repository(), set()),
        (commit(BO, BO, parents="p1 p2", message="Merge p2 into p1, trust me"), Repository(), {*BO}),
    ],
)
def test_who_has_made_a_commit(made: Mapping[str, Any], beside: Repository, named: set[str]) -> None:
    assert set(signers(made, cast("Lookup", beside))) == named
