"""Gists: snippets of files, created, read, changed and deleted."""

from typing import Annotated, TypedDict

from pydantic import Field, JsonValue
from sqlmodel import col, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.languages import ENDINGS
from apps.github.domain.params import Exact, Line, ListPage, Login, Name, PageParams, Path, page_of
from apps.github.models import Gist
from apps.github.refusals import invalid
from apps.github.views.accounts import UserJson, user_json
from apps.github.views.urls import gist_url, quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

SOURCE = "docs.github.com/rest/gists/gists"
A_GIST = "$gists/create:id"
_COMMENTS = "SELECT count(*) FROM github_gist_comment WHERE gist_id = :id"
MAX_FILES, SHOWN = 300, 1024 * 1024  # files of a gist, bytes of a file that an answer holds
TYPES = {
    "md": "text/markdown",
    "py": "application/x-python",
    "js": "application/javascript",
    "json": "application/json",
    "html": "text/html",
}


class GistJson(TypedDict):
    """A gist; a single gist includes its files' text."""

    url: str
    forks_url: str
    commits_url: str
    id: str
    node_id: str
    git_pull_url: str
    git_push_url: str
    html_url: str
    public: bool
    files: dict[str, JsonObject]
    created_at: str | None
    updated_at: str | None
    description: str | None
    comments: JsonValue
    comments_enabled: int
    user: None
    comments_url: str
    owner: UserJson
    truncated: int


class GistFile(Params):
    """A file of a gist."""

    content: Annotated[Exact, Field(max_length=10_485_760)] | None = Field(
        default=None, description="The text.", examples=["Hello"]
    )
    filename: Path | None = Field(default=None, description="A new name.")


class GistList(PageParams):
    """Filter of gists."""

    since: Line | None = Field(default=None, description="Only those changed after this time (ISO 8601).")


class UserGists(GistList):
    """Filter of somebody's gists."""

    username: Login


class GistRef(Params):
    """One gist."""

    gist_id: Name = Field(description="The id of the gist.")


class GistNew(Params):
    """A gist to create."""

    files: dict[Path, GistFile] = Field(
        description="The files by name, each with its content.", examples=[{"a.md": {"content": "Hello"}}]
    )
    description: Annotated[Text, Field(max_length=1024)] | None = Field(default=None, description="What it is about.")
    public: bool = Field(default=False, description="Whether it is listed.")


class GistUpdate(GistRef):
    """Request fields for updating a gist."""

    files: dict[Path, GistFile | None] | None = Field(
        default=None, description="The files that change; one that is null is deleted."
    )
    description: Annotated[Text, Field(max_length=1024)] | None = Field(default=None, description="What it is about.")


def gist_json(context: GithubContext, gist: Gist, *, whole: bool) -> GistJson:
    """Render a gist; a single gist includes its files' text."""
    url, reached = f"{context.api}/gists/{gist.id}", f"{context.reached}/gist/{gist.id}"
    return {
        "url": url,
        "forks_url": f"{url}/forks",
        "commits_url": f"{url}/commits",
        "id": gist.id,
        "node_id": f"G_{gist.id}",
        "git_pull_url": f"{reached}.git",
        "git_push_url": f"{reached}.git",
        "html_url": gist_url(context, gist.id),
        "public": gist.public,
        "files": {name: _file_json(reached, name, text, whole=whole) for name, text in sorted(gist.files.items())},
        "created_at": stamp(gist.created_at),
        "updated_at": stamp(gist.updated_at),
        "description": gist.description,
        "comments": context.call.scalar(_COMMENTS, {"id": gist.id}),
        "comments_enabled": True,
        "user": None,
        "comments_url": f"{url}/comments",
        "owner": user_json(context, context.account(gist.owner_id)),
        "truncated": False,
    }


def _file_json(html: str, name: str, text: str, *, whole: bool) -> JsonObject:
    data, ending = text.encode(), name.rpartition(".")[2].lower()
    shown: JsonObject = {
        "filename": name,
        "type": TYPES.get(ending, "text/plain"),
        "language": {"md": "Markdown"}.get(ending) or ENDINGS.get(ending, "Text"),
        "raw_url": f"{html}/raw/{quote_path(name)}",
        "size": len(data),
    }
    cut = data[:SHOWN].decode("utf-8", "ignore")
    return shown | ({"truncated": len(data) > SHOWN, "content": cut, "encoding": "utf-8"} if whole else {})


