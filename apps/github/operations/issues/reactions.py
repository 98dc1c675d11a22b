"""Reactions to issues, comments, review comments, commit comments and releases."""

from collections.abc import Callable
from typing import Literal, TypedDict

from pydantic import Field, create_model
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, node, stamp
from apps.github.domain.issue_rows import find_issue
from apps.github.domain.params import Id, PageParams, Reply, RepoRef, page_of
from apps.github.domain.review_rows import find_comment as find_line
from apps.github.models import Release, Repository
from apps.github.models_issues import CommitComment, Reaction
from apps.github.operations.issues.comments import find_comment
from apps.github.views.accounts import UserJson, user_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64

SOURCE = "docs.github.com/rest/reactions/reactions"
REPO = {"owner": "quayline", "repo": "payments"}
Content = Literal["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"]


class ReactionJson(TypedDict):
    """One reaction."""

    id: int
    node_id: str
    user: UserJson
    content: str
    created_at: str | None


class ReactionNew(RepoRef):
    """A reaction."""

    content: Content = Field(description="+1, -1, laugh, confused, heart, hooray, rocket or eyes.", examples=["+1"])


class ReactionList(RepoRef, PageParams):
    """Filter of reactions."""

    content: Content | None = Field(default=None, description="Only this one.")


class ReactionRemoval(RepoRef):
    """A reaction to remove."""

    reaction_id: Id = Field(description="The reaction's id.", examples=[1])


def reaction_json(context: GithubContext, row: Reaction) -> ReactionJson:
    """Render one reaction."""
    return {
        "id": row.id,
        "node_id": node("Reaction", row.id),
        "user": user_json(context, context.account(row.account_id)),
        "content": row.content,
        "created_at": stamp(row.created_at),
    }


def react(
    context: GithubContext, repo: Repository, subject: str, subject_id: int, content: str
) -> tuple[Reaction, bool]:
    """Add a reaction, unless the caller already has it; returns whether it is new. Raises archived."""
    if repo.archived:
        raise OperationError("archived")
    same = select(Reaction).where(
        Reaction.subject == subject,
        Reaction.subject_id == subject_id,
        Reaction.account_id == context.me.id,
        Reaction.content == content,
    )
    found = context.call.session.exec(same).first()
    if found is not None:
        return found, False
    row = Reaction(
        id=context.next_id("github_reaction"),
        subject=subject,
        subject_id=subject_id,
        account_id=context.me.id,
        content=content,
        created_at=context.call.now,
    )
    context.add(row)
    return row, True


def list_reactions(context: GithubContext, subject: str, subject_id: int, content: str | None) -> list[ReactionJson]:
    """List the reactions to a subject, oldest first."""
    query = (
        select(Reaction)
        .where(Reaction.subject == subject, Reaction.subject_id == subject_id)
        .order_by(col(Reaction.id))
    )
    return [reaction_json(context, row) for row in context.call.session.exec(query) if content in (None, row.content)]


def take_back(context: GithubContext, repo: Repository, subject: str, subject_id: int, reaction_id: int) -> None:
    """Remove a reaction: the caller's own, or any as an administrator. Raises not_found, forbidden, archived."""
    if repo.archived:
        raise OperationError("archived")
    row = context.call.session.get(Reaction, reaction_id)
    if row is None or (row.subject, row.subject_id) != (subject, subject_id):
        raise OperationError("not_found")
    if row.account_id != context.me.id:
        context.need(repo, "admin")
    context.call.session.delete(row)


Find = Callable[[GithubContext, Repository, int], int]


def _issue(context: GithubContext, repo: Repository, number: int) -> int:
    return find_issue(context, repo, number).id


def _comment(context: GithubContext, repo: Repository, id: int) -> int:
    return find_comment(context, repo, id)[0].id


def _get_line_id(context: GithubContext, repo: Repository, id: int) -> int:
    return find_line(context, repo, id)[0].id


def _commit_comment(context: GithubContext, repo: Repository, id: int) -> int:
    row = context.call.session.get(CommitComment, id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row.id


def _release(context: GithubContext, repo: Repository, id: int) -> int:
    row = context.call.session.get(Release, id)
    if row is None or row.repo_id != repo.id or (row.draft and not context.may(repo, "push")):
        raise OperationError("not_found")
    return row.id


# noun of the operations, subject of the row, argument, how it is found, an example of the argument, noun of taking back
SUBJECTS: tuple[tuple[str, str, str, Find, object, str, str], ...] = (
    ("issue", "issue", "issue_number", _issue, 1, "issue", "an issue"),
    (
        "issue-comment",
        "comment",
        "comment_id",
        _comment,
        "$issues/create-comment:id",
        "issue-comment",
        "a comment on an issue",
    ),
    (
        "pull-request-review-comment",
        "review_comment",
        "comment_id",
        _get_line_id,
        "$pulls/create-review-comment:id",
        "pull-request-comment",
        "a comment of a review",
    ),
    (
        "commit-comment",
        "commit_comment",
        "comment_id",
        _commit_comment,
        "$repos/create-commit-comment:id",
        "commit-comment",
        "a comment on a commit",
    ),
    ("release", "release", "release_id", _release, "$repos/create-release:id", "release", "a release"),
)


def _declare(noun: str, subject: str, argument: str, find: Find, example: object, taking: str, words: str) -> None:
    field = (Int64, Field(description=f"The {argument.replace('_', ' ')} of what is reacted to.", examples=[example]))
    given = {**REPO, argument: example}

    def show(call: Call, params: ReactionList) -> list[ReactionJson]:
        context = GithubContext(call)
        repo = context.repo(params.owner, params.repo)
        return page_of(
            list_reactions(context, subject, find(context, repo, getattr(params, argument)), params.content), params
        )

    def create(call: Call, params: ReactionNew) -> JsonObject:
        context = GithubContext(call)
        repo = context.repo(params.owner, params.repo)
        row, fresh = react(context, repo, subject, find(context, repo, getattr(params, argument)), params.content)
        return Reply(reaction_json(context, row), 201 if fresh else 200)

    def remove(call: Call, params: ReactionRemoval) -> None:
        context = GithubContext(call)
        repo = context.repo(params.owner, params.repo)
        take_back(context, repo, subject, find(context, repo, getattr(params, argument)), params.reaction_id)

    show.__doc__ = f"List the reactions to {words}."
    create.__doc__ = f"React to {words} with an emoji."
    remove.__doc__ = f"Take back a reaction to {words}."
    for run, base, name in (
        (show, ReactionList, "Listed"),
        (create, ReactionNew, "Reacting"),
        (remove, ReactionRemoval, "Taking"),
    ):
        model = create_model(f"{name}{noun.title().replace('-', '')}", __base__=base, **{argument: field})  # type: ignore[call-overload]
        model.__doc__ = base.__doc__
        run.__annotations__["params"] = model
    missing = ("not_found", "moved") if noun == "issue" else ("not_found",)
    app.operation(f"reactions/list-for-{noun}", units=1, source=SOURCE, examples=[given], raises=missing)(show)
    app.operation(
        f"reactions/create-for-{noun}",
        writes=True,
        units=1,
        source=SOURCE,
        examples=[{**given, "content": "+1"}],
        raises=(*missing, "archived"),
    )(create)
    app.operation(
        f"reactions/delete-for-{taking}",
        writes=True,
        units=1,
        source=SOURCE,
        examples=[{**given, "reaction_id": f"$reactions/create-for-{noun}:id"}],
        raises=(*missing, "forbidden", "archived"),
    )(remove)


for _subject in SUBJECTS:
    _declare(*_subject)
