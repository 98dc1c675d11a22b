"""Filters: made, refused, and applied to mail that arrives."""

from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.delivery.outside_mail import deliver, labels, newest
from world.run.host import Host

FILTERS = "users.settings.filters."


def made(say: Say, action: dict[str, Any], who: str = "bo", **criteria: Any) -> str:
    return say(FILTERS + "create", who, criteria=criteria, action=action)["id"]


def came(say: Say, who: str = "bo", **mail: Any) -> set[str]:
    """The labels of a mail that Ada sends, where it arrives."""
    say("users.messages.send", raw=eml(f"{who}@tiny.example", **mail))
    return labels(say, who)


def test_a_filter_is_given_back_as_it_was_made_and_listed_in_order(say: Say) -> None:
    assert say(FILTERS + "list") == {}
    first = say(
        FILTERS + "create",
        criteria={"from": " Billing  Desk ", "size": 0},
        action={"removeLabelIds": ["INBOX", "INBOX"]},
    )
    assert first == {"id": first["id"], "criteria": {"from": "Billing Desk"}, "action": {"removeLabelIds": ["INBOX"]}}
    second = say(
        FILTERS + "create", criteria={"size": 9, "sizeComparison": "larger"}, action={"addLabelIds": ["STARRED"]}
    )
    assert second["criteria"] == {"size": 9, "sizeComparison": "larger"}
    assert say(FILTERS + "list") == {"filter": [first, second]} and say(FILTERS + "get", id=second["id"]) == second
    say(FILTERS + "delete", id=first["id"])
    assert say(FILTERS + "list") == {"filter": [second]}


@pytest.mark.parametrize(
    ("criteria", "action", "code"),
    [
        ({}, {"addLabelIds": ["STARRED"]}, "filter_criteria_missing"),
        ({"subject": "  ", "size": 5}, {"addLabelIds": ["STARRED"]}, "filter_criteria_missing"),
        ({"from": "x"}, {}, "filter_action_missing"),
        ({"from": "x"}, {"forward": ""}, "filter_action_missing"),
        ({"from": "x"}, {"addLabelIds": ["SPAM"]}, "invalid_label"),
        ({"from": "x"}, {"addLabelIds": ["Label_9"]}, "invalid_label"),
        ({"from": "x"}, {"removeLabelIds": ["SENT"]}, "invalid_label"),
        ({"from": "x"}, {"forward": "zoe@acme.example"}, "unrecognized_forwarding_address"),
        ({"query": "(" * 100 + "x"}, {"addLabelIds": ["STARRED"]}, "invalid_query"),
        ({"size": -1, "sizeComparison": "larger"}, {"addLabelIds": ["STARRED"]}, "invalid_arguments"),
        ({"from": "x" * 2000}, {"addLabelIds": ["STARRED"]}, "invalid_arguments"),
    ],
)
def test_what_a_filter_may_not_be(refused: Say, criteria: dict[str, Any], action: dict[str, Any], code: str) -> None:
    assert refused(FILTERS + "create", criteria=criteria, action=action) == code


def test_a_filter_takes_one_label_of_the_owners_and_is_not_made_twice(say: Say, refused: Say) -> None:
    one, two = (say("users.labels.create", name=name)["id"] for name in ("One", "Two"))
    assert (
        refused(FILTERS + "create", criteria={"from": "x"}, action={"addLabelIds": [one, two]})
        == "too_many_filter_labels"
    )
    made(say, {"addLabelIds": [one]}, "ada", **{"from": "x"})
    assert refused(FILTERS + "create", criteria={"from": "x"}, action={"addLabelIds": [one]}) == "filter_exists"
    assert refused(FILTERS + "create", "bo", criteria={"from": "x"}, action={"addLabelIds": [one]}) == "invalid_label"
    assert refused(FILTERS + "get", "bo", id=say(FILTERS + "list")["filter"][0]["id"]) == "not_found"
    assert refused(FILTERS + "delete", "bo", id=say(FILTERS + "list")["filter"][0]["id"]) == "not_found"


