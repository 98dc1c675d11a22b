"""What the API tells of itself: its addresses, the caller's quota, and texts as it renders them."""

from typing import Literal

from pydantic import Field

from apps.github.app import HOUR_S, PER_HOUR, app
from apps.github.domain import markup
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Body, Line, Raw
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

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
    """Tell how many calls the caller has made this hour, and how many are left. It costs nothing.

    Deviates: every resource shares one quota.
    """
    used, since = call.count_units(app.name, HOUR_S)
    left = {"limit": PER_HOUR, "used": used, "remaining": max(PER_HOUR - used, 0), "reset": since // 1_000_000 + HOUR_S}
    return {"resources": {"core": left, "search": left, "graphql": left, "code_search": left}, "rate": left}


@app.operation(
    "markdown/render",
    writes=True,
    units=1,
    source="docs.github.com/rest/markdown/markdown#render-a-markdown-document",
    examples=[{"text": "Hello **world**"}],
    raises=("bad_credentials",),
)
def render(call: Call, params: Markdown) -> Raw:
    """Render Markdown as HTML."""
    return Raw(markup.html(params.text).encode(), "text/html; charset=utf-8")
