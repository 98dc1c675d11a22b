"""Search of repositories: `r` is the repository. Names also match by the beginnings of their words.

Source: docs.github.com/search-github/searching-on-github/searching-for-repositories.
"""

import json

from apps.github.domain.context import GithubContext
from apps.github.domain.languages import language as language_of
from apps.github.domain.readme import readme_of
from apps.github.domain.visibility import VisibleRepositories
from apps.github.query.compiler import FALSE, Compiler
from apps.github.query.tokens import begins, holds
from apps.github.query.tree import Node, every

FROM = "github_repository r WHERE r.id IN (SELECT value FROM json_each(:seen))"
_STARS = "(SELECT count(*) FROM github_star s WHERE s.repo_id = r.id)"
_FORKS = "(SELECT count(*) FROM github_repository f WHERE f.fork_of = r.id)"
_FOLLOWERS = "(SELECT count(*) FROM github_follow f WHERE f.followed_id = r.owner_id)"
NUMBERS = {
    "stars": _STARS,
    "forks": _FORKS,
    "size": "r.size_kb",
    "topics": "json_array_length(r.topics)",
    "followers": _FOLLOWERS,
}
DATES = {"created": "r.created_at", "pushed": "r.pushed_at", "updated": "r.updated_at"}
IS = {
    "public": "r.visibility = 'public'",
    "private": "r.visibility = 'private'",
    "internal": "r.visibility = 'internal'",
    "archived": "r.archived",
    "template": "r.is_template",
    "fork": "r.fork_of IS NOT NULL",
}
FLAGS = {"archived": "r.archived", "template": "r.is_template", "mirror": FALSE}
SORTS = {"stars": _STARS, "forks": _FORKS, "updated": "r.updated_at"}
_NAMES = """SELECT r.id, r.name, a.login || '/' || r.name, r.description, r.topics FROM github_repository r
    JOIN github_account a ON a.id = r.owner_id WHERE r.id IN (SELECT value FROM json_each(:seen))"""


class Repositories(Compiler):
    """Compiles a repository search to a condition."""

    names = frozenset({*NUMBERS, *DATES, *FLAGS, "is", "visibility", "fork", "topic", "language", "license"})
    several = frozenset({"topic", "language"})
    fields = frozenset({"name", "description", "topics", "readme"})
    default = frozenset({"name", "description", "topics"})

    def __init__(self, context: GithubContext, seen: VisibleRepositories) -> None:
        super().__init__(context, seen)
        self._readmes: dict[int, str] = {}

    def condition(self, node: Node) -> str:
        """Return the condition of a search; forks are left out unless it has `fork:`."""
        wanted = super().condition(node)
        return wanted if every(node, "fork") else f"({wanted} AND r.fork_of IS NULL)"

    def match_words(self, sought: tuple[str, ...], fields: frozenset[str]) -> str:
        """Match the words in name, description, topics or README."""
        found: set[int] = set()
        for id, name, full, description, topics in self.context.call.all(_NAMES, {"seen": self.seen.json}):
            texts = [
                *([description] if "description" in fields else []),
                *(json.loads(topics) if "topics" in fields else []),
            ]
            texts += [self._readme(id)] if "readme" in fields else []
            named = "name" in fields and (begins(name, sought) or holds(full, sought))
            if named or any(holds(text, sought) for text in texts):
                found.add(id)
        return self.among("r.id", found)

    def _readme(self, id: int) -> str:
        if id not in self._readmes:
            self._readmes[id] = self._read(id)
        return self._readmes[id]

    def _read(self, id: int) -> str:
        repo = self.context.repo_by_id(id)
        assert repo is not None
        git = self.context.git(repo)
        head = git.branch(repo.default_branch)
        entry = readme_of(git, git.tree_of(head), (".github", "", "docs")) if head else None
        return git.blob(entry.sha).decode("utf-8", "replace") if entry is not None else ""

    def qualifier(self, name: str, value: str) -> str:
        """Return the condition of a qualifier."""
        if name in NUMBERS:
            return self.compile_count(NUMBERS[name], value)
        if name in DATES:
            return self.at(DATES[name], value)
        plain = value.lower()
        if name in ("is", "visibility"):
            return IS.get(plain, FALSE)
        if name in FLAGS:
            return {"true": FLAGS[name], "false": f"NOT {FLAGS[name]}"}.get(plain, FALSE)
        if name == "fork":
            return {"true": "1", "only": IS["fork"], "false": "r.fork_of IS NULL"}.get(plain, FALSE)
        return self._other(name, plain)

    def _other(self, name: str, value: str) -> str:
        if name == "topic":
            return f"EXISTS(SELECT 1 FROM json_each(r.topics) t WHERE lower(t.value) = {self.bind(value)})"
        if name == "language":
            return self.among("r.id", in_language(self.context, self.seen, value))
        return f"lower(coalesce(r.license, '')) = {self.bind(value)}"


def in_language(context: GithubContext, seen: VisibleRepositories, language: str) -> list[int]:
    """Return the ids of the repositories mostly written in a language."""
    repos = [repo for id in seen.ids if (repo := context.repo_by_id(id)) is not None]
    return [repo.id for repo in repos if (language_of(context, repo) or "").lower() == language]


def order(sort: str | None, direction: str) -> str:
    """Return the ORDER BY of a sort option."""
    down = "ASC" if direction == "asc" else "DESC"
    return f"{SORTS.get(sort or '', 'r.updated_at')} {down}, r.id"
