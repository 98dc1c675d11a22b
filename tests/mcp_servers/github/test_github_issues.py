"""Issues and labels by the code host's tools."""

from tests.mcp_servers.calls import do
from tests.mcp_servers.github.json_answers import FEATURE, HERE, Json, done, same_as_rest
from world.run.host import Host


def test_issues_are_listed_by_cursors_that_keep_their_place(hub: Json) -> None:
    for title in ("a", "b"):
        hub.get("issue_write", method="create", title=title, labels=["bug"])
    hub.get("create_pull_request", "bo", **FEATURE)
    first = hub.get("list_issues", perPage=2, orderBy="CREATED_AT", direction="DESC")
    assert ([one["title"] for one in first["issues"]], first["totalCount"]) == (["b", "a"], 4)
    hub.get("create_issue", title="c")
    rest = hub.get(
        "list_issues", perPage=2, orderBy="CREATED_AT", direction="DESC", after=first["pageInfo"]["endCursor"]
    )
    assert (
        [one["number"] for one in rest["issues"]] == [1, 2]
        and rest["pageInfo"]["hasPreviousPage"]
        and not rest["pageInfo"]["hasNextPage"]
    )
    assert hub.get("list_issues", state="CLOSED", fields=["number", "state"])["issues"] == [
        {"number": 2, "state": "CLOSED"}
    ]
    assert [one["title"] for one in hub.get("list_issues", labels=["BUG"], direction="ASC")["issues"]] == ["a", "b"]
    hub.get("add_issue_comment", issue_number=2, body="x")
    assert hub.get("list_issues", orderBy="COMMENTS", direction="DESC")["issues"][0]["number"] == 2
    assert hub.get("list_issues", orderBy="UPDATED_AT", since="2026-03-02T00:00:00Z", perPage=1)["totalCount"] == 4
    assert "valid cursor" in hub.why("list_issues", after="x")
    assert hub.why("list_issues", field_filters=[{"field": "x"}]) == "field_filters: there are no issue fields here"
    assert hub.why("list_issues", state="open") == "state: must be one of: OPEN, CLOSED"


def test_an_issue_is_written_as_rest_writes_it(firm: Host, hub: Json) -> None:
    given = {"title": "Rotate", "body": "Do **it**", "labels": ["bug"], "assignees": ["bo"], "milestone": 1}
    assert hub.get("issue_write", method="create", **given, state="open") == {
        "id": "1000",
        "url": "https://github.com/tiny/app/issues/3",
    }
    same_as_rest(firm, "issues/create", **given)
    assert done(firm) == "issues/create"
    one = hub.get("issue_read", method="get", issue_number=3)
    assert (one["labels"], one["assignees"], one["milestone"], one["user"]["login"]) == (["bug"], ["bo"], "v1", "ada")
    hub.get("issue_write", method="update", issue_number=3, state="closed", duplicate_of=1)
    assert hub.get("issue_read", method="get", issue_number=3)["state_reason"] == "duplicate"
    assert hub.why("issue_write", method="create") == "title: is required"
    assert hub.why("issue_write", method="update", title="x") == "issue_number: is required"
    assert hub.why("issue_write", method="close") == "method: must be one of: create, update"
    assert (
        hub.why("issue_write", method="create", title="x", issue_fields=[{"a": 1}])
        == "issue_fields: there are no issue fields here"
    )
    assert hub.why("issue_write", "eve", method="create", title="x") == "Not Found"
    assert (
        hub.why("issue_write", "dee", method="update", issue_number=1, title="x")
        == "Must have admin rights to Repository."
    )


def test_a_transferred_issue_is_read_by_its_old_number(firm: Host, hub: Json, reference: Json) -> None:
    hub.get("add_issue_comment", issue_number=1, body="Not ours")
    ids = (do(firm, "issues/get", **HERE, issue_number=1), do(firm, "repos/get", owner="tiny", repo="secret"))
    issue, target = (one["node_id"] for one in ids)
    change = "mutation($i: ID!, $r: ID!) { transferIssue(input: {issueId: $i, repositoryId: $r}) { clientMutationId } }"
    do(firm, "graphql/mutate", query=change, variables={"i": issue, "r": target})
    assert hub.get("issue_read", method="get", issue_number=1)["title"] == "Counting is slow"
    assert [one["body"] for one in hub.get("issue_read", method="get_comments", issue_number=1)] == ["Not ours"]
    assert hub.get("issue_read", method="get_sub_issues", issue_number=1) == []
    assert reference.get("get_issue", issue_number=1)["title"] == "Counting is slow"
    assert hub.why("issue_write", method="update", issue_number=1, title="Found") == "Moved Permanently"


