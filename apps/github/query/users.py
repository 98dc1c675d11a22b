"""Search of people and organisations: `a` is the account. Names also match by the beginnings of their words.

Source: docs.github.com/search-github/searching-on-github/searching-users.
"""

from apps.github.query.compiler import FALSE, Compiler
from apps.github.query.repositories import in_language
from apps.github.query.tokens import begins, holds

FROM = "github_account a WHERE a.kind <> 'Bot'"
_REPOS = (
    "(SELECT count(*) FROM github_repository r WHERE r.owner_id = a.id AND r.id IN (SELECT value FROM"
    " json_each(:seen)))"
)
_FOLLOWERS = "(SELECT count(*) FROM github_follow f WHERE f.followed_id = a.id)"
NUMBERS = {"repos": _REPOS, "followers": _FOLLOWERS}
TYPES = {"user": "a.kind = 'User'", "org": "a.kind = 'Organization'", "organization": "a.kind = 'Organization'"}
SORTS = {"repositories": _REPOS, "followers": _FOLLOWERS, "joined": "a.created_at"}


class Users(Compiler):
    """Compiles an account search to a condition."""

    names = frozenset({*NUMBERS, "type", "location", "created", "fullname", "language", "is"})
    fields = frozenset({"login", "name", "email"})
    default = frozenset({"login", "name", "email"})

    def place(self, name: str, value: str) -> str | None:
        """Return the scope of `user:` and `org:`, which here name the account itself."""
        account = self.context.find_login(value.partition("/")[0]) if value != "@me" else self.context.me
        return f"a.id = {self.bind(account.id)}" if account is not None and name != "repo" else None

    def match_words(self, sought: tuple[str, ...], fields: frozenset[str]) -> str:
        """Match the words in login, name or address."""
        found: set[int] = set()
        for id, login, name, email in self.context.call.all("SELECT id, login, name, email FROM github_account"):
            named = ("login" in fields and begins(login, sought)) or ("name" in fields and begins(name, sought))
            if named or ("email" in fields and holds(email, sought)):
                found.add(id)
        return self.among("a.id", found)

    def qualifier(self, name: str, value: str) -> str:
        """Return the condition of a qualifier."""
        if name in NUMBERS:
            return self.compile_count(NUMBERS[name], value)
        if name == "created":
            return self.at("a.created_at", value)
        plain = value.lower()
        if name == "type":
            return TYPES.get(plain, FALSE)
        if name in ("location", "fullname"):
            return (
                f"instr(lower(coalesce({'a.location' if name == 'location' else 'a.name'}, '')),"
                f" {self.bind(plain)}) > 0"
            )
        if name == "language":
            owned = self.among("r.id", in_language(self.context, self.seen, plain))
            return f"EXISTS(SELECT 1 FROM github_repository r WHERE r.owner_id = a.id AND {owned})"
        return FALSE


def order(sort: str | None, direction: str) -> str:
    """Return the ORDER BY of a sort option."""
    down = "ASC" if direction == "asc" else "DESC"
    return f"{SORTS[sort]} {down}, a.id" if sort in SORTS else "a.id"
