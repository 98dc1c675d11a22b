"""Variables and secrets of a repository's workflows."""

from base64 import b64decode, b64encode
from typing import Annotated, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Line, PageParams, Reply, RepoRef
from apps.github.models import Repository
from apps.github.models_actions import Secret, Variable
from apps.github.operations.repositories.deployments import HERE
from apps.github.refusals import conflict, unprocessable
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64
from world.core.rng import digest

VARIABLES, SECRETS = "docs.github.com/rest/actions/variables", "docs.github.com/rest/actions/secrets"
MOST = 500  # variables of a repository
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,254}$")]


class VariableJson(TypedDict):
    """A variable."""

    name: str
    value: str
    created_at: str | None
    updated_at: str | None


class SecretJson(TypedDict):
    """A secret's name and times; its value is never shown."""

    name: str
    created_at: str | None
    updated_at: str | None


class VariableList(RepoRef):
    """The variables of a repository."""

    per_page: Int64 = Field(default=10, description="Results per page, 30 at most.")
    page: Int64 = Field(default=1, description="Which page, from 1.")


class VariableRef(RepoRef):
    """One variable."""

    name: VariableName = Field(description="The name of the variable.", examples=["REGION"])


class VariableNew(VariableRef):
    """A variable to add."""

    value: str = Field(max_length=48_000, description="Its value.")


class VariableChange(VariableRef):
    """A change of a variable."""

    new_name: VariableName | None = Field(default=None, description="Another name; in the body it is called `name`.")
    value: str | None = Field(default=None, max_length=48_000, description="Its value.")


class SecretList(RepoRef, PageParams):
    """The secrets of a repository."""


class SecretRef(RepoRef):
    """One secret."""

    secret_name: VariableName = Field(description="The name of the secret.", examples=["API_TOKEN"])


class SecretPut(SecretRef):
    """A secret to set."""

    encrypted_value: str = Field(
        max_length=70_000, description="The value, sealed with the repository's public key, in base64."
    )
    key_id: Line = Field(description="The id of the key it was sealed with.")


# -- variables


def variable_json(row: Variable) -> VariableJson:
    """Render a variable."""
    return {
        "name": row.name,
        "value": row.value,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
    }


def _writable(call: Call, params: RepoRef) -> tuple[GithubContext, Repository]:
    """Return a repository whose workflow settings the caller may change. Raises not_found, no_push, archived."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="no_push")
    return context, repo


def _variable(call: Call, repo: Repository, name: str) -> Variable | None:
    return call.session.get(Variable, (repo.id, "", name.upper()))


@app.operation(
    "actions/list-repo-variables",
    units=1,
    source=f"{VARIABLES}#list-repository-variables",
    examples=[HERE],
    raises=("not_found", "no_push", "archived"),
)
def list_variables(call: Call, params: VariableList) -> JsonObject:
    """List the variables workflows of a repository can read as `vars`."""
    _, repo = _writable(call, params)
    rows = call.session.exec(
        select(Variable).where(Variable.repo_id == repo.id, Variable.environment == "").order_by(col(Variable.name))
    ).all()
    size = params.per_page if 1 <= params.per_page <= 30 else 10
    start = (max(params.page, 1) - 1) * size
    return {"total_count": len(rows), "variables": [variable_json(row) for row in rows[start : start + size]]}


@app.operation(
    "actions/get-repo-variable",
    units=1,
    source=f"{VARIABLES}#get-a-repository-variable",
    examples=[{**HERE, "name": "REGION"}],
    after=["actions/create-repo-variable"],
    raises=("not_found", "no_push", "archived"),
)
def get_variable(call: Call, params: VariableRef) -> VariableJson:
    """Read one variable."""
    _, repo = _writable(call, params)
    row = _variable(call, repo, params.name)
    if row is None:
        raise OperationError("not_found")
    return variable_json(row)


@app.operation(
    "actions/create-repo-variable",
    writes=True,
    units=1,
    source=f"{VARIABLES}#create-a-repository-variable",
    examples=[{**HERE, "name": "REGION", "value": "eu-west-1"}],
    raises=("not_found", "no_push", "archived", "conflict", "unprocessable"),
)
def create_variable(call: Call, params: VariableNew) -> JsonObject:
    """Add a variable for workflows. Names are kept in upper case."""
    _, repo = _writable(call, params)
    if params.name.upper().startswith("GITHUB_"):
        raise unprocessable("Variable names must not start with GITHUB_.")
    if _variable(call, repo, params.name) is not None:
        raise conflict("Already exists - Variable already exists")
    if call.scalar("SELECT count(*) FROM github_variable WHERE repo_id = :repo", {"repo": repo.id}) >= MOST:
        raise unprocessable(f"No more than {MOST} variables are allowed")
    call.session.add(
        Variable(
            repo_id=repo.id, name=params.name.upper(), value=params.value, created_at=call.now, updated_at=call.now
        )
    )
    return {}


@app.operation(
    "actions/update-repo-variable",
    writes=True,
    units=1,
    source=f"{VARIABLES}#update-a-repository-variable",
    examples=[{**HERE, "name": "REGION", "value": "eu-west-2"}],
    after=["actions/create-repo-variable"],
    raises=("not_found", "no_push", "archived", "conflict"),
)
def update_variable(call: Call, params: VariableChange) -> None:
    """Change the value or the name of a variable."""
    _, repo = _writable(call, params)
    row = _variable(call, repo, params.name)
    if row is None:
        raise OperationError("not_found")
    row.value, row.updated_at = params.value if params.value is not None else row.value, call.now
    if params.new_name is not None and params.new_name.upper() != row.name:
        if _variable(call, repo, params.new_name) is not None:
            raise conflict("Already exists - Variable already exists")
        call.session.delete(row)
        row = Variable(
            repo_id=repo.id,
            name=params.new_name.upper(),
            value=row.value,
            created_at=row.created_at,
            updated_at=call.now,
        )
    call.session.add(row)


@app.operation(
    "actions/delete-repo-variable",
    writes=True,
    units=1,
    source=f"{VARIABLES}#delete-a-repository-variable",
    examples=[{**HERE, "name": "REGION"}],
    after=["actions/create-repo-variable"],
    raises=("not_found", "no_push", "archived"),
)
def delete_variable(call: Call, params: VariableRef) -> None:
    """Delete a variable."""
    _, repo = _writable(call, params)
    row = _variable(call, repo, params.name)
    if row is None:
        raise OperationError("not_found")
    call.session.delete(row)


# -- secrets


def secret_json(row: Secret) -> SecretJson:
    """Render a secret; its value is never shown."""
    return {"name": row.name, "created_at": stamp(row.created_at), "updated_at": stamp(row.updated_at)}


def key_id(repo: Repository) -> str:
    """Return the id of the key that secrets are sealed with."""
    return str(int.from_bytes(digest("actions key id", repo.id)[:8], "big"))


@app.operation(
    "actions/get-repo-public-key",
    units=1,
    source=f"{SECRETS}#get-a-repository-public-key",
    examples=[HERE],
    raises=("not_found", "no_push", "archived"),
)
def get_public_key(call: Call, params: RepoRef) -> JsonObject:
    """Read the public key that values of secrets are sealed with."""
    _, repo = _writable(call, params)
    return {"key_id": key_id(repo), "key": b64encode(digest("actions key", repo.id, size=32)).decode()}


@app.operation(
    "actions/list-repo-secrets",
    units=1,
    source=f"{SECRETS}#list-repository-secrets",
    examples=[HERE],
    raises=("not_found", "no_push", "archived"),
)
def list_secrets(call: Call, params: SecretList) -> JsonObject:
    """List the names of a repository's secrets."""
    _, repo = _writable(call, params)
    rows = call.session.exec(
        select(Secret).where(Secret.repo_id == repo.id, Secret.environment == "").order_by(col(Secret.name))
    ).all()
    page = rows[params.start : params.start + params.size]
    return {"total_count": len(rows), "secrets": [secret_json(row) for row in page]}


