"""Tables of the code host: accounts, repositories and their git data. Times are integer microseconds UTC unless said
otherwise.
"""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import Column, Index, LargeBinary
from sqlmodel import Field, SQLModel

from apps.github import models_actions, models_issues, models_pulls, models_rules  # noqa: F401  one import brings every table
from apps.github.columns import ACCOUNT, AUTHOR, REPO, json_column
from world.core.json_types import JsonObject


class Counter(SQLModel, table=True):
    """The next number of a sequence; `name` is the table it numbers."""

    __tablename__ = "github_counter"
    __table_args__ = {"info": {"volatile": ["next"], "derived_from": "*", "hidden": True}}
    name: str = Field(primary_key=True)
    next: int


class Account(SQLModel, table=True):
    """A user, bot or organisation. `kind`: User, Bot or Organization; `person_id` is the directory's person behind a
    user.
    """

    __tablename__ = "github_account"
    __table_args__ = {"info": {"volatile": ["updated_at"], "login": ["login", "person_id"]}}
    id: int = Field(primary_key=True)
    login: str = Field(unique=True)
    kind: str = "User"
    person_id: str | None = Field(default=None, index=True)
    name: str | None = None
    email: str | None = None
    company: str | None = None
    location: str | None = None
    blog: str = ""
    bio: str | None = None
    twitter: str | None = None
    hireable: bool | None = None
    base_permission: str = "read"  # of an organisation: what every member may do in its repositories
    created_at: int
    updated_at: int


class OrgMember(SQLModel, table=True):
    """Membership of an organisation. `role`: admin or member."""

    __tablename__ = "github_org_member"
    org_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)
    role: str = "member"
    public: bool = False


class Team(SQLModel, table=True):
    """A team of an organisation. `privacy`: closed or secret."""

    __tablename__ = "github_team"
    __table_args__ = {"info": {"volatile": ["updated_at"]}}
    id: int = Field(primary_key=True)
    org_id: int = Field(index=True)
    slug: str
    name: str
    description: str | None = None
    privacy: str = "closed"
    notification: str = "notifications_enabled"
    parent_id: int | None = None
    created_at: int
    updated_at: int


class TeamMember(SQLModel, table=True):
    """Membership of a team. `role`: maintainer or member."""

    __tablename__ = "github_team_member"
    __table_args__ = {"info": {"names": {"team": "team_id:github_team.slug", "user": ACCOUNT}}}
    team_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)
    role: str = "member"


class Repository(SQLModel, table=True):
    """A repository; (owner, name) is its address, case-insensitive. `visibility`: public, private or internal."""

    __tablename__ = "github_repository"
    __table_args__ = (
        Index("github_repository_address", "owner_id", "name_key", unique=True),
        {
            "info": {
                "volatile": ["updated_at", "pushed_at", "number", "license"],
                "names": {"owner": "owner_id:github_account.login"},
                "entity": "product",
            }
        },
    )
    id: int = Field(primary_key=True)
    owner_id: int
    name: str
    name_key: str  # the name in lower case
    description: str | None = None
    homepage: str | None = None
    visibility: str = "private"
    default_branch: str = "main"
    topics: list[str] = Field(default_factory=list, sa_column=json_column())
    fork_of: int | None = Field(default=None, index=True)
    archived: bool = False
    is_template: bool = False
    has_issues: bool = True
    has_projects: bool = False
    has_wiki: bool = False
    has_discussions: bool = False
    has_downloads: bool = True
    allow_merge_commit: bool = True
    allow_squash_merge: bool = True
    allow_rebase_merge: bool = True
    allow_auto_merge: bool = False
    allow_update_branch: bool = True
    allow_forking: bool = True
    delete_branch_on_merge: bool = False
    squash_title: str = "COMMIT_OR_PR_TITLE"
    squash_message: str = "COMMIT_MESSAGES"
    merge_title: str = "MERGE_MESSAGE"
    merge_message: str = "PR_TITLE"
    web_commit_signoff_required: bool = False
    license: str | None = None
    number: int = 0  # the last number given to an issue or pull request
    size_kb: int = 0
    created_at: int
    updated_at: int
    pushed_at: int


