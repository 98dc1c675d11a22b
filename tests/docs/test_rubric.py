"""The rubric of docs/rubric.md loads, and the page names every word of the language."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from tests.docs.pages import ROOT, blocks, page
from world.core.tables import metadata
from world.grading import describe, load_rubric, schema
from world.grading.claims.lexicon import STATES
from world.grading.facts import KINDS as FACT_KINDS
from world.grading.facts.rules import KEYS as FACT_KEYS
from world.grading.operators import MODIFIERS, OPERATORS
from world.grading.refs import EMPLOYEE, KINDS
from world.grading.text_rules import PREDICATES

EXAMPLE, MAIL, DIRECT, FACTS, NAMED, IMPOSSIBLE = (
    b.text for b in blocks(ROOT / "docs" / "rubric.md") if b.language == "yaml"
)


def words() -> set[str]:
    """Every word that stands in code on the page."""
    text = page("rubric.md")
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text)))) | set(re.findall(r"\w+", EXAMPLE))


def keys() -> set[str]:
    """Every key of every section of a rubric."""
    models = [
        m
        for m in vars(schema).values()
        if isinstance(m, type) and issubclass(m, BaseModel) and m.__module__ == schema.__name__
    ]
    return {name for model in models for name in model.model_fields}


def test_the_example_loads(tmp_path: Path) -> None:
    (tmp_path / "rubric.yaml").write_text(EXAMPLE, encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", describe(metadata()), events=["outage", "report", "cleared"])
    assert [item.id for item in rubric.items] == ["status_post", "close_ticket", "mention_oncall", "reassign", "thanks"]
    assert len(rubric.rules) == 5 and rubric.answer is not None


def test_the_rubric_of_mail_loads(tmp_path: Path) -> None:
    (tmp_path / "rubric.yaml").write_text(MAIL, encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", describe(metadata()), events=["question"])
    assert [item.id for item in rubric.items] == ["answered", "drafted", "filed", "archived", "thrown_away"]


def test_the_rubric_of_direct_messages_loads(tmp_path: Path) -> None:
    (tmp_path / "rubric.yaml").write_text(DIRECT, encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", describe(metadata()), events=["question"])
    assert [item.id for item in rubric.items] == ["asked"]


@pytest.mark.parametrize("text", [FACTS, NAMED], ids=["facts", "names"])
def test_the_rubric_of_facts_loads(tmp_path: Path, text: str) -> None:
    (tmp_path / "rubric.yaml").write_text(text, encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", describe(metadata()), events=["truth"])
    assert [item.id for item in rubric.items] == ["answered"]


def test_the_rubric_of_an_impossible_task_loads(tmp_path: Path) -> None:
    (tmp_path / "rubric.yaml").write_text(IMPOSSIBLE, encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", describe(metadata()), events=["freeze"])
    assert rubric.answer is not None and rubric.answer.status == "impossible"


def test_the_example_shows_every_section() -> None:
    assert set(schema.RubricFile.model_fields) - set(re.findall(r"^(\w+):", EXAMPLE, re.M)) == {"python"}


def test_every_key_operator_predicate_and_ref_has_its_place() -> None:
    known = keys() | {
        *OPERATORS,
        *MODIFIERS,
        *PREDICATES,
        "quotes",
        "facts",
        *FACT_KEYS,
        *FACT_KINDS,
        *KINDS,
        *EMPLOYEE,
    }
    assert sorted(known - words()) == []


def test_every_state_of_a_claim_is_listed() -> None:
    assert [state for state in STATES if f"`{state}`" not in page("rubric.md")] == []