@app.operation(
    "actions/get-repo-secret",
    units=1,
    source=f"{SECRETS}#get-a-repository-secret",
    examples=[{**HERE, "secret_name": "API_TOKEN"}],
    after=["actions/create-or-update-repo-secret"],
    raises=("not_found", "no_push", "archived"),
)
def get_secret(call: Call, params: SecretRef) -> SecretJson:
    """Read when a secret was set."""
    _, repo = _writable(call, params)
    row = call.session.get(Secret, (repo.id, "", params.secret_name.upper()))
    if row is None:
        raise OperationError("not_found")
    return secret_json(row)


@app.operation(
    "actions/create-or-update-repo-secret",
    writes=True,
    units=1,
    source=f"{SECRETS}#create-or-update-a-repository-secret",
    examples=[
        {
            **HERE,
            "secret_name": "API_TOKEN",
            "encrypted_value": "c2VhbGVk",
            "key_id": "$actions/get-repo-public-key:key_id",
        }
    ],
    raises=("not_found", "no_push", "archived", "unprocessable"),
)
def put_secret(call: Call, params: SecretPut) -> Reply | None:
    """Set a secret to a sealed value; it cannot be read again.

    Deviates: nothing here can open what is sealed, so workflows find secrets empty.
    """
    _, repo = _writable(call, params)
    try:
        sealed = b64decode(params.encrypted_value, validate=True)
    except ValueError:  # text that is not ASCII too
        raise unprocessable("Invalid request.\n\nencrypted_value is not base64.") from None
    if params.key_id != key_id(repo):
        raise unprocessable("Bad request - key_id does not match the public key")
    name = params.secret_name.upper()
    row = call.session.get(Secret, (repo.id, "", name))
    new = row is None
    row = row or Secret(repo_id=repo.id, name=name, digest="", created_at=call.now, updated_at=call.now)
    row.digest, row.updated_at = digest("secret", sealed.hex()).hex(), call.now
    call.session.add(row)
    return Reply({}, 201) if new else None


@app.operation(
    "actions/delete-repo-secret",
    writes=True,
    units=1,
    source=f"{SECRETS}#delete-a-repository-secret",
    examples=[{**HERE, "secret_name": "API_TOKEN"}],
    after=["actions/create-or-update-repo-secret"],
    raises=("not_found", "no_push", "archived"),
)
def delete_secret(call: Call, params: SecretRef) -> None:
    """Delete a secret."""
    _, repo = _writable(call, params)
    row = call.session.get(Secret, (repo.id, "", params.secret_name.upper()))
    if row is None:
        raise OperationError("not_found")
    call.session.delete(row)