def test_there_are_a_thousand_filters_at_most(say: Say, refused: Say, host: Host) -> None:
    host.actor("w").bound.raw.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
        " INSERT INTO gmail_filter(id, person_id, criteria, action, created_at)"
        """ SELECT 'f' || i, 'p_bo', '{"from": "nobody' || i || '"}', '{"addLabelIds": ["STARRED"]}', i FROM n"""
    )
    assert (
        refused(FILTERS + "create", "bo", criteria={"from": "x"}, action={"addLabelIds": ["STARRED"]})
        == "too_many_filters"
    )
    assert "STARRED" not in came(say)


@pytest.mark.parametrize(
    "criteria",
    [
        {"from": "ada"},
        {"from": "Novak"},
        {"from": "ada@tiny.example"},
        {"to": "bo@"},
        {"to": "bo@tiny.example"},
        {"subject": "the  PLAN"},
        {"query": "subject:plan morning"},
        {"negatedQuery": "lunch"},
        {"size": 5000, "sizeComparison": "smaller"},
        {"size": 5, "sizeComparison": "larger"},
        {"query": "to:me newer_than:2d"},
        {"query": "is:unread in:inbox"},
        {"from": "ada", "excludeChats": True},
    ],
)
def test_a_filter_finds_the_mail_its_criteria_say(say: Say, criteria: dict[str, Any]) -> None:
    made(say, {"addLabelIds": ["STARRED"]}, **criteria)
    assert "STARRED" in came(say, subject="About the plan")


@pytest.mark.parametrize(
    "criteria",
    [
        {"from": "ad"},
        {"from": "cyrus"},
        {"to": "ada"},
        {"subject": "plan the"},
        {"negatedQuery": "plan"},
        {"hasAttachment": True},
        {"size": 5000, "sizeComparison": "larger"},
        {"from": "ada", "subject": "lunch"},
        {"query": "older_than:2d"},
    ],
)
def test_a_filter_leaves_other_mail_alone(say: Say, criteria: dict[str, Any]) -> None:
    made(say, {"addLabelIds": ["STARRED"]}, **criteria)
    assert "STARRED" not in came(say, subject="About the plan")


@pytest.mark.parametrize(
    ("action", "there", "gone"),
    [
        ({"removeLabelIds": ["INBOX"]}, {"UNREAD"}, {"INBOX"}),
        ({"removeLabelIds": ["UNREAD", "IMPORTANT"]}, {"INBOX"}, {"UNREAD", "IMPORTANT"}),
        ({"addLabelIds": ["TRASH"]}, {"TRASH"}, {"INBOX"}),
        ({"addLabelIds": ["CATEGORY_UPDATES"]}, {"INBOX", "CATEGORY_UPDATES"}, {"CATEGORY_PERSONAL"}),
    ],
)
def test_what_a_filter_does(say: Say, action: dict[str, Any], there: set[str], gone: set[str]) -> None:
    made(say, action, **{"from": "ada"})
    got = came(say)
    assert there <= got and not gone & got


def test_all_filters_that_match_apply_and_a_deleted_label_is_passed_over(say: Say) -> None:
    kept, dropped = (say("users.labels.create", "bo", name=name)["id"] for name in ("Kept", "Dropped"))
    for action in ({"addLabelIds": [kept]}, {"addLabelIds": [dropped]}, {"removeLabelIds": ["INBOX"]}):
        made(say, action, **{"from": "ada"})
    say("users.labels.delete", "bo", id=dropped)
    got = came(say)
    assert kept in got and dropped not in got and "INBOX" not in got


def test_what_was_reported_as_spam_is_spam_again_unless_a_filter_says_never(say: Say, host: Host) -> None:
    deliver(host, sender="win@prizes.example", subject="You won")
    first = newest(say, "bo")
    assert "INBOX" in first["labelIds"]
    say("users.messages.modify", "bo", id=first["id"], addLabelIds=["SPAM"])
    deliver(host, sender="win@prizes.example", subject="Again")
    assert "SPAM" in labels(say, "bo") and "INBOX" not in labels(say, "bo")
    made(say, {"removeLabelIds": ["SPAM"]}, **{"from": "win@prizes.example"})
    deliver(host, sender="win@prizes.example", subject="A third time")
    assert "SPAM" not in labels(say, "bo") and "INBOX" in labels(say, "bo")


