"""The repository in which card traffic is moved, and the decision to move it."""

import tomllib
from base64 import b64decode

from world.script.stage import Stage

from .people import channel, find_by_title, mention, say

REGIONS, CHANGES = "config/regions.toml", "config/CHANGES.md"
HOME, AWAY = "us-east-1", "eu-west-1"


HERE = {"owner": "quayline", "repo": "payments"}


LEAST = 4  # tasks of the runbook


def text_of(w: Stage, path: str, ref: str = "main") -> str:
    """A file of the repository, as its reviewer reads it."""
    found = w.act(reviewer_id(w), "repos/get-content", **HERE, path=path, ref=ref)
    return b64decode(found["content"]).decode()


def reviewer_id(w: Stage) -> str:
    """Return the id of platform's reviewer: a site reliability engineer who is not on call for platform."""
    oncall = w.on_call("platform").id
    return next(
        one["id"] for one in w.rows("person", title="Site Reliability Engineer", status="active") if one["id"] != oncall
    )


def login(w: Stage, person: str) -> str:
    """Somebody's name on the code host."""
    return w.find("github_account", person_id=person)["login"]


def decide(w: Stage, text: str) -> None:
    """Post the decision in public; how the files must look is left for the solution."""
    where, who = channel(w, "incidents"), reviewer_id(w)
    said = text.format(oncall=mention(w, w.on_call("payments")), reviewer=mention(w, w.person(who)))
    ts = say(w, find_by_title(w, "Chief Technology Officer"), where, said)
    sha = w.act(who, "git/get-ref", **HERE, ref="heads/main")["object"]["sha"]
    w.note(
        channel=where,
        ts=ts,
        reviewer=who,
        login=login(w, who),
        sha=sha,
        regions=text_of(w, REGIONS),
        changes=text_of(w, CHANGES),
    )


def note_deployment(w: Stage, tasks: int) -> None:
    """Record the default branch after a merge, and whether it meets the runbook and the reviewer's request."""
    before, who = w.fired("failover"), reviewer_id(w)
    facts = before.facts if before else {}
    sha = w.act(who, "git/get-ref", **HERE, ref="heads/main")["object"]["sha"]
    changed = w.act(who, "repos/compare-commits-with-basehead", **HERE, basehead=f"{facts['sha']}...{sha}")["files"]
    right = is_switched(str(facts["regions"]), text_of(w, REGIONS), str(w.fact("report", "key")), tasks)
    title, _, entries = str(facts["changes"]).partition("\n\n")
    told = text_of(w, CHANGES).startswith(title) and text_of(w, CHANGES).rstrip().endswith(entries.rstrip())
    merged = max((one for one in w.rows("github_pull") if one["merged_at"]), key=lambda one: one["merged_at"])
    number = w.find("github_issue", id=merged["issue_id"])["number"]
    alone = sorted(one["filename"] for one in changed) == sorted((CHANGES, REGIONS))
    w.note(sha=sha, pull=number, named=f"#{number}", linked=f"pull/{number}", right=right, recorded=told, alone=alone)


def is_switched(before: str, after: str, ticket: str, tasks: int) -> bool:
    """Whether a regions.toml is switched after a failover: the runbook's values have changed, and nothing else."""
    old, new = tomllib.loads(before), tomllib.loads(after)
    here, there, found = old["regions"][HOME], old["regions"][AWAY], new["regions"].get(AWAY, {})
    room = {name: found.get(name) for name in ("tasks", "max_rps")}
    wanted = old | {
        "version": old["version"] + 1,
        "active": AWAY,
        "mode": "failover",
        "change": {"ticket": ticket, "reason": new["change"]["reason"]},
        "idempotency": {"home": AWAY, "replica": HOME},
        "regions": {HOME: here | {"weight": 0}, AWAY: there | room | {"weight": 100}},
    }
    return new == wanted and found["tasks"] >= tasks
