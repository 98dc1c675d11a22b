"""The inbox: who is told of what, why, and what reading, unsubscribing and ignoring change."""

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient


def reasons(say: Say, who: str, **more: object) -> dict[str, str]:
    """Titles in somebody's inbox, with why they are there."""
    return {
        one["subject"]["title"]: one["reason"]
        for one in say("activity/list-notifications-for-authenticated-user", who, **more)
    }


def comment(say: Say, who: str, text: str, number: int = 1) -> None:
    say("issues/create-comment", who, issue_number=number, body=text)


def test_author_assignee_commenter_and_whom_a_text_mentions_are_told_and_the_writer_is_not(say: Say) -> None:
    say("issues/add-assignees", issue_number=1, assignees=["bo"])
    comment(say, "ada", "Any news?")
    assert reasons(say, "bo") == {"Counting is slow": "assign"}
    assert reasons(say, "cyrus") == {"Counting is slow": "author"}
    assert reasons(say, "ada") == {}
    comment(say, "dee", "Maybe @ada knows; cc @tiny/support")
    assert reasons(say, "ada") == {"Counting is slow": "mention"}
    comment(say, "bo", "Looking")
    assert reasons(say, "dee") == {"Counting is slow": "comment"}
    assert reasons(say, "ada") == {"Counting is slow": "mention"}


def test_who_cannot_see_the_repository_is_told_nothing(say: Say) -> None:
    comment(say, "ada", "@eve, look")
    assert reasons(say, "eve", all=True) == {}
    assert say("web/unread", "eve") == 0


def test_reading_empties_the_unread_list_and_the_next_event_fills_it_again(say: Say) -> None:
    comment(say, "ada", "One")
    (thread,) = say("activity/list-notifications-for-authenticated-user", "cyrus")
    assert (thread["unread"], thread["last_read_at"], say("web/unread", "cyrus")) == (True, None, 1)
    say("activity/mark-thread-as-read", "cyrus", thread_id=int(thread["id"]))
    assert (reasons(say, "cyrus"), say("web/unread", "cyrus")) == ({}, 0)
    assert reasons(say, "cyrus", all=True) == {"Counting is slow": "author"}
    comment(say, "ada", "Two")
    assert say("activity/get-thread", "cyrus", thread_id=int(thread["id"]))["unread"]
    say("activity/mark-thread-as-done", "cyrus", thread_id=int(thread["id"]))
    assert reasons(say, "cyrus", all=True) == {}


def test_a_thread_of_somebody_else_is_not_found(say: Say, refused: Say) -> None:
    comment(say, "ada", "One")
    (thread,) = say("activity/list-notifications-for-authenticated-user", "cyrus")
    for operation in (
        "activity/get-thread",
        "activity/mark-thread-as-read",
        "activity/mark-thread-as-done",
        "activity/set-thread-subscription",
    ):
        assert refused(operation, "bo", thread_id=int(thread["id"])) == "not_found"


def test_who_unsubscribed_hears_nothing_until_they_are_mentioned(say: Say) -> None:
    assert say("web/subscription", "cyrus", issue_number=1) == {
        "subscribed": True,
        "why": "You’re receiving notifications because you authored the thread.",
    }
    assert say("web/subscribe", "cyrus", issue_number=1, subscribed=False)["subscribed"] is False
    comment(say, "ada", "One")
    assert reasons(say, "cyrus") == {}
    comment(say, "ada", "Now @cyrus")
    assert reasons(say, "cyrus") == {"Counting is slow": "mention"}
    say("activity/mark-notifications-as-read", "cyrus")
    comment(say, "ada", "Three")
    assert reasons(say, "cyrus") == {"Counting is slow": "author"}
    assert say("web/subscription", "cyrus", issue_number=1)["subscribed"] is True


def test_who_unsubscribed_and_comments_again_follows_again(say: Say) -> None:
    say("web/subscribe", "cyrus", issue_number=1, subscribed=False)
    comment(say, "cyrus", "Still slow")
    comment(say, "ada", "Thanks")
    assert reasons(say, "cyrus") == {"Counting is slow": "author"}


def test_who_ignores_a_thread_is_not_even_told_of_mentions(say: Say, refused: Say) -> None:
    comment(say, "ada", "One")
    (thread,) = say("activity/list-notifications-for-authenticated-user", "cyrus")
    id = int(thread["id"])
    kept = say("activity/set-thread-subscription", "cyrus", thread_id=id, ignored=True)
    assert (kept["ignored"], kept["subscribed"]) == (True, False)
    say("activity/mark-notifications-as-read", "cyrus")
    comment(say, "ada", "@cyrus!")
    assert reasons(say, "cyrus") == {}
    say("activity/delete-thread-subscription", "cyrus", thread_id=id)
    assert refused("activity/get-thread-subscription-for-authenticated-user", "cyrus", thread_id=id) == "not_found"
    say("activity/set-thread-subscription", "cyrus", thread_id=id)
    assert say("activity/get-thread-subscription-for-authenticated-user", "cyrus", thread_id=id)["reason"] == "author"


def test_participating_leaves_out_what_is_only_watched_and_times_bound_the_list(say: Say) -> None:
    say("web/watch", "dee", state="watching")
    comment(say, "ada", "One")
    assert reasons(say, "dee") == {"Counting is slow": "subscribed"}
    assert reasons(say, "dee", participating=True) == {}
    assert reasons(say, "dee", since="2999-01-01T00:00:00Z") == {}
    assert reasons(say, "dee", before="2999-01-01T00:00:00Z") == {"Counting is slow": "subscribed"}


def test_the_inbox_over_http_is_as_published(client: HubClient, say: Say) -> None:
    comment(say, "ada", "One")
    listed = client.get("/notifications", who="cyrus")
    (thread,) = listed.json()
    assert thread["subject"]["type"] == "Issue" and thread["subject"]["latest_comment_url"].endswith(
        "/issues/comments/1000"
    )
    assert client.get("/repos/tiny/app/notifications", who="cyrus").json() == [thread]
    at = f"/notifications/threads/{thread['id']}"
    assert client.get(at, who="cyrus").json() == thread
    assert client.put(f"{at}/subscription", json={"ignored": True}, who="cyrus").json()["ignored"]
    assert client.get(f"{at}/subscription", who="cyrus").status_code == 200
    assert client.delete(f"{at}/subscription", who="cyrus").status_code == 204
    assert client.patch(at, who="cyrus").status_code == 205
    assert client.put("/repos/tiny/app/notifications", json={}, who="cyrus").status_code == 205
    assert client.put("/notifications", json={}, who="cyrus").status_code == 205
    assert client.delete(at, who="cyrus").status_code == 204
