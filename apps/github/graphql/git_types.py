"""Resolvers of git objects: refs, commits, trees, files, tags, and comparisons of two revisions."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from dulwich.objects import Tag

from apps.github.domain import markup
from apps.github.domain.context import git_node, unnode
from apps.github.domain.languages import ENDINGS
from apps.github.domain.revisions import seconds
from apps.github.git import Entry, history
from apps.github.git.diff import file_diff
from apps.github.git.graph import Row
from apps.github.git.tree_diff import list_changes
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import Fact, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models import Account, Repository
from apps.github.operations.repositories.commits import parent_tree
from apps.github.views.git_objects import accounts_by_email, when
from apps.github.views.urls import archive_url

HEADS, TAGS = "refs/heads/", "refs/tags/"


@dataclass(frozen=True, slots=True)
class CommitAt:
    """A commit of a repository."""

    repo_id: int
    row: Row
    typename = "Commit"


@dataclass(frozen=True, slots=True)
class ObjectAt:
    """A tree, blob or tag of a repository; `path` is where the object was found."""

    repo_id: int
    sha: str
    typename: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class RefAt:
    """A ref of a repository."""

    repo_id: int
    name: str
    target: str
    typename = "Ref"

    @property
    def short(self) -> str:
        """The name without `refs/heads/` or `refs/tags/`."""
        return next(
            (self.name.removeprefix(one) for one in (HEADS, TAGS) if self.name.startswith(one)),
            self.name.removeprefix("refs/"),
        )


GitObject = CommitAt | ObjectAt


def text(value: str) -> str:
    """Convert a text of git for JSON."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# -- finding


def commits(near: Loader, repo: Repository, shas: Iterable[str]) -> dict[str, CommitAt]:
    """Return commits of a repository by SHA."""
    wanted = list(dict.fromkeys(shas))
    return {row.sha1: CommitAt(repo.id, row) for row in near.git(repo).graph.rows(wanted)} if wanted else {}


def commits_of(near: Loader, wanted: Sequence[tuple[int, str | None]]) -> list[CommitAt | None]:
    """Return commits by (repository, SHA), read once per repository."""
    found: dict[tuple[int, str], CommitAt] = {}
    for repo_id in {id for id, _ in wanted}:
        repo = near.context.repo_by_id(repo_id)
        assert repo is not None
        here = commits(near, repo, [sha for id, sha in wanted if id == repo_id and sha is not None])
        found |= {(repo_id, sha): one for sha, one in here.items()}
    return [found.get((id, sha)) if sha is not None else None for id, sha in wanted]


def commit_at(near: Loader, repo: Repository, sha: str | None) -> CommitAt | None:
    """Return one commit."""
    return commits(near, repo, [sha]).get(sha) if sha else None


def object_at(near: Loader, repo: Repository, sha: str, path: str = "") -> GitObject | None:
    """Return any object of a repository."""
    kind = near.git(repo).kind(sha)
    if kind == "commit":
        return commit_at(near, repo, sha)
    return None if kind is None else ObjectAt(repo.id, sha, kind.capitalize(), path)


def find_object(near: Loader, repo: Repository, expression: str) -> GitObject | None:
    """Find the object of a revision expression: `main`, `HEAD:path`, `v1^{}`, a SHA."""
    git = near.git(repo)
    revision, found, path = expression.partition(":")
    revision = revision.removesuffix("^{}").removesuffix("^{commit}")
    name = repo.default_branch if revision == "HEAD" else revision
    if not found:
        target = git.ref(f"{HEADS}{name}") or git.ref(f"{TAGS}{name}") or git.ref(name)
        plain = revision != expression
        if target is not None:
            return commit_at(near, repo, git.peel(target)) if plain else object_at(near, repo, target)
        return object_at(near, repo, name) if len(name) == 40 else commit_at(near, repo, git.resolve(name))
    sha = git.resolve(name)
    entry = git.at(git.tree_of(sha), path) if sha is not None else None
    return None if entry is None else object_at(near, repo, entry.sha, path.strip("/"))


def refs_page(near: Loader, repo: Repository, args: Args) -> Page:
    """Return refs under a prefix."""
    prefix = args["refPrefix"].rstrip("/") + "/"
    rows = [RefAt(repo.id, name, target) for name, target in near.git(repo).refs(prefix).items()]
    if args.get("query"):
        rows = [one for one in rows if args["query"].lower() in one.name.lower()]
    order = args.get("orderBy") or {"field": "ALPHABETICAL", "direction": args.get("direction") or "ASC"}
    if order["field"] == "TAG_COMMIT_DATE":
        dates = {
            one.name: near.git(repo).graph.node(sha).at
            for one in rows
            if (sha := near.git(repo).peel(one.target)) is not None
        }
        rows.sort(key=lambda one: dates.get(one.name, 0))
    if order["direction"] == "DESC":
        rows.reverse()
    return page_of_rows(rows, args, lambda one: one.name, ordered=False)


