"""The search of issues against its specification in plain Python, over issues and searches made at random."""

import random
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection
from sqlmodel import Session

import apps.github
from tests.apps.github.conftest import rows
from tests.apps.github.search_model import EACH, corpus, found, query, written
from tests.apps.github.search_model import rows as searched
from tests.company import START, as_person, company_rows
from world.core.access import Tokens
from world.core.image_builder import build
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

SEARCHES = 150
DOCS = corpus()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host whose repositories are full of issues."""

    def load(connection: Connection) -> None:
        with Session(bind=connection) as session:
            kept = [row for row in rows() if type(row).__name__ != "Issue"]
            session.add_all([*company_rows(), *kept, *searched(DOCS)])
            session.commit()

    folder = tmp_path_factory.mktemp("search")
    base = Base(build(folder / "images", [apps.github.app], load, now=START))
    host = Host(Store(folder / "worlds", base), [apps.github.app], Tokens("test secret"))
    host.create("w", Settings(limits="off"))
    yield host


@pytest.mark.full
def test_searches_find_what_the_specification_says_for_whoever_asks(library: Host) -> None:
    rng = random.Random(11)
    hits = 0
    for asked in [*EACH, *(query(rng) for _ in range(SEARCHES))]:
        who = rng.choice(("ada", "cyrus", "eve"))
        text = written(asked)
        if text.count(" OR ") > 5:
            continue
        principal = as_person(library, who)
        answer = library.call(
            principal, "rest", "search/issues-and-pull-requests", {"q": text, "per_page": 100}, "http://github.test"
        )
        wanted = found(DOCS, asked, who)
        assert [item["number"] for item in answer["items"]] == wanted, (who, text)
        assert answer["total_count"] == len(wanted)
        hits += bool(wanted)
    assert hits > SEARCHES // 5
