"""Code search in the files of default branches."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import orjson
from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.languages import ENDINGS
from apps.github.domain.visibility import list_visible_repositories
from apps.github.git import Entry
from apps.github.models import Repository
from apps.github.query.code import LARGEST, Code, File
from apps.github.query.request import SOURCE, Search, TextMatches, get_page, list_matches, parse_tree, results_json
from apps.github.query.tokens import fold
from apps.github.query.tree import every, terms
from apps.github.views.accounts import minimal_repo
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.json_types import JsonObject

_BLOBS = (
    "SELECT sha1, size, data FROM github_object WHERE repo_id = :repo AND size <= :most AND sha1 IN (SELECT value FROM"
    " json_each(:shas))"
)
MOST_READ, ENTRY_COST = 32 * 1024 * 1024, 100  # bytes of text one search reads, and what a path counts
Hit = tuple[Repository, str, Entry, int, str]  # repository, head, file, size, text


class CodeSearch(Search, TextMatches):
    """Query and order of a code search."""

    sort: Literal["indexed"] | None = Field(
        default=None, description="indexed; without effect here, as nothing waits for an index."
    )


@app.operation(
    "search/code",
    source=f"{SOURCE}#search-code",
    examples=[{"q": "import language:python"}],
    raises=("validation_failed", "unprocessable"),
)
def search_code(call: Call, params: CodeSearch) -> JsonObject:
    """Search files of default branches by words of their text and qualifiers: repo: path: filename: extension:
    language: size: in:.

    Deviates: words are found literally, as parts of longer ones too; nothing is ranked.
    """
    context = GithubContext(call)
    meaning = Code(context, list_visible_repositories(context))
    node = parse_tree(params.q, meaning.list_qualifiers())
    test, where = meaning.condition(node), get_page(params)
    forks = bool(every(node, "fork"))
    left = _Left()
    found = [hit for hit in _files(context, meaning.seen.ids, left, forks=forks) if test(_file(hit))]
    hits = found[where.start : where.start + where.size]
    shown = _hits_json(context, hits, terms(node) if params.mediaType else None)
    return results_json(shown, len(found), incomplete=left.bytes < 0)


def _file(hit: Hit) -> File:
    repo, _, entry, size, text = hit
    return File(repo, fold(entry.path), size, fold(text))


@dataclass
class _Left:
    """Read budget of a search in bytes; below 0 the search stops, and its results are marked incomplete."""

    bytes: int = MOST_READ

    def take(self, size: int) -> bool:
        """Count bytes about to be read; return whether the budget allows it."""
        self.bytes -= size
        return self.bytes >= 0


def _files(context: GithubContext, ids: Sequence[int], left: _Left, *, forks: bool) -> Iterator[Hit]:
    """Yield the text files on the default branches of some repositories; forks only if requested."""
    for id in ids:
        repo = context.repo_by_id(id)
        if repo is None or (repo.fork_of is not None and not forks):
            continue
        git = context.git(repo)
        head = git.branch(repo.default_branch)
        if head is not None:
            walked = git.walk(git.tree_of(head))
            entries = [entry for entry in walked if left.take(ENTRY_COST) and entry.kind == "blob"]
            yield from _of_repo(context, repo, head, entries, left)
        if left.bytes < 0:
            return


def _of_repo(context: GithubContext, repo: Repository, head: str, entries: list[Entry], left: _Left) -> Iterator[Hit]:
    shas = orjson.dumps(sorted({entry.sha for entry in entries})).decode()
    rows = {
        sha: (size, data)
        for sha, size, data in context.call.all(_BLOBS, {"repo": repo.id, "most": LARGEST, "shas": shas})
    }
    for entry in entries:
        if entry.sha not in rows:
            continue
        size, data = rows[entry.sha]
        if not left.take(size):
            return
        raw = zlib.decompress(data)
        if b"\0" not in raw[:8000]:
            yield repo, head, entry, size, raw.decode("utf-8", "replace")


def _hits_json(context: GithubContext, hits: list[Hit], sought: list[str] | None) -> list[JsonObject]:
    repos = {hit[0].id: minimal_repo(context, hit[0]) for hit in hits}
    out = []
    for repo, head, entry, size, text in hits:
        api, path = context.repo_api(repo), quote_path(entry.path)
        url = f"{api}/contents/{path}?ref={head}"
        shown = entry.path.encode("utf-8", "replace").decode()
        item: JsonObject = {
            "name": shown.rpartition("/")[2],
            "path": shown,
            "sha": entry.sha,
            "url": url,
            "git_url": f"{api}/git/blobs/{entry.sha}",
            "html_url": f"{context.repo_html(repo)}/blob/{head}/{path}",
            "repository": repos[repo.id],
            "file_size": size,
            "language": ENDINGS.get(entry.path.rpartition(".")[2].lower()),
        }
        out.append(
            item
            if sought is None
            else {**item, "text_matches": list_matches(url, "FileContent", {"content": text}, sought)}
        )
    return out
