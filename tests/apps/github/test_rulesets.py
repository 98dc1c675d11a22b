"""Rulesets and autolinks: answers as published, what they keep from happening on pushes and merges, who passes them
by.
"""

from typing import Any

import pytest

from tests.apps.github.conftest import BO, Say
from tests.apps.github.pushes import later, push
from tests.conformance.github_client import HubClient
from world.core.errors import OperationError
from world.run.host import Host

APP = "/repos/tiny/app"
RULES = f"{APP}/rulesets"
MERGE = f"{APP}/pulls/3/merge"
REVIEWS = {
    "dismiss_stale_reviews_on_push": False,
    "require_code_owner_review": False,
    "require_last_push_approval": False,
    "required_approving_review_count": 1,
    "required_review_thread_resolution": False,
}
ONE_REVIEW = "At least 1 approving review is required by reviewers with write access."
FOUND = "Repository rule violations found\n\n{}\n\n"
TEAM = 1  # core: Ada and Bo


@pytest.fixture
def client(host: Host, say: Say) -> HubClient:
    """With pull request 3 by Bo."""
    push(host, "topic", {"a.txt": "a\n"}, "Add a", start="main")
    say("pulls/create", "bo", title="A file", head="topic", base="main")
    later(host)
    return HubClient(host)


def rule(client: HubClient, *rules: Any, include: str = "refs/heads/main", **more: Any) -> dict[str, Any]:
    """An active ruleset; a rule is its type, or the whole."""
    whole = [{"type": one} if isinstance(one, str) else one for one in rules]
    names = {"ref_name": {"include": [include], "exclude": []}}
    body = {"name": "r", "enforcement": "active", "conditions": names, "rules": whole, **more}
    answer = client.post(RULES, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def pulls(**more: Any) -> dict[str, Any]:
    return {"type": "pull_request", "parameters": {**REVIEWS, **more}}


def checks(*names: str, **more: Any) -> dict[str, Any]:
    wanted = [{"context": name} for name in names]
    asked = {"required_status_checks": wanted, "strict_required_status_checks_policy": False, **more}
    return {"type": "required_status_checks", "parameters": asked}


def pushed(host: Host, who: str = "bo", branch: str = "main", **more: Any) -> str:
    """What is said to a push."""
    try:
        push(host, branch, {"x.txt": f"{who}\n"}, who=who, **more)
    except OperationError as refused:
        return str(refused.detail["why"])
    return "done"


def test_a_ruleset_is_made_read_changed_and_deleted_by_administrators(client: HubClient) -> None:
    made = rule(client, "deletion", pulls(), bypass_actors=[{"actor_id": 5, "actor_type": "RepositoryRole"}])
    assert made["source"] == "tiny/app" and made["current_user_can_bypass"] == "always"
    assert made["rules"][1]["parameters"]["allowed_merge_methods"] == ["merge", "squash", "rebase"]
    assert made["bypass_actors"] == [{"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "always"}]
    here = f"{RULES}/{made['id']}"
    seen = client.get(here, who="bo").json()
    assert "bypass_actors" not in seen and seen["current_user_can_bypass"] == "never"
    assert [one["name"] for one in client.get(RULES, who="bo").json()] == ["r"]
    assert client.get(f"{RULES}?targets=tag").json() == []
    changed = client.put(here, json={"enforcement": "disabled", "name": "s"}).json()
    assert (changed["name"], changed["enforcement"], len(changed["rules"])) == ("s", "disabled", 2)
    for refused in (
        client.post(RULES, who="bo", json={"name": "x", "enforcement": "active"}),
        client.get(f"{RULES}/9"),
    ):
        assert refused.status_code == 404
    assert client.delete(here, who="bo").status_code == 404
    assert client.delete(here).status_code == 204 and client.get(here).status_code == 404


def test_what_is_no_ruleset_is_refused_in_the_vendors_words(client: HubClient) -> None:
    rule(client, "deletion")

    def refused(**more: Any) -> tuple[str, Any]:
        answer = client.post(RULES, json={"name": "x", "enforcement": "active", **more})
        assert answer.status_code == 422
        return answer.json()["message"], answer.json().get("errors")

    unfit = "Invalid request.\n\nInvalid property /rules/1: data matches no possible input. See `documentation_url`."
    for bad in ({"type": "required_conversation_resolution"}, {"type": "pull_request"}, checks()):
        assert refused(rules=[{"type": "deletion"}, bad]) == (unfit, None)
    [taken] = refused(name="r")[1]
    assert (taken["field"], taken["message"]) == ("name", "Name must be unique")
    for actor in ({"actor_id": 3, "actor_type": "RepositoryRole"}, {"actor_id": 7, "actor_type": "Integration"}):
        assert refused(bypass_actors=[actor])[0] == "Validation Failed"
    assert "properties/enforcement" in refused(enforcement="on")[0]


def test_the_active_rules_of_a_branch_are_listed_with_their_ruleset(client: HubClient) -> None:
    made = rule(client, "deletion", include="~DEFAULT_BRANCH")
    rule(client, "update", include="refs/heads/release/**/*", name="releases")
    rule(client, "creation", include="~ALL", name="off", enforcement="disabled")
    [only] = client.get(f"{APP}/rules/branches/main", who="bo").json()
    assert only == {
        "type": "deletion",
        "ruleset_source_type": "Repository",
        "ruleset_source": "tiny/app",
        "ruleset_id": made["id"],
    }
    assert [one["type"] for one in client.get(f"{APP}/rules/branches/release/1/2").json()] == ["update"]
    assert client.get(f"{APP}/rules/branches/feature").json() == []


def test_rules_hold_for_pushes_by_everybody_who_is_on_no_bypass_list(host: Host, client: HubClient) -> None:
    made = rule(client, pulls(), checks("test", do_not_enforce_on_create=True))
    both = 'Changes must be made through a pull request.\n\nRequired status check "test" is expected.'
    assert pushed(host) == pushed(host, "ada") == FOUND.format(both)
    assert pushed(host, branch="feature") == "done"
    client.put(f"{RULES}/{made['id']}", json={"enforcement": "evaluate"})
    assert pushed(host) == "done"
    team = {"actor_id": TEAM, "actor_type": "Team", "bypass_mode": "pull_request"}
    client.put(f"{RULES}/{made['id']}", json={"enforcement": "active", "bypass_actors": [team]})
    assert pushed(host) == FOUND.format(both)
    user = {"actor_id": BO, "actor_type": "User"}
    client.put(f"{RULES}/{made['id']}", json={"bypass_actors": [user]})
    assert pushed(host) == "done" and pushed(host, "ada") == FOUND.format(both)


def test_refs_are_neither_made_moved_back_nor_deleted_where_rules_are_against_it(host: Host, client: HubClient) -> None:
    rule(client, "creation", "deletion", "non_fast_forward", include="refs/heads/**/*")
    rule(client, "deletion", "update", include="~ALL", target="tag", name="tags")
    refs = f"{APP}/git/refs"
    main = client.get(f"{APP}/git/ref/heads/main").json()["object"]["sha"]
    first = client.get(f"{APP}/git/ref/tags/v0.1").json()["object"]["sha"]

    def read_refusal(answer: Any) -> str:
        assert answer.status_code == 422
        return answer.json()["message"]

    made = client.post(refs, json={"ref": "refs/heads/new", "sha": main})
    assert read_refusal(made) == FOUND.format("Cannot create ref due to creations being restricted.")
    back = client.patch(f"{refs}/heads/feature", json={"sha": first, "force": True})
    assert read_refusal(back) == FOUND.format("Cannot force-push to this branch")
    assert read_refusal(client.delete(f"{refs}/heads/feature")) == FOUND.format("Cannot delete this branch")
    moved = client.patch(f"{refs}/tags/v0.1", json={"sha": main, "force": True})
    assert read_refusal(moved) == FOUND.format("Cannot update this protected ref.")
    assert read_refusal(client.delete(f"{refs}/tags/v0.1")) == FOUND.format("Cannot delete this protected ref.")


def test_rules_hold_for_merges_whoever_merges(host: Host, client: HubClient, say: Say) -> None:
    made = rule(client, pulls(allowed_merge_methods=["squash"]), checks("test"))
    only = client.put(MERGE, json={}).json()["message"]
    assert only == (
        f'{ONE_REVIEW} Required status check "test" is expected. Merge commits are not allowed on this repository.'
    )
    assert client.get(f"{APP}/pulls/3").json()["mergeable_state"] == "blocked"
    say("pulls/create-review", "ada", pull_number=3, event="APPROVE")
    head = client.get(f"{APP}/pulls/3").json()["head"]["sha"]
    client.post(f"{APP}/statuses/{head}", json={"state": "success", "context": "test"})
    assert client.get(f"{APP}/pulls/3").json()["mergeable_state"] == "clean"
    assert client.put(MERGE, json={"merge_method": "rebase"}).status_code == 405
    client.put(f"{RULES}/{made['id']}", json={"rules": [pulls(required_approving_review_count=2)]})
    assert client.put(MERGE, json={}).status_code == 405
    role = {"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "pull_request"}
    client.put(f"{RULES}/{made['id']}", json={"bypass_actors": [role]})
    assert client.put(MERGE, who="bo", json={}).status_code == 405
    assert client.put(MERGE, json={}).json()["merged"] is True


def test_approvals_go_stale_where_a_ruleset_says_so(host: Host, client: HubClient, say: Say) -> None:
    rule(client, pulls(dismiss_stale_reviews_on_push=True))
    say("pulls/create-review", "ada", pull_number=3, event="APPROVE")
    assert client.get(f"{APP}/pulls/3").json()["mergeable_state"] == "clean"
    push(host, "topic", {"b.txt": "b\n"}, "Add b")
    later(host)
    assert [one["state"] for one in client.get(f"{APP}/pulls/3/reviews").json()] == ["DISMISSED"]
    assert client.get(f"{APP}/pulls/3").json()["mergeable_state"] == "blocked"


# -- autolinks


def link(client: HubClient, prefix: str, **more: Any) -> Any:
    body = {"key_prefix": prefix, "url_template": "https://tickets.example/<num>?x=1", **more}
    return client.post(f"{APP}/autolinks", json=body)


def test_an_autolink_is_made_listed_and_deleted_by_administrators(client: HubClient) -> None:
    made = link(client, "TICKET-").json()
    assert made["is_alphanumeric"] is True and client.get(f"{APP}/autolinks").json() == [made]
    assert client.get(f"{APP}/autolinks/{made['id']}").json() == made
    assert client.get(f"{APP}/autolinks", who="bo").status_code == 403
    taken = link(client, "TICKET-")
    assert taken.json()["errors"] == [{"resource": "KeyLink", "field": "key_prefix", "code": "already_exists"}]
    wrong = link(client, "A-", url_template="https://tickets.example/")
    assert wrong.json()["errors"][0]["message"] == "url_template must contain <num> token"
    assert link(client, "A-", url_template="javascript:<num>").status_code == 422
    assert link(client, "two words ").status_code == 422
    assert client.delete(f"{APP}/autolinks/{made['id']}").status_code == 204
    assert client.get(f"{APP}/autolinks").json() == []


def test_references_are_links_in_comments_outside_of_code_and_other_links(client: HubClient) -> None:
    link(client, "TICKET-", is_alphanumeric=False)
    link(client, "SUP-")
    text = "TICKET-12 and SUP-a1-2, not xTICKET-3, `SUP-4`, TICKET-b, https://x.example/SUP-5, see #1"
    client.post(f"{APP}/issues/1/comments", json={"body": text})
    asked = '{repository(owner: "tiny", name: "app") {issue(number: 1) {comments(last: 1) {nodes {bodyHTML}}}}}'
    shown = client.query(asked).json()["data"]["repository"]["issue"]["comments"]["nodes"][0]["bodyHTML"]
    html = {"Accept": "application/vnd.github.html+json"}
    [comment] = client.get(f"{APP}/issues/1/comments", headers=html).json()
    for made in (shown, comment["body_html"]):
        assert made.count("https://tickets.example/") == 2
        assert 'href="https://tickets.example/12?x=1"' in made and ">TICKET-12</a>" in made
        assert 'href="https://tickets.example/a1-2?x=1"' in made and "/tiny/app/issues/1" in made
