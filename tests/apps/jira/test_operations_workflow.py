"""Workflows, comments, work, watching, links and files: what happens around an issue."""

import base64

from apps.jira.domain.notifications import list_listeners, list_notices
from apps.jira.domain.text import MAX_PARTS, TOO_LONG
from tests.apps.jira.tracker import DESCRIPTION, Tracker
from world.core.journal import changes

MENTION = {
    "type": "doc",
    "version": 1,
    "content": [
        {
            "type": "paragraph",
            "content": [
                {"type": "mention", "attrs": {"id": "5fEVE", "text": "@Eve"}},
                {"type": "text", "text": " please look"},
            ],
        }
    ],
}


def names(tracker: Tracker, who: str, key: str) -> list[str]:
    """Names of the transitions somebody is offered."""
    return [t["name"] for t in tracker.call(who, "getTransitions", issueIdOrKey=key)["transitions"]]


def test_transitions_depend_on_the_status_and_the_caller(tracker: Tracker):
    assert names(tracker, "bo", "SHOP-1") == ["To Do", "Start", "Close mine"], "bo is the assignee"
    assert names(tracker, "dee", "SHOP-1") == ["To Do", "Start"]
    tracker.call("dee", "doTransition", issueIdOrKey="SHOP-1", transition={"id": 21})
    assert names(tracker, "dee", "SHOP-1") == ["To Do", "Ask for review", "Finish"]
    tracker.call("dee", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "31"})
    assert "Approve" in names(tracker, "ada", "SHOP-1") and "Approve" not in names(tracker, "dee", "SHOP-1")
    assert names(tracker, "eve", "SUP-1") == [], "viewers move nothing"


def test_a_transition_writes_status_resolution_and_changelog(tracker: Tracker):
    tracker.call(
        "bo",
        "doTransition",
        issueIdOrKey="SHOP-1",
        transition={"id": "61"},
        update={"comment": [{"add": {"body": "done"}}]},
    )
    fields = tracker.fields("SHOP-1", "status", "resolution", "resolutiondate", "comment")
    assert fields["status"]["name"] == "Done" and fields["resolution"]["name"] == "Done" and fields["resolutiondate"]
    assert fields["comment"]["total"] == 2
    (entry,) = tracker.call("bo", "getChangeLogs", issueIdOrKey="SHOP-1")["values"]
    assert {(i["field"], i["toString"]) for i in entry["items"]} == {("status", "Done"), ("resolution", "Done")}
    tracker.call("dee", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "11"})
    fields = tracker.fields("SHOP-1", "status", "resolution", "resolutiondate")
    assert (fields["status"]["name"], fields["resolution"], fields["resolutiondate"]) == ("To Do", None, None)


def test_a_screens_required_field_must_be_given_with_the_transition(tracker: Tracker):
    tracker.call("bo", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "21"})
    finish = {"issueIdOrKey": "SHOP-1", "transition": {"id": "41"}}
    assert tracker.errors("bo", "doTransition", **finish) == {"resolution": "Resolution is required."}
    assert "summary" in tracker.errors(
        "bo", "doTransition", **finish, fields={"resolution": {"name": "Done"}, "summary": "x"}
    )
    tracker.call("bo", "doTransition", **finish, fields={"resolution": {"name": "Won't Do"}})
    assert tracker.fields("SHOP-1", "resolution")["resolution"]["name"] == "Won't Do"
    (step,) = [
        t
        for t in tracker.call("bo", "getTransitions", issueIdOrKey="SHOP-2", expand="transitions.fields")["transitions"]
        if t["id"] == "21"
    ]
    assert step["fields"] == {} and step["hasScreen"] is False


def test_a_transition_that_is_not_offered_is_refused(tracker: Tracker):
    refused = tracker.refused("bo", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "31"})
    assert refused.code == "bad_transition" and refused.detail["name"] == "Ask for review"
    assert (
        tracker.refused("bo", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "999"}).code
        == "unknown_transition"
    )
    assert tracker.refused("bo", "doTransition", issueIdOrKey="SHOP-1").code == "missing_transition"
    assert tracker.fields("SHOP-1", "status")["status"]["name"] == "To Do"


