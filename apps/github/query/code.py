"""Code search: tests files of default branches one by one. Words and phrases are matched literally.

Source: docs.github.com/search-github/searching-on-github/searching-code.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from apps.github.domain.languages import ENDINGS
from apps.github.models import Repository
from apps.github.query.ranges import numbers, passes
from apps.github.query.semantics import Meaning
from apps.github.query.tokens import fold

LARGEST = 384 * 1024  # bytes of a file that is searched, as above
_ALIASES = {
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "rb": "ruby",
    "golang": "go",
    "rs": "rust",
    "sh": "shell",
    "bash": "shell",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file to test; `text` and `path` in lower case."""

    repo: Repository
    path: str
    size: int
    text: str

    @property
    def name(self) -> str:
        """Last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def ending(self) -> str:
        """Extension of the file: the name after its last dot."""
        return self.name.rpartition(".")[2] if "." in self.name else ""


Test = Callable[[File], bool]


class Code(Meaning[Test]):
    """Compiles a code search to a test of files."""

    names = frozenset({"path", "filename", "extension", "language", "size", "is", "fork"})
    several = frozenset({"language", "extension"})
    fields = frozenset({"file", "path"})
    default = frozenset({"file"})

    def place(self, name: str, value: str) -> Test | None:
        """Test for a repository, or for those of an account."""
        if name == "repo":
            wanted = value.lower()
            repos = [repo for id in self.seen.ids if (repo := self.context.repo_by_id(id)) is not None]
            found = next((repo.id for repo in repos if self.context.full_name(repo).lower() == wanted), None)
            return None if found is None else lambda file: file.repo.id == found
        account = self.context.me if value == "@me" else self.context.find_login(value)
        if account is None or (name == "org" and account.kind != "Organization"):
            return None
        owner = account.id
        return lambda file: file.repo.owner_id == owner

    def words(self, text: str, fields: frozenset[str]) -> Test:
        """Test for a word or phrase in the text or the path."""
        term = fold(text)
        return lambda file: ("file" in fields and term in file.text) or ("path" in fields and term in file.path)

    def qualifier(self, name: str, value: str) -> Test:
        """Test for a qualifier."""
        plain = fold(value)
        if name == "path":
            return _in_folder(plain)
        if name == "filename":
            return lambda file: plain in file.name
        if name == "extension":
            return lambda file: file.ending == plain.removeprefix(".")
        if name == "language":
            wanted = _ALIASES.get(plain, plain)
            return lambda file: ENDINGS.get(file.ending, "").lower() == wanted
        return self._other(name, value, plain)

    def _other(self, name: str, value: str, plain: str) -> Test:
        if name == "size":
            tests = numbers(value)
            return lambda file: tests is not None and passes(file.size, tests)
        if name == "is":
            return lambda file: file.repo.visibility == plain
        return {"only": lambda file: file.repo.fork_of is not None, "true": lambda _: True}.get(
            plain, lambda file: file.repo.fork_of is None
        )

    def every(self, parts: Iterable[Test]) -> Test:
        """Test that all tests pass."""
        found = tuple(parts)
        return lambda file: all(part(file) for part in found)

    def some(self, parts: Iterable[Test]) -> Test:
        """Test that any test passes."""
        found = tuple(parts)
        return lambda file: any(part(file) for part in found)

    def opposite(self, part: Test) -> Test:
        """Test that a test fails."""
        return lambda file: not part(file)


def _in_folder(path: str) -> Test:
    """Return the test whether a file is in a folder.

    `path:/` is the root alone; a folder includes everything below it. Without a leading slash, the folder may be
    anywhere in the path.
    """
    if path == "/":
        return lambda file: "/" not in file.path
    if path.startswith("/"):
        root = path.strip("/")
        return lambda file: file.path == root or file.path.startswith(root + "/")
    inner = path.strip("/")
    return lambda file: f"/{inner}/" in f"/{file.path}/"
