"""The company whose names the writings use."""

import pytest

from world.grading.directory import Directory, Person
from world.grading.facts import Vocabulary, vocabulary_of


def _person(id: str, name: str, **more: str) -> Person:
    first, _, last = name.partition(" ")
    return Person(id, name, first, first, last, first.lower(), f"{first}.{last}@acme.example".lower(), **more)


COMPANY = Directory(
    people=(
        Person("p_1", "Mira Öztürk", "Mira", "Mira", "Öztürk", "mira", "mira.oeztuerk@acme.example"),
        _person("p_2", "Daniel Kern"),
        _person("p_4", "Will Grace"),
        _person("p_5", "Joan Reyes"),
        _person("p_6", "Joan Baptiste"),
        Person("p_9", "Jira", "Jira", "Jira", "", "jira", "jira@acme.example", kind="bot"),
        Person("c_1", "Vera Stone", email="vera.stone@pcdental.example", kind="contact"),
    ),
    aliases=(("p_1", "nick", "Mimi"), ("p_2", "nick", "Dan")),
    accounts=(("slack", "U0MIRA001", "p_1"),),
    services=(("payments", "Payments", "t"), ("catalog-search", "catalog-search", "t")),
    company={"name": "Acme", "domain": "acme.example", "tz": "UTC"},
    organisations=(
        ("o_pcd", "Pacific Crest Dental", "pcdental.example", "customer"),
        ("o_harbor", "Harbor Foods", "harborfoods.example", "customer"),
        ("o_kov", "Kovács & Fia Vasáru", "kovacsfia.example", "customer"),
        ("o_berg", "Bergmann Elektro", "bergmann-elektro.example", "customer"),
        ("o_nord", "Nordacq", "nordacq.example", "vendor"),
    ),
    employers=(("c_1", "o_pcd"),),
    entities=(
        ("channel", "C1", "incidents"),
        ("channel", "C2", "support-escalations"),
        ("project", "3", "SHOP"),
        ("product", "7", "ledger-core"),
    ),
)


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    """The names of the company."""
    return vocabulary_of(COMPANY)
