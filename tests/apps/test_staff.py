"""A person renamed, moved, away or gone changes in every app at once: at REST, as a tool, and on a page."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from apps.google.oauth import refresh_token_to_json
from tests.company import START
from tests.conftest import Server
from tests.doors.three import Doors
from world.core.clock import DAY
from world.core.errors import OperationError
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.script.errors import ScenarioError
from world.script.scenario import Script, compile_script
from world.script.stage import Stage

ME, HERS, OTHER = "p_0003", "p_0004", "p_0005"
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
        self.account = {
            app: id for app, id in self.rows("SELECT app, external_id FROM account WHERE person_id = ?", HERS)
        }
        self.login = self.rows("SELECT login FROM github_account WHERE person_id = ?", HERS)[0][0]

    def _begin(self, change: str) -> None:
        script = Script("staff", START, "Europe/Berlin")
        script.at("+1m", CHANGES[change], name=change)
        actor = self.doors.host.create(self.world, Settings(limits="off"), compile_script(script, horizon="20d"))
        actor.advance(START + 2 * 60_000_000)

    def rows(self, sql: str, *values: Any) -> list[Any]:
        return self.doors.server.do(
            lambda: self.doors.host.actors[self.world].bound.raw.execute(sql, values).fetchall()
        )

    def said(self, operation: str, who: str = ME, **arguments: Any) -> list[str]:
        """What REST and MCP answer."""
        found = self.doors.host.operation(operation)
        self.doors.become(self.world, who, found.app)
        return [self.doors.call(door, found, arguments).text for door in ("rest", "mcp")]

    def page(self, app: str, address: str, who: str = ME) -> str:
        self.doors.become(self.world, who, app)
        return self.doors.look(f"/{app}{address}").text

    def token(self, who: str, app: str) -> str:
        """A token of one app, or without one the key of a login."""
        form = "ghp_{}" if app else "{}"
        kind = "user" if app else "session"
        return self.doors.server.do(
            lambda: self.doors.host.tokens.issue(replace(self.principal(who), kind=kind, app=app), form)
        )

    def signs(self, operation: str) -> list[str]:
        """What an app shows of her: an id, a login, an address."""
        email = self.fill("{email}")
        return [self.login] if "/" in operation else [*self.account.values(), email]

    def fill(self, value: Any) -> Any:
        """An argument with its slots filled: what she is called, and things of somebody else."""
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        if not isinstance(value, str):
            return value
        name, email = self.rows("SELECT full_name, email FROM person WHERE id = ?", HERS)[0]
        file = self.file() if value == "{file}" else ""
        channel = self.rows("SELECT id FROM slack_channel WHERE name = 'engineering'")[0][0]
        return value.format(name=name, email=email, login=self.login, file=file, channel=channel, **self.account)

    def file(self) -> str:
        """A file of somebody else's."""
        made = self.doors.server.do(
            lambda: self.doors.host.call(self.principal(ME), "rest", "drive.files.create", {"name": "For her"})
        )
        return made["id"]

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
    assert all_have(
        [*here.said("users.info", user=here.account["slack"]), here.page("slack", f"/team/{here.account['slack']}")],
        NEW,
    )
    assert all_have(
        [
            *here.said("getUser", accountId=here.account["jira"]),
            here.page("jira", f"/jira/people/{here.account['jira']}"),
        ],
        NEW,
    )
    assert all_have(
        [*here.said("users/get-by-username", username=here.login), here.page("github", f"/{here.login}")], NEW
    )
    assert all_have([*here.said("mail.people", q="quist"), here.page("gmail", "/people?q=quist")], NEW, ADDRESS)
    assert all_have([*here.said("web.people", q="dana"), here.page("sheets", "/people?q=dana")], NEW, ADDRESS)


def test_mail_to_the_old_address_still_arrives_and_answers_come_from_the_new_one(office: Find) -> None:
    here = office("renamed")
    old = here.rows("SELECT value FROM alias WHERE person_id = ? AND kind = 'email' ORDER BY id DESC LIMIT 1", HERS)[0][
        0
    ]
    here.said("mail.send", to=[old], subject="To the old address", text="Hello")
    here.pass_time(60_000_000)
    assert all_have([*here.said("mail.threads", HERS), here.page("gmail", "/", HERS)], "To the old address")
    assert all_have(here.said("users.getProfile", HERS, userId="me"), ADDRESS)
    assert here.rows("SELECT DISTINCT email FROM drive_permission WHERE person_id = ?", HERS) in ([], [(ADDRESS,)])


