"""Keeps `apps/github/coverage.toml` complete: `python -m tests.conformance.github_coverage` adds what has a route and
is not listed.

What is listed stays as it is, but for its source; what has lost its route is dropped.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import orjson

import apps.github
from apps.github.rest.routes import LINES
from tests.conformance.github_description import METHODS, operations
from tests.conformance.github_packages import REST, published

FILE = Path(apps.github.__file__).parent / "coverage.toml"
HEAD = 'vendor = "github"\ncounted_from = "@octokit/openapi 23.0.2, api.github.com"\ntotal = {}\n'
# FIDELITY: what every client needs from the first day
FIRST = re.compile(
    r"(git|issues|pulls|search|rate-limit|meta)/.*|users/(get-authenticated|get-by-username)|checks/list-for-ref"
    r"|repos/(get|list-for-(org|user|authenticated-user)|create-(for-authenticated-user|in-org)|get-content|create-or-update-file-contents|delete-file"
    r"|list-branches|get-branch|list-commits|get-commit|compare-commits-with-basehead|get-combined-status-for-ref|create-commit-status)"
)


def routes() -> set[str]:
    """Every published operation that has a route."""
    return {line.operation for line in LINES} & set(operations())


def pages() -> dict[str, str]:
    """Where the vendor documents each operation."""
    given = orjson.loads(published(*REST).read_bytes())
    return {
        one["operationId"]: one["externalDocs"]["url"].removeprefix("https://")
        for item in given["paths"].values()
        for method, one in item.items()
        if method in METHODS
    }


def entry(id: str) -> dict[str, Any]:
    """What is said of an operation that has a route and no entry."""
    return {"state": "done", "tier": "P0" if FIRST.fullmatch(id) else "P1", "source": "", "proof": ["schema", "doc"]}


def completed(listed: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The entries as they should be, by id."""
    there, found, where = routes(), {}, pages()
    for id in sorted(there | set(listed)):
        one = listed.get(id) or entry(id)
        if one["state"] == "refused" and id in there:
            one = entry(id)
        if one["state"] == "refused" or id in there:
            found[id] = one | {"source": apps.github.app.operations[id].source if id in there else where[id]}
    return found


def written(entries: dict[str, dict[str, Any]]) -> str:
    """The file."""
    parts = [HEAD.format(len(operations()))]
    for id, one in entries.items():
        lines = [f"{name} = {orjson.dumps(value).decode()}" for name, value in one.items()]
        parts.append("\n".join([f'[method."{id}"]', *lines]).replace('","', '", "') + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    known = tomllib.loads(FILE.read_text(encoding="utf-8"))["method"] if FILE.exists() else {}
    FILE.write_text(written(completed(known)), encoding="utf-8")
