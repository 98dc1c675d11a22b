"""Reactions, pins, bookmarks, saved messages, canvases, files: docs.slack.dev/reference/methods of those names."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.slack.rows import CORE, GENERAL, IM, OLD, SECRET, ts
from world.run.host import Host
from world.web.emoji import BY_NAME

Say = Callable[..., Any]


def test_a_reaction_is_added_once_and_taken_back(say: Say, refused: Say) -> None:
    say("reactions.add", "eve", channel=GENERAL, timestamp=ts(12), name=":Tada:")
    assert say("reactions.get", channel=GENERAL, timestamp=ts(12))["message"]["reactions"] == [
        {"name": "tada", "users": ["U0EVE"], "count": 1}
    ]
    assert refused("reactions.add", "eve", channel=GENERAL, timestamp=ts(12), name="tada") == "already_reacted"
    say("reactions.remove", "eve", channel=GENERAL, timestamp=ts(12), name="tada")
    assert "reactions" not in say("reactions.get", channel=GENERAL, timestamp=ts(12))["message"]
    assert refused("reactions.remove", "eve", channel=GENERAL, timestamp=ts(12), name="tada") == "no_reaction"


@pytest.mark.parametrize(
    ("channel", "at", "name", "code"),
    [
        (CORE, "1.000000", "eyes", "message_not_found"),
        (SECRET, ts(20), "eyes", "channel_not_found"),
        (GENERAL, ts(12), "no spaces", "invalid_name"),
        (OLD, ts(3), "eyes", "is_archived"),
    ],
)
def test_where_one_cannot_react(refused: Say, channel: str, at: str, name: str, code: str) -> None:
    assert refused("reactions.add", "bo", channel=channel, timestamp=at, name=name) == code


def test_one_person_has_a_limit_of_reactions(say: Say, refused: Say) -> None:
    *first, one_more = list(BY_NAME)[:24]
    for name in first:
        say("reactions.add", channel=GENERAL, timestamp=ts(12), name=name)
    assert refused("reactions.add", channel=GENERAL, timestamp=ts(12), name=one_more) == "too_many_reactions"


@pytest.mark.parametrize(
    ("names", "stored"),
    [
        (("thumbsup", "+1", ":+1:", "THUMBSUP"), "+1"),
        (("shrug", "person_shrugging"), "shrug"),
        (("thinking", "thinking_face"), "thinking_face"),
        (("+1::skin-tone-3", "thumbsup::skin-tone-3"), "+1::skin-tone-3"),
        (("male-technologist", "man-technologist"), "man_technologist"),
        (("rotating_light",), "rotating_light"),
        (("flag-de",), "flag-de"),
    ],
)
def test_all_names_of_one_picture_are_one_reaction(say: Say, refused: Say, names: tuple[str, ...], stored: str) -> None:
    say("reactions.add", "eve", channel=GENERAL, timestamp=ts(12), name=names[0])
    for name in names:
        assert refused("reactions.add", "eve", channel=GENERAL, timestamp=ts(12), name=name) == "already_reacted"
    (given,) = say("reactions.get", channel=GENERAL, timestamp=ts(12))["message"]["reactions"]
    assert (given["name"], given["count"]) == (stored, 1)
    say("reactions.remove", "eve", channel=GENERAL, timestamp=ts(12), name=names[-1])
    assert "reactions" not in say("reactions.get", channel=GENERAL, timestamp=ts(12))["message"]


@pytest.mark.parametrize("name", ["no_such_emoji", "done", "e1", "::", "x" * 101, "flag-zzz", "+1::skin-tone-9"])
def test_a_word_that_names_no_picture_is_no_reaction(refused: Say, name: str) -> None:
    assert refused("reactions.add", channel=GENERAL, timestamp=ts(12), name=name) == "invalid_name"


def test_reactions_in_private_places_are_listed_for_members_only(say: Say) -> None:
    assert [item["channel"] for item in say("reactions.list", user="U0DEE")["items"]] == [SECRET]
    assert say("reactions.list", "bo", user="U0DEE")["items"] == []


def test_pins_come_and_go(say: Say, refused: Say) -> None:
    assert refused("pins.add", channel=GENERAL, timestamp=ts(10)) == "already_pinned"
    say("pins.add", "bo", channel=GENERAL, timestamp=ts(12))
    assert [item["message"]["ts"] for item in say("pins.list", channel=GENERAL)["items"]] == [ts(12), ts(10)]
    say("pins.remove", channel=GENERAL, timestamp=ts(10))
    assert refused("pins.remove", channel=GENERAL, timestamp=ts(10)) == "no_pin"
    assert refused("pins.add", "eve", channel=CORE, timestamp=ts(11)) == "not_in_channel"


def test_bookmarks_are_kept_with_a_channel(say: Say, refused: Say) -> None:
    made = say("bookmarks.add", channel_id=CORE, title="Wiki", link="https://wiki.tiny.example")["bookmark"]
    say("bookmarks.edit", channel_id=CORE, bookmark_id=made["id"], title="The wiki")
    assert [b["title"] for b in say("bookmarks.list", channel_id=CORE)["bookmarks"]] == ["Runbook", "The wiki"]
    say("bookmarks.remove", channel_id=CORE, bookmark_id="Bk0RUNBOOK1")
    assert refused("bookmarks.edit", channel_id=CORE, bookmark_id="Bk0RUNBOOK1", title="x") == "not_found"
    assert refused("bookmarks.add", channel_id=CORE, title="x", link="javascript:1") == "invalid_link"
    assert refused("bookmarks.list", "bo", channel_id=SECRET) == "channel_not_found"


def test_a_message_is_kept_for_later_until_it_is_done(say: Say, refused: Say) -> None:
    say("saved.add", channel=CORE, item_id=CORE, ts=ts(15))
    assert refused("saved.add", item_id=CORE, ts=ts(15)) == "already_saved"
    say("saved.update", item_id=IM, ts=ts(40), mark="completed")
    listed = say("saved.list")
    assert [item["ts"] for item in listed["saved_items"]] == [ts(15), ts(11)]
    assert listed["counts"] == {"uncompleted_count": 2, "archived_count": 0, "completed_count": 1}
    say("saved.delete", item_id=CORE, ts=ts(15))
    assert refused("saved.delete", item_id=CORE, ts=ts(15)) == "not_saved"


def test_what_one_saved_in_a_channel_one_left_is_not_shown(say: Say) -> None:
    say("saved.add", "dee", item_id=SECRET, ts=ts(20))
    say("conversations.leave", "dee", channel=SECRET)
    assert say("saved.list", "dee")["saved_items"] == []


def document(markdown: str) -> dict[str, str]:
    return {"type": "markdown", "markdown": markdown}


def body(say: Say, canvas: str, who: str = "ada") -> str:
    return say("canvases.read", who, canvas_id=canvas)["canvas"]["markdown"]


def test_a_canvas_is_written_and_changed_by_sections(say: Say) -> None:
    made = say(
        "canvases.create", title="Plan", document_content=document("# Plan\n\nfirst\n\n- a\n- b\n\n```\nx\n\ny\n```")
    )["canvas_id"]
    assert [part["type"] for part in say("canvases.read", canvas_id=made)["sections"]] == ["h1", "text", "list", "code"]
    found = say("canvases.sections.lookup", canvas_id=made, criteria={"contains_text": "first"})["sections"][0]["id"]

    def change(operation: str, section: str | None = None, text: str | None = None) -> None:
        more = {
            **({"section_id": section} if section else {}),
            **({"document_content": document(text)} if text else {}),
        }
        say("canvases.edit", canvas_id=made, changes=[{"operation": operation, **more}])

    change("insert_after", found, "second\n\nthird")
    change("insert_at_start", text="zero")
    change("insert_before", found, "half")
    assert body(say, made).split("\n\n")[:6] == ["zero", "# Plan", "half", "first", "second", "third"]
    change("replace", found, "FIRST")
    change("insert_at_end", text="end")
    headers = say("canvases.sections.lookup", canvas_id=made, criteria={"section_types": ["any_header"]})["sections"]
    change("delete", headers[0]["id"])
    assert body(say, made).startswith("zero\n\nhalf\n\nFIRST\n\nsecond") and body(say, made).endswith("end")
    change("replace", text="all new")
    assert body(say, made) == "all new"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([], "canvas_editing_failed"),
        ([{"operation": "explode"}], "canvas_editing_failed"),
        ([{"operation": "delete", "section_id": "temp:C:none"}], "section_not_found"),
        ([{"operation": "insert_at_end"}], "missing_document_content"),
    ],
)
def test_a_canvas_refuses_what_it_cannot_do(refused: Say, changes: list[Any], code: str) -> None:
    assert refused("canvases.edit", canvas_id="F0CANVAS01", changes=changes) == code


def test_a_canvas_is_private_until_shared(say: Say, refused: Say) -> None:
    assert refused("canvases.read", "bo", canvas_id="F0CANVAS01") == "canvas_not_found"
    say("canvases.access.set", canvas_id="F0CANVAS01", access_level="read", user_ids=["U0BO"])
    assert body(say, "F0CANVAS01", "bo").startswith("# Plan")
    edit = {"canvas_id": "F0CANVAS01", "changes": [{"operation": "insert_at_end", "document_content": document("x")}]}
    assert refused("canvases.edit", "bo", **edit) == "restricted_action"
    say("canvases.access.set", canvas_id="F0CANVAS01", access_level="write", channel_ids=[CORE])
    say("canvases.edit", "dee", **edit)
    say("canvases.access.delete", canvas_id="F0CANVAS01", user_ids=["U0BO"], channel_ids=[CORE])
    assert refused("canvases.read", "bo", canvas_id="F0CANVAS01") == "canvas_not_found"


def test_a_channel_has_one_canvas_of_its_own(say: Say, refused: Say) -> None:
    made = say("conversations.canvases.create", channel_id=CORE, document_content=document("about"))["canvas_id"]
    assert refused("conversations.canvases.create", "bo", channel_id=CORE) == "channel_canvas_already_exists"
    assert body(say, made, "dee") == "about" and [c["id"] for c in say("canvases.list", "dee")["canvases"]] == [made]
    assert refused("canvases.delete", "dee", canvas_id=made) == "restricted_action"


def upload(say: Say, name: str, data: bytes, who: str = "ada") -> str:
    asked = say("files.getUploadURLExternal", who, filename=name, length=len(data))
    say("files.uploadContent", who, secret=asked["upload_url"].rpartition("/")[2], data=base64.b64encode(data).decode())
    return asked["file_id"]


def test_a_file_is_uploaded_in_three_steps_and_downloaded(say: Say, refused: Say) -> None:
    file = upload(say, "plan.md", b"# Plan")
    assert refused("files.info", file=file) == "file_not_found"
    done = say(
        "files.completeUploadExternal",
        files=[{"id": file, "title": "The plan"}],
        channel_id=CORE,
        initial_comment="Look",
    )
    assert done == {"files": [{"id": file, "title": "The plan"}]}
    message = say("conversations.history", "bo", channel=CORE, limit=1)["messages"][0]
    assert (message["text"], message["files"][0]["id"], message["files"][0]["filetype"]) == ("Look", file, "markdown")
    shown = say("files.info", "bo", file=file)["file"]
    assert (shown["channels"], shown["is_public"], shown["shares"]["public"][CORE][0]["ts"]) == (
        [CORE],
        True,
        message["ts"],
    )
    assert base64.b64decode(say("files.content", "bo", file=file)["content"]) == b"# Plan"


def test_a_file_that_never_arrived_cannot_be_completed(say: Say, refused: Say) -> None:
    asked = say("files.getUploadURLExternal", filename="x.txt", length=3)
    assert refused("files.completeUploadExternal", files=[{"id": asked["file_id"]}]) == "file_not_found"
    assert (
        refused("files.uploadContent", "bo", secret=asked["upload_url"].rpartition("/")[2], data="eHh4")
        == "file_not_found"
    )


def test_a_file_shared_nowhere_is_its_owners(say: Say, refused: Say) -> None:
    file = upload(say, "x.txt", b"xxx")
    say("files.completeUploadExternal", files=[{"id": file}])
    assert say("files.info", file=file)["file"]["is_public"] is False
    assert refused("files.info", "bo", file=file) == "file_not_found"
    assert file not in [f["id"] for f in say("files.list", "bo")["files"]]
    assert say("search.files", "bo", query="x.txt")["files"]["total"] == 0


def test_a_file_of_a_private_channel_is_seen_by_its_members(say: Say, refused: Say) -> None:
    file = say("files.upload", channels=[SECRET], content="secret", filename="reorg.txt")["file"]["id"]
    assert say("files.info", "dee", file=file)["file"]["groups"] == [SECRET]
    assert refused("files.info", "bo", file=file) == "file_not_found"
    assert refused("files.content", "bo", file=file) == "file_not_found"


def test_files_are_listed_by_kind_place_and_owner(say: Say, refused: Say) -> None:
    say("files.upload", "bo", channels=[CORE], file={"filename": "shot.png", "data": base64.b64encode(b"png").decode()})
    assert [f["name"] for f in say("files.list", channel=CORE)["files"]] == ["shot.png", "report.csv"]
    assert [f["name"] for f in say("files.list", types="images")["files"]] == ["shot.png"]
    assert [f["name"] for f in say("files.list", user="U0ADA")["files"]] == ["report.csv"]
    assert say("files.list", count=1, page=2)["paging"] == {"count": 1, "total": 2, "page": 2, "pages": 2}
    assert refused("files.list", types="hats") == "unknown_type"


def test_a_deleted_file_leaves_a_mark_in_its_message(say: Say, refused: Say) -> None:
    assert refused("files.delete", "bo", file="F0REPORT01") == "cant_delete_file"
    say("files.delete", file="F0REPORT01")
    assert say("conversations.history", channel=CORE)["messages"][0]["files"] == [
        {"id": "F0REPORT01", "mode": "tombstone"}
    ]
    assert refused("files.info", file="F0REPORT01") == "file_deleted"


def test_equal_bytes_are_stored_once(host: Host, say: Say) -> None:
    for name in ("a.txt", "b.txt"):
        say("files.upload", channels=[CORE], content="same", filename=name)
    count = host.actor("w").bound.raw.execute("SELECT count(*) FROM blob").fetchone()[0]
    assert count == 2
