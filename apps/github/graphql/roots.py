"""Fields of the query root: accounts and repositories by name, nodes by id or address, searches, and the rate limit."""

import base64
import re
import struct

from sqlmodel import SQLModel, col, select

from apps.github.domain.context import git_node, stamp, unnode
from apps.github.domain.review_rows import select_visible_comments
from apps.github.graphql.accounts import list_visible_teams, repository_page
from apps.github.graphql.connections import Page
from apps.github.graphql.conversations import MODELS as SUBJECTS
from apps.github.graphql.git_types import GitObject, RefAt, object_at
from apps.github.graphql.issue_lists import find_issue
from apps.github.graphql.loader import Loader, RepositoryRow
from apps.github.graphql.registry import Fact, Problem, Values, batch, field, kind_of, not_found
from apps.github.graphql.repositories import license_of
from apps.github.graphql.values import Args
from apps.github.limits import PER_HOUR, count_left
from apps.github.models import Account, Asset, Deployment, Release, Repository, Team
from apps.github.models_actions import CheckRun, CheckSuite, Run, Status, Workflow
from apps.github.models_issues import Comment, CommitComment, Event, Issue, Label, Milestone, Reaction
from apps.github.models_pulls import Review, ReviewComment, ReviewThread
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject

MODELS: dict[str, type[SQLModel]] = {
    "User": Account,
    "Organization": Account,
    "Bot": Account,
    "Repository": Repository,
    "Issue": Issue,
    "PullRequest": Issue,
    "IssueComment": Comment,
    "PullRequestReview": Review,
    "PullRequestReviewComment": ReviewComment,
    "PullRequestReviewThread": ReviewThread,
    "Label": Label,
    "Milestone": Milestone,
    "Team": Team,
    "Release": Release,
    "ReleaseAsset": Asset,
    "Reaction": Reaction,
    "CheckRun": CheckRun,
    "CheckSuite": CheckSuite,
    "StatusContext": Status,
    "WorkflowRun": Run,
    "Workflow": Workflow,
    "CommitComment": CommitComment,
    "Deployment": Deployment,
    "IssueEvent": Event,
}
GIT_KINDS = {"C": "commit", "T": "tree", "B": "blob", "TA": "tag"}
_SERVED_SHA = "0" * 40


@batch("Query", "viewer")
def viewer(near: Loader, rows: Values, args: Args) -> Values:
    """Return the calling account."""
    return [near.me]


@batch("Query", "relay")
def relay(near: Loader, rows: Values, args: Args) -> Values:
    """Return the root again."""
    return [Fact("Query")]


@batch("Query", "id")
def root_id(near: Loader, rows: Values, args: Args) -> Values:
    """Return the id of the root."""
    return ["Q_root"]


def _account(near: Loader, what: str, login: str, *kinds: str) -> Account:
    found = near.context.find_login(login) if not login.startswith("@") else None
    if found is None or found.kind not in kinds:
        raise not_found(what, f"the login of '{login}'")
    return found


@field("Query", "user")
def user(near: Loader, row: None, args: Args) -> Account:
    """Return a user by login."""
    return _account(near, "a User", args["login"], "User")


@field("Query", "organization")
def organization(near: Loader, row: None, args: Args) -> Account:
    """Return an organisation by login."""
    return _account(near, "an Organization", args["login"], "Organization")


@field("Query", "repositoryOwner")
def repository_owner(near: Loader, row: None, args: Args) -> Account | None:
    """Return a user or an organisation by login."""
    found = near.context.find_login(args["login"])
    return found if found is not None and found.kind != "Bot" else None


@field("Query", "repository")
def repository(near: Loader, row: None, args: Args) -> Repository:
    """Return a repository by owner and name."""
    try:
        return near.context.repo(args["owner"], args["name"])
    except Outage:
        raise
    except OperationError:
        raise not_found("a Repository", f"the name '{args['owner']}/{args['name']}'") from None


@field("Query", "topic")
def topic(near: Loader, row: None, args: Args) -> Fact | None:
    """Return a topic of a repository that the caller sees."""
    name = args["name"].lower()
    rows = near.call.session.exec(select(Repository).where(col(Repository.id).in_(near.visible_repositories)))
    return Fact("Topic", id=git_node("TO", 0, name), name=name) if any(name in one.topics for one in rows) else None


@field("Topic", "repositories")
def topic_repositories(near: Loader, row: Fact, args: Args) -> Page:
    """Return the repositories with a topic."""
    rows = near.call.session.exec(select(Repository).where(col(Repository.id).in_(near.visible_repositories)))
    ids = [one.id for one in rows if row["name"] in one.topics]
    return repository_page(near, [col(Repository.id).in_(ids)], args)


@batch("Query", "meta")
def meta(near: Loader, rows: Values, args: Args) -> Values:
    """Return the metadata of the service."""
    return [Fact("GitHubMetadata", gitHubServicesSha=_SERVED_SHA, isPasswordAuthenticationVerifiable=False)]


@batch("Query", "rateLimit")
def rate_limit(near: Loader, rows: Values, args: Args) -> Values:
    """Return the state of the hourly quota after this query."""
    return [Fact("RateLimit", cost=1, limit=PER_HOUR, nodeCount=near.nodes, **rate_limit_state(near))]


def rate_limit_state(near: Loader) -> JsonObject:
    """Return the remaining and used points, and the time when the first used point is restored."""
    call = near.call
    left = count_left(call.all, call.person, call.now, call.seq, "graphql", ())
    used = min(left.used + 1, left.limit)
    return {"remaining": left.limit - used, "used": used, "resetAt": stamp(left.reset * 1_000_000)}


