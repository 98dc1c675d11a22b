"""A seeded company in which every act of the corpora can be tried: slots filled with its values."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from tests.conftest import first
from world.core.errors import OperationError
from world.core.settings import Settings
from world.gate.acts import ActCall, fill_slots, look_up, read_slots
from world.run.host import Host

ME, COLLEAGUE, BOSS = "p_0002", "p_0004", "p_0001"  # the first administers every app
OWNER, REPO, BRANCH, PROJECT = "quayline", "payments", "main", "SHOP"
TABLE = [["Line", "Plan", "Forecast"], ["Travel", 800, 950], ["Offices", 400, 250], ["Total", "", "=SUM(C2:C3)"]]
DAY = 86_400

Ask = Callable[..., Any]


@dataclass
class ActCompany:
    """One prepared world, a fork of it for each act, and the values of its slots."""

    host: Host
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.host.create("prepared", Settings(limits="off"))
        self.values = {name: slot.example for name, slot in read_slots().items()}
        me, colleague = self.ask("prepared", ME), self.ask("prepared", COLLEAGUE)
        for part in (self.people(me), chat(me, colleague), mail(me, colleague), tickets(me), code(me), files(me)):
            self.values |= part
        self.values |= times(me("world.now")["epoch_s"])
        self.values |= {"colleague_login": me("pulls/list", owner=OWNER, repo=REPO)[0]["user"]["login"]}

    def ask(self, world: str, person: str) -> Ask:
        """Calls operations as a person."""
        principal = self.host.principal(world, person)
        return lambda operation, **params: self.host.call(principal, "mcp", operation, params)

    def people(self, me: Ask) -> dict[str, Any]:
        """Names, addresses and ids of the agent, a colleague, a superior and a customer."""
        found: dict[str, Any] = {}
        for slot, person in (("me", ME), ("colleague", COLLEAGUE), ("boss", BOSS)):
            address = str(first(self.host, "prepared", "SELECT email FROM person WHERE id = ?", person))
            user, account = me("users.lookupByEmail", email=address)["user"], me("findUsers", query=address)[0]
            found |= {slot: user["id"], f"{slot}_name": user["profile"]["real_name"], f"{slot}_mail": address}
            found |= {f"{slot}_account": account["accountId"]}
            found |= {f"{slot}_first": str(found[f"{slot}_name"]).split()[0]}
        contact = "SELECT {} FROM contact ORDER BY id LIMIT 1"
        found |= {
            "customer_contact": first(self.host, "prepared", contact.format("full_name")),
            "customer_mail": first(self.host, "prepared", contact.format("email")),
            "domain": str(found["me_mail"]).partition("@")[2],
        }
        return found

    def play(self, world: str, steps: list[ActCall]) -> str | None:
        """Take the steps of an act in a fork; what went otherwise than it should, if anything did."""
        self.host.fork(self.host.actors["prepared"], world)
        ask, values = self.ask(world, ME), dict(self.values)
        value_of = partial(look_up, values=values)
        for step in steps:
            if step.wait:
                wait(ask, 60 * step.wait)
                continue
            try:
                answer = ask(step.operation, **fill_slots(step.params, value_of))
            except OperationError as refusal:
                if not step.refused:
                    return f"{step.operation}: {refusal}"
                continue
            if step.refused:
                return f"{step.operation} is taken"
            values.update({step.keep: answer} if step.keep else {})
        return None


def wait(ask: Ask, seconds: int) -> None:
    """Let so much time pass, whatever reaches the agent meanwhile."""
    end = ask("world.now")["epoch_s"] + seconds
    while (left := end - ask("world.now")["epoch_s"]) > 0:
        ask("world.wait", seconds=left)


def chat(me: Ask, colleague: Ask) -> dict[str, Any]:
    """A question of the colleague in a channel, and channels of other kinds."""
    channels = me("conversations.list", limit=200)["channels"]
    mine = [channel for channel in channels if channel["is_member"]]
    channel = next(channel for channel in mine if channel["name"] == "engineering")
    quiet = next(channel for channel in mine if channel["name"] == "random")
    group = me("usergroups.list", include_users=True)["usergroups"][0]
    say = {"channel": channel["id"]}
    thread = colleague("chat.postMessage", **say, text="Could you have a look, please?")["ts"]
    return {
        "channel": channel["id"],
        "channel_name": channel["name"],
        "quiet_channel": quiet["id"],
        "open_channel": next(channel["id"] for channel in channels if not channel["is_member"]),
        "thread": thread,
        "message": colleague("chat.postMessage", **say, text="The graphs are back to normal.")["ts"],
        "group": group["id"],
        "group_name": group["name"],
        "group_members": group["users"],
    }


def mail(me: Ask, colleague: Ask) -> dict[str, Any]:
    """A mail of the colleague."""
    address = me("users.getProfile")["emailAddress"]
    colleague("mail.send", to=[address], subject="Numbers for April", text="When do you need them?")
    found = me("users.messages.list", q="subject:April", maxResults=1)["messages"][0]
    return {"mail": found["id"], "mail_thread": found["threadId"], "mail_subject": "Numbers for April"}


def tickets(me: Ask) -> dict[str, Any]:
    """An issue of the agent's, and one that others reported and work on."""
    fields = {"project": {"key": PROJECT}, "issuetype": {"name": "Task"}, "summary": "Rotate the signing key"}
    issue = me("createIssue", fields=fields)["key"]
    me("assignIssue", issueIdOrKey=issue, accountId=me("getCurrentUser")["accountId"])
    others = f"project = {PROJECT} AND resolution IS EMPTY AND reporter != currentUser() AND assignee IS NOT EMPTY"
    other = me("searchAndReconsileIssuesUsingJql", jql=others, fields=["summary"], maxResults=1)["issues"][0]["key"]
    return {"issue": issue, "other_issue": other, "project": PROJECT}


