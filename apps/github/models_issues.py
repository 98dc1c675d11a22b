"""Tables of issues, comments, reactions, subscriptions and notifications."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from apps.github.columns import ACCOUNT, AUTHOR, NUMBER, OF_ISSUE_REPO, REPO, json_column

OF_ISSUE = {"derived_from": "github_issue", "derived_key": "issue_id"}


class Label(SQLModel, table=True):
    """A label of a repository; names are unique, case-insensitive."""

    __tablename__ = "github_label"
    __table_args__ = {"info": {"names": {"repo": REPO}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    name: str
    color: str = "ededed"
    description: str | None = None
    default: bool = False


class Milestone(SQLModel, table=True):
    """A milestone of a repository. `state`: open or closed."""

    __tablename__ = "github_milestone"
    __table_args__ = {"info": {"names": {"repo": REPO}, "volatile": ["updated_at"]}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    number: int
    title: str
    description: str | None = None
    state: str = "open"
    creator_id: int
    due_on: int | None = None
    created_at: int
    updated_at: int
    closed_at: int | None = None


class Issue(SQLModel, table=True):
    """An issue, or the conversation of a pull request; both share one sequence of numbers. `state`: open or closed."""

    __tablename__ = "github_issue"
    __table_args__ = (
        Index("github_issue_number", "repo_id", "number", unique=True),
        {
            "info": {
                "volatile": ["updated_at"],
                "names": {"repo": REPO, "author": AUTHOR, "milestone": "milestone_id:github_milestone.title"},
            }
        },
    )
    id: int = Field(primary_key=True)
    repo_id: int
    number: int
    is_pull: bool = False
    title: str
    body: str | None = None
    author_id: int = Field(index=True)
    state: str = "open"
    state_reason: str | None = None  # completed, not_planned, duplicate or reopened
    locked: bool = False
    lock_reason: str | None = None
    milestone_id: int | None = Field(default=None, index=True)
    type_id: int | None = None
    duplicate_of: int | None = None
    created_at: int
    updated_at: int
    closed_at: int | None = None
    closed_by_id: int | None = None


class IssueType(SQLModel, table=True):
    """A type of issues of an organisation: Bug, Feature, Task."""

    __tablename__ = "github_issue_type"
    id: int = Field(primary_key=True)
    org_id: int = Field(index=True)
    name: str
    description: str | None = None
    color: str | None = None
    enabled: bool = True
    created_at: int
    updated_at: int


class IssueLabel(SQLModel, table=True):
    """A label on an issue."""

    __tablename__ = "github_issue_label"
    __table_args__ = {
        "info": {"names": {"repo": OF_ISSUE_REPO, "number": NUMBER, "label": "label_id:github_label.name"}}
    }
    issue_id: int = Field(primary_key=True)
    label_id: int = Field(primary_key=True, index=True)


class Assignee(SQLModel, table=True):
    """Assignment of an account to an issue."""

    __tablename__ = "github_assignee"
    __table_args__ = {"info": {"names": {"repo": OF_ISSUE_REPO, "number": NUMBER, "assignee": ACCOUNT}}}
    issue_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)


class SubIssue(SQLModel, table=True):
    """An issue under another; `position` orders the sub-issues of one parent."""

    __tablename__ = "github_sub_issue"
    __table_args__ = {"info": {"names": {"number": NUMBER, "parent": "parent_id:github_issue.number"}}}
    issue_id: int = Field(primary_key=True)
    parent_id: int = Field(index=True)
    position: int


class PinnedIssue(SQLModel, table=True):
    """An issue that stands above a repository's list; `position` orders those of one repository."""

    __tablename__ = "github_pinned_issue"
    __table_args__ = {"info": {"names": {"number": NUMBER, "repo": REPO}}}
    issue_id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    position: int
    pinned_by_id: int
    created_at: int


class TransferredIssue(SQLModel, table=True):
    """The former number of an issue that was transferred to another repository."""

    __tablename__ = "github_transferred_issue"
    __table_args__ = {"info": {"names": {"repo": REPO, "issue": "issue_id:github_issue.title"}}}
    repo_id: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    issue_id: int = Field(index=True)


class Blocking(SQLModel, table=True):
    """An issue that blocks another."""

    __tablename__ = "github_blocking"
    __table_args__ = {"info": {"names": {"number": NUMBER, "blocked_by": "blocked_by_id:github_issue.number"}}}
    issue_id: int = Field(primary_key=True)
    blocked_by_id: int = Field(primary_key=True, index=True)


class Comment(SQLModel, table=True):
    """A comment on an issue or pull request."""

    __tablename__ = "github_comment"
    __table_args__ = {"info": {"volatile": ["updated_at"], "names": {"repo": REPO, "author": AUTHOR, "number": NUMBER}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    issue_id: int = Field(index=True)
    author_id: int = Field(index=True)
    body: str
    hidden: str | None = None  # why it was minimised: SPAM, ABUSE, OFF_TOPIC, OUTDATED, DUPLICATE, RESOLVED
    created_at: int
    updated_at: int


class CommitComment(SQLModel, table=True):
    """A comment on a commit, optionally on a line of it."""

    __tablename__ = "github_commit_comment"
    __table_args__ = {"info": {"names": {"repo": REPO, "author": AUTHOR}, "volatile": ["updated_at"]}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    sha: str
    path: str | None = None
    position: int | None = None
    line: int | None = None
    author_id: int
    body: str
    created_at: int
    updated_at: int


class Event(SQLModel, table=True):
    """Event of an issue: labeled, assigned, closed, renamed, head_ref_force_pushed …; `facts` are its own fields."""

    __tablename__ = "github_event"
    __table_args__ = {"info": {"derived_from": "*"}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    issue_id: int = Field(index=True)
    actor_id: int
    kind: str
    commit_sha: str | None = None
    facts: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    created_at: int


class Reaction(SQLModel, table=True):
    """A reaction. `subject`: issue, comment, review_comment, commit_comment, review or release; `content`: +1, -1,
    laugh, …
    """

    __tablename__ = "github_reaction"
    __table_args__ = (Index("github_reaction_subject", "subject", "subject_id"), {"info": {"names": {"user": ACCOUNT}}})
    id: int = Field(primary_key=True)
    subject: str
    subject_id: int
    account_id: int
    content: str
    created_at: int


class Notification(SQLModel, table=True):
    """A thread in an account's inbox, one per issue or run.

    `subject`: Issue, PullRequest, Release, CheckSuite or Commit.
    """

    __tablename__ = "github_notification"
    __table_args__ = (
        Index("github_notification_of", "account_id", "subject", "subject_id", unique=True),
        {"info": {"benign": ["unread", "read_at", "done", "saved"], "derived_from": "*", "names": {"user": ACCOUNT}}},
    )
    id: int = Field(primary_key=True)
    account_id: int
    repo_id: int
    subject: str
    subject_id: int
    # assign, author, comment, mention, review_requested, team_mention, ci_activity, state_change, subscribed, manual
    reason: str
    unread: bool = True
    done: bool = False
    saved: bool = False
    updated_at: int
    read_at: int | None = None


class Subscription(SQLModel, table=True):
    """A subscription to one issue, or a mute. Participants are subscribed without a row.

    `ignored`: no notifications; `unsubscribed`: none until the account comments or is mentioned.
    """

    __tablename__ = "github_subscription"
    __table_args__ = {"info": {"names": {"repo": OF_ISSUE_REPO, "number": NUMBER, "user": ACCOUNT}}}
    issue_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)
    ignored: bool = False
    unsubscribed: bool = False
    reason: str = "manual"
    created_at: int
