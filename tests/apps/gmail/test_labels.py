"""Labels of one's own, and the system's."""

from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml

BO = "bo@tiny.example"


def own(say: Say, who: str = "ada") -> list[dict[str, Any]]:
    """The labels of somebody's own."""
    return [label for label in say("users.labels.list", who)["labels"] if label["type"] == "user"]


def test_the_list_has_the_systems_labels_and_ones_own_without_counts(say: Say) -> None:
    made = say("users.labels.create", name="Receipts", labelListVisibility="labelShowIfUnread")
    listed = {label["id"]: label for label in say("users.labels.list")["labels"]}
    assert (
        listed[made["id"]]
        == made
        == {
            "id": made["id"],
            "name": "Receipts",
            "type": "user",
            "messageListVisibility": "show",
            "labelListVisibility": "labelShowIfUnread",
        }
    )
    assert made["id"].startswith("Label_")
    assert listed["INBOX"] == {"id": "INBOX", "name": "INBOX", "type": "system"}
    assert listed["SPAM"] == {
        "id": "SPAM",
        "name": "SPAM",
        "type": "system",
        "messageListVisibility": "hide",
        "labelListVisibility": "labelHide",
    }
    assert set(listed) - {made["id"]} == {
        "INBOX",
        "SPAM",
        "TRASH",
        "UNREAD",
        "STARRED",
        "IMPORTANT",
        "SENT",
        "DRAFT",
        "CHAT",
        "CATEGORY_PERSONAL",
        "CATEGORY_SOCIAL",
        "CATEGORY_PROMOTIONS",
        "CATEGORY_UPDATES",
        "CATEGORY_FORUMS",
    }


def test_a_label_that_is_read_counts_messages_and_threads(say: Say) -> None:
    mine = say("users.labels.create", "bo", name="Mine")["id"]
    for subject in ("One", "Two", "Three"):
        say("users.messages.send", raw=eml(BO, subject))
    three, two, one = (m["id"] for m in say("users.messages.list", "bo")["messages"])
    say("users.messages.batchModify", "bo", ids=[one, two, three], addLabelIds=[mine])
    say("users.messages.modify", "bo", id=one, removeLabelIds=["UNREAD"])
    say("users.messages.trash", "bo", id=two)
    assert counts(say, mine) == counts(say, "IMPORTANT") == counts(say, "INBOX") == (2, 1, 2, 1)
    assert counts(say, "UNREAD") == (1, 1, 1, 1)
    assert counts(say, "TRASH") == (1, 1, 1, 1)
    assert counts(say, "SPAM") == counts(say, "STARRED") == (0, 0, 0, 0)


def counts(say: Say, id: str) -> tuple[int, ...]:
    """Messages, those unread, threads, those unread, in Bo's mailbox."""
    got = say("users.labels.get", "bo", id=id)
    return tuple(got[name] for name in ("messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread"))


def test_threads_are_counted_once_however_many_of_their_messages_have_the_label(say: Say) -> None:
    first = say(
        "users.messages.insert", raw=eml(BO, "Plan", Message_ID="<a@tiny.example>"), labelIds=["INBOX", "UNREAD"]
    )
    say(
        "users.messages.insert",
        raw=eml(BO, "Re: Plan", In_Reply_To="<a@tiny.example>"),
        threadId=first["threadId"],
        labelIds=["INBOX"],
    )
    got = say("users.labels.get", id="INBOX")
    assert (got["messagesTotal"], got["messagesUnread"], got["threadsTotal"], got["threadsUnread"]) == (2, 1, 1, 1)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "INBOX",
        "inbox",
        "Spam",
        "TRASH",
        "Unread",
        "sent",
        "drafts",
        "Important",
        "starred",
        "category_social",
        "^",
        "^i",
        "/",
        "a//b",
        "/a",
        "a/",
        "a/ /b",
        "tab\tbed",
        "line\nbreak",
        "bell\x07",
        "\u202eevil",
        "zero\u200bwidth",
        "x" * 226,
        "all mail",
    ],
)
def test_names_no_label_may_have(say: Say, refused: Say, name: str) -> None:
    assert refused("users.labels.create", name=name) == "invalid_label_name"
    assert own(say) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"name": "x" * 10_000},
        {"name": "nu\x00l"},
        {"name": "half \ud800"},
        {"name": 7},
        {"labelListVisibility": "show"},
        {"messageListVisibility": "labelHide"},
        {"color": "red"},
    ],
)
def test_arguments_no_label_takes(say: Say, refused: Say, bad: dict[str, Any]) -> None:
    assert refused("users.labels.create", **{"name": "Good", **bad}) == "invalid_arguments"
    assert own(say) == []