def test_comments_are_added_edited_and_deleted_by_their_author(tracker: Tracker):
    made = tracker.call("bo", "addComment", issueIdOrKey="SHOP-1", body="Found *it*")
    assert made["author"]["accountId"] == "5fBO" and made["body"]["type"] == "doc"
    assert (
        tracker.refused("eve", "updateComment", issueIdOrKey="SHOP-1", id=made["id"], body="no").code
        == "cannot_edit_comment"
    )
    tracker.call("bo", "updateComment", issueIdOrKey="SHOP-1", id=made["id"], body="Found nothing")
    listed = tracker.call(
        "ada", "getComments", issueIdOrKey="SHOP-1", orderBy="-created", contentFormat="wiki", expand="renderedBody"
    )
    assert listed["total"] == 2 and listed["comments"][0]["body"] == "Found nothing"
    assert listed["comments"][0]["renderedBody"] == "<p>Found nothing</p>"
    assert tracker.refused("eve", "deleteComment", issueIdOrKey="SHOP-1", id=made["id"]).code == "cannot_delete_comment"
    tracker.call("ada", "deleteComment", issueIdOrKey="SHOP-1", id=made["id"])
    assert tracker.refused("bo", "getComment", issueIdOrKey="SHOP-1", id=made["id"]).code == "comment_not_found"


def test_an_empty_comment_is_refused(tracker: Tracker):
    for body in ("", "   ", None, {"type": "doc", "version": 1, "content": []}):
        assert tracker.refused("bo", "addComment", issueIdOrKey="SHOP-1", body=body).code == "empty_comment"


