"""Resolvers common to issues, pull requests, comments and reviews: author, text, reactions."""

from collections.abc import Sequence
from itertools import groupby

from sqlmodel import col, select

from apps.github.domain import markup
from apps.github.domain.context import node, stamp
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.git_types import CommitAt, commits_of
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import TYPES, Fact, Values, batch, each, field, kind_of
from apps.github.graphql.values import Args
from apps.github.models import Release
from apps.github.models_issues import Comment, CommitComment, Issue, Label, Milestone, Reaction
from apps.github.models_pulls import Review, ReviewComment

TYPES[Issue] = lambda row: "PullRequest" if row.is_pull else "Issue"
TYPES[Comment], TYPES[CommitComment], TYPES[Reaction] = "IssueComment", "CommitComment", "Reaction"
TYPES[Review], TYPES[ReviewComment] = "PullRequestReview", "PullRequestReviewComment"
TYPES[Label], TYPES[Milestone] = "Label", "Milestone"
ISSUES = "Issue PullRequest"
COMMENTS = "IssueComment PullRequestReview PullRequestReviewComment CommitComment"
SAID = f"{ISSUES} {COMMENTS}"
Said = Issue | Comment | CommitComment | Review | ReviewComment  # what has an author and a text
Reacted = Said | Release
SUBJECTS: dict[type[Reacted], str] = {
    Issue: "issue",
    Comment: "comment",
    CommitComment: "commit_comment",
    Review: "review",
    ReviewComment: "review_comment",
    Release: "release",
}
MODELS = {name: model for model, name in SUBJECTS.items()}
CONTENTS = {
    "THUMBS_UP": "+1",
    "THUMBS_DOWN": "-1",
    "LAUGH": "laugh",
    "HOORAY": "hooray",
    "CONFUSED": "confused",
    "HEART": "heart",
    "ROCKET": "rocket",
    "EYES": "eyes",
}
NAMES = {word: name for name, word in CONTENTS.items()}