def test_single_changes_of_an_issue(hub: Json) -> None:
    hub.get("create_issue", title="t", body="b")
    changes = {"title": "tt", "body": "bb", "labels": ["bug"], "assignees": ["dee"], "milestone": 1}
    for name, value in changes.items():
        hub.get(
            {
                "title": "update_issue_title",
                "body": "update_issue_body",
                "labels": "update_issue_labels",
                "assignees": "update_issue_assignees",
                "milestone": "update_issue_milestone",
            }[name],
            issue_number=3,
            **{name: value},
        )
    hub.get(
        "update_issue_state",
        issue_number=3,
        state="closed",
        state_reason="not_planned",
        rationale="old",
        confidence="high",
        is_suggestion=False,
    )
    one = hub.get("issue_read", method="get", issue_number=3)
    assert {name: one[name] for name in changes} == {**changes, "milestone": "v1"} and one[
        "state_reason"
    ] == "not_planned"
    assert hub.why("update_issue_type", issue_number=3, issue_type="Epic") == "Validation Failed"


def test_comments_and_reactions(firm: Host, hub: Json) -> None:
    made = hub.get("add_issue_comment", issue_number=1, body="I can **see** it")
    assert done(firm) == "issues/create-comment" and made["url"].endswith(f"#issuecomment-{made['id']}")
    hub.get("add_issue_comment", issue_number=1, reaction="eyes")
    hub.get("add_issue_comment", "bo", issue_number=1, comment_id=int(made["id"]), reaction="heart")
    assert done(firm) == "reactions/create-for-issue-comment"
    hub.get("add_issue_reaction", "bo", issue_number=1, content="+1")
    hub.get("add_issue_comment_reaction", "bo", comment_id=int(made["id"]), content="rocket")
    [one] = hub.get("issue_read", method="get_comments", issue_number=1)
    assert one["body"] == "I can **see** it" and (one["reactions"]["heart"], one["reactions"]["rocket"]) == (1, 1)
    assert hub.get("issue_read", method="get", issue_number=1)["reactions"]["total_count"] == 2
    assert hub.why("add_issue_comment", issue_number=1) == "arguments: give either body or reaction"
    assert hub.why("add_issue_comment", issue_number=1, reaction="wow").startswith("reaction: ")


def test_issues_below_and_blocking_others(hub: Json) -> None:
    ids = [int(hub.get("create_issue", title=title)["id"]) for title in "ab"]
    hub.get("sub_issue_write", method="add", issue_number=1, sub_issue_id=ids[0])
    hub.get("add_sub_issue", issue_number=1, sub_issue_id=ids[1])
    hub.get("reprioritize_sub_issue", issue_number=1, sub_issue_id=ids[1], before_id=ids[0])
    assert [one["id"] for one in hub.get("issue_read", method="get_sub_issues", issue_number=1)] == [ids[1], ids[0]]
    assert hub.get("issue_read", method="get_parent", issue_number=3)["parent"]["number"] == 1
    assert hub.get("issue_read", method="get", issue_number=1)["sub_issues_summary"]["total"] == 2
    hub.get("remove_sub_issue", issue_number=1, sub_issue_id=ids[0])
    assert hub.why("issue_read", method="get_parent", issue_number=3) == "Not Found"
    pair = {"issue_number": 3, "related_issue_number": 4}
    hub.get("issue_dependency_write", method="add", type="blocked_by", **pair)
    assert [one["number"] for one in hub.get("issue_dependency_read", method="get_blocked_by", issue_number=3)] == [4]
    assert [one["number"] for one in hub.get("issue_dependency_read", method="get_blocking", issue_number=4)] == [3]
    hub.get("issue_dependency_write", method="remove", type="blocking", issue_number=4, related_issue_number=3)
    assert hub.get("issue_dependency_read", method="get_blocked_by", issue_number=3) == []


def test_labels(hub: Json) -> None:
    assert (
        hub.text("label_write", method="create", name="urgent", color="ff0000", description="Now")
        == "label 'urgent' created successfully"
    )
    hub.text("label_write", method="update", name="urgent", new_name="now")
    assert hub.get("get_label", name="now")["description"] == "Now" and hub.get("list_label")["totalCount"] == 3
    hub.text("label_write", method="delete", name="now")
    assert hub.why("get_label", name="now") == "Not Found"
    hub.get("update_issue_labels", issue_number=1, labels=["bug"])
    assert [one["name"] for one in hub.get("issue_read", method="get_labels", issue_number=1)["labels"]] == ["bug"]


def test_null_takes_out_where_the_description_says_so_and_is_not_given_elsewhere(firm: Host, hub: Json) -> None:
    derived = Json(firm, "github", "operations")
    hub.get("issue_write", method="update", issue_number=1, milestone=1)
    derived.get("issues_update", issue_number=1, title=None)
    assert hub.get("issue_read", method="get", issue_number=1)["milestone"]
    derived.get("issues_update", issue_number=1, milestone=None)
    assert "milestone" not in hub.get("issue_read", method="get", issue_number=1)
