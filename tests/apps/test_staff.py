"""A person renamed, moved, away or gone changes in every app at once: at REST, as a tool, and on a page."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.company import START
from tests.conftest import Server
from tests.doors.three import Doors
from world.access import Principal
from world.clock import DAY
from world.host import Host
from world.operation import OperationError
from world.scenario import ScenarioError, Script, compile_script
from world.settings import Settings
from world.stage import Stage

ME, HERS = "p_0003", "p_0004"
NEW, ADDRESS = "Dana Quist", "dana.quist@quayline.example"
NUMBERS = count(1)
Change = Callable[[Stage], None]
CHANGES: dict[str, Change] = {
    "renamed": lambda w: w.rename(HERS, NEW, email=ADDRESS),
    "moved": lambda w: w.move(HERS, "Platform", title="Staff Engineer"),
    "away": lambda w: w.leave(HERS, 7, delegate=ME),
    "gone": lambda w: w.deactivate(HERS),
}


@pytest.fixture(scope="module")
def doors(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """One server for all worlds."""
    server = Server(company, tmp_path_factory.mktemp("staff"))
    made = Doors(server)
    yield made
    made.close()
    server.stop()


class Office:
    """A world in which one change of a person has happened; asked through every door."""

    def __init__(self, doors: Doors, change: str) -> None:
        self.doors, self.world = doors, f"s{next(NUMBERS)}"
        doors.server.do(lambda: self._begin(change))
        self.account = {app: id for app, id in self.rows("SELECT app, external_id FROM account WHERE person_id = ?", HERS)}
        self.login = self.rows("SELECT login FROM github_account WHERE person_id = ?", HERS)[0][0]

    def _begin(self, change: str) -> None:
        script = Script("staff", START, "Europe/Berlin")
        script.at("+1m", CHANGES[change], name=change)
        actor = self.doors.host.create(self.world, Settings(limits="off"), compile_script(script, horizon="20d"))
        actor.advance(START + 2 * 60_000_000)

    def rows(self, sql: str, *values: Any) -> list[Any]:
        return self.doors.server.do(lambda: self.doors.host.actors[self.world].bound.raw.execute(sql, values).fetchall())

    def said(self, operation: str, who: str = ME, **arguments: Any) -> list[str]:
        """What REST and MCP answer."""
        found = self.doors.host.operation(operation)
        self.doors.become(self.world, who, found.app)
        return [self.doors.call(door, found, arguments).text for door in ("rest", "mcp")]

    def page(self, app: str, address: str, who: str = ME) -> str:
        self.doors.become(self.world, who, app)
        return self.doors.look(f"/{app}{address}").text

    def principal(self, who: str) -> Principal:
        return Principal(self.world, who, generation=self.doors.host.actors[self.world].generation)

    def pass_time(self, us: int) -> None:
        actor = self.doors.host.actors[self.world]
        self.doors.server.do(lambda: actor.advance(actor.now + us))


@pytest.fixture(scope="module")
def office(doors: Doors) -> Callable[[str], Office]:
    """An office in which a change has happened; the same one for whoever asks for it."""
    made: dict[str, Office] = {}

    def find(change: str) -> Office:
        if change not in made:
            made[change] = Office(doors, change)
        return made[change]

    return find


Find = Callable[[str], Office]


def all_have(texts: list[str], *wanted: str) -> bool:
    return len(texts) > 1 and all(one in text for text in texts for one in wanted)


def none_has(texts: list[str], unwanted: str) -> bool:
    return len(texts) > 1 and all(text and unwanted not in text for text in texts)


def test_a_new_name_shows_in_every_app(office: Find) -> None:
    here = office("renamed")
    assert all_have([*here.said("users.info", user=here.account["slack"]), here.page("slack", f"/team/{here.account['slack']}")], NEW)
    assert all_have([*here.said("getUser", accountId=here.account["jira"]), here.page("jira", f"/jira/people/{here.account['jira']}")], NEW)
    assert all_have([*here.said("users/get-by-username", username=here.login), here.page("github", f"/{here.login}")], NEW)
    assert all_have([*here.said("mail.people", q="quist"), here.page("gmail", "/people?q=quist")], NEW, ADDRESS)
    assert all_have([*here.said("web.people", q="dana"), here.page("sheets", "/people?q=dana")], NEW, ADDRESS)


def test_mail_to_the_old_address_still_arrives_and_answers_come_from_the_new_one(office: Find) -> None:
    here = office("renamed")
    old = here.rows("SELECT value FROM alias WHERE person_id = ? AND kind = 'email' ORDER BY id DESC LIMIT 1", HERS)[0][0]
    here.said("mail.send", to=[old], subject="To the old address", text="Hello")
    here.pass_time(60_000_000)
    assert all_have([*here.said("mail.threads", HERS), here.page("gmail", "/", HERS)], "To the old address")
    assert all_have(here.said("users.getProfile", HERS, userId="me"), ADDRESS)
    assert here.rows("SELECT DISTINCT email FROM sheets_permission WHERE person_id = ?", HERS) in ([], [(ADDRESS,)])


def test_a_move_changes_groups_and_teams_in_every_app(office: Find) -> None:
    here = office("moved")
    group = here.rows("SELECT id FROM slack_usergroup WHERE handle = 'platform-eng'")[0][0]
    assert all_have(here.said("usergroups.users.list", usergroup=group), here.account["slack"])
    assert "Staff Engineer" in here.page("slack", f"/team/{here.account['slack']}")
    teams = {slug: here.said("teams/list-members-in-org", org="quayline", team_slug=slug) for slug in ("payments", "platform")}
    assert all_have([*teams["platform"], here.page("github", "/orgs/quayline/teams/platform")], here.login)
    assert none_has([*teams["payments"], here.page("github", "/orgs/quayline/teams/payments")], here.login)
    here.said("mail.send", to=["platform@quayline.example"], subject="To the team", text="Hello")
    here.pass_time(60_000_000)
    assert all_have([*here.said("mail.threads", HERS), here.page("gmail", "/", HERS)], "To the team")
    plain = here.doors.server.do(lambda: here.doors.host.call(here.principal(ME), "rest", "drive.files.create", {"name": "For Platform"}))
    here.said("drive.permissions.create", fileId=plain["id"], type="group", role="reader", emailAddress="platform@quayline.example")
    assert all_have(here.said("drive.files.get", HERS, fileId=plain["id"]), "For Platform")


def test_whoever_is_away_is_away_everywhere(office: Find) -> None:
    here = office("away")
    assert all_have([*here.said("users.info", user=here.account["slack"]), here.page("slack", f"/team/{here.account['slack']}")], "Vacationing")
    assert all_have(here.said("users.getPresence", user=here.account["slack"]), "away")
    email = here.rows("SELECT email FROM person WHERE id = ?", HERS)[0][0]
    here.said("mail.send", to=[email], subject="Are you there?", text="Hello")
    here.pass_time(60_000_000)
    assert all_have([*here.said("mail.threads"), here.page("gmail", "/")], "Are you there?")
    assert here.rows("SELECT count(*) FROM gmail_auto_reply WHERE person_id = ?", HERS) == [(1,)]
    here.pass_time(8 * DAY)
    assert none_has(here.said("users.info", user=here.account["slack"]), "Vacationing")


def test_who_is_gone_is_gone_everywhere(office: Find) -> None:
    here = office("gone")
    name, email = here.rows("SELECT full_name, email FROM person WHERE id = ?", HERS)[0]
    assert all_have([text.replace(" ", "") for text in here.said("users.info", user=here.account["slack"])], '"deleted":true')
    assert "Deactivated" in here.page("slack", f"/team/{here.account['slack']}")
    assert all_have([text.replace(" ", "") for text in here.said("getUser", accountId=here.account["jira"])], '"active":false')
    assert none_has(here.said("findAssignableUsers", project="SHOP"), name)
    members = [*here.said("orgs/list-members", org="quayline", per_page=100), here.page("github", "/orgs/quayline/people")]
    assert none_has(members, here.login)
    assert none_has(here.said("mail.people", q=name), "Senior Software Engineer")  # whom one wrote to before stays known, without a title
    assert none_has([*here.said("web.people", q=name), here.page("sheets", "/people?q=kowalski")], email)


@pytest.mark.parametrize(("app", "operation"), [
    ("slack", "auth.test"), ("jira", "getCurrentUser"), ("gmail", "users.getProfile"), ("github", "users/get-authenticated"),
    ("sheets", "drive.about.get"),
])  # fmt: skip
def test_tokens_and_sessions_of_who_is_gone_are_refused(office: Find, app: str, operation: str) -> None:
    here = office("gone")
    found = here.doors.host.operation(operation)
    here.doors.become(here.world, HERS, app)
    assert [here.doors.call(door, found, {}).accepted for door in ("rest", "mcp")] == [False, False]
    assert "Sign in" in here.page(app, "/", HERS) or "signed out" in here.page(app, "/", HERS).lower()
    with pytest.raises(OperationError, match="account_inactive"):
        here.doors.server.do(lambda: here.doors.host.peek(here.principal(HERS), "page", operation, {}))


def test_apps_follow_because_of_the_event(office: Find) -> None:
    here = office("moved")
    sql = """SELECT c.operation, k.operation FROM _journal j JOIN _call c ON c.seq = j.call_seq JOIN _call k ON k.seq = c.cause_seq
        WHERE j.table_name IN ('slack_usergroup_member', 'github_team_member')"""
    assert set(here.rows(sql)) == {("event:-1", "event:0")}


def test_a_team_that_is_not_there_is_said(firm: Host) -> None:
    script = Script("staff", START, "Europe/Berlin")
    script.at("+1m", lambda w: w.move(HERS, "Nowhere"), name="move")
    actor = firm.create("w", Settings(), compile_script(script, horizon="1d"))
    with pytest.raises(ScenarioError, match="no team 'Nowhere'"):
        actor.advance(START + 2 * 60_000_000)