def test_a_colleague_is_no_spammer_for_one_mail_reported(say: Say) -> None:
    came(say, subject="Lunch")
    say("users.messages.modify", "bo", id=newest(say, "bo")["id"], addLabelIds=["SPAM"])
    assert "INBOX" in came(say, subject="Lunch again")


@pytest.mark.parametrize(
    ("sender", "headers", "category"),
    [
        ("news@shop.example", {"List-Unsubscribe": "<mailto:off@shop.example>"}, "CATEGORY_PROMOTIONS"),
        (
            "jira@site.example",
            {"Auto-Submitted": "auto-generated", "List-Unsubscribe": "<mailto:off@site.example>"},
            "CATEGORY_UPDATES",
        ),
        ("no-reply@site.example", {}, "CATEGORY_UPDATES"),
        ("talk@lists.example", {"List-Id": "<talk.lists.example>"}, "CATEGORY_FORUMS"),
        ("invitations@e.linkedin.com", {}, "CATEGORY_SOCIAL"),
        ("zoe@acme.example", {}, "CATEGORY_PERSONAL"),
    ],
)
def test_arriving_mail_has_a_category(
    say: Say, host: Host, sender: str, headers: dict[str, str], category: str
) -> None:
    deliver(host, sender=sender, headers=headers)
    got = labels(say, "bo")
    assert {one for one in got if one.startswith("CATEGORY")} == {category}
    assert ("IMPORTANT" in got) == (category == "CATEGORY_PERSONAL")


def test_the_same_mail_comes_once_but_another_under_its_id_is_kept(say: Say, host: Host) -> None:
    def order(text: str, sender: str = "zoe@acme.example") -> int:
        raw = eml("bo@tiny.example", "Order", text, From=sender, Message_ID="<order@acme.example>")
        deliver(host, raw=raw)
        return len(say("users.messages.list", "bo")["messages"])

    assert [order("One box."), order("One box.")] == [1, 1]
    assert [order("A hundred boxes."), order("One box.", "eve@evil.example"), order("One box.")] == [2, 3, 3]


@pytest.mark.parametrize("state", ["MUTED", "SNOOZED"])
def test_a_muted_thread_stays_out_of_the_inbox_and_a_snoozed_one_comes_back(say: Say, host: Host, state: str) -> None:
    raw = host.actor("w").bound.raw
    deliver(host, raw=eml("bo@tiny.example", "Plan", From="zoe@acme.example", Message_ID="<plan@acme.example>"))
    first = newest(say, "bo")
    say("users.messages.modify", "bo", id=first["id"], removeLabelIds=["INBOX"])
    row = "SELECT id, ?, person_id, thread_id, mail_id, internal_at FROM gmail_message WHERE id = ?"
    raw.execute(f"INSERT INTO gmail_message_label {row}", (state, first["id"]))
    raw.execute(
        "INSERT INTO gmail_snooze(person_id, thread_id, until_at) SELECT 'p_bo', ?, 9 WHERE ? = 'SNOOZED'",
        (first["id"], state),
    )
    deliver(host, subject="Re: Plan", inReplyTo="<plan@acme.example>")
    answer = newest(say, "bo")
    old = say("users.messages.get", "bo", id=first["id"], format="minimal")
    assert answer["threadId"] == first["id"] != answer["id"]
    assert ("INBOX" in answer["labelIds"]) == ("INBOX" in old["labelIds"]) == (state == "SNOOZED")
    assert raw.execute("SELECT count(*) FROM gmail_snooze").fetchone() == (0,)
    deliver(host, subject="Re: Plan", text="And again.", inReplyTo="<plan@acme.example>")
    assert ("INBOX" in labels(say, "bo")) == (state == "SNOOZED")
    marked = raw.execute("SELECT count(*) FROM gmail_message_label WHERE label_id = ?", (state,)).fetchone()
    assert marked == (3 if state == "MUTED" else 0,)


def test_mail_to_oneself_is_filtered_too(say: Say) -> None:
    made(say, {"addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]}, "ada", **{"from": "me"})
    sent = say("users.messages.send", raw=eml("ada@tiny.example"))
    got = set(say("users.messages.get", id=sent["id"], format="minimal")["labelIds"])
    assert {"SENT", "INBOX", "STARRED"} <= got and "UNREAD" not in got