def test_a_comment_of_too_many_parts_is_refused_whatever_it_is_written_in(tracker: Tracker):
    marked = {"type": "text", "text": "x", "marks": [{"type": "strong"}]}
    document = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [marked] * MAX_PARTS}]}
    for body in (document, "|a" * (MAX_PARTS // 2)):
        assert tracker.errors("bo", "addComment", issueIdOrKey="SHOP-1", body=body) == {"comment": TOO_LONG}


def test_texts_of_a_document_are_normalised(tracker: Tracker):
    for words, stored in (("cafe\u0301", "caf\u00e9"), ("\\u0000", "\\u0000")):
        paragraph = {"type": "paragraph", "content": [{"type": "text", "text": words}]}
        body = {"type": "doc", "version": 1, "content": [paragraph]}
        made = tracker.call("bo", "addComment", issueIdOrKey="SHOP-1", body=body)
        assert made["body"]["content"][0]["content"][0]["text"] == stored
    broken = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": ["\x00"]}]}
    assert tracker.refused("bo", "addComment", issueIdOrKey="SHOP-1", body=broken).code == "invalid_arguments"


def test_a_comment_for_a_role_is_hidden_from_others_everywhere(tracker: Tracker):
    made = tracker.call(
        "ada",
        "addComment",
        issueIdOrKey="SHOP-1",
        body="zebra secret",
        visibility={"type": "role", "value": "Administrator"},
    )
    assert tracker.call("bo", "getComments", issueIdOrKey="SHOP-1")["total"] == 1
    assert tracker.refused("bo", "getComment", issueIdOrKey="SHOP-1", id=made["id"]).code == "comment_not_found"
    assert tracker.fields("SHOP-1", "comment", who="bo")["comment"]["total"] == 1
    assert tracker.call("bo", "countIssues", jql="comment ~ zebra")["count"] == 0
    assert tracker.call("ada", "countIssues", jql="comment ~ zebra")["count"] == 1
    assert (
        tracker.refused(
            "bo", "addComment", issueIdOrKey="SHOP-1", body="x", visibility={"type": "role", "value": "Administrator"}
        ).code
        == "bad_visibility"
    )


def test_work_is_logged_and_the_estimate_shrinks(tracker: Tracker):
    tracker.call(
        "bo",
        "editIssue",
        issueIdOrKey="SHOP-1",
        fields={"timetracking": {"originalEstimate": "1d", "remainingEstimate": "1d"}},
    )
    made = tracker.call("bo", "addWorklog", issueIdOrKey="SHOP-1", timeSpent="2h 30m", comment="debugging")
    assert made["timeSpentSeconds"] == 9000 and made["timeSpent"] == "2h 30m"
    shown = tracker.fields("SHOP-1", "timetracking", "worklog")
    assert shown["timetracking"]["remainingEstimate"] == "5h 30m" and shown["timetracking"]["timeSpentSeconds"] == 9000
    tracker.call("bo", "updateWorklog", issueIdOrKey="SHOP-1", id=made["id"], timeSpent="1h")
    assert tracker.fields("SHOP-1", "timetracking")["timetracking"]["remainingEstimateSeconds"] == 7 * 3600
    tracker.call("bo", "deleteWorklog", issueIdOrKey="SHOP-1", id=made["id"])
    assert tracker.fields("SHOP-1", "timetracking")["timetracking"]["remainingEstimate"] == "1d"
    assert tracker.errors("bo", "addWorklog", issueIdOrKey="SHOP-1", timeSpent="soon") == {
        "timeLogged": "Invalid time duration entered"
    }
    assert tracker.errors("bo", "addWorklog", issueIdOrKey="SHOP-1") == {
        "timeLogged": "You must indicate the time spent working."
    }


def test_watching_and_voting(tracker: Tracker):
    assert tracker.call("bo", "getIssueWatchers", issueIdOrKey="SHOP-1")["watchCount"] == 1
    tracker.call("bo", "addWatcher", issueIdOrKey="SHOP-1")
    tracker.call("bo", "addWatcher", issueIdOrKey="SHOP-1", accountId="5fEVE")
    seen = tracker.call("bo", "getIssueWatchers", issueIdOrKey="SHOP-1")
    assert [w["accountId"] for w in seen["watchers"]] == ["5fDEE", "5fBO", "5fEVE"] and seen["isWatching"]
    tracker.call("eve", "removeWatcher", issueIdOrKey="SHOP-1", accountId="5fEVE")
    assert tracker.refused("bo", "addWatcher", issueIdOrKey="OPS-1", accountId="5fEVE").code == "cannot_be_watcher"
    assert tracker.refused("eve", "addWatcher", issueIdOrKey="SUP-1", accountId="5fBO").code == "cannot_watch_others"
    tracker.call("bo", "addVote", issueIdOrKey="SHOP-1")
    assert tracker.call("bo", "getVotes", issueIdOrKey="SHOP-1")["hasVoted"] is True
    assert tracker.refused("dee", "addVote", issueIdOrKey="SHOP-1").code == "cannot_vote_own"


def test_the_inward_issue_of_a_blocks_link_blocks_the_outward_one(tracker: Tracker):
    """Observed by many callers, e.g. github.com/mozilla/jira-bugzilla-integration/pull/1285."""
    tracker.call(
        "bo", "linkIssues", type={"name": "Blocks"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "SHOP-2"}
    )
    (here,) = tracker.fields("SHOP-1", "issuelinks")["issuelinks"]
    (there,) = tracker.fields("SHOP-2", "issuelinks")["issuelinks"]
    assert here["outwardIssue"]["key"] == "SHOP-2" and here["type"]["outward"] == "blocks"
    assert there["inwardIssue"]["key"] == "SHOP-1" and here["id"] == there["id"]
    tracker.call(
        "bo", "linkIssues", type={"name": "Blocks"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "SHOP-2"}
    )
    assert len(tracker.fields("SHOP-1", "issuelinks")["issuelinks"]) == 1
    assert tracker.call("bo", "countIssues", jql='issue in linkedIssues("SHOP-1", "blocks")')["count"] == 1
    tracker.call("bo", "deleteIssueLink", linkId=here["id"])
    assert tracker.fields("SHOP-2", "issuelinks")["issuelinks"] == []
    log = tracker.call("bo", "getChangeLogs", issueIdOrKey="SHOP-2")["values"]
    assert [i["toString"] for e in log for i in e["items"]] == ["This work item is blocked by SHOP-1", None]


def test_links_to_hidden_issues_are_not_shown(tracker: Tracker):
    tracker.call(
        "bo", "linkIssues", type={"name": "Relates"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "OPS-1"}
    )
    assert tracker.fields("SHOP-1", "issuelinks", who="eve")["issuelinks"] == []
    assert (
        tracker.refused(
            "eve", "linkIssues", type={"name": "Blocks"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "OPS-1"}
        ).code
        == "issue_not_found"
    )
    assert (
        tracker.refused(
            "bo", "linkIssues", type={"name": "Hates"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "SHOP-2"}
        ).code
        == "link_type_not_found"
    )
    assert (
        tracker.refused(
            "bo", "linkIssues", type={"name": "Blocks"}, inwardIssue={"key": "SHOP-1"}, outwardIssue={"key": "SHOP-1"}
        ).code
        == "link_to_self"
    )


def test_a_remote_link_with_the_same_global_id_is_updated(tracker: Tracker):
    page = {"url": "https://status.example/7", "title": "Incident 7"}
    first = tracker.call("bo", "createOrUpdateRemoteIssueLink", issueIdOrKey="SHOP-1", globalId="g7", object=page)
    again = tracker.call(
        "bo",
        "createOrUpdateRemoteIssueLink",
        issueIdOrKey="SHOP-1",
        globalId="g7",
        object={**page, "title": "Incident 7, over"},
    )
    assert first["id"] == again["id"]
    (link,) = tracker.call("bo", "getRemoteIssueLinks", issueIdOrKey="SHOP-1")
    assert link["object"]["title"] == "Incident 7, over" and link["globalId"] == "g7"
    tracker.call("bo", "deleteRemoteIssueLinkByGlobalId", issueIdOrKey="SHOP-1", globalId="g7")
    assert tracker.call("bo", "getRemoteIssueLinks", issueIdOrKey="SHOP-1") == []


def test_files_are_stored_once_and_downloaded_whole(tracker: Tracker):
    content = base64.b64encode(b"line 1\n").decode()
    upload = {"filename": "trace.log", "content": content, "mimeType": "text/plain"}
    first, second = tracker.call(
        "bo", "addAttachment", issueIdOrKey="SHOP-1", files=[upload, {**upload, "filename": "../b.log"}]
    )
    assert first["size"] == 7 and second["filename"] == ".._b.log"
    assert tracker.rows("SELECT count(*) FROM blob") == [(1,)]
    got = tracker.call("eve", "getAttachmentContent", id=first["id"])
    assert base64.b64decode(got["content"]) == b"line 1\n"
    assert [a["filename"] for a in tracker.fields("SHOP-1", "attachment")["attachment"]] == ["trace.log", ".._b.log"]
    assert tracker.refused("eve", "removeAttachment", id=first["id"]).code == "cannot_delete_attachment"
    tracker.call("bo", "removeAttachment", id=first["id"])
    assert tracker.refused("bo", "getAttachment", id=first["id"]).code == "attachment_not_found"


def test_assignment_mention_and_comment_reach_the_right_people(tracker: Tracker):
    actor = tracker.host.actors["w"]

    def told(since: int) -> dict[str, str]:
        bound, principal, now = actor.bound, tracker.host.principal("w", "bo"), actor.now
        rows = changes(bound, since)
        transaction = bound.sql.begin()
        call = actor.transactions.new_call(bound, principal, "jira", "world", now, 0)
        found = [n for c in rows for n in list_notices(call, c)]
        heard = [h.listener for c in rows for h in list_listeners(call, c)]
        call.close(keep=False)
        transaction.rollback()
        return {n.person: n.text for n in found if n.person} | {f"hears {h}": "" for h in heard}

    before = actor.version
    tracker.call("bo", "assignIssue", issueIdOrKey="SHOP-1", accountId="5fEVE")
    assert told(before) == {"p_eve": "SHOP-1 was assigned to you: Login fails"}
    before = actor.version
    tracker.call("bo", "addComment", issueIdOrKey="SHOP-1", body=MENTION)
    seen = told(before)
    assert seen["p_eve"].startswith("You were mentioned. Bo Lindqvist on SHOP-1") and seen["p_dee"].startswith(
        "Bo Lindqvist on SHOP-1"
    )
    assert "hears p_eve" in seen and "hears p_dee" not in seen


def test_world_events_name_people_by_directory_id(tracker: Tracker):
    heard: list[tuple[str, dict[str, object]]] = []
    jira = tracker.host.apps["jira"]
    topics = ("jira.issue_created", "jira.issue_assigned", "jira.commented", "jira.transitioned", "jira.mentioned")
    kept = dict(jira.topics)
    try:
        for topic in topics:
            jira.topics[topic] = lambda call, facts, topic=topic: heard.append((topic, dict(facts)))
        key = tracker.create("bo", assignee={"accountId": "5fEVE"}, description=MENTION)
        tracker.call("bo", "addComment", issueIdOrKey=key, body="hello")
        tracker.call("bo", "doTransition", issueIdOrKey=key, transition={"id": "21"})
        tracker.call("bo", "getCurrentUser")
    finally:
        jira.topics.clear()
        jira.topics.update(kept)
    assert [topic for topic, _ in heard] == [
        "jira.issue_created",
        "jira.issue_assigned",
        "jira.mentioned",
        "jira.commented",
        "jira.transitioned",
    ]
    assert all(facts["actor"] == "p_bo" and facts["issue"] == key for _, facts in heard)
    assert dict(heard)["jira.issue_assigned"]["person"] == dict(heard)["jira.mentioned"]["person"] == "p_eve"
    assert dict(heard)["jira.transitioned"]["to_status"] == "In Progress"


def test_the_fixture_description_is_a_document(tracker: Tracker):
    assert tracker.fields("SHOP-1", "description")["description"] == DESCRIPTION
