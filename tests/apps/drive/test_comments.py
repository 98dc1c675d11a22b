"""Comments on a file: who may say, change, resolve and delete them, what is told of them, and whom they reach."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.drive
import apps.sheets
from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say
from tests.company import START, as_person
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.script.coworkers import Coworker, Rule
from world.script.scenario import Script, compile_script
from world.store import Base, Store

HOUR_S = 3600
Play = Callable[..., Host]


def comment(say: Say, who: str = "bo", text: str = "Is this right?", **more: Any) -> dict[str, Any]:
    return say("drive.comments.create", who, fileId=BUDGET, content=text, **more)


def answer(say: Say, id: str, who: str = "ada", **more: Any) -> dict[str, Any]:
    return say("drive.replies.create", who, fileId=BUDGET, commentId=id, **more)


def read(say: Say, id: str, **more: Any) -> dict[str, Any]:
    return say("drive.comments.get", fileId=BUDGET, commentId=id, **more)


def test_a_comment_is_read_as_it_was_written(say: Say) -> None:
    anchor = orjson.dumps({"sheetId": 0, "rowIndex": 1, "columnIndex": 2}).decode()
    made = comment(
        say,
        text="a < b\nsee +ada@tiny.example.",
        anchor=anchor,
        quotedFileContent={"mimeType": "text/plain", "value": "1350.5"},
    )
    told = read(say, made["id"])
    assert told["content"] == "a < b\nsee +ada@tiny.example."
    assert told["htmlContent"] == 'a &lt; b<br>see <a href="mailto:ada@tiny.example">+ada@tiny.example</a>.'
    assert (told["anchor"], told["quotedFileContent"]["value"], told["mentionedEmailAddresses"]) == (
        anchor,
        "1350.5",
        ["ada@tiny.example"],
    )
    assert told["author"] == {"kind": "drive#user", "displayName": "Bo Lindqvist", "me": False}
    assert (told["resolved"], told["deleted"], told["replies"]) == (False, False, [])


ANCHORS = [
    "{",
    "[]",
    '{"sheetId": 9, "rowIndex": 0, "columnIndex": 0}',
    '{"rowIndex": -1, "columnIndex": 0}',
    "x" * 500,
    '{"sheetId": []}',
]


@pytest.mark.parametrize("anchor", ANCHORS)
def test_an_anchor_of_another_form_is_kept_as_it_is(say: Say, anchor: str) -> None:
    assert read(say, comment(say, anchor=anchor)["id"])["anchor"] == anchor


def test_answers_resolve_and_open_again(say: Say, refused: Say) -> None:
    id = comment(say)["id"]
    assert answer(say, id, content="Yes.", action="resolve")["action"] == "resolve"
    assert read(say, id)["resolved"]
    answer(say, id, who="bo", action="reopen")
    told = read(say, id)
    assert (told["resolved"], [one.get("content") for one in told["replies"]]) == (False, ["Yes.", None])
    assert refused("drive.replies.create", fileId=BUDGET, commentId=id, action="burn") == "invalid_value"
    assert refused("drive.replies.create", fileId=BUDGET, commentId=id, content=" ") == "required"
    assert refused("drive.comments.create", fileId=BUDGET, content="") == "required"


def test_who_may_comment_and_who_may_change_what_was_said(say: Say, refused: Say) -> None:
    id = comment(say)["id"]
    assert refused("drive.comments.create", "cyrus", fileId=BUDGET, content="x") == "forbidden"
    assert refused("drive.comments.create", "dee", fileId=BUDGET, content="x") == "not_found"
    assert say("drive.comments.get", "cyrus", fileId=BUDGET, commentId=id)["content"] == "Is this right?"
    assert refused("drive.comments.update", fileId=BUDGET, commentId=id, content="y") == "not_the_author"
    assert say("drive.comments.update", "bo", fileId=BUDGET, commentId=id, content="y")["content"] == "y"
    reply = answer(say, id, content="no")["id"]
    where = {"fileId": BUDGET, "commentId": id, "replyId": reply}
    assert refused("drive.replies.update", "bo", **where, content="yes") == "not_the_author"
    assert refused("drive.replies.delete", "bo", **where) == "not_the_author"
    assert say("drive.replies.update", **where, content="yes")["content"] == "yes"
    assert refused("drive.comments.get", fileId=SECRET, commentId=id) == "no_comment"
    assert refused("drive.replies.get", fileId=BUDGET, commentId=id, replyId=id) == "no_reply"
    assert refused("drive.comments.get", fileId=BUDGET, commentId=reply) == "no_comment"


def test_of_a_deleted_one_only_that_it_was_is_told(say: Say, refused: Say) -> None:
    id = comment(say)["id"]
    reply = answer(say, id, content="secret")["id"]
    say("drive.replies.delete", fileId=BUDGET, commentId=id, replyId=reply)
    assert read(say, id)["replies"] == []
    (gone,) = read(say, id, includeDeleted=True)["replies"]
    assert (gone["deleted"], "content" in gone, "author" in gone) == (True, False, False)
    say("drive.comments.delete", fileId=BUDGET, commentId=id)
    assert refused("drive.comments.get", fileId=BUDGET, commentId=id) == "no_comment"
    assert "content" not in read(say, id, includeDeleted=True)
    assert say("drive.comments.list", fileId=BUDGET)["comments"] == []
    assert len(say("drive.comments.list", fileId=BUDGET, includeDeleted=True)["comments"]) == 1
    assert refused("drive.replies.create", fileId=BUDGET, commentId=id, content="x") == "no_comment"


def test_comments_come_in_pages_the_one_changed_last_first(say: Say, refused: Say) -> None:
    ids = [comment(say, text=f"{number}")["id"] for number in range(5)]
    answer(say, ids[0], content="up")
    first = say("drive.comments.list", fileId=BUDGET, pageSize=3)
    second = say("drive.comments.list", fileId=BUDGET, pageSize=3, pageToken=first["nextPageToken"])
    assert [one["content"] for one in (*first["comments"], *second["comments"])] == ["0", "4", "3", "2", "1"]
    since = first["comments"][1]["modifiedTime"]
    later = say("drive.comments.list", fileId=BUDGET, startModifiedTime=since)["comments"]
    assert [one["content"] for one in later] == ["0", "4"]
    assert refused("drive.comments.list", fileId=BUDGET, pageSize=0) == "invalid_value"
    assert refused("drive.comments.list", fileId=SECRET, pageToken=first["nextPageToken"]) == "bad_page_token"
    assert len(say("drive.replies.list", fileId=BUDGET, commentId=ids[0])["replies"]) == 1


def test_work_is_given_to_a_colleague(say: Say, refused: Say) -> None:
    made = comment(say, assigneeEmailAddress="ada@tiny.example")
    assert made["assigneeEmailAddress"] == "ada@tiny.example"
    assert (
        refused("drive.comments.create", fileId=BUDGET, content="x", assigneeEmailAddress="nobody@else.example")
        == "invalid_value"
    )


@pytest.fixture
def play(sealed: Path, tmp_path: Path) -> Play:
    """A host whose world `w` plays a script."""

    def begin(*parts: Callable[[Script], object]) -> Host:
        made = Host(Store(tmp_path / "played", Base(sealed)), [apps.drive.app, apps.sheets.app], Tokens("test secret"))
        script = Script("talk", START, "Europe/Berlin")
        for part in parts:
            part(script)
        made.create("w", Settings(limits="off"), compile_script(script, horizon="2d"))
        return made

    return begin


def called(host: Host, operation: str, who: str = "ada", **arguments: Any) -> Any:
    return host.call(as_person(host, who), "rest", operation, arguments, base_url="http://sheets.test")


def waited(host: Host, who: str = "ada") -> list[str]:
    return called(host, "world.wait", who, seconds=HOUR_S)["happened"]


def saying(text: str, file: str = BUDGET, who: str = "p_bo") -> Callable[[Script], object]:
    return lambda s: s.at("+5m", lambda w: w.act(who, "drive.comments.create", fileId=file, content=text), name="say")


def test_a_comment_wakes_whom_it_names(play: Play) -> None:
    host = play(saying("Look, @cyrus@tiny.example, @dee@tiny.example"))
    assert waited(host, "cyrus") == [
        'You were mentioned. Bo Lindqvist commented on "Budget": Look, @cyrus@tiny.example, @dee@tiny.example'
    ]


def test_a_comment_wakes_the_owner_of_the_file(play: Play) -> None:
    assert waited(play(saying("Look"))) == ['Bo Lindqvist commented on "Budget": Look']


def test_who_may_not_see_a_file_hears_nothing_of_it(play: Play) -> None:
    assert waited(play(saying("For @ada@tiny.example", file=NOTES))) == []


def test_a_change_of_cells_wakes_nobody(play: Play) -> None:
    value = {"spreadsheetId": BUDGET, "range": "A9", "values": [["x"]], "valueInputOption": "RAW"}
    assert (
        waited(play(lambda s: s.at("+5m", lambda w: w.act("p_bo", "spreadsheets.values.update", **value), name="edit")))
        == []
    )


def test_a_colleague_answers_in_the_thread(play: Play) -> None:
    rule = Rule("total", intent=(("total",),), replies=("It is right.",) * 3)
    host = play(lambda s: s.coworker(Coworker(who=lambda w: "p_bo", rules=(rule,), fallback=("Hm?",) * 3, always=True)))
    made = called(host, "drive.comments.create", fileId=BUDGET, content="@bo@tiny.example is the total right?")
    waited(host)
    (reply,) = called(host, "drive.comments.get", fileId=BUDGET, commentId=made["id"])["replies"]
    assert (reply["content"], reply["author"]["displayName"]) == ("It is right.", "Bo Lindqvist")


def test_a_comment_on_a_cell_moves_with_it_and_is_marked_there(say: Say) -> None:
    made = comment(say, anchor=orjson.dumps({"sheetId": 0, "rowIndex": 1, "columnIndex": 2}).decode())["id"]

    def marked() -> list[list[int]]:
        cells = say("web.cells", spreadsheetId=BUDGET)["window"]["cells"]
        return [cell[:2] for cell in cells if len(cell) > 5 and cell[5].get("c")]

    assert marked() == [[1, 2]]
    lines = {"sheetId": 0, "dimension": "ROWS", "startIndex": 0, "endIndex": 2}
    say("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[{"insertDimension": {"range": lines}}])
    assert orjson.loads(read(say, made)["anchor"]) == {"sheetId": 0, "rowIndex": 3, "columnIndex": 2} and marked() == [
        [3, 2]
    ]
    say(
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[{"deleteDimension": {"range": {**lines, "startIndex": 3, "endIndex": 4}}}],
    )
    assert "anchor" not in read(say, made) and marked() == []
