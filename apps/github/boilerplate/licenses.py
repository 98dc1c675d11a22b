"""The licences that the service knows: permissive ones, whose texts may be copied; other texts are not recognised."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent / "licenses"
FILES = ("license", "license.md", "license.txt", "licence", "licence.md", "licence.txt", "copying", "copying.txt")
OTHER = "other"  # the key of a licence file whose text is none of these
SIMILAR = 0.98  # the share of common words from which a text is taken for a licence; that of github.com/licensee
FREEDOMS = ("commercial-use", "modifications", "distribution", "private-use")
DISCLAIMED = ("liability", "warranty")
IMPLEMENTATION = (
    "Create a text file named LICENSE in the root of your source code and copy the text of the license into the file."
)
_COPYRIGHT = re.compile(r"^\s*copyright\b.*$", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class License:
    """A licence: its key, names, and in short what it permits, requires and limits."""

    key: str
    name: str
    spdx_id: str
    description: str
    permissions: tuple[str, ...] = FREEDOMS
    conditions: tuple[str, ...] = ("include-copyright",)
    limitations: tuple[str, ...] = DISCLAIMED
    featured: bool = False

    @cached_property
    def body(self) -> str:
        """The text, with `[year]` and `[fullname]` where they are to be filled in."""
        return (FOLDER / f"{self.key}.txt").read_text(encoding="utf-8")

    @cached_property
    def words(self) -> Counter[str]:
        """The words of the text without its copyright line."""
        return count_words(self.body)

    def fill_in(self, year: int, holder: str) -> str:
        """Return the text with the copyright line of a holder."""
        return self.body.replace("[year]", str(year)).replace("[fullname]", holder)


LICENSES = {
    one.key: one
    for one in (
        License(
            "apache-2.0",
            "Apache License 2.0",
            "Apache-2.0",
            "Permissive; requires notices to be kept and changes to be stated, and grants patent rights.",
            permissions=("commercial-use", "modifications", "distribution", "patent-use", "private-use"),
            conditions=("include-copyright", "document-changes"),
            limitations=("trademark-use", *DISCLAIMED),
            featured=True,
        ),
        License(
            "bsd-2-clause",
            'BSD 2-Clause "Simplified" License',
            "BSD-2-Clause",
            "Permissive; requires the copyright notice and the list of conditions to be kept.",
        ),
        License(
            "bsd-3-clause",
            'BSD 3-Clause "New" or "Revised" License',
            "BSD-3-Clause",
            "Permissive, like the 2-clause license; names of contributors may not be used for promotion.",
        ),
        License(
            "bsl-1.0",
            "Boost Software License 1.0",
            "BSL-1.0",
            "Permissive; requires the notice only with source code.",
            conditions=("include-copyright--source",),
        ),
        License(
            "cc0-1.0",
            "Creative Commons Zero v1.0 Universal",
            "CC0-1.0",
            "Waives all rights in the work, as far as the law allows.",
            conditions=(),
            limitations=("liability", "trademark-use", "patent-use", "warranty"),
        ),
        License(
            "mit",
            "MIT License",
            "MIT",
            "Short and permissive; requires only that the copyright and license notices are kept.",
            featured=True,
        ),
        License(
            "unlicense",
            "The Unlicense",
            "Unlicense",
            "Dedicates the work to the public domain, without conditions.",
            permissions=("private-use", "commercial-use", "modifications", "distribution"),
            conditions=(),
        ),
    )
}


def count_words(text: str) -> Counter[str]:
    """Count the words of a licence text; copyright lines do not count."""
    return Counter(_WORD.findall(_COPYRIGHT.sub("", text).lower()))


@lru_cache(maxsize=256)  # texts are long
def detect_license(text: str) -> str:
    """Return the key of the licence that a text is; OTHER if it is none of those known."""
    words = count_words(text)
    shares = {one.key: _share(words, one.words) for one in LICENSES.values()}
    best = max(shares, key=lambda key: shares[key])
    return best if shares[best] >= SIMILAR else OTHER


def _share(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)
