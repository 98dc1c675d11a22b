"""How far the apps of a company tell of the same things: keys in code, versions, services, stories over several apps."""

import re
from collections.abc import Iterable

from seeds.inspection.company_tables import Tables

KEY = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d+\b", re.IGNORECASE)
RELEASED = re.compile(r"`([\w-]+) (\d+\.\d+\.\d+)` is live")
HEADS, TRUNKS = "refs/heads/", ("main", "master")
APPS = frozenset({"slack", "jira", "gmail", "github", "drive", "sheets", "status"})
SEVERAL = 3


def measure_shared_facts(tables: Tables) -> dict[str, float]:
    """Figures by the name of their aim. All are shares, 0 to 1; an empty collection has a share of 0."""
    issues = {row["key"].upper(): row["created_at"] for row in tables["jira_issue"]}
    pulls = [row for row in tables["github_issue"] if row["is_pull"]]
    heads = {row["issue_id"]: row["head_ref"] for row in tables["github_pull"]}
    branches = [row["name"].removeprefix(HEADS) for row in tables["github_ref"] if row["name"].startswith(HEADS)]
    named = [(row, _find_keys(issues, row["title"], row["body"], heads.get(row["id"]))) for row in pulls]
    return {
        "code.branches_with_key": _share(bool(_find_keys(issues, name)) for name in branches if name not in TRUNKS),
        "code.commits_with_key": _share(bool(_find_keys(issues, row["message"])) for row in tables["github_commit"]),
        "code.pulls_with_key": _share(bool(keys) for _, keys in named),
        "code.pulls_after_issue": _share(
            all(issues[key] <= pull["created_at"] for key in keys) for pull, keys in named if keys
        ),
        "code.services_with_repository": _share_services(tables),
        "code.deploys_with_tag": _share_deploys(tables),
        "stories.over_three_apps": _share_stories(tables),
    }


def _share(found: Iterable[bool]) -> float:
    seen = list(found)
    return sum(seen) / len(seen) if seen else 0.0


def _find_keys(issues: Iterable[str], *texts: str | None) -> set[str]:
    """The keys of existing issues in texts."""
    return {key.upper() for text in texts for key in KEY.findall(text or "")} & set(issues)


def _share_services(tables: Tables) -> float:
    repositories = {row["name"] for row in tables["github_repository"]}
    return _share(row["name"] in repositories for row in tables["service"])


def _share_deploys(tables: Tables) -> float:
    """Of the versions that the chat calls live, those that are tags of the service's repository."""
    names = {row["id"]: row["name"] for row in tables["github_repository"]}
    tags = {(names[row["repo_id"]], row["tag"].removeprefix("v")) for row in tables["github_release"]}
    return _share(one in tags for row in tables["slack_message"] for one in RELEASED.findall(row["text"]))


def _share_stories(tables: Tables) -> float:
    """Of the stories that are told in an app, those told in three or more."""
    touched = dict[str, set[str]]()
    for row in tables["story_ref"]:
        app = row["table_name"].partition("_")[0]
        if app in APPS:
            touched.setdefault(row["story"].removesuffix(".mail"), set()).add(app)
    return _share(len(apps) >= SEVERAL for apps in touched.values())