# -- anything by its id


@batch("Query", "node")
def node_of(near: Loader, rows: Values, args: Args) -> Values:
    """Return a node by its id."""
    return [_node(near, args["id"])]


@batch("Query", "nodes")
def nodes_of(near: Loader, rows: Values, args: Args) -> Values:
    """Return several nodes by their ids."""
    if len(args["ids"]) > 100:
        raise Problem(
            "You may not provide more than 100 node ids; you provided " + str(len(args["ids"])) + ".", "ARGUMENT_LIMIT"
        )
    return [[_node(near, id) for id in args["ids"]]]


def _node(near: Loader, id: str) -> object:
    found = by_node(near, id)
    return (
        found
        if found is not None
        else Problem(f"Could not resolve to a node with the global id of '{id}'", "NOT_FOUND")
    )


def by_node(near: Loader, id: str) -> object:
    """Return the row of a node id, if the caller may see it."""
    known = unnode(id)
    if known is None:
        return _git_thing(near, id)
    kind, numbers = known
    model = MODELS.get(kind)
    if model is None:
        return None
    found = near.call.session.get(model, numbers[-1])
    return found if found is not None and _is_seen(near, kind, found) else None


def _is_seen(near: Loader, kind: str, row: object) -> bool:
    if isinstance(row, Account):
        return row.kind == kind
    if isinstance(row, Repository):
        return near.context.sees(row)
    if isinstance(row, Team):
        return row in list_visible_teams(near, near.context.account(row.org_id))
    if isinstance(row, Asset):
        release = near.row(Release, row.release_id)
        return release is not None and _is_seen(near, "Release", release)
    if isinstance(row, Reaction):
        subject = near.row(SUBJECTS[row.subject], row.subject_id)
        return subject is not None and _is_seen(near, kind_of(subject), subject)
    return isinstance(row, RepositoryRow) and near.repo(row.repo_id) is not None and _is_shown(near, kind, row)


def _is_shown(near: Loader, kind: str, row: RepositoryRow) -> bool:
    """Whether the caller sees a row of a visible repository; drafts of others stay hidden."""
    if isinstance(row, Issue):
        return row.is_pull == (kind == "PullRequest")
    if isinstance(row, Release):
        return not row.draft or near.context.may(near.home(row), "push")
    if isinstance(row, Review):
        return row.state != "PENDING" or row.author_id == near.me.id
    if isinstance(row, ReviewComment):
        return (
            near.call.session.exec(select_visible_comments(near.context, ReviewComment.id == row.id)).first()
            is not None
        )
    if isinstance(row, ReviewThread):
        return (
            near.call.session.exec(select_visible_comments(near.context, ReviewComment.thread_id == row.id)).first()
            is not None
        )
    return True


def git_name(id: str) -> tuple[str, int, str] | None:
    """Parse prefix, repository and name of the node id of a git object or ref."""
    prefix, _, packed = id.rpartition("_")
    try:
        raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except ValueError:
        return None
    if len(raw) < 9 or raw[:3] != b"\x93\x00\xce" or raw[7] != 0xD9:
        return None
    return prefix, struct.unpack(">I", raw[3:7])[0], raw[9:].decode("utf-8", "replace")


def _git_thing(near: Loader, id: str) -> object:
    named = git_name(id)
    repo = near.repo(named[1]) if named is not None else None
    if named is None or repo is None:
        return license_of(named[2]) if named is not None and named[0] == "MDc" else None
    prefix, _, name = named
    if prefix == "REF":
        target = near.git(repo).ref(name)
        return RefAt(repo.id, name, target) if target is not None else None
    if prefix in GIT_KINDS and near.git(repo).kind(name) == GIT_KINDS[prefix]:
        return object_at(near, repo, name)
    return None


# -- anything by its address

_PAGE = re.compile(
    r"/(?P<owner>[^/]+)(?:/(?P<repo>[^/]+)(?:/(?P<kind>issues|pull|commit|milestone|releases/tag)/(?P<name>[^/#?]+))?)?/?(?:#.*)?"
)


@field("Query", "resource")
def resource(near: Loader, row: None, args: Args) -> object:
    """Return the object whose page has an address."""
    path = near.context.page_path(args["url"])
    found = _PAGE.fullmatch(path)
    if found is None:
        return None
    if found["repo"] is None:
        return near.context.find_login(found["owner"])
    try:
        repo = near.context.repo(found["owner"], found["repo"])
    except Outage:
        raise
    except OperationError:
        return None
    return repo if found["kind"] is None else _in_repository(near, repo, found["kind"], found["name"])


def _in_repository(
    near: Loader, repo: Repository, kind: str, name: str
) -> GitObject | Issue | Milestone | Release | None:
    if kind in ("issues", "pull"):
        return find_issue(near, repo, int(name)) if name.isdecimal() and len(name) < 10 else None
    if kind == "commit":
        return object_at(near, repo, name)
    if kind == "milestone":
        number = int(name) if name.isdecimal() and len(name) < 10 else 0
        return near.call.session.exec(
            select(Milestone).where(Milestone.repo_id == repo.id, Milestone.number == number)
        ).first()
    found = near.call.session.exec(
        select(Release).where(Release.repo_id == repo.id, Release.tag == name).order_by(col(Release.id))
    ).first()
    return found if found is not None and _is_shown(near, "Release", found) else None
