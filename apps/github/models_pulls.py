"""Tables of pull requests and their reviews."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from sqlmodel import Field, SQLModel

from apps.github.columns import ACCOUNT, AUTHOR, NUMBER, REPO


class Pull(SQLModel, table=True):
    """The pull request behind an issue row. Files, commits and mergeability are computed from git.

    `mergeable` is None while unknown; it was computed for `checked_head` on `checked_base`. `head_repo_id` is None when
    that repository is gone.
    """

    __tablename__ = "github_pull"
    __table_args__ = {
        "info": {
            "volatile": ["mergeable", "checked_head", "checked_base", "rebaseable"],
            "names": {"repo": REPO, "number": NUMBER},
        }
    }
    issue_id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    head_repo_id: int | None = Field(default=None, index=True)
    head_ref: str
    head_sha: str = Field(index=True)
    base_ref: str
    base_sha: str
    draft: bool = False
    maintainer_can_modify: bool = False
    mergeable: bool | None = None
    rebaseable: bool | None = None
    checked_head: str | None = None
    checked_base: str | None = None
    merged_at: int | None = None
    merged_by_id: int | None = None
    merge_sha: str | None = None
    merge_method: str | None = None
    auto_merge: str | None = None  # merge method to use once everything required is there
    auto_merge_by_id: int | None = None
    auto_merge_title: str | None = None
    auto_merge_message: str | None = None


class ReviewRequest(SQLModel, table=True):
    """A person or team asked to review; exactly one of `account_id` and `team_id` is not 0."""

    __tablename__ = "github_review_request"
    __table_args__ = {"info": {"names": {"number": NUMBER, "reviewer": ACCOUNT}}}
    issue_id: int = Field(primary_key=True)
    account_id: int = Field(default=0, primary_key=True, index=True)
    team_id: int = Field(default=0, primary_key=True, index=True)
    requester_id: int
    as_code_owner: bool = False
    created_at: int


class Review(SQLModel, table=True):
    """A review. `state`: PENDING, COMMENTED, APPROVED, CHANGES_REQUESTED or DISMISSED."""

    __tablename__ = "github_review"
    __table_args__ = {"info": {"names": {"repo": REPO, "number": NUMBER, "author": AUTHOR}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    issue_id: int = Field(index=True)
    author_id: int = Field(index=True)
    state: str = "PENDING"
    body: str = ""
    commit_sha: str
    created_at: int
    updated_at: int
    submitted_at: int | None = None


class ReviewThread(SQLModel, table=True):
    """A conversation about lines of a file. Lines are of the file on `side` (LEFT: base, RIGHT: head); `line` is None
    when outdated.

    `subject`: line or file. `original_*` is where it was begun, in commit `original_sha`. Positions count lines of the
    file's diff.
    """

    __tablename__ = "github_review_thread"
    __table_args__ = {
        "info": {
            "names": {"repo": REPO, "number": NUMBER},
            "volatile": ["line", "start_line", "position", "commit_sha", "outdated"],
        }
    }
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    issue_id: int = Field(index=True)
    path: str
    subject: str = "line"
    side: str = "RIGHT"
    start_side: str | None = None
    line: int | None = None
    start_line: int | None = None
    original_line: int | None = None
    original_start_line: int | None = None
    position: int | None = None
    original_position: int | None = None
    commit_sha: str
    original_sha: str
    diff_hunk: str = ""
    outdated: bool = False
    resolved_by_id: int | None = None
    created_at: int


class ReviewComment(SQLModel, table=True):
    """A comment in a review thread; it belongs to a review, and others see it once that is submitted."""

    __tablename__ = "github_review_comment"
    __table_args__ = {"info": {"names": {"repo": REPO, "number": NUMBER, "author": AUTHOR}, "volatile": ["updated_at"]}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    issue_id: int = Field(index=True)
    thread_id: int = Field(index=True)
    review_id: int = Field(index=True)
    author_id: int
    reply_to_id: int | None = None
    body: str
    created_at: int
    updated_at: int


class ViewedFile(SQLModel, table=True):
    """A file of a pull request marked as viewed, with its content at that time."""

    __tablename__ = "github_viewed_file"
    __table_args__ = {"info": {"benign": True}}
    issue_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True)
    path: str = Field(primary_key=True)
    blob: str