def test_a_move_changes_groups_and_teams_in_every_app(office: Find) -> None:
    here = office("moved")
    group = here.rows("SELECT id FROM slack_usergroup WHERE handle = 'platform-eng'")[0][0]
    assert all_have(here.said("usergroups.users.list", usergroup=group), here.account["slack"])
    assert "Staff Engineer" in here.page("slack", f"/team/{here.account['slack']}")
    teams = {
        slug: here.said("teams/list-members-in-org", org="quayline", team_slug=slug)
        for slug in ("payments", "platform")
    }
    assert all_have([*teams["platform"], here.page("github", "/orgs/quayline/teams/platform")], here.login)
    assert none_has([*teams["payments"], here.page("github", "/orgs/quayline/teams/payments")], here.login)
    here.said("mail.send", to=["platform@quayline.example"], subject="To the team", text="Hello")
    here.pass_time(60_000_000)
    assert all_have([*here.said("mail.threads", HERS), here.page("gmail", "/", HERS)], "To the team")
    plain = here.doors.server.do(
        lambda: here.doors.host.call(here.principal(ME), "rest", "drive.files.create", {"name": "For Platform"})
    )
    here.said(
        "drive.permissions.create",
        fileId=plain["id"],
        type="group",
        role="reader",
        emailAddress="platform@quayline.example",
    )
    assert all_have(here.said("drive.files.get", HERS, fileId=plain["id"]), "For Platform")


def test_whoever_is_away_is_away_everywhere(office: Find) -> None:
    here = office("away")
    assert all_have(
        [*here.said("users.info", user=here.account["slack"]), here.page("slack", f"/team/{here.account['slack']}")],
        "Vacationing",
    )
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
    assert all_have(
        [text.replace(" ", "") for text in here.said("users.info", user=here.account["slack"])], '"deleted":true'
    )
    assert "Deactivated" in here.page("slack", f"/team/{here.account['slack']}")
    assert all_have(
        [text.replace(" ", "") for text in here.said("getUser", accountId=here.account["jira"])], '"active":false'
    )
    assert none_has(here.said("findAssignableUsers", project="SHOP"), name)
    members = [
        *here.said("orgs/list-members", org="quayline", per_page=100),
        here.page("github", "/orgs/quayline/people"),
    ]
    assert none_has(members, here.login)
    assert none_has(
        here.said("mail.people", q=name), "Senior Software Engineer"
    )  # whom one wrote to before stays known, without a title
    assert none_has([*here.said("web.people", q=name), here.page("sheets", "/people?q=kowalski")], email)


@pytest.mark.parametrize(
    ("app", "operation"),
    [
        ("slack", "auth.test"),
        ("jira", "getCurrentUser"),
        ("gmail", "users.getProfile"),
        ("github", "users/get-authenticated"),
        ("drive", "drive.about.get"),
    ],
)
def test_tokens_and_sessions_of_who_is_gone_are_refused(office: Find, app: str, operation: str) -> None:
    here = office("gone")
    found = here.doors.host.operation(operation)
    here.doors.become(here.world, HERS, app)
    assert [here.doors.call(door, found, {}).accepted for door in ("rest", "mcp")] == [False, False]
    assert "Sign in" in here.page(app, "/", HERS) or "signed out" in here.page(app, "/", HERS).lower()
    with pytest.raises(OperationError, match="account_inactive"):
        here.doors.server.do(lambda: here.doors.host.peek(here.principal(HERS), "page", operation, {}))


REFUSED = {
    "auth.test": (200, '{"ok":false,"error":"account_inactive"}'),
    "getCurrentUser": (401, "Client must be authenticated to access this resource."),
    "users.getProfile": (401, "Request had invalid authentication credentials."),
    "users/get-authenticated": (403, "Sorry. Your account was suspended"),
    "drive.about.get": (401, "Request had invalid authentication credentials."),
}


@pytest.mark.parametrize("operation", REFUSED)
def test_each_vendor_says_it_in_its_own_words(office: Find, operation: str) -> None:
    here = office("gone")
    found = here.doors.host.operation(operation)
    here.doors.become(here.world, HERS, found.app)
    rest, mcp = (here.doors.call(door, found, {}) for door in ("rest", "mcp"))
    status, words = REFUSED[operation]
    assert rest.status == status
    assert all_have([rest.text, mcp.text], words)


