"""Two repositories of one network read as one, to compare a fork's branch with one of its origin."""

from collections.abc import Sequence

from apps.github.domain.context import GithubContext
from apps.github.domain.revisions import get_started_git
from apps.github.git import Repo
from apps.github.git.graph import Graph, Node, Row
from apps.github.git.path_history import Places
from apps.github.git.store import RowStore
from apps.github.models import Account, Repository
from world.core.call import Call
from world.core.errors import OperationError


class JoinedStore(RowStore):
    """Objects of a repository, with those of another where it lacks them."""

    def __init__(self, call: Call, repo_id: int, other: RowStore) -> None:
        super().__init__(call, repo_id)
        self.other = other

    def raw(self, sha: str) -> tuple[int, bytes]:
        """Return kind and content of an object. Raises KeyError."""
        try:
            return super().raw(sha)
        except KeyError:
            return self.other.raw(sha)


class JoinedGraph(Graph):
    """Commits of a repository, with those of another where it lacks them."""

    def __init__(self, call: Call, repo_id: int, other: Graph) -> None:
        super().__init__(call, repo_id)
        self.other = other

    def _load(self, sha: str) -> Node | None:
        found = super()._load(sha) or self.other.find(sha)
        if found is not None:
            self._nodes[sha] = found
        return found

    def rows(self, shas: Sequence[str]) -> list[Row]:
        """Return the rows of commits, in the order asked for."""
        known = {row.sha1: row for row in (*self.other.rows(shas), *super().rows(shas))}
        return [known[sha] for sha in shas if sha in known]


class JoinedRepo(Repo):
    """Combined git data of two repositories; refs are those of the first."""

    def __init__(self, first: Repo, second: Repo) -> None:
        super().__init__(first.call, first.id)
        self.store = JoinedStore(first.call, first.id, second.store)
        self.graph = JoinedGraph(first.call, first.id, second.graph)
        self.places = Places(self.store)


def locate_comparison(context: GithubContext, repo: Repository, base: str, head: str) -> tuple[Repo, str, str]:
    """Return the git data in which two revisions can be compared, and their commits.

    Raises not_found, empty_repository.
    """
    (base_repo, base_name), (head_repo, head_name) = (
        _resolve_revision(context, repo, base),
        _resolve_revision(context, repo, head),
    )
    ours, theirs = get_started_git(context, base_repo), get_started_git(context, head_repo)
    found = ours.resolve(base_name), theirs.resolve(head_name)
    if found[0] is None or found[1] is None:
        raise OperationError("not_found")
    return (ours if base_repo.id == head_repo.id else JoinedRepo(ours, theirs)), found[0], found[1]


def _resolve_revision(context: GithubContext, repo: Repository, name: str) -> tuple[Repository, str]:
    """Resolve `branch`, `owner:branch` or `owner:repository:branch` to a repository and revision."""
    *where, revision = name.split(":")
    if not where:
        return repo, revision
    owner = context.find_login(where[0])
    found = (
        None
        if owner is None or len(where) > 2
        else in_network(context, repo, owner, where[1] if len(where) == 2 else None)
    )
    if found is None:
        raise OperationError("not_found")
    return found, revision


def in_network(context: GithubContext, repo: Repository, owner: Account, name: str | None = None) -> Repository | None:
    """Find an owner's repository in the same fork network, if the caller may see it."""
    root = origin(context, repo)
    rows = context.call.all("SELECT id FROM github_repository WHERE owner_id = :owner ORDER BY id", {"owner": owner.id})
    for (id,) in rows:
        one = context.repo_by_id(id)
        fits = one is not None and (name is None or one.name_key == name.lower()) and origin(context, one).id == root.id
        if one is not None and fits and context.sees(one):
            return one
    return None


def origin(context: GithubContext, repo: Repository) -> Repository:
    """Return the repository at the root of a fork network."""
    seen = {repo.id}
    while repo.fork_of is not None and repo.fork_of not in seen:
        above = context.repo_by_id(repo.fork_of)
        if above is None:
            return repo
        seen.add(above.id)
        repo = above
    return repo