def code(me: Ask) -> dict[str, Any]:
    """A repository, its newest two commits and a pull request."""
    at = {"owner": OWNER, "repo": REPO}
    commits, pull = me("repos/list-commits", **at, per_page=2), me("pulls/list", **at)[0]["number"]
    return at | {
        "branch": BRANCH,
        "workflow": "ci.yml",
        "repo_issue": pull,
        "pull": pull,
        "pull_path": me("pulls/list-files", **at, pull_number=pull)[0]["filename"],
        "head_sha": commits[0]["sha"],
        "previous_sha": commits[1]["sha"],
    }


def files(me: Ask) -> dict[str, Any]:
    """A workbook of the agent's with a total, and a file of somebody else's."""
    made = me("spreadsheets.create", properties={"title": "Plan"}, sheets=[{"properties": {"title": "Plan"}}])
    book = made["spreadsheetId"]
    me("spreadsheets.values.update", spreadsheetId=book, range="A1", valueInputOption="USER_ENTERED", values=TABLE)
    file = me("drive.files.list", q="not 'me' in owners")["files"][0]["id"]
    return {
        "book": book,
        "sheet": "Plan",
        "sheet_id": made["sheets"][0]["properties"]["sheetId"],
        **{"cell": "C4", "cell_row": 3, "cell_column": 2, "cell_end_row": 4, "cell_end_column": 3, "amount": 1200},
        **{"free_cell": "E4", "free_row": 3, "free_column": 4, "far_cell": "Z900", "file": file},
    }


def times(now: int) -> dict[str, Any]:
    """A quarter of an hour from now, and tomorrow."""
    end = datetime.fromtimestamp(now + DAY, UTC)
    return {
        "soon": now + 900,
        "after_end": now + DAY,
        "after_end_ms": (now + DAY) * 1000,
        "after_end_date": f"{end:%Y-%m-%d}",
        "after_end_time": f"{end:%H:%M:%S}",
        "after_end_rfc": f"{end:%Y-%m-%dT%H:%M:%SZ}",
    }