@pytest.mark.parametrize("service", ["git-upload-pack", "git-receive-pack"])
def test_git_refuses_who_is_gone(office: Find, service: str) -> None:
    here = office("gone")
    url, token = here.doors.server.url, here.token(HERS, "github")
    asked = httpx.get(f"{url}/github/quayline/payments.git/info/refs?service={service}", auth=("x", token))
    assert (asked.status_code, asked.text) == (
        403,
        "Your account is suspended. Please visit https://support.github.com for more information.",
    )


def test_who_is_gone_does_not_sign_in_again(office: Find) -> None:
    here = office("gone")
    url, key = here.doors.server.url, here.token(HERS, "")
    email = here.rows("SELECT email FROM person WHERE id = ?", HERS)[0][0]
    with httpx.Client(base_url=url) as browser:
        assert browser.get(f"/login/{key}").status_code == 403
        assert browser.post("/login", data={"email": email, "password": key}).status_code == 422
        assert not browser.cookies


def test_refresh_tokens_of_who_is_gone_give_no_more_tokens(office: Find) -> None:
    here = office("gone")
    host, server, hers = here.doors.host, here.doors.server, replace(here.principal(HERS), app="gmail")
    file = server.do(lambda: refresh_token_to_json(host, hers, [], f"{server.url}/gmail"))
    form = {key: file[key] for key in ("refresh_token", "client_id", "client_secret")}
    asked = httpx.post(file["token_uri"], data={"grant_type": "refresh_token", **form})
    assert (asked.status_code, asked.json()["error"]) == (400, "invalid_grant")


NOTICES = (
    "SELECT b.id, n.text, n.sent_at - m.sent_at FROM gmail_message b JOIN gmail_mail n ON n.id = b.mail_id JOIN"
    " gmail_message o ON o.thread_id = b.thread_id AND o.person_id = b.person_id JOIN gmail_mail m ON m.id = o.mail_id"
    " AND m.subject LIKE 'To the gone%' WHERE b.person_id = ? AND n.subject LIKE 'Delivery%' ORDER BY 1"
)


def test_mail_to_who_is_gone_comes_back_within_a_minute(office: Find) -> None:
    here, number = office("gone"), 40
    email = here.rows("SELECT email FROM person WHERE id = ?", HERS)[0][0]
    for n in range(number):
        mail = {"to": [email], "subject": f"To the gone {n}", "text": "Hello"}
        here.doors.server.do(partial(here.doors.host.call, here.principal(ME), "rest", "mail.send", mail))
    here.pass_time(180_000_000)
    told = here.rows(NOTICES, ME)
    assert len(told) == number
    assert all("550 5.2.1" in text and email in text and late < 60_000_000 for _, text, late in told)
    assert all_have(
        here.said("users.messages.get", userId="me", id=told[0][0]), "Delivery Status Notification (Failure)", email
    )


PICKERS: dict[str, dict[str, Any]] = {
    "findUsers": {"query": "{name}"},
    "findUsersForPicker": {"query": "{name}"},
    "findAssignableUsers": {"project": "SHOP", "query": "{name}"},
    "findBulkAssignableUsers": {"projectKeys": "SHOP", "query": "{name}"},
    "issues/list-assignees": {"owner": "quayline", "repo": "payments"},
    "repos/list-collaborators": {"owner": "quayline", "repo": "payments"},
    "web.people": {"q": "{name}"},
    "users.lookupByEmail": {"email": "{email}"},
    "usergroups.list": {"include_users": True},
}


@pytest.mark.parametrize(("change", "offered"), [("gone", False), ("away", True)])
@pytest.mark.parametrize("operation", PICKERS)
def test_pickers_offer_who_is_there(office: Find, operation: str, change: str, offered: bool) -> None:
    here = office(change)
    signs = here.signs(operation)
    arguments = {key: here.fill(value) for key, value in PICKERS[operation].items()}
    texts = here.said(operation, **arguments)
    assert [any(sign in text for sign in signs) for text in texts] == [offered, offered]


