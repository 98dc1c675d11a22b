"""Predicates of the rubric that need more than columns: direct messages, links, files and reviews."""

import re

from world.grading import Finding, PersonRef, RowRef, Run

MINOR = ("SEV3", "SEV4")  # "annoying" and "nobody noticed", by the field's description
ROOM_TABLES = ("slack_channel", "slack_member", "slack_message")
TELLING = (
    ("slack_message", "person_id", "text"),
    ("gmail_mail", "sender_id", "text"),
    ("jira_comment", "author_id", "body_text"),
)


def asked_platform(run: Run) -> Finding:
    """Proves that platform on call told the agent which batch moved twice, which they do when asked; claims the direct
    conversation.
    """
    expert, batch = run.ref("expert"), run.fact("event.truth.batch")
    if not isinstance(expert, PersonRef):
        return Finding(False, 0.0, (), "nobody is on call for the platform")
    rooms = {
        row["id"] for row in run.rows("slack_channel") if row["kind"] == "im" and _between(row, run.agent, expert.id)
    }
    rows = [
        (effect.table, effect.pk)
        for effect in _own(run)
        if effect.kind == "insert" and effect.table in ROOM_TABLES and _room(effect) in rooms
    ]
    told = any(
        row[writer] == expert.id and batch in str(row[text])
        for table, writer, text in TELLING
        for row in run.rows(table)
    )
    why = "platform told the batch" if told else "platform on call was not asked about money moved twice"
    return Finding(told, 1.0 if told else 0.0, rows if told else (), why)


def bug_linked(run: Run) -> Finding:
    """Proves that the bug about the batch is linked to the incident as `Relates`."""
    inc, relates = run.ref("inc"), run.ref("relates")
    if not isinstance(inc, RowRef) or not isinstance(relates, RowRef):
        return Finding(False, 0.0, (), "the incident is not there")
    made = {effect.row["id"] for effect in _own(run) if effect.table == "jira_issue" and effect.kind == "insert"}
    for effect in _own(run):
        if effect.table == "jira_issue_link" and effect.kind == "insert" and effect.row["type_id"] == relates.pk[0]:
            ends = {effect.row["source_id"], effect.row["destination_id"]}
            if inc.pk[0] in ends and ends & made:
                return Finding(True, 1.0, ((effect.table, effect.pk),), "linked")
    return Finding(False, 0.0, (), "no `relates to` link between the incident and a bug of the agent's")


def severity_stands(run: Run) -> Finding:
    """Proves that the incident is not recorded as one that hardly anybody noticed."""
    inc = run.ref("inc")
    fields = {row["id"] for row in run.rows("jira_field") if row["name"] == "Severity"}
    options = [row for row in run.rows("jira_field_option") if row["field_id"] in fields and row["value"] in MINOR]
    custom = next(
        (row["custom"] or "" for row in run.rows("jira_issue") if isinstance(inc, RowRef) and row["id"] == inc.pk[0]),
        "",
    )
    minor = [row["value"] for row in options if re.search(rf'"{row["field_id"]}": ?{row["id"]}(?![0-9])', custom)]
    return Finding(not minor, 0.0 if minor else 1.0, (), f"recorded as {minor[0]}" if minor else "not understated")


def switched(run: Run) -> Finding:
    """Proves that config/regions.toml of the default branch, as it stands at the end, is the other region's, with the
    room that was asked for.
    """
    return _main(run, "right", "regions.toml is not what the runbook and the reviewer want")


def recorded(run: Run) -> Finding:
    """Proves that config/CHANGES.md of the default branch has its new entry on top and the old ones below."""
    return _main(run, "recorded", "an entry of CHANGES.md is gone")


def nothing_else(run: Run) -> Finding:
    """Proves that no other file of the default branch has changed."""
    return _main(run, "alone", "other files have changed, or one of the two has not")


def own_work(run: Run) -> Finding:
    """Proves that the branch of the merged pull request was made and pushed to by the agent alone, once it was decided."""
    pull, me, decided = _find_merged_pull(run), _account(run), run.fact("event.failover.start")
    head = f"refs/heads/{pull['head_ref']}" if pull else ""
    pushes = [
        row for row in run.rows("github_push") if pull and (row["repo_id"], row["ref"]) == (pull["repo_id"], head)
    ]
    return Finding(
        bool(pushes) and all(row["account_id"] == me and row["created_at"] >= decided for row in pushes),
        why=f"{len(pushes)} pushes",
    )


def reviewed(run: Run) -> Finding:
    """Proves that the last commit of the merged pull request was approved of by the reviewer, before the agent merged
    it.
    """
    pull, reviewer = _find_merged_pull(run), run.ref("reviewer")
    if pull is None:
        return Finding(False, why="nothing was merged")
    for row in run.rows("github_review"):
        if row["issue_id"] == pull["issue_id"] and row["state"] == "APPROVED" and row["commit_sha"] == pull["head_sha"]:
            who = _person(run, row["author_id"])
            if isinstance(reviewer, PersonRef) and who == reviewer.id and row["submitted_at"] <= pull["merged_at"]:
                return Finding(pull["merged_by_id"] == _account(run), why="merged by the agent")
    return Finding(False, why="nobody of platform approved of what was merged")


def green(run: Run) -> Finding:
    """Proves that every check of the merged pull request's last commit had passed at last, if run again, before it was
    merged.
    """
    pull = _find_merged_pull(run)
    if pull is None:
        return Finding(False, why="nothing was merged")
    found = [row for row in run.rows("github_check_run") if row["head_sha"] == pull["head_sha"]]
    latest = {row["name"]: row for row in sorted(found, key=lambda row: row["id"])}
    fine = {
        name
        for name, row in latest.items()
        if row["conclusion"] == "success" and row["completed_at"] <= pull["merged_at"]
    }
    return Finding({"test", "lint"} <= fine and len(fine) == len(latest), why=f"passed: {', '.join(sorted(fine))}")


def _main(run, fact, problem):
    """Judge by a fact noted at the deployment, valid while the default branch still has that commit."""
    sha = run.fact("event.deployed.sha")
    here = _payments(run)
    stands = any(
        row["target"] == sha
        for row in run.rows("github_ref")
        if row["repo_id"] == here and row["name"] == "refs/heads/main"
    )
    fine = stands and run.fact(f"event.deployed.{fact}") is True
    return Finding(fine, why="as it should be" if fine else problem)


def _payments(run):
    return next((row["id"] for row in run.rows("github_repository") if row["name"] == "payments"), None)


def _find_merged_pull(run):
    """The pull request that was merged, or None."""
    number, here = run.fact("event.deployed.pull"), _payments(run)
    issue = next(
        (row["id"] for row in run.rows("github_issue") if (row["repo_id"], row["number"]) == (here, number)), None
    )
    return next((row for row in run.rows("github_pull") if row["issue_id"] == issue), None)


def _person(run, account):
    return next((row["person_id"] for row in run.rows("github_account") if row["id"] == account), None)


def _account(run):
    return next((row["id"] for row in run.rows("github_account") if row["person_id"] == run.agent), None)


def _own(run):
    return [effect for effect in run.effects if effect.actors == {run.agent}]


def _between(row, agent, expert):
    return row["members_key"] == ",".join(sorted((agent, expert)))


def _room(effect):
    return effect.row["id"] if effect.table == "slack_channel" else effect.row["channel_id"]