def ref_at(near: Loader, repo: Repository, name: str) -> RefAt | None:
    """Return a ref by its name, with or without `refs/heads/`."""
    for full in (name, f"refs/{name}", f"{HEADS}{name}", f"{TAGS}{name}"):
        target = near.git(repo).ref(full)
        if target is not None and full.startswith("refs/"):
            return RefAt(repo.id, full, target)
    return None


# -- refs

each(
    "Ref",
    id=lambda near, row: git_node("REF", row.repo_id, row.name),
    name=lambda near, row: row.short,
    prefix=lambda near, row: row.name.removesuffix(row.short),
    repository=lambda near, row: near.home(row),
)


@batch("Ref", "target")
def targets(near: Loader, rows: Sequence[RefAt], args: Args) -> Values:
    """Return the targets of refs; commits are read together."""
    found = commits_of(near, [(row.repo_id, row.target) for row in rows])
    return [one or object_at(near, near.home(row), row.target) for one, row in zip(found, rows, strict=True)]


@field("Ref", "compare")
def compare(near: Loader, row: RefAt, args: Args) -> Fact | None:
    """Compare a ref with a head."""
    repo = near.home(row)
    git = near.git(repo)
    base, head = git.peel(row.target), git.resolve(args["headRef"])
    if base is None or head is None:
        return None
    ahead, behind = history.ahead_behind(git, base, head)
    state = "IDENTICAL" if base == head else "DIVERGED" if ahead and behind else "AHEAD" if ahead else "BEHIND"
    return Fact(
        "Comparison",
        id=git_node("CMP", repo.id, f"{base}...{head}"),
        aheadBy=ahead,
        behindBy=behind,
        status=state,
        repo=repo,
        baseTarget=commit_at(near, repo, base),
        headTarget=commit_at(near, repo, head),
        ends=(base, head),
    )


@field("Comparison", "commits")
def list_ahead_commits(near: Loader, row: Fact, args: Args) -> Page:
    """List the commits that a head has and the base lacks."""
    base, head = row["ends"]
    rows = [CommitAt(row["repo"].id, one) for one in history.between(near.git(row["repo"]), base, head)]
    return page_of_rows(
        rows, args, lambda one: one.row.sha1, ordered=False, authorCount=len({one.row.author_email for one in rows})
    )


# -- commits

OBJECTS = "Commit Tree Blob Tag"
each(
    "Tree Blob Tag",
    oid=lambda near, row: row.sha,
    abbreviatedOid=lambda near, row: row.sha[:7],
    repository=lambda near, row: near.home(row),
    id=lambda near, row: git_node("TA" if row.typename == "Tag" else row.typename[0], row.repo_id, row.sha),
    commitResourcePath=lambda near, row: f"{near.path(row)}/commit/{row.sha}",
    commitUrl=lambda near, row: near.url(f"{near.path(row)}/commit/{row.sha}"),
)
each(
    "Commit",
    oid=lambda near, one: one.row.sha1,
    abbreviatedOid=lambda near, one: one.row.sha1[:7],
    repository=lambda near, one: near.home(one),
    id=lambda near, one: git_node("C", one.repo_id, one.row.sha1),
    message=lambda near, one: text(one.row.message.removesuffix("\n")),
    messageHeadline=lambda near, one: text(one.row.subject),
    messageBody=lambda near, one: _body(one),
    messageHeadlineHTML=lambda near, one: markup.html(text(one.row.subject)),
    messageBodyHTML=lambda near, one: markup.html(_body(one)),
    authoredDate=lambda near, one: when(one.row.authored_at),
    committedDate=lambda near, one: when(one.row.committed_at),
    authoredByCommitter=lambda near, one: one.row.author_email == one.row.committer_email,
    resourcePath=lambda near, one: _commit(near, one),
    url=lambda near, one: near.url(_commit(near, one)),
    commitResourcePath=lambda near, one: _commit(near, one),
    commitUrl=lambda near, one: near.url(_commit(near, one)),
    tree=lambda near, one: ObjectAt(one.repo_id, one.row.tree, "Tree"),
    treeResourcePath=lambda near, one: f"{near.path(one)}/tree/{one.row.sha1}",
    treeUrl=lambda near, one: near.url(f"{near.path(one)}/tree/{one.row.sha1}"),
    tarballUrl=lambda near, one: archive_url(near.context, near.home(one), "tar.gz", one.row.sha1),
    zipballUrl=lambda near, one: archive_url(near.context, near.home(one), "zip", one.row.sha1),
    additions=lambda near, one: _size(near, one)[0],
    deletions=lambda near, one: _size(near, one)[1],
    changedFiles=lambda near, one: _size(near, one)[2],
    changedFilesIfAvailable=lambda near, one: _size(near, one)[2],
)


