"""Meta operations: addresses of the API, the caller's quota, and rendering of texts."""

from typing import Literal

from pydantic import Field

from apps.github.app import app
from apps.github.domain import markup
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Body, Line, Raw
from apps.github.limits import POOLS, count_left
from apps.github.models import Repository
from apps.github.views.autolinks import render_text
from world.core.call import Call
from world.core.clock import MINUTE
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params
from world.web.emoji import ALIASES, BY_NAME

ZEN = (
    "Keep it logically awesome.",
    "Practicality beats purity.",
    "Non-blocking is better than blocking.",
    "Favor focus over features.",
    "Approachable is better than simple.",
    "Anything added dilutes everything else.",
)
NETWORKS = ("hooks", "web", "api", "git")
PICTURE = "https://github.githubassets.com/images/icons/emoji/unicode/{}.png?v8"
# name -> address below the API's root
ADDRESSES = {
    "current_user_url": "/user",
    "authorizations_url": "/authorizations",
    "code_search_url": "/search/code?q={query}{&page,per_page,sort,order}",
    "commit_search_url": "/search/commits?q={query}{&page,per_page,sort,order}",
    "emails_url": "/user/emails",
    "emojis_url": "/emojis",
    "events_url": "/events",
    "feeds_url": "/feeds",
    "followers_url": "/user/followers",
    "following_url": "/user/following{/target}",
    "gists_url": "/gists{/gist_id}",
    "issue_search_url": "/search/issues?q={query}{&page,per_page,sort,order}",
    "issues_url": "/issues",
    "keys_url": "/user/keys",
    "label_search_url": "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}",
    "notifications_url": "/notifications",
    "organization_url": "/orgs/{org}",
    "organization_repositories_url": "/orgs/{org}/repos{?type,page,per_page,sort}",
    "organization_teams_url": "/orgs/{org}/teams",
    "public_gists_url": "/gists/public",
    "rate_limit_url": "/rate_limit",
    "repository_url": "/repos/{owner}/{repo}",
    "repository_search_url": "/search/repositories?q={query}{&page,per_page,sort,order}",
    "current_user_repositories_url": "/user/repos{?type,page,per_page,sort}",
    "starred_url": "/user/starred{/owner}{/repo}",
    "starred_gists_url": "/gists/starred",
    "topic_search_url": "/search/topics?q={query}{&page,per_page}",
    "user_url": "/users/{user}",
    "user_organizations_url": "/user/orgs",
    "user_repositories_url": "/users/{user}/repos{?type,page,per_page,sort}",
    "user_search_url": "/search/users?q={query}{&page,per_page,sort,order}",
}


class Markdown(Params):
    """A text to render."""

    text: Body = Field(description="The text, in Markdown.", examples=["Hello **world**"])
    mode: Literal["markdown", "gfm"] = Field(default="markdown", description="markdown, or gfm as in comments.")
    context: Line | None = Field(default=None, description="The repository that `#1` means.")


@app.operation(
    "meta/root",
    units=1,
    source="docs.github.com/rest/meta/meta#github-api-root",
    examples=[{}],
    raises=("bad_credentials",),
)
def root(call: Call, params: NoParams) -> dict[str, str]:
    """List the API's addresses."""
    context = GithubContext(call)
    applications = {
        "current_user_authorizations_html_url": f"{context.html}/settings/connections/applications{{/client_id}}"
    }
    return {**{name: context.api + path for name, path in ADDRESSES.items()}, **applications}


@app.operation(
    "rate-limit/get",
    source="docs.github.com/rest/rate-limit/rate-limit#get-rate-limit-status-for-the-authenticated-user",
    examples=[{}],
)
def rate_limit(call: Call, params: NoParams) -> JsonObject:
    """Return the calls the caller has made of each kind and those left: this hour's, this minute's searches, GraphQL.

    Costs nothing.
    """
    counting = {id for id, operation in app.operations.items() if operation.units}
    found = {name: count_left(call.all, call.person, call.now, call.seq, name, counting) for name in ("core", *POOLS)}
    shown = {
        name: {"limit": one.limit, "used": one.used, "remaining": one.remaining, "reset": one.reset}
        for name, one in found.items()
    }
    return {"resources": shown, "rate": shown["core"]}


@app.operation(
    "markdown/render",
    writes=True,
    units=1,
    source="docs.github.com/rest/markdown/markdown#render-a-markdown-document",
    examples=[{"text": "Hello **world**"}],
    raises=("bad_credentials",),
)
def render(call: Call, params: Markdown) -> Raw:
    """Render Markdown as HTML; mode gfm links people, issues and commits of the context."""
    context = GithubContext(call)
    repo = _find_repository(context, params.context) if params.mode == "gfm" and params.context else None
    made = render_text(context, repo, params.text) if repo else markup.html(params.text)
    return Raw(made.encode(), "text/html; charset=utf-8")


def _find_repository(context: GithubContext, name: str) -> Repository | None:
    owner, _, short = name.partition("/")
    try:
        return context.repo(owner, short)
    except Outage:
        raise
    except OperationError:
        return None


@app.operation("meta/get-zen", units=1, source="docs.github.com/rest/meta/meta#get-the-zen-of-github", examples=[{}])
def get_zen(call: Call, params: NoParams) -> Raw:
    """Read one of the service's design sentences; it changes every minute."""
    return Raw(ZEN[call.now // MINUTE % len(ZEN)].encode(), "text/plain;charset=utf-8")


@app.operation(
    "meta/get-all-versions", units=1, source="docs.github.com/rest/meta/meta#get-all-api-versions", examples=[{}]
)
def get_all_versions(call: Call, params: NoParams) -> list[str]:
    """List the available versions of the API."""
    return ["2022-11-28"]


@app.operation("meta/get", units=1, source="docs.github.com/rest/meta/meta#get-apiname-meta-information", examples=[{}])
def get_meta(call: Call, params: NoParams) -> JsonObject:
    """Return the networks the service calls from and its sign-in methods; here all is this machine."""
    return {"verifiable_password_authentication": False, **{name: ["127.0.0.0/8"] for name in NETWORKS}}


@app.operation("emojis/get", units=1, source="docs.github.com/rest/emojis/emojis#get-emojis", examples=[{}])
def get_emojis(call: Call, params: NoParams) -> dict[str, str]:
    """List the names of emoji, with the address of each image."""
    named = {**BY_NAME, **{alias: BY_NAME[name] for alias, name in ALIASES.items() if name in BY_NAME}}
    return {name: PICTURE.format("-".join(f"{ord(one):x}" for one in named[name])) for name in sorted(named)}
