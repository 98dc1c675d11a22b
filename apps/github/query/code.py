"""The search of code: which files of default branches a search finds, file by file. Words and phrases are found
literally.

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
    """A file as a search sees it; `text` and `path` in small letters."""

    repo: Repository
    path: str
    size: int
    text: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def ending(self) -> str:
        """What follows the last dot of the name."""
        return self.name.rpartition(".")[2] if "." in self.name else ""


Test = Callable[[File], bool]


class Code(Meaning[Test]):
    """The test of a search of code."""

    names = frozenset({"path", "filename", "extension", "language", "size", "is", "fork"})
    several = frozenset({"language", "extension"})
    fields = frozenset({"file", "path"})
    default = frozenset({"file"})

    def place(self, name: str, value: str) -> Test | None:
        """A repository, or those of somebody."""
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
        """A word or phrase in the text or the path."""
        term = fold(text)
        return lambda file: ("file" in fields and term in file.text) or ("path" in fields and term in file.path)

    def qualifier(self, name: str, value: str) -> Test:
        """A qualifier."""
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
        """All of the tests."""
        found = tuple(parts)
        return lambda file: all(part(file) for part in found)

    def some(self, parts: Iterable[Test]) -> Test:
        """Any of the tests."""
        found = tuple(parts)
        return lambda file: any(part(file) for part in found)

    def opposite(self, part: Test) -> Test:
        """Not the test."""
        return lambda file: not part(file)


def _in_folder(path: str) -> Test:
    """`path:/` is the root alone; a folder is it and what stands below, a file itself; without a slash before, anywhere
    in the path.
    """
    if path == "/":
        return lambda file: "/" not in file.path
    if path.startswith("/"):
        root = path.strip("/")
        return lambda file: file.path == root or file.path.startswith(root + "/")
    inner = path.strip("/")
    return lambda file: f"/{inner}/" in f"/{file.path}/"