def _commit(near: Loader, one: CommitAt) -> str:
    return f"{near.path(one)}/commit/{one.row.sha1}"


def _body(one: CommitAt) -> str:
    return text(one.row.message.strip("\n").partition("\n")[2].strip("\n"))


def _size(near: Loader, one: CommitAt) -> tuple[int, int, int]:
    def count() -> tuple[int, int, int]:
        git = near.git(near.home(one))
        files = [file_diff(git, change) for change in list_changes(git, parent_tree(git, one.row), one.row.tree)]
        return sum(file.additions for file in files), sum(file.deletions for file in files), len(files)

    return near.once("commit_size", (one.repo_id, one.row.sha1), count)


def _iso(at: int, zone: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=min(max(at, 0), 253_402_214_400))
    if not zone or abs(zone) >= 24 * 60:
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    return moment.astimezone(timezone(timedelta(minutes=zone))).isoformat()


def actors(near: Loader, people: Sequence[tuple[str, str, int, int]]) -> list[Fact]:
    """Return authors or committers: name, address, time and zone from the commits, and accounts by address."""
    known = accounts_by_email(near.context, {email for _, email, _, _ in people})
    return [
        Fact(
            "GitActor", name=text(name), email=text(email), date=_iso(at, zone), user=_person(known.get(email.lower()))
        )
        for name, email, at, zone in people
    ]


def _person(account: Account | None) -> Account | None:
    return account if account is not None and account.kind == "User" else None


@field("GitActor", "avatarUrl")
def actor_picture(near: Loader, row: Fact, args: Args) -> str:
    """Return the address of an avatar."""
    return near.context.avatar(row["user"])


@batch("Commit", "author")
def authors(near: Loader, rows: Sequence[CommitAt], args: Args) -> list[Fact]:
    """Return the authors of commits."""
    return actors(
        near, [(one.row.author_name, one.row.author_email, one.row.authored_at, one.row.author_zone) for one in rows]
    )


@batch("Commit", "committer")
def committers(near: Loader, rows: Sequence[CommitAt], args: Args) -> Values:
    """Return the committers of commits."""
    return actors(
        near,
        [
            (one.row.committer_name, one.row.committer_email, one.row.committed_at, one.row.committer_zone)
            for one in rows
        ],
    )


@batch("Commit", "authors")
def all_authors(near: Loader, rows: Sequence[CommitAt], args: Args) -> Values:
    """Return pages with the author of each commit."""
    return [page_of_rows([actor], args, lambda one: one["email"]) for actor in authors(near, rows, args)]


@batch("Commit", "parents")
def parents(near: Loader, rows: Sequence[CommitAt], args: Args) -> Values:
    """Return the parents of commits."""
    wanted = [(one.repo_id, sha) for one in rows for sha in one.row.parents.split()]
    found = {(one.repo_id, one.row.sha1): one for one in commits_of(near, wanted) if one is not None}
    return [
        page_of_rows(
            [found[one.repo_id, sha] for sha in one.row.parents.split() if (one.repo_id, sha) in found],
            args,
            lambda up: up.row.sha1,
            ordered=False,
        )
        for one in rows
    ]


@field("Commit", "history")
def log(near: Loader, one: CommitAt, args: Args) -> Page:
    """Return the history of a commit, newest first."""
    git = near.git(near.home(one))
    emails = _emails(near, args.get("author"))
    rows = history.log(
        git,
        [one.row.sha1],
        path=args.get("path"),
        author=emails,
        since=seconds(args.get("since"), "since"),
        until=seconds(args.get("until"), "until"),
    )
    return page_of_rows([CommitAt(one.repo_id, row) for row in rows], args, lambda row: row.row.sha1, ordered=False)


def _emails(near: Loader, author: Args | None) -> list[str] | None:
    if author is None:
        return None
    named = unnode(author["id"]) if author.get("id") else None
    found = near.row(Account, named[1][-1]) if named is not None and named[0] == "User" else None
    return [*(author.get("emails") or []), *([found.email] if found is not None and found.email else [])]


