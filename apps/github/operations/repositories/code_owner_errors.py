"""Errors in a repository's CODEOWNERS file."""

from collections.abc import Iterator
from typing import TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.code_owners import MAX_BYTES, PLACES, find_team, team_writes
from apps.github.domain.context import GithubContext, rank
from apps.github.domain.params import Ref, RepoRef
from apps.github.domain.revisions import head_of
from apps.github.models import Repository
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject


class ErrorJson(TypedDict):
    """Response of `_error`."""

    line: int
    column: int
    source: str
    kind: str
    suggestion: str
    message: str


class Owners(RepoRef):
    """A CODEOWNERS file to check."""

    ref: Ref | None = Field(default=None, description="Branch, tag or commit; the default branch if left out.")


@app.operation(
    "repos/codeowners-errors",
    units=1,
    source="docs.github.com/rest/repos/repos#list-codeowners-errors",
    examples=[{"owner": "quayline", "repo": "payments"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def codeowners_errors(call: Call, params: Owners) -> JsonObject:
    """List the errors in the CODEOWNERS file: owners that are unknown or may not write, invalid patterns."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = context.git(repo)
    tree = git.tree_of(head_of(context, repo, params.ref))
    found = next((entry for path in PLACES if (entry := git.at(tree, path)) is not None and entry.kind == "blob"), None)
    if found is None:
        raise OperationError("not_found")
    data = git.blob(found.sha)
    text = data.decode("utf-8", "replace") if len(data) < MAX_BYTES else ""
    return {
        "errors": [
            one | {"path": found.path}
            for number, line in enumerate(text.splitlines(), 1)
            for one in _of_line(context, repo, number, line)
        ]
    }


def _of_line(context: GithubContext, repo: Repository, number: int, line: str) -> Iterator[ErrorJson]:
    rule = line.partition(" #")[0]
    pattern, *owners = rule.split() or [""]
    if not pattern or pattern.startswith("#"):
        return
    if pattern.startswith("!") or "[" in pattern:
        yield _error(number, line, pattern, "Invalid pattern", "Did you mean to write this without ! or [ ]?")
        return
    for name in owners:
        why = _describe_unknown(context, repo, name)
        if why is not None:
            yield _error(number, line, name, *why)


def _describe_unknown(context: GithubContext, repo: Repository, name: str) -> tuple[str, str] | None:
    """Return error kind and suggestion for an invalid owner."""
    if "@" not in name:
        return "Invalid owner", "use @username, @org/team or an e-mail address"
    if "/" in name:
        team = find_team(context, name.removeprefix("@"))
        known = team is not None and team_writes(context, repo, team)
    else:
        account = context.find_login(name[1:]) if name.startswith("@") else context.by_email(name)
        known = account is not None and rank(context.level(repo, account)) >= rank("push")
    what = "the team" if "/" in name else "the user"
    return (
        None if known else ("Unknown owner", f"make sure {what} {name} exists and has write access to the repository")
    )


def _error(number: int, line: str, word: str, kind: str, suggestion: str) -> ErrorJson:
    column = line.find(word) + 1
    told = f"{kind} on line {number}: {suggestion}\n\n  {line}\n  {' ' * (column - 1)}^"
    return {"line": number, "column": column, "source": line, "kind": kind, "suggestion": suggestion, "message": told}
