"""Search of commits on default branches: `c` is the commit's row, `r` its repository.

Source: docs.github.com/search-github/searching-on-github/searching-commits.
"""

from apps.github.query.compiler import FALSE, Compiler
from apps.github.query.ranges import times
from apps.github.query.tokens import hint, holds
from world.core.clock import SECOND

# Commits that can be reached from the default branches of what the caller sees
REACHABLE = """WITH RECURSIVE reached(repo_id, sha) AS (
    SELECT r.id, f.target FROM github_repository r JOIN github_ref f ON f.repo_id = r.id AND f.name = 'refs/heads/' ||
    r.default_branch
    WHERE r.id IN (SELECT value FROM json_each(:seen))
    UNION SELECT c.repo_id, p.value FROM reached
    JOIN github_commit c ON c.repo_id = reached.repo_id AND c.sha1 = reached.sha
    JOIN json_each('["' || replace(c.parents, ' ', '","') || '"]') p WHERE c.parents <> '')"""
FROM = (
    "reached JOIN github_commit c ON c.repo_id = reached.repo_id AND c.sha1 = reached.sha JOIN github_repository r ON"
    " r.id = c.repo_id WHERE 1"
)
_MESSAGES = (
    "SELECT DISTINCT sha1, message FROM github_commit WHERE repo_id IN (SELECT value FROM json_each(:seen)) AND message"
    " LIKE :hint"
)
DATES = {"author-date": "c.authored_at", "committer-date": "c.committed_at"}
NAMES = {"author-name": "c.author_name", "committer-name": "c.committer_name"}
EMAILS = {"author-email": "c.author_email", "committer-email": "c.committer_email"}
PEOPLE = {"author": "c.author_email", "committer": "c.committer_email"}
IS = {
    "public": "r.visibility = 'public'",
    "private": "r.visibility = 'private'",
    "internal": "r.visibility = 'internal'",
}
_SHORT = 7


class Commits(Compiler):
    """Compiles a commit search to a condition."""

    names = frozenset({*DATES, *NAMES, *EMAILS, *PEOPLE, "hash", "parent", "tree", "merge", "is"})

    def match_words(self, sought: tuple[str, ...], fields: frozenset[str]) -> str:
        """Match the words in the message; or the beginning of a SHA."""
        rows = self.context.call.all(_MESSAGES, {"seen": self.seen.json, "hint": hint(sought)})
        here = self.among("c.sha1", {sha for sha, message in rows if holds(message, sought)})
        return (
            f"({here} OR {self._sha('c.sha1', sought[0])})" if len(sought) == 1 and len(sought[0]) >= _SHORT else here
        )

    def qualifier(self, name: str, value: str) -> str:
        """Return the condition of a qualifier."""
        if name in DATES:
            return self.compare_number(
                DATES[name], [(sign, -(-bound // SECOND)) for sign, bound in times(value, self.context.call.now)]
            )
        if name in NAMES:
            return f"instr(lower({NAMES[name]}), {self.bind(value.lower())}) > 0"
        if name in EMAILS:
            return f"lower({EMAILS[name]}) = {self.bind(value.lower())}"
        if name in PEOPLE:
            return self._by(PEOPLE[name], value)
        return self._other(name, value.lower())

    def _other(self, name: str, value: str) -> str:
        if name == "is":
            return IS.get(value, FALSE)
        if name == "merge":
            return {"true": "instr(c.parents, ' ') > 0", "false": "instr(c.parents, ' ') = 0"}.get(value, FALSE)
        if name == "parent":
            return f"instr(' ' || c.parents, ' ' || {self.bind(value)}) > 0" if len(value) >= _SHORT else FALSE
        return self._sha("c.sha1" if name == "hash" else "c.tree", value) if len(value) >= _SHORT else FALSE

    def _sha(self, column: str, value: str) -> str:
        bound = self.bind(value)
        return f"substr({column}, 1, length({bound})) = {bound}"

    def _by(self, column: str, login: str) -> str:
        account = self.context.account(self.person(login))
        noreply = f"{account.id}+{account.login}@users.noreply.github.com"
        return f"lower({column}) IN ({self.bind((account.email or noreply).lower())}, {self.bind(noreply.lower())})"


def order(sort: str | None, direction: str) -> str:
    """Return the ORDER BY of a sort option."""
    down = "ASC" if direction == "asc" else "DESC"
    return f"{DATES.get(sort or '', 'c.committed_at')} {down}, c.repo_id, c.sha1"
