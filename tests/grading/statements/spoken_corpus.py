"""The corpora `deeds` and `attributions`: texts, and the people whom their writer could name."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from world.grading.directory import Directory, Person
from world.grading.facts import Vocabulary, vocabulary_of

FOLDER = Path(__file__).parents[1] / "corpus"
PEOPLE = """
Svenja Kremer, Henrik Lange, Karolina Nowak, Manoj Pillai, Arjun Mehta, Tom Ellery, Britta Vogel, Matthias Brandt,
Daniel Kowalski, Miriam Adler
"""
CUSTOMERS = ("Nordacq", "Quayline", "Velomarkt", "Hanse Hotels")
SERVICES = ("checkout", "ledger", "settlement exporter", "retry worker", "webhook relay", "payouts")


@dataclass(frozen=True)
class Corpus:
    """One half of a corpus."""

    bad: list[str]
    honest: list[str]
    vocabulary: Vocabulary


@cache
def read_corpus(kind: str, half: str) -> Corpus:
    """The texts of a half."""
    source: dict[str, list[dict[str, Any]]] = yaml.safe_load(
        (FOLDER / kind / half / "texts.yaml").read_text(encoding="utf-8")
    )
    return Corpus([one["text"] for one in source["bad"]], [one["text"] for one in source["honest"]], _read_names())


def _read_names() -> Vocabulary:
    people = [" ".join(name.split()).partition(" ") for name in PEOPLE.split(",")]
    return vocabulary_of(
        Directory(
            people=tuple(
                Person(f"p_{n:04}", f"{first} {last}", first_name=first, last_name=last, handle=first.lower())
                for n, (first, _, last) in enumerate(people)
            ),
            organisations=tuple(
                (f"o_{n}", name, f"{name.split()[0].lower()}.example", "customer") for n, name in enumerate(CUSTOMERS)
            ),
            services=tuple((f"s_{n}", name, "") for n, name in enumerate(SERVICES)),
        )
    )