@pytest.mark.parametrize(
    "name",
    [
        "a/b",
        "a/b/c",
        "Ärger & Müll",
        "日本",
        "x" * 225,
        'it\'s "quoted"',
        "{a} (b)",
        "<b>bold</b>",
        "'; DROP TABLE x; --",
        "🎉",
    ],
)
def test_names_a_label_may_have_are_kept_as_they_are(say: Say, name: str) -> None:
    made = say("users.labels.create", name=name)
    assert own(say) == [made] and made["name"] == name


def test_a_name_is_taken_once_whatever_its_case_and_spaces(say: Say, refused: Say) -> None:
    one = say("users.labels.create", name="Travel/Long  Trips")["id"]
    two = say("users.labels.create", name="Other")["id"]
    for name in ("Travel/Long  Trips", "travel/LONG trips", " Travel/Long Trips ", "TRAVEL / long trips"):
        assert refused("users.labels.create", name=name) == "label_exists", name
        assert refused("users.labels.patch", id=two, name=name) == "label_exists", name
    assert say("users.labels.patch", id=one, name="travel/long trips")["name"] == "travel/long trips"
    say("users.labels.create", "bo", name="Other")


def test_patch_leaves_what_is_not_said_and_update_makes_it_usual(say: Say) -> None:
    colours = {"textColor": "#ffffff", "backgroundColor": "#FB4C2F"}
    made = say(
        "users.labels.create", name="A", labelListVisibility="labelHide", messageListVisibility="hide", color=colours
    )
    assert made["color"] == {"textColor": "#ffffff", "backgroundColor": "#fb4c2f"}
    assert say("users.labels.patch", id=made["id"], name="B") == {**made, "name": "B"}
    assert say("users.labels.update", id=made["id"], name="C") == {
        "id": made["id"],
        "name": "C",
        "type": "user",
        "messageListVisibility": "show",
        "labelListVisibility": "labelShow",
    }


@pytest.mark.parametrize(
    "color",
    [
        {},
        {"textColor": "#ffffff"},
        {"backgroundColor": "#ffffff"},
        {"textColor": "#123456", "backgroundColor": "#ffffff"},
        {"textColor": "white", "backgroundColor": "#ffffff"},
        {"textColor": "#fff", "backgroundColor": "#000"},
    ],
)
def test_colours_come_in_pairs_from_the_palette(say: Say, refused: Say, color: dict[str, str]) -> None:
    made = say("users.labels.create", name="A")
    assert refused("users.labels.create", name="B", color=color) == "invalid_label_color"
    assert refused("users.labels.patch", id=made["id"], name="B", color=color) == "invalid_label_color"
    assert own(say) == [made]


def test_an_update_needs_a_name(say: Say, refused: Say) -> None:
    made = say("users.labels.create", name="A")
    assert refused("users.labels.update", id=made["id"], labelListVisibility="labelHide") == "invalid_label_name"
    assert own(say) == [made]


def test_the_systems_labels_stay_as_they_are(say: Say, refused: Say) -> None:
    before = say("users.labels.list")
    for id in ("INBOX", "CATEGORY_SOCIAL", "UNREAD"):
        assert refused("users.labels.delete", id=id) == "system_label"
        assert refused("users.labels.patch", id=id, name="Mine") == "system_label"
        assert refused("users.labels.update", id=id, name="Mine") == "system_label"
    assert say("users.labels.list") == before


def test_labels_of_others_and_of_nobody_are_not_found(say: Say, refused: Say) -> None:
    theirs = say("users.labels.create", "bo", name="Theirs")
    for id in (theirs["id"], "Label_1", "inbox", "SNOOZED", "a/b", "'"):
        for operation in ("get", "delete", "patch", "update"):
            assert refused(f"users.labels.{operation}", id=id, name="X") == "not_found", (operation, id)
    assert refused("users.labels.get", id="x" * 10_000) == refused("users.labels.get", id="") == "invalid_arguments"
    assert own(say, "bo") == [theirs]


def test_a_deleted_label_leaves_its_messages_and_the_history_says_so(say: Say, refused: Say) -> None:
    mine = say("users.labels.create", name="Mine")["id"]
    id = say("users.messages.insert", raw=eml(BO), labelIds=["INBOX", mine])["id"]
    start = say("users.getProfile")["historyId"]
    assert say("users.labels.delete", id=mine) is None
    assert say("users.messages.get", id=id, format="minimal")["labelIds"] == ["INBOX"] and own(say) == []
    (record,) = say("users.history.list", startHistoryId=start)["history"]
    assert record["labelsRemoved"][0]["labelIds"] == [mine]
    assert refused("users.messages.modify", id=id, addLabelIds=[mine]) == "invalid_label"
    assert say("users.labels.create", name="Mine")["id"] != mine


def test_there_are_labels_enough_but_not_without_end(say: Say, refused: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.gmail.operations.labels.MOST", 2)
    for name in ("a", "b"):
        say("users.labels.create", name=name)
    assert refused("users.labels.create", name="c") == "too_many_labels"
    say("users.labels.create", "bo", name="c")