GIVEN: dict[str, tuple[dict[str, Any], str]] = {
    "assignIssue": ({"issueIdOrKey": "SHOP-1", "accountId": "{jira}"}, "cannot be assigned issues"),
    "issues/add-assignees": (
        {"owner": "quayline", "repo": "payments", "issue_number": 1, "assignees": ["{login}"]},
        "Validation Failed",
    ),
    "issues/check-user-can-be-assigned": (
        {"owner": "quayline", "repo": "payments", "assignee": "{login}"},
        "Not Found",
    ),
    "conversations.invite": ({"channel": "{channel}", "users": "{slack}"}, "cant_invite"),
    "drive.permissions.create": (
        {"fileId": "{file}", "type": "user", "role": "reader", "emailAddress": "{email}"},
        "email address was not found",
    ),
}


@pytest.mark.parametrize("operation", GIVEN)
def test_nothing_can_be_given_to_who_is_gone(office: Find, operation: str) -> None:
    here = office("gone")
    plain, words = GIVEN[operation]
    assert all_have(here.said(operation, **{key: here.fill(value) for key, value in plain.items()}), words)


def test_what_they_wrote_stays_under_their_name(office: Find) -> None:
    here = office("gone")
    name = here.rows("SELECT full_name FROM person WHERE id = ?", HERS)[0][0]
    channel, ts = here.rows(
        "SELECT m.channel_id, m.ts FROM slack_message m JOIN slack_channel c ON c.id = m.channel_id WHERE c.kind ="
        " 'public' AND m.person_id = ? AND m.deleted_at IS NULL AND m.thread_ts IS NULL ORDER BY m.id DESC LIMIT 1",
        HERS,
    )[0]
    told = here.said("conversations.history", channel=channel, latest=ts, inclusive=True, limit=1)
    assert all_have(told, here.account["slack"])
    key = here.rows("SELECT key FROM jira_issue WHERE assignee_id = ? ORDER BY id LIMIT 1", HERS)[0][0]
    assert all_have([*here.said("getIssue", issueIdOrKey=key), here.page("jira", f"/browse/{key}")], name)
    number = here.rows(
        "SELECT i.number FROM github_issue i JOIN github_account a ON a.id = i.author_id JOIN github_repository r ON"
        " r.id = i.repo_id WHERE a.person_id = ? AND r.name = 'payments' ORDER BY i.id LIMIT 1",
        HERS,
    )[0][0]
    assert all_have(here.said("issues/get", owner="quayline", repo="payments", issue_number=number), here.login)


def test_a_move_changes_projects_and_groups_of_the_tracker(firm: Host) -> None:
    script = Script("staff", START, "Europe/Berlin")
    script.at("+1m", lambda w: w.move(OTHER, "Support"), name="to_support")
    script.at("+3m", lambda w: w.move(OTHER, "Platform"), name="to_platform")
    actor = firm.create("w", Settings(limits="off"), compile_script(script, horizon="1d"))

    def there() -> tuple[bool, bool]:
        """Whether the support group has them, and whether they see the platform team's own project."""
        lead = Principal("w", ME, generation=actor.generation)
        group = firm.call(lead, "rest", "getUsersFromGroup", {"groupname": "support-agents"})
        seen = firm.call(Principal("w", OTHER, generation=actor.generation), "rest", "searchProjects", {})
        return name in str(group), "SEC" in [project["key"] for project in seen["values"]]

    name = actor.bound.raw.execute("SELECT full_name FROM person WHERE id = ?", (OTHER,)).fetchall()[0][0]
    found = []
    for minute in (0, 2, 4):
        actor.advance(START + minute * 60_000_000)
        found.append(there())
    assert found == [(False, False), (True, False), (False, True)]


def test_apps_follow_because_of_the_event(office: Find) -> None:
    here = office("moved")
    sql = """SELECT c.operation, k.operation FROM _journal j JOIN _call c ON c.seq = j.call_seq JOIN _call k ON k.seq =
        c.cause_seq
        WHERE j.table_name IN ('slack_usergroup_member', 'github_team_member')"""
    assert set(here.rows(sql)) == {("event:-1", "event:0")}


def test_a_team_that_is_not_there_is_said(firm: Host) -> None:
    script = Script("staff", START, "Europe/Berlin")
    script.at("+1m", lambda w: w.move(HERS, "Nowhere"), name="move")
    actor = firm.create("w", Settings(), compile_script(script, horizon="1d"))
    with pytest.raises(ScenarioError, match="no team 'Nowhere'"):
        actor.advance(START + 2 * 60_000_000)
