"""Licences and .gitignore templates: those offered for new repositories, and the licence of a repository."""

from pydantic import Field

from apps.github.app import app
from apps.github.boilerplate.gitignore_templates import read_gitignore_templates
from apps.github.boilerplate.license_file import find_license_file
from apps.github.boilerplate.licenses import IMPLEMENTATION, LICENSES, License
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line, ListPage, MediaType, PageParams, Raw, Ref, RepoRef
from apps.github.operations.repositories.contents import Content, RepoRevision, content_json
from apps.github.views.licenses import license_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

LICENSE_SOURCE = "docs.github.com/rest/licenses/licenses"
GITIGNORE_SOURCE = "docs.github.com/rest/gitignore/gitignore"


class LicenseList(PageParams):
    """Request fields for listing licences."""

    featured: bool | None = Field(default=None, description="Only those that are recommended, or only the others.")


class LicenseGet(Params):
    """A licence to read."""

    license: Line = Field(description="The key of the licence.", examples=["mit"])


class RepoLicenseGet(RepoRef, MediaType):
    """The licence of a repository."""

    ref: Ref | None = Field(default=None, description="Branch, tag or commit; the default branch if left out.")


class TemplateGet(MediaType):
    """A .gitignore template to read."""

    name: Line = Field(description="The name of the template.", examples=["Python"])


@app.operation(
    "licenses/get-all-commonly-used",
    units=1,
    source=f"{LICENSE_SOURCE}#get-all-commonly-used-licenses",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_licenses(call: Call, params: LicenseList) -> list[JsonObject]:
    """List the licences offered for new repositories."""
    context = GithubContext(call)
    chosen = [one for one in LICENSES.values() if params.featured in (None, one.featured)]
    shown = [license_json(context, one.key) for one in chosen[params.start : params.start + params.size]]
    return ListPage([one for one in shown if one is not None], len(chosen))


@app.operation(
    "licenses/get",
    units=1,
    source=f"{LICENSE_SOURCE}#get-a-license",
    examples=[{"license": "mit"}],
    raises=("not_found",),
)
def get_license(call: Call, params: LicenseGet) -> JsonObject:
    """Read the text of a licence, with what it permits, requires and limits."""
    found = LICENSES.get(params.license.lower())
    if found is None:
        raise OperationError("not_found")
    return {**(license_json(GithubContext(call), found.key) or {}), **_details(found)}


def _details(one: License) -> JsonObject:
    return {
        "html_url": f"http://choosealicense.com/licenses/{one.key}/",
        "description": one.description,
        "implementation": IMPLEMENTATION,
        "permissions": list(one.permissions),
        "conditions": list(one.conditions),
        "limitations": list(one.limitations),
        "body": one.body,
        "featured": one.featured,
    }


@app.operation(
    "licenses/get-for-repo",
    units=1,
    source=f"{LICENSE_SOURCE}#get-the-license-for-a-repository",
    examples=[{"owner": "quayline", "repo": "$repos/create-in-org:name"}],
    raises=("not_found", "no_such", "empty_repository", "too_large"),
)
def get_for_repo(call: Call, params: RepoLicenseGet) -> Content:
    """Read the licence file of a repository, and which licence it is."""
    context = GithubContext(call)
    place = RepoRevision(context, context.repo(params.owner, params.repo), params.ref)
    found = find_license_file(place.git, place.tree)
    if found is None:
        raise OperationError("not_found")
    entry, key = found
    shown = content_json(place, entry, params.mediaType)
    return {**shown, "license": license_json(context, key)} if isinstance(shown, dict) else shown


@app.operation(
    "gitignore/get-all-templates",
    units=1,
    source=f"{GITIGNORE_SOURCE}#get-all-gitignore-templates",
    examples=[{}],
)
def list_templates(call: Call, params: NoParams) -> list[str]:
    """List the names of the .gitignore templates."""
    return list(read_gitignore_templates())


@app.operation(
    "gitignore/get-template",
    units=1,
    source=f"{GITIGNORE_SOURCE}#get-a-gitignore-template",
    examples=[{"name": "Python"}],
    raises=("not_found",),
)
def get_template(call: Call, params: TemplateGet) -> JsonObject | Raw:
    """Read a .gitignore template."""
    text = read_gitignore_templates().get(params.name)
    if text is None:
        raise OperationError("not_found")
    if params.mediaType == "raw":
        return Raw(text.encode(), "application/vnd.github.raw+json; charset=utf-8")
    return {"name": params.name, "source": text}