each(
    SAID,
    id=lambda near, row: node(kind_of(row), row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    fullDatabaseId=lambda near, row: str(row.id),
    body=lambda near, row: row.body or "",
    bodyHTML=lambda near, row: near.html(row, row.body),
    bodyText=lambda near, row: markup.strip_markup(row.body),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    publishedAt=lambda near, row: stamp(_get_publication_time(row)),
    authorAssociation=lambda near, row: near.association(near.home(row), row.author_id),
    viewerDidAuthor=lambda near, row: row.author_id == near.me.id,
    viewerCanUpdate=lambda near, row: may_edit(near, row),
    viewerCanDelete=lambda near, row: may_delete(near, row),
    viewerCanReact=lambda near, row: not near.home(row).archived,
    viewerCannotUpdateReasons=lambda near, row: _why_not(near, row),
    viewerCanMinimize=lambda near, row: near.may(row, "triage"),
    isMinimized=lambda near, row: bool(getattr(row, "hidden", None)),
    minimizedReason=lambda near, row: _find_minimized_reason(row),
    repository=lambda near, row: near.home(row),
    userContentEdits=lambda near, row: Page([]),
)


def _get_publication_time(row: Said) -> int:
    return row.submitted_at or row.created_at if isinstance(row, Review) else row.created_at


def _find_minimized_reason(row: Said) -> str | None:
    reason = getattr(row, "hidden", None)
    return reason.lower().replace("_", "-") if reason else None


def may_edit(near: Loader, row: Said) -> bool:
    """Whether the caller may change a text."""
    level = "triage" if isinstance(row, Issue) else "push"
    return near.may(row, level) or (row.author_id == near.me.id and not near.home(row).archived)


def may_delete(near: Loader, row: Said) -> bool:
    """Whether the caller may delete a comment."""
    if isinstance(row, Issue):
        return near.may(row, "admin") and not row.is_pull
    if isinstance(row, Review):
        return row.state == "PENDING" and row.author_id == near.me.id
    return may_edit(near, row)


def _why_not(near: Loader, row: Said) -> list[str]:
    if may_edit(near, row):
        return []
    return ["ARCHIVED"] if near.home(row).archived else ["INSUFFICIENT_ACCESS"]


@batch(SAID, "author")
def authors(near: Loader, rows: Sequence[Said], args: Args) -> Values:
    """Return the authors of comments."""
    near.accounts(row.author_id for row in rows)
    return [near.account(row.author_id) for row in rows]


# -- reactions


def reactions(near: Loader, rows: Sequence[Reacted]) -> list[list[Reaction]]:
    """Return the reactions to subjects of one kind."""
    if not rows:
        return []
    subject = SUBJECTS[type(rows[0])]

    def load(ids: list[int]) -> list[tuple[int, Reaction]]:
        query = select(Reaction).where(Reaction.subject == subject, col(Reaction.subject_id).in_(ids))
        return [(one.subject_id, one) for one in near.call.session.exec(query.order_by(col(Reaction.id)))]

    found = near.lists(f"reactions {subject}", [row.id for row in rows], load)
    return [found[row.id] for row in rows]


@batch(f"{SAID} Release", "reactions")
def reaction_pages(near: Loader, rows: Sequence[Reacted], args: Args) -> Values:
    """Return pages of reactions."""
    word = CONTENTS.get(args.get("content") or "")
    descending = (args.get("orderBy") or {}).get("direction") == "DESC"
    out = []
    for listed in reactions(near, rows):
        kept = [one for one in listed if not word or one.content == word]
        out.append(
            page_of_rows(
                kept[::-1] if descending else kept,
                args,
                lambda one: one.id,
                descending=descending,
                viewerHasReacted=any(one.account_id == near.me.id for one in kept),
            )
        )
    return out


@batch(f"{SAID} Release", "reactionGroups")
def groups(near: Loader, rows: Sequence[Reacted], args: Args) -> Values:
    """Return the reactions to subjects in groups, one for each emoji, including empty ones."""
    out = []
    for row, listed in zip(rows, reactions(near, rows), strict=True):
        of = {
            word: list(group)
            for word, group in groupby(sorted(listed, key=lambda one: one.content), lambda one: one.content)
        }
        out.append([_group(near, row, name, of.get(word, [])) for name, word in CONTENTS.items()])
    return out


def _group(near: Loader, row: Reacted, name: str, listed: list[Reaction]) -> Fact:
    return Fact(
        "ReactionGroup",
        content=name,
        subject=row,
        listed=listed,
        createdAt=stamp(listed[0].created_at) if listed else None,
        viewerHasReacted=any(one.account_id == near.me.id for one in listed),
    )


@field("ReactionGroup", "users")
@field("ReactionGroup", "reactors")
def reactors(near: Loader, row: Fact, args: Args) -> Page:
    """Return the people who reacted with one emoji."""
    times = {one.account_id: one for one in row["listed"]}
    near.accounts(times)
    return page_of_rows(
        [near.context.account(id) for id in times],
        args,
        lambda one: one.id,
        ordered=False,
        fact=lambda one: {"reactedAt": stamp(times[one.id].created_at)},
    )


each(
    "Reaction",
    id=lambda near, row: node("Reaction", row.id),
    databaseId=lambda near, row: row.id,
    content=lambda near, row: NAMES[row.content],
    createdAt=lambda near, row: stamp(row.created_at),
    user=lambda near, row: near.context.account(row.account_id),
    reactable=lambda near, row: near.row(MODELS[row.subject], row.subject_id),
)


# -- comments


@batch("IssueComment", "issue")
def resolve_commented_issues(near: Loader, rows: Sequence[Comment], args: Args) -> list[Issue | None]:
    """Return the issues that comments are on; a pull request's issue row is returned as its pull request."""
    found = near.rows(Issue, [row.issue_id for row in rows])
    return [found.get(row.issue_id) for row in rows]


@batch("IssueComment", "pullRequest")
def resolve_commented_pulls(near: Loader, rows: Sequence[Comment], args: Args) -> Values:
    """Return the pull requests that comments are on."""
    return [one if one is not None and one.is_pull else None for one in resolve_commented_issues(near, rows, args)]


def issue_path(near: Loader, row: Issue) -> str:
    """Return the path of an issue's or pull request's page."""
    return f"{near.path(row)}/{'pull' if row.is_pull else 'issues'}/{row.number}"


def _comment_path(near: Loader, row: Comment) -> str:
    issue = near.issue(row.issue_id)
    assert issue is not None
    return f"{issue_path(near, issue)}#issuecomment-{row.id}"


def _commit_comment(near: Loader, row: CommitComment) -> str:
    return f"{near.path(row)}/commit/{row.sha}#commitcomment-{row.id}"


each(
    "IssueComment",
    resourcePath=lambda near, row: _comment_path(near, row),
    url=lambda near, row: near.url(_comment_path(near, row)),
)
each(
    "CommitComment",
    resourcePath=lambda near, row: _commit_comment(near, row),
    url=lambda near, row: near.url(_commit_comment(near, row)),
    path=lambda near, row: row.path,
    position=lambda near, row: row.position,
)


@batch("CommitComment", "commit")
def resolve_commented_commits(near: Loader, rows: Sequence[CommitComment], args: Args) -> Values:
    """Return the commits that comments are on."""
    return list(commits_of(near, [(row.repo_id, row.sha) for row in rows]))


@field("Commit", "comments")
def commit_comments(near: Loader, row: CommitAt, args: Args) -> Page:
    """Return the comments on a commit."""
    where = [CommitComment.repo_id == row.repo_id, CommitComment.sha == row.row.sha1]
    return near.page_of(CommitComment, where, args, col(CommitComment.created_at), asks=args.asks)