@field("Commit", "file")
def file(near: Loader, one: CommitAt, args: Args) -> Fact | None:
    """Return an entry of a commit's tree by path."""
    entry = near.git(near.home(one)).at(one.row.tree, args["path"])
    return None if entry is None else _entry(near, near.home(one), entry)


# -- trees, files and tags


@batch("Tree", "entries")
def entries(near: Loader, rows: Sequence[ObjectAt], args: Args) -> Values:
    """Return the entries of trees."""
    return [
        [_entry(near, near.home(row), one) for one in near.git(near.home(row)).entries(row.sha, row.path)]
        for row in rows
    ]


def _entry(near: Loader, repo: Repository, entry: Entry) -> Fact:
    name = text(entry.name)
    _, dotted, ending = name.rpartition(".")
    return Fact(
        "TreeEntry",
        name=name,
        nameRaw=_raw(entry.name),
        path=text(entry.path),
        pathRaw=_raw(entry.path),
        mode=entry.mode,
        oid=entry.sha,
        type=entry.kind,
        extension=f".{ending}" if dotted else "",
        repository=repo,
        language=language(ENDINGS.get(ending.lower())) if dotted else None,
        entry=entry,
    )


def _raw(value: str) -> str:
    return base64.b64encode(value.encode("utf-8", "surrogateescape")).decode()


def language(name: str | None) -> Fact | None:
    """Return a language by name."""
    return None if name is None else Fact("Language", id=git_node("L", 0, name), name=name, color=None)


@batch("TreeEntry", "object")
def entry_objects(near: Loader, rows: Sequence[Fact], args: Args) -> Values:
    """Return the objects of entries."""
    return [
        (
            None
            if row["type"] == "commit"
            else ObjectAt(row["repository"].id, row["oid"], row["type"].capitalize(), row["entry"].path)
        )
        for row in rows
    ]


@batch("TreeEntry", "size")
def entry_sizes(near: Loader, rows: Sequence[Fact], args: Args) -> Values:
    """Return the sizes of entries that are files."""
    return [len(_blob(near, row["repository"], row["oid"])) if row["type"] == "blob" else 0 for row in rows]


@batch("TreeEntry", "lineCount")
def entry_lines(near: Loader, rows: Sequence[Fact], args: Args) -> Values:
    """Return the number of lines of entries that are files."""
    return [
        len(_blob(near, row["repository"], row["oid"]).splitlines()) if row["type"] == "blob" else None for row in rows
    ]


def _blob(near: Loader, repo: Repository, sha: str) -> bytes:
    return near.once("blob", (repo.id, sha), lambda: near.git(repo).blob(sha))


def _content(near: Loader, row: ObjectAt) -> bytes:
    return _blob(near, near.home(row), row.sha)


def is_binary(data: bytes) -> bool:
    """Whether git treats a file as binary."""
    return b"\0" in data[:8000]


MOST_TEXT = 512_000  # bytes of a file that are shown as text

each(
    "Blob",
    byteSize=lambda near, row: len(_content(near, row)),
    isBinary=lambda near, row: is_binary(_content(near, row)),
    isTruncated=lambda near, row: len(_content(near, row)) > MOST_TEXT,
    text=lambda near, row: _text(_content(near, row)),
)
each(
    "Tag",
    name=lambda near, row: text(_tag(near, row).name.decode("utf-8", "surrogateescape")),
    message=lambda near, row: text((_tag(near, row).message or b"").decode("utf-8", "surrogateescape")).removesuffix(
        "\n"
    ),
    target=lambda near, row: object_at(near, near.home(row), _tag(near, row).object[1].decode()),
    tagger=lambda near, row: _tagger(near, row),
)


def _text(data: bytes) -> str | None:
    return None if is_binary(data) else data[:MOST_TEXT].decode("utf-8", "replace")


def _tag(near: Loader, row: ObjectAt) -> Tag:
    return near.once("tag", (row.repo_id, row.sha), lambda: near.git(near.home(row)).tag(row.sha))


def _tagger(near: Loader, row: ObjectAt) -> Fact | None:
    tag = _tag(near, row)
    if tag.tagger is None:
        return None
    name, _, email = tag.tagger.decode("utf-8", "surrogateescape").rpartition(" <")
    return actors(near, [(name, email.removesuffix(">"), tag.tag_time or 0, (tag.tag_timezone or 0) // 60)])[0]
