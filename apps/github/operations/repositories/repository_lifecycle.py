"""Creation and deletion of repositories."""

from collections.abc import Mapping

from pydantic import Field
from sqlmodel import SQLModel, col, select

from apps.github.app import app
from apps.github.boilerplate.gitignore_templates import read_gitignore_templates
from apps.github.boilerplate.licenses import LICENSES
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, Name, RepoRef
from apps.github.domain.ref_updates import move_ref
from apps.github.domain.repository_names import available
from apps.github.domain.revisions import by_web
from apps.github.git.repo import FILE
from apps.github.models import Account, Collaborator, OrgMember, Repository, RepoTeam, Team
from apps.github.models_issues import Label
from apps.github.operations.repositories.repositories import HERE, SOURCE, Features, apply
from apps.github.refusals import invalid
from apps.github.views.repository_settings import full_repo
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject

# rows below one that names the repository: table -> (its column, the table above)
BELOW = {
    "github_asset": ("release_id", "github_release"),
    "github_hook_delivery": ("hook_id", "github_hook"),
    "github_deployment_status": ("deployment_id", "github_deployment"),
    "github_issue_label": ("label_id", "github_label"),
    "github_assignee": ("issue_id", "github_issue"),
    "github_sub_issue": ("issue_id", "github_issue"),
    "github_blocking": ("issue_id", "github_issue"),
    "github_subscription": ("issue_id", "github_issue"),
    "github_review_request": ("issue_id", "github_issue"),
    "github_viewed_file": ("issue_id", "github_issue"),
}
REACTED = {
    "issue": "github_issue",
    "comment": "github_comment",
    "commit_comment": "github_commit_comment",
    "release": "github_release",
    "review": "github_review",
    "review_comment": "github_review_comment",
}

# docs.github.com/issues/using-labels-and-milestones-to-track-work/managing-labels#about-default-labels
LABELS = (
    ("bug", "d73a4a", "Something isn't working"),
    ("documentation", "0075ca", "Improvements or additions to documentation"),
    ("duplicate", "cfd3d7", "This issue or pull request already exists"),
    ("enhancement", "a2eeef", "New feature or request"),
    ("good first issue", "7057ff", "Good for newcomers"),
    ("help wanted", "008672", "Extra attention is needed"),
    ("invalid", "e4e669", "This doesn't seem right"),
    ("question", "d876e3", "Further information is requested"),
    ("wontfix", "ffffff", "This will not be worked on"),
)


class RepoNew(Features):
    """A repository to create."""

    name: Line = Field(description="The name.", examples=["runbooks"])
    auto_init: bool = Field(default=False, description="Begin with a README.")
    team_id: Id | None = Field(default=None, description="A team of the organisation that shall have access.")
    gitignore_template: Line | None = Field(
        default=None, description="The name of a .gitignore template, as in `gitignore/get-all-templates`."
    )
    license_template: Line | None = Field(
        default=None, description="The key of a licence, as in `licenses/get-all-commonly-used`."
    )


class OrgRepoNew(RepoNew):
    """A repository to create in an organisation."""

    org: Name = Field(description="The organisation's login.", examples=["quayline"])


class RepoDelete(RepoRef):
    """A repository to delete."""


@app.operation(
    "repos/create-for-authenticated-user",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-repository-for-the-authenticated-user",
    examples=[{"name": "scratch", "auto_init": True}],
    raises=("bad_credentials", "validation_failed", "unprocessable", "protected_branch"),
)
def create_for_authenticated_user(call: Call, params: RepoNew) -> JsonObject:
    """Create a repository for the caller; public unless `private`."""
    context = GithubContext(call)
    return _create_repository(context, context.me, params)


@app.operation(
    "repos/create-in-org",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-an-organization-repository",
    examples=[{"org": "quayline", "name": "runbooks", "private": True, "license_template": "mit"}],
    raises=("not_found", "refused", "validation_failed", "unprocessable", "protected_branch"),
)
def create_in_org(call: Call, params: OrgRepoNew) -> JsonObject:
    """Create a repository of an organisation the caller belongs to."""
    context = GithubContext(call)
    org = context.by_login(params.org, "Organization")
    if call.session.get(OrgMember, (org.id, context.me.id)) is None:
        raise OperationError(
            "refused", why="You need admin access to the organization before adding a repository to it."
        )
    return _create_repository(context, org, params)


def _create_repository(context: GithubContext, owner: Account, params: RepoNew) -> JsonObject:
    files = _make_first_files(context, owner, params)
    repo = new_repository(context, owner, available(context, owner, params.name))
    apply(repo, params)
    context.add(repo)
    context.call.flush()
    for name, color, description in LABELS:
        context.add(
            Label(
                id=context.next_id("github_label"),
                repo_id=repo.id,
                name=name,
                color=color,
                description=description,
                default=True,
            )
        )
    _share(context, repo, owner, params.team_id)
    if files:
        _begin(context, repo, files)
    return full_repo(context, repo)


