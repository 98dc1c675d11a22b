"""Whether each note on an issue has the key of the ticket that was made of this issue."""

import re

from world.grading import Finding, Run

KEY = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b")


def check_keys(run: Run) -> Finding:
    """Proves that a note names the ticket of its issue, and no ticket of another new report."""
    repo = run.fact("event.truth.repo")
    made = {number: _find_tickets(run, repo, number) for number in run.fact("event.truth.new").values()}
    every = {key for keys in made.values() for key in keys}
    for number, keys in made.items():
        named = _find_named(run, repo, number)
        if not named & keys:
            return Finding(False, 0.0, (), f"no note on #{number} has the key of its ticket")
        if named & (every - keys):
            return Finding(False, 0.0, (), f"a note on #{number} has the key of another ticket")
    return Finding(True, 1.0, (), "each note has the key of its ticket")


def _find_tickets(run, repo, number):
    """Keys of the agent's tickets that speak of an issue by its number or its link."""
    mark = re.compile(rf"(?:#|/{re.escape(repo)}/issues/){number}(?!\d)")
    rows = [one.row for one in run.effects if one.table == "jira_issue" and one.kind == "insert"]
    return {row["key"] for row in rows if mark.search(f"{row['summary']} {row['description_text']}")}


def _find_named(run, repo, number):
    """Keys in the agent's notes on an issue."""
    place = next(row["id"] for row in run.rows("github_repository") if row["name"] == repo)
    issue = next(row["id"] for row in run.rows("github_issue") if (row["repo_id"], row["number"]) == (place, number))
    rows = [one.row for one in run.effects if one.table == "github_comment" and one.kind == "insert"]
    return {key for row in rows if row["issue_id"] == issue for key in KEY.findall(str(row["body"]))}
