"""What authors are told of a company agrees with its rows."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner

from seeds.description import describe_company, describe_person, describe_story
from world.cli import firm as command
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.store import queries

Rows = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def rows(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rows]:
    """Queries over the smallest company."""
    host = open_host(get_image(home, "XS"), tmp_path_factory.mktemp("described"))
    yield partial(queries.rows, host.create("described").bound)
    host.store.close()


def test_every_section_lists_what_the_tables_hold(rows: Rows) -> None:
    found = describe_company(rows)
    counts = {
        "people": "person WHERE kind = 'employee' AND status = 'active'",
        "teams": "team",
        "services": "service",
        "channels": "slack_channel WHERE kind IN ('public', 'private')",
        "projects": "jira_project",
        "repositories": "github_repository",
        "customers": "organisation WHERE kind = 'customer'",
    }
    assert {name: len(found[name]) for name in counts} == {
        name: rows(f"SELECT count(*) FROM {where}")[0][0] for name, where in counts.items()
    }
    assert found["spreadsheets"] and all(one["tabs"] for one in found["spreadsheets"])
    assert sum(one["issues"] for one in found["projects"]) == rows("SELECT count(*) FROM jira_issue")[0][0]


def test_a_person_is_found_by_handle_and_by_id_with_team_and_accounts(rows: Rows) -> None:
    for id, handle, email in rows("SELECT id, handle, email FROM person WHERE kind = 'employee'"):
        about = describe_person(rows, handle)
        assert about == describe_person(rows, id) and (about["id"], about["email"]) == (id, email)
        assert set(about["accounts"]) <= {"slack", "jira", "gmail", "github"}
    assert {"general"} <= set(describe_person(rows, "dkowalski")["channels"])


def test_every_story_lists_all_its_rows(rows: Rows) -> None:
    stories = rows("SELECT story, count(*) FROM story_ref GROUP BY story")
    assert {story: len(describe_story(rows, story)) for story, _ in stories} == dict(stories)
    named = [one["is"] for story, _ in stories for one in describe_story(rows, story) if one["table"] == "jira_issue"]
    assert named and all(key.partition("-")[2].isdigit() for key in named)


def test_who_and_what_does_not_exist_is_refused(rows: Rows) -> None:
    with pytest.raises(LookupError, match="nobody has the handle 'nobody'"):
        describe_person(rows, "nobody")
    with pytest.raises(LookupError, match="no story is called 'none'"):
        describe_story(rows, "none")


def test_the_commands_print_text_and_json(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRM_HOME", str(home.path))
    image = ["--image", str(get_image(home, "XS"))]
    text = CliRunner().invoke(command, ["seed", "who", "dkowalski", *image])
    assert text.exit_code == 0 and "Daniel Kowalski" in text.output
    found = json.loads(CliRunner().invoke(command, ["seed", "describe", "--json", *image]).output)
    assert {one["handle"] for one in found["people"]} > {"dkowalski"}
    story = json.loads(CliRunner().invoke(command, ["seed", "story", "people", "--json", *image]).output)
    assert {one["table"] for one in story["people"]} >= {"person"}
    refused = CliRunner().invoke(command, ["seed", "who", "nobody", *image])
    assert refused.exit_code == 1 and refused.output == "Error: nobody has the handle 'nobody'\n"