def new_repository(context: GithubContext, owner: Account, name: str) -> Repository:
    """Return the row of a new repository, public."""
    now = context.call.now
    return Repository(
        id=context.next_id("github_repository"),
        owner_id=owner.id,
        name=name,
        name_key=name.lower(),
        visibility="public",
        created_at=now,
        updated_at=now,
        pushed_at=now,
    )


def _share(context: GithubContext, repo: Repository, owner: Account, team_id: int | None) -> None:
    """Give access to a team, and to the creator of an organisation's repository."""
    if owner.kind == "Organization":
        admit(context, repo, context.me, "admin")
    if team_id is not None:
        team = context.call.session.get(Team, team_id)
        if team is None or team.org_id != owner.id:
            raise invalid("Repository", "team_id", "invalid", value=team_id)
        context.add(RepoTeam(repo_id=repo.id, team_id=team_id, permission="push"))
        context.call.flush()


def admit(context: GithubContext, repo: Repository, account: Account, permission: str) -> None:
    """Add a collaborator, or change their permission."""
    row = context.call.session.get(Collaborator, (repo.id, account.id))
    if row is None:
        row = Collaborator(repo_id=repo.id, account_id=account.id, created_at=context.call.now)
    row.permission = permission
    context.add(row)
    context.call.flush()


def _make_first_files(context: GithubContext, owner: Account, params: RepoNew) -> dict[str, str]:
    """Return the files of a new repository: README, licence and .gitignore. Raises validation_failed."""
    files: dict[str, str] = {}
    if params.auto_init:
        files["README.md"] = f"# {params.name}\n" + (f"{params.description}\n" if params.description else "")
    if params.gitignore_template:
        templates = read_gitignore_templates()
        if params.gitignore_template not in templates:
            raise invalid("Repository", "gitignore_template", "invalid", value=params.gitignore_template)
        files[".gitignore"] = templates[params.gitignore_template]
    if params.license_template:
        chosen = LICENSES.get(params.license_template.lower())
        if chosen is None:
            raise invalid("Repository", "license_template", "invalid", value=params.license_template)
        files["LICENSE"] = chosen.fill_in(to_datetime(context.call.now).year, owner.name or owner.login)
    return files


def _begin(context: GithubContext, repo: Repository, files: Mapping[str, str]) -> None:
    """Write the first commit."""
    git = context.git(repo)
    tree = git.put_tree({name: (FILE, git.put_blob(text.encode())) for name, text in files.items()})
    sha = git.put_commit(tree, [], "Initial commit", context.signature(), by_web(context))
    move_ref(context, repo, f"refs/heads/{repo.default_branch}", None, sha)


@app.operation(
    "repos/delete",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-repository",
    examples=[HERE],
    raises=("not_found", "forbidden"),
)
def delete(call: Call, params: RepoDelete) -> None:
    """Delete a repository with all its contents; needs admin rights."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("forbidden")
    _let_go(context, repo)
    for sql in _list_delete_statements():
        call.execute(sql, {"repo": repo.id})
    call.session.delete(repo)
    call.flush()


def _let_go(context: GithubContext, repo: Repository) -> None:
    """Detach forks and pull requests: forks move to this repository's parent; pull requests from it lose their head."""
    for fork in context.call.session.exec(
        select(Repository).where(Repository.fork_of == repo.id).order_by(col(Repository.id))
    ):
        fork.fork_of = repo.fork_of
        context.add(fork)
    context.call.execute(
        "UPDATE github_pull SET head_repo_id = NULL WHERE head_repo_id = :repo AND repo_id <> :repo", {"repo": repo.id}
    )


def _list_delete_statements() -> list[str]:
    """Return the statements that delete a repository's rows except its own, dependent rows first."""
    out = [
        f"DELETE FROM {table} WHERE {column} IN (SELECT id FROM {above} WHERE repo_id = :repo)"
        for table, (column, above) in BELOW.items()
    ]
    for subject, table in REACTED.items():
        out.append(
            f"DELETE FROM github_reaction WHERE subject = '{subject}' AND subject_id IN (SELECT id FROM {table} WHERE"
            " repo_id = :repo)"
        )
    named = [
        name
        for name, table in sorted(SQLModel.metadata.tables.items())
        if name.startswith("github_") and "repo_id" in table.c
    ]
    return out + [f"DELETE FROM {name} WHERE repo_id = :repo" for name in named]
