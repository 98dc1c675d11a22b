"""What is released: its repository with the rule, the pull request, the ticket and the channel."""

from datetime import UTC, date, datetime, timedelta

from scenarios.office.builds import let_build, report_build
from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.changes import CHANGES, REPOSITORIES
from scenarios.office.code import head_of, merge, open_pull, open_repository, propose, push_change
from scenarios.office.people import account, mention
from world.core.clock import SECOND
from world.script.stage import Facts, Stage

from .cast import PARTS, open_room
from .texts import FIRST_GO, OPENING, REQUESTS, RULES, TICKET

CLOSED = ("closed: quarter close", "closed: audit", "closed: load test of a merchant", "closed: move of the database")


PLACES = ("mail", "dm", "issue")


def plant(w: Stage, case: str, minutes: dict[str, int]) -> None:
    """Draw who plays which part, and create what is released; leave it all as facts."""
    cast, draws = draw_cast(w, PARTS), w.rng("plant")
    made = open_release(w, cast, minutes["deadline"])
    room_name = f"release-{made['repo']}"
    room, key = open_room(w, room_name, cast), open_ticket_of(w, cast, made)
    open_vote(w, cast, room, made)
    people = {part: describe_member(w, cast[part]) for part in ("a", "b", "c", "p", "q")}
    held = case != "go"
    facts: Facts = dict(
        me=cast["me"],
        asker=cast["asker"],
        asker_name=w.person(cast["asker"]).full_name,
        asker_title=w.person(cast["asker"]).title,
        case=case,
        minutes=minutes,
        cast=cast,
        place=draws.choice(PLACES),
        subject=f"{made['repo']} {made['version']}",
        request=draws.choice(REQUESTS).format(key=key, room=room_name, **made),
        key=key,
        room=room,
        room_name=room_name,
        people=people,
        go={**list_readers(people, key, room, on=not held), "issue": 0 if held else made["issue"]},
        held={
            **list_readers(people, key, room, on=held),
            "issue": made["issue"] if held else 0,
            "repo": made["repo"] if held else "",
        },
        until=f"{datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(minutes=180):%H:%M}",
        **made,
    )
    w.note(**facts)


def list_readers(people: dict[str, dict[str, str]], key: str, room: str, *, on: bool) -> dict[str, str]:
    """Whom and where an outcome is told: facts that are empty for the outcome that does not come."""
    found = {"p": people["p"]["email"], "q": people["q"]["email"], "key": key, "room": room}
    return {name: value if on else "" for name, value in found.items()}


def open_vote(w: Stage, cast: dict[str, str], room: str, made: Facts) -> None:
    """The asker opens the vote in the channel, and the first owner says go."""
    names = {part: mention(w, cast[part]) for part in ("a", "b", "c", "me")}
    text = OPENING.format(**names, **{name: made[name] for name in ("repo", "version", "deadline")})
    thread = w.act(cast["asker"], "chat.postMessage", channel=room, text=text)["ts"]
    said = w.rng("first go").choice(FIRST_GO).format(version=made["version"])
    w.act(cast["a"], "chat.postMessage", channel=room, text=said, thread_ts=thread)


def open_release(w: Stage, cast: dict[str, str], deadline: int) -> Facts:
    """Create the repository and the release pull request; returns facts of both."""
    draws = w.rng("release")
    (name, description), version = draws.choice(REPOSITORIES), f"4.{draws.integer(60, 140)}.{draws.integer(0, 6)}"
    clock, following, windows = list_windows(w, deadline)
    rule = draws.choice(RULES).format(repo=name, deadline=clock, windows=windows)
    repo = open_repository(w, name, description, {"RELEASE.md": rule, "VERSION": "4.59.3\n"})
    let_build(w, repo)
    shipped, waiting, release = draws.shuffled(CHANGES)[:3]
    merge(w, cast["me"], repo, propose(w, cast["me"], repo, shipped))
    head = push_change(w, cast["me"], repo, release, branch=f"release-{version}")
    number = open_pull(w, cast["me"], repo, head, f"Release {version}", body=f"{release.title}. {release.body}")
    report_build(w, repo, head_of(w, repo, head), "success", "All passed")
    propose(w, cast["me"], repo, waiting)
    here = w.find("github_repository", name=repo)["id"]
    return {
        "repo": repo,
        "version": version,
        "number": number,
        "issue": w.find("github_issue", repo_id=here, number=number)["id"],
        "head": f"refs/heads/{head}",
        "main": head_of(w, repo, "main"),
        "deadline": clock,
        "next": following,
    }


def list_windows(w: Stage, deadline: int) -> tuple[str, str, str]:
    """The end of today's window, the day of the next one that is open, and the table of all."""
    draws, today = w.rng("windows"), datetime.fromtimestamp(w.now // SECOND, UTC)
    ends = today + timedelta(minutes=deadline)
    days = sorted(draws.shuffled(range(1, 12))[:4])
    closed = draws.integer(0, 2)
    rows = [f"| {today:%Y-%m-%d} | 11:00 | {ends:%H:%M} | |"]
    for at, ahead in enumerate(days):
        day = today + timedelta(days=ahead)
        rows.append(f"| {day:%Y-%m-%d} | 11:00 | 14:00 | {draws.choice(CLOSED) if at < closed else ''} |")
    following: date = (today + timedelta(days=days[closed])).date()
    head = "| day | from (UTC) | to (UTC) | |\n| --- | --- | --- | --- |\n"
    return f"{ends:%H:%M}", following.isoformat(), head + "\n".join(rows)


def open_ticket_of(w: Stage, cast: dict[str, str], made: Facts) -> str:
    """The asker opens the release ticket and assigns it to the captain; returns its key."""
    names = {part: w.person(cast[part]).full_name for part in ("a", "b", "c", "p", "q")}
    fields = {
        "project": {"key": "SHOP"},
        "issuetype": {"name": "Task"},
        "summary": f"Release {made['repo']} {made['version']}",
        "description": TICKET.format(**names, **made),
        "assignee": {"accountId": account(w, cast["me"], "jira")},
    }
    return w.act(cast["asker"], "createIssue", fields=fields)["key"]
