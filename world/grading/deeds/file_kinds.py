"""Files of a repository by what they are for: tests, documentation, the list of changes, workflows."""

import re
from collections.abc import Iterable, Mapping, Sequence

# a word for files, and the paths that such files have
PATHS: Mapping[str, re.Pattern[str]] = {
    "test": re.compile(r"(?i)test|spec"),
    "documentation": re.compile(r"(?i)\.(?:md|rst|txt|adoc)$|(?:^|/)docs?/"),
    "readme": re.compile(r"(?i)readme"),
    "changelog": re.compile(r"(?i)change|history|news|release"),
    "workflow": re.compile(r"(?i)\.ya?ml$|workflow"),
}
_ENDS = frozenset("that which who where in on for with by after before so as because to from of if when until".split())


def list_kinds_of_files(words: Sequence[str]) -> frozenset[str]:
    """The kinds of files that the object of a verb names, up to what is said of it."""
    end = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
    return frozenset(kind for kind in PATHS for word in words[:end] if word.removesuffix("s") in (kind, f"{kind}case"))


def covers(paths: Iterable[str], kinds: frozenset[str]) -> bool:
    """Whether there is a path of each kind."""
    known = list(paths)
    return all(any(PATHS[kind].search(path) for path in known) for kind in kinds)