def _list_gists(context: GithubContext, params: GistList, *where: Condition) -> list[GistJson]:
    rows = context.call.session.exec(select(Gist).where(*where).order_by(col(Gist.updated_at).desc(), Gist.id))
    page = page_of(
        [row for row in rows if params.since is None or (stamp(row.updated_at) or "") >= params.since], params
    )
    return ListPage([gist_json(context, row, whole=False) for row in page], page.total)


@app.operation(
    "gists/list",
    units=1,
    source=f"{SOURCE}#list-gists-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_gists(call: Call, params: GistList) -> list[GistJson]:
    """List the caller's gists, including secret ones."""
    context = GithubContext(call)
    return _list_gists(context, params, Gist.owner_id == context.me.id)


@app.operation(
    "gists/list-public", units=1, source=f"{SOURCE}#list-public-gists", examples=[{}], raises=("bad_credentials",)
)
def list_public(call: Call, params: GistList) -> list[GistJson]:
    """List everybody's public gists."""
    return _list_gists(GithubContext(call), params, Gist.public)


@app.operation(
    "gists/list-for-user",
    units=1,
    source=f"{SOURCE}#list-gists-for-a-user",
    examples=[{"username": "$users/get-authenticated:login"}],
    raises=("not_found",),
)
def list_for_user(call: Call, params: UserGists) -> list[GistJson]:
    """List somebody's public gists."""
    context = GithubContext(call)
    return _list_gists(context, params, Gist.public, Gist.owner_id == context.by_login(params.username).id)


@app.operation(
    "gists/create",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-gist",
    examples=[{"files": {"a.md": {"content": "Hello"}}}],
    raises=("bad_credentials", "validation_failed"),
)
def create(call: Call, params: GistNew) -> GistJson:
    """Create a gist of one or more files."""
    context = GithubContext(call)
    files = {name: file.content for name, file in params.files.items() if file.content}
    if not files or len(files) != len(params.files) or len(files) > MAX_FILES:
        raise invalid("Gist", "files", "missing_field")
    gist = Gist(
        id=call.ids.hex(32),
        owner_id=context.me.id,
        description=params.description,
        public=params.public,
        files=files,
        created_at=call.now,
        updated_at=call.now,
    )
    context.add(gist)
    return gist_json(context, gist, whole=True)


def find_gist(context: GithubContext, id: str) -> Gist:
    """Return a gist by id; the id of a secret gist suffices to read it, as with the vendor."""
    found = context.call.session.get(Gist, id)
    if found is None:
        raise OperationError("not_found")
    return found


def _mine(context: GithubContext, id: str) -> Gist:
    found = find_gist(context, id)
    if found.owner_id != context.me.id:
        raise OperationError("not_found")
    return found


@app.operation(
    "gists/get", units=1, source=f"{SOURCE}#get-a-gist", examples=[{"gist_id": A_GIST}], raises=("not_found",)
)
def get(call: Call, params: GistRef) -> GistJson:
    """Read a gist with the text of its files."""
    context = GithubContext(call)
    return gist_json(context, find_gist(context, params.gist_id), whole=True)


@app.operation(
    "gists/update",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-gist",
    examples=[{"gist_id": A_GIST, "description": "Greeting"}],
    raises=("not_found", "validation_failed"),
)
def update(call: Call, params: GistUpdate) -> GistJson:
    """Change a gist's description, or add, change, rename and delete its files."""
    context = GithubContext(call)
    gist = _mine(context, params.gist_id)
    files = dict(gist.files)
    for name, change in (params.files or {}).items():
        text = files.pop(name, None)
        if change is not None and (change.content or text) is not None:
            files[change.filename or name] = change.content or text or ""
    if not files:
        raise invalid("Gist", "files", "missing_field")
    gist.files = files
    if "description" in params.model_fields_set:
        gist.description = params.description
    gist.updated_at = call.now
    context.add(gist)
    return gist_json(context, gist, whole=True)


@app.operation(
    "gists/delete",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-gist",
    examples=[{"gist_id": A_GIST}],
    raises=("not_found",),
)
def delete(call: Call, params: GistRef) -> None:
    """Delete a gist."""
    gist = _mine(GithubContext(call), params.gist_id)
    call.execute("DELETE FROM github_gist_comment WHERE gist_id = :id", {"id": gist.id})
    call.session.delete(gist)