class RepoTeam(SQLModel, table=True):
    """Access of a team to a repository. `permission`: pull, triage, push, maintain or admin."""

    __tablename__ = "github_repo_team"
    __table_args__ = {"info": {"names": {"repo": REPO, "team": "team_id:github_team.slug"}}}
    repo_id: int = Field(primary_key=True)
    team_id: int = Field(primary_key=True, index=True)
    permission: str = "pull"


class Collaborator(SQLModel, table=True):
    """Access of one person to a repository. `permission`: pull, triage, push, maintain or admin."""

    __tablename__ = "github_collaborator"
    __table_args__ = {"info": {"names": {"repo": REPO, "user": ACCOUNT}}}
    repo_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)
    permission: str = "push"
    created_at: int


class Invitation(SQLModel, table=True):
    """An unanswered invitation of an outsider to a repository."""

    __tablename__ = "github_invitation"
    __table_args__ = {"info": {"names": {"repo": REPO, "invitee": "invitee_id:github_account.person_id"}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    invitee_id: int
    inviter_id: int
    permission: str
    created_at: int


class GitObject(SQLModel, table=True):
    """A git object of one repository. `kind`: 1 commit, 2 tree, 3 blob, 4 tag; `data` is its content, zlib-compressed."""

    __tablename__ = "github_object"
    __table_args__ = {"sqlite_with_rowid": False, "info": {"derived_from": "*", "hidden": True}}
    repo_id: int = Field(primary_key=True)
    sha1: str = Field(primary_key=True)
    kind: int
    size: int
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class GitCommit(SQLModel, table=True):
    """A commit object's fields, for searches and walks. Times are seconds, zones minutes east; `parents` in order."""

    __tablename__ = "github_commit"
    __table_args__ = (
        Index("github_commit_time", "repo_id", "committed_at"),
        {"info": {"derived_from": "*", "hidden": True}},
    )
    repo_id: int = Field(primary_key=True)
    sha1: str = Field(primary_key=True)
    tree: str
    parents: str  # shas with a space between
    author_name: str
    author_email: str
    authored_at: int
    author_zone: int
    committer_name: str
    committer_email: str
    committed_at: int
    committer_zone: int
    message: str


class Ref(SQLModel, table=True):
    """A branch, tag or pull-request ref by full name."""

    __tablename__ = "github_ref"
    __table_args__ = {"info": {"names": {"repo": REPO}, "books": {"name": "refs/pull/*"}}}
    repo_id: int = Field(primary_key=True)
    name: str = Field(primary_key=True)
    target: str


class Push(SQLModel, table=True):
    """A change of a ref: by push, API, editor or merge.

    `old` is 40 zeros for a created ref, `new` for a deleted one.
    """

    __tablename__ = "github_push"
    __table_args__ = {"info": {"derived_from": "github_ref"}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    account_id: int
    ref: str
    old: str
    new: str
    forced: bool = False
    created_at: int


class Protection(SQLModel, table=True):
    """The rules of a branch; `pattern` is its name or an fnmatch pattern.

    `reviews`: required approvals, None for no such rule.
    """

    __tablename__ = "github_protection"
    __table_args__ = {"info": {"names": {"repo": REPO}}}
    repo_id: int = Field(primary_key=True)
    pattern: str = Field(primary_key=True)
    reviews: int | None = None
    dismiss_stale: bool = False
    code_owners: bool = False
    last_push_approval: bool = False
    dismissers: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    bypassers: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    contexts: list[str] | None = Field(
        default=None, sa_column=json_column(nullable=True)
    )  # required checks; None for no such rule
    strict: bool = False
    enforce_admins: bool = False
    pushers: dict[str, Any] | None = Field(
        default=None, sa_column=json_column(nullable=True)
    )  # {users, teams, apps} who may push
    linear_history: bool = False
    force_pushes: bool = False
    deletions: bool = False
    block_creations: bool = False
    conversation_resolution: bool = False
    signatures: bool = False
    lock_branch: bool = False
    fork_syncing: bool = False


class Star(SQLModel, table=True):
    """A star."""

    __tablename__ = "github_star"
    __table_args__ = {"info": {"names": {"repo": REPO, "user": ACCOUNT}}}
    repo_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)
    created_at: int


class Follow(SQLModel, table=True):
    """One account following another."""

    __tablename__ = "github_follow"
    __table_args__ = {"info": {"names": {"user": ACCOUNT}}}
    account_id: int = Field(primary_key=True)
    followed_id: int = Field(primary_key=True, index=True)
    created_at: int


class PublicKey(SQLModel, table=True):
    """A public SSH key; `signing`: for commits, not for git access."""

    __tablename__ = "github_public_key"
    __table_args__ = {"info": {"names": {"user": ACCOUNT}}}
    id: int = Field(primary_key=True)
    account_id: int = Field(index=True)
    signing: bool = False
    title: str
    key: str
    created_at: int


class Watch(SQLModel, table=True):
    """Subscription to a repository: watched or ignored."""

    __tablename__ = "github_watch"
    __table_args__ = {"info": {"names": {"repo": REPO, "user": ACCOUNT}}}
    repo_id: int = Field(primary_key=True)
    account_id: int = Field(primary_key=True, index=True)
    ignored: bool = False
    created_at: int


class Release(SQLModel, table=True):
    """A release of a tag."""

    __tablename__ = "github_release"
    __table_args__ = {"info": {"names": {"repo": REPO, "author": AUTHOR}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    tag: str
    target: str
    name: str | None = None
    body: str | None = None
    draft: bool = False
    prerelease: bool = False
    author_id: int
    created_at: int
    updated_at: int
    published_at: int | None = None


class Asset(SQLModel, table=True):
    """A file of a release; its bytes are the directory's blob `sha256`."""

    __tablename__ = "github_asset"
    __table_args__ = {"info": {"volatile": ["downloads"]}}
    id: int = Field(primary_key=True)
    release_id: int = Field(index=True)
    name: str
    label: str | None = None
    content_type: str
    size: int
    sha256: str
    downloads: int = 0
    uploader_id: int
    created_at: int
    updated_at: int


class Gist(SQLModel, table=True):
    """A snippet of files."""

    __tablename__ = "github_gist"
    id: str = Field(primary_key=True)
    owner_id: int = Field(index=True)
    description: str | None = None
    public: bool = False
    files: dict[str, str] = Field(default_factory=dict, sa_column=json_column())
    created_at: int
    updated_at: int


class GistComment(SQLModel, table=True):
    """A comment on a gist."""

    __tablename__ = "github_gist_comment"
    __table_args__ = {"info": {"volatile": ["updated_at"], "names": {"author": AUTHOR}}}
    id: int = Field(primary_key=True)
    gist_id: str = Field(index=True)
    author_id: int
    body: str
    created_at: int
    updated_at: int


class Deployment(SQLModel, table=True):
    """A deployment of a commit to an environment."""

    __tablename__ = "github_deployment"
    __table_args__ = {"info": {"names": {"repo": REPO}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    sha: str
    ref: str
    task: str = "deploy"
    environment: str = "production"
    description: str | None = None
    payload: JsonObject = Field(default_factory=dict, sa_column=json_column())
    transient: bool = False
    production: bool = True
    creator_id: int
    created_at: int
    updated_at: int


class DeploymentStatus(SQLModel, table=True):
    """A status of a deployment. `state`: queued, in_progress, success, failure, error, inactive or pending."""

    __tablename__ = "github_deployment_status"
    id: int = Field(primary_key=True)
    deployment_id: int = Field(index=True)
    state: str
    description: str = ""
    environment: str = ""
    environment_url: str = ""
    log_url: str = ""
    creator_id: int
    created_at: int
    updated_at: int


class Hook(SQLModel, table=True):
    """A webhook of a repository."""

    __tablename__ = "github_hook"
    __table_args__ = {"info": {"names": {"repo": REPO}, "volatile": ["updated_at"]}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    active: bool = True
    events: list[str] = Field(default_factory=list, sa_column=json_column())
    url: str
    content_type: str = "form"
    insecure_ssl: str = "0"
    secret: str | None = None
    created_at: int
    updated_at: int


class HookDelivery(SQLModel, table=True):
    """One delivery of an event to a webhook; nothing leaves the world, so its payload is kept here."""

    __tablename__ = "github_hook_delivery"
    __table_args__ = {"info": {"derived_from": "*"}}
    id: int = Field(primary_key=True)
    hook_id: int = Field(index=True)
    guid: str
    event: str
    action: str | None = None
    redelivery: bool = False
    status: str = "OK"
    status_code: int = 200
    duration_ms: int = 0
    headers: dict[str, str] = Field(default_factory=dict, sa_column=json_column())
    payload: JsonObject = Field(default_factory=dict, sa_column=json_column())
    delivered_at: int
