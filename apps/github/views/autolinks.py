"""Autolinks of a repository: prefixes whose references in its texts link to another site."""

from apps.github.domain import markup
from apps.github.domain.context import GithubContext
from apps.github.models import Repository

_ALL = (
    "SELECT key_prefix, url_template, is_alphanumeric FROM github_autolink WHERE repo_id = :repo ORDER BY"
    " length(key_prefix) DESC, id"
)


def list_autolinks(context: GithubContext, repo: Repository) -> tuple[markup.Autolink, ...]:
    """Return the prefixes of a repository, the longest first; read once per call."""
    if repo.id not in context.autolinks:
        rows = context.call.all(_ALL, {"repo": repo.id})
        context.autolinks[repo.id] = tuple(markup.Autolink(prefix, url, bool(letters)) for prefix, url, letters in rows)
    return context.autolinks[repo.id]


def render_text(context: GithubContext, repo: Repository, text: str | None) -> str:
    """Render a text of a repository as safe HTML, with links for everything it mentions."""
    return markup.html(text, context.html, context.full_name(repo), list_autolinks(context, repo))
