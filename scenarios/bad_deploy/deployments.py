"""What went out today: the repository, its pull requests in the order of their deployment, one of them bad."""

from datetime import UTC, datetime, timedelta

from scenarios.office.builds import let_build, report_build, test_of
from scenarios.office.cast import post_as
from scenarios.office.changes import REPOSITORIES, PlannedChange
from scenarios.office.code import files_of, head_of, login, merge, open_repository, propose
from scenarios.office.defects import EDITS, Edit
from world.core.clock import SECOND
from world.script.stage import Facts, Stage

from .texts import DEPLOYED, ERRORS, RUNBOOKS

TAB = "Who uses what"
WORDS = ("/rebuild", "/again", "/build", "/retest")
HICCUPS = ("timeout after 30 s", "connection reset by peer", "port 8080 is in use", "lock not released")
TITLES = ("{what}: a new value", "New value for {low}", "{what}, as measured last week", "Change {low}")
BODIES = ("As measured last week.", "Asked for by two merchants.", "The old one is from the first version.")
BOT = "deploybot"


def deploy_all(w: Stage, cast: dict[str, str], gap: int) -> Facts:
    """Create the repository and today's deployments; `gap` is the minute between the bad one and the first error."""
    draws = w.rng("deployments")
    name, description = draws.choice(REPOSITORIES)
    bad, *others = [one for one in draws.shuffled(EDITS) if one.name in ERRORS][:5]
    word, hiccup = draws.choice(WORDS), draws.choice(HICCUPS)
    limits = "# Limits\n\n" + "".join(f"- {one.rule}\n" for one in EDITS)
    texts = {"LIMITS.md": limits, "FLAKY.md": list_flaky(w, [bad, *others], hiccup)}
    texts["docs/RUNBOOK.md"] = draws.choice(RUNBOOKS).format(
        repo=name, word=word, tab=TAB, reviewer=w.person(cast["reviewer"]).full_name, login=login(w, cast["reviewer"])
    )
    texts |= {one.path: one.text(one.old) for one in (bad, *others)}
    repo = open_repository(w, name, description, texts)
    let_build(w, repo)
    steps = [(others[0], others[0].new), (bad, bad.new), (others[1], others[1].new), (bad, bad.over)]
    steps += [(one, one.new) for one in others[2:]]
    times, since = list_times(w, len(steps), gap)
    numbers = [put_in(w, cast, repo, edit, value, at) for at, (edit, value) in enumerate(steps)]
    for at, (number, time) in enumerate(zip(numbers, times, strict=True)):
        announce(w, cast, repo, number, time, at)
    return {
        "repo": repo,
        "main": head_of(w, repo, "main"),
        "guilty": numbers[3],
        "path": bad.path,
        "text": bad.text(bad.new),
        "last": numbers[-1],
        "error": ERRORS[bad.name],
        "since": since,
        "word": word,
        "test": test_of(bad),
        "hiccup": hiccup,
        "login": login(w, cast["reviewer"]),
        "clean": files_without(w, repo, bad),
    }


def list_flaky(w: Stage, edits: list[Edit], hiccup: str) -> str:
    """The list of tests that fail now and then."""
    messages = [hiccup, *(one for one in HICCUPS if one != hiccup)]
    rows = sorted(f"| `{test_of(edit)}` | {messages[at % len(messages)]} |" for at, edit in enumerate(edits))
    return "# Tests that fail now and then\n\n| test | message |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def list_times(w: Stage, count: int, gap: int) -> tuple[list[str], str]:
    """When each deployment went live, `HH:MM` UTC, and when the errors began: after the fourth."""
    draws, now = w.rng("times"), datetime.fromtimestamp(w.now // SECOND, UTC)
    back = 1 + draws.integer(0, 3)
    times: list[datetime] = []
    for at in reversed(range(count)):
        times.append(now - timedelta(minutes=back))
        back += draws.integer(19, 33) if at > 3 else draws.integer(14, 40)
    times.reverse()
    return [f"{one:%H:%M}" for one in times], f"{times[3] + timedelta(minutes=gap):%H:%M}"


def put_in(w: Stage, cast: dict[str, str], repo: str, edit: Edit, value: int, at: int) -> int:
    """Merge a change of one value; returns the number of its pull request."""
    draws = w.rng("change", at)
    title = draws.choice(TITLES).format(what=edit.what, low=edit.what.lower())
    branch = f"{edit.name.lower().replace('_', '-')}-{value}"
    change = PlannedChange(branch, title, draws.choice(BODIES), edit.path, edit.text(value))
    author = cast[("author", "other")[at % 2]]
    number = propose(w, author, repo, change)
    report_build(w, repo, head_of(w, repo, branch), "success", "All passed")
    merge(w, author, repo, number)
    return number


def announce(w: Stage, cast: dict[str, str], repo: str, number: int, time: str, at: int) -> None:
    """Deploybot says what is live."""
    here = w.find("github_repository", name=repo)["id"]
    title = w.find("github_issue", repo_id=here, number=number)["title"]
    who = login(w, cast[("author", "other")[at % 2]])
    room = w.find("slack_channel", name="deploys")["id"]
    post_as(w, w.person(BOT).id, room, DEPLOYED.format(repo=repo, number=number, title=title, login=who, time=time))


def files_without(w: Stage, repo: str, bad: Edit) -> dict[str, str]:
    """Path and hash of every file of main, without the bad one."""
    found = files_of(w, repo, head_of(w, repo, "main"))
    return {path: sha for path, sha in found.items() if path != bad.path}
