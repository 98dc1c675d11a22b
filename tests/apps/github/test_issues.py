"""Issues: what lists show, who may open what, and what is dropped without push access."""

from tests.apps.github.conftest import Say


def test_a_list_shows_open_issues_newest_first_and_tells_how_many_there_are(say: Say) -> None:
    say("issues/create", title="Second")
    page = say("issues/list-for-repo", per_page=1)
    assert [issue["title"] for issue in page] == ["Second"]
    assert page.total == 2
    assert [issue["number"] for issue in say("issues/list-for-repo", state="all", direction="asc")] == [2, 1, 3]


def test_labels_milestone_and_assignees_of_a_writer_are_kept_and_those_of_a_reader_dropped(say: Say) -> None:
    wanted = {"title": "New", "labels": ["bug", "fresh"], "assignees": ["bo"], "milestone": 1}
    kept = say("issues/create", "bo", **wanted)
    assert [label["name"] for label in kept["labels"]] == ["bug", "fresh"]
    assert (kept["assignee"]["login"], kept["milestone"]["title"]) == ("bo", "v1")
    dropped = say("issues/create", "dee", **wanted)
    assert (dropped["labels"], dropped["assignees"], dropped["milestone"]) == ([], [], None)


def test_who_cannot_see_a_repository_is_told_that_there_is_none(say: Say, refused: Say) -> None:
    assert refused("issues/get", "eve", issue_number=1) == "not_found"
    assert say("issues/list-for-repo", "eve", repo="secret") == []
    assert refused("issues/get", issue_number=99) == "not_found"


def test_a_missing_title_and_an_unknown_assignee_are_refused_and_nothing_is_written(say: Say, refused: Say) -> None:
    assert refused("issues/create", title="  ") == "validation_failed"
    assert refused("issues/create", title="x", assignees=["nobody"]) == "validation_failed"
    assert say("issues/list-for-repo").total == 1
