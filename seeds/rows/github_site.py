"""Accounts of the code host: the organisation, everybody's user, the teams and who is in them."""

from dataclasses import dataclass, field

from apps.github import models as m
from seeds.company import Company, Staff
from seeds.person_names import ascii_form
from seeds.rows.row_collector import Sink
from seeds.spec import Spec

ACTIONS = 41898282  # the vendor's own account that workflow runs speak as
OWNERS = ("cto", "platform-lead")
BOTS = ("bot-ci", "bot-deploy")
FIRST_REPOSITORY = 512_340_017


@dataclass(slots=True)
class Hub:
    """Ids that other rows need, and the counters of the numbers given here."""

    org: int
    login: str
    accounts: dict[str, int] = field(default_factory=dict)  # by seat
    logins: dict[str, str] = field(default_factory=dict)  # by seat
    teams: dict[str, int] = field(default_factory=dict)  # by key
    counts: dict[str, int] = field(default_factory=dict)

    def number(self, table: str) -> int:
        """The next number of a table; the world goes on from there."""
        self.counts[table] = self.counts.get(table, 0) + 1
        return self.counts[table]


def project(spec: Spec, company: Company, sink: Sink) -> Hub:
    """The organisation with its people and teams."""
    draw = spec.stream("github", "accounts")
    hub = Hub(draw.integer(9_000_000, 28_000_000), company.slack_domain)
    since = company.founded_at
    sink.add(
        m.Account,
        id=hub.org,
        login=hub.login,
        kind="Organization",
        name=company.name,
        email=f"dev@{company.domain}",
        location="Berlin",
        blog=f"https://{company.domain}",
        created_at=since,
        updated_at=since,
    )
    sink.add(
        m.Account,
        id=ACTIONS,
        login="github-actions[bot]",
        kind="Bot",
        name="github-actions[bot]",
        created_at=since,
        updated_at=since,
    )
    taken = {hub.login, "github-actions[bot]"}
    for one in [*company.staff.values(), *(bot for seat, bot in company.bots.items() if seat in BOTS)]:
        _account(spec, one, hub, taken, sink)
    for seat, one in company.staff.items():
        if one.is_employed(spec.start):
            role = "admin" if seat in OWNERS else "member"
            sink.add(
                m.OrgMember,
                org_id=hub.org,
                account_id=hub.accounts[seat],
                role=role,
                public=spec.stream("github", seat).random() < 0.4,
            )
    _teams(spec, company, hub, sink)
    return hub


def _account(spec: Spec, one: Staff, hub: Hub, taken: set[str], sink: Sink) -> None:
    draw = spec.stream("github", "account", one.seat)
    login = _login(one, draw.integer(0, 5), taken)
    taken.add(login.lower())
    hub.accounts[one.seat], hub.logins[one.seat] = draw.integer(1_000_000, 160_000_000), login
    bot = one.kind == "bot"
    sink.add(
        m.Account,
        id=hub.accounts[one.seat],
        login=login,
        kind="Bot" if bot else "User",
        person_id=one.id,
        name=one.full,
        email=one.email,
        company=None if bot else f"@{hub.login}",
        bio=None,
        created_at=one.joined_at,
        updated_at=one.joined_at,
    )
    sink.refer("github_account", str(hub.accounts[one.seat]), f"e.people.{one.seat}", "people", one.seat)


def _login(one: Staff, form: int, taken: set[str]) -> str:
    if one.kind == "bot":
        return f"{one.handle}[bot]"
    first, last = (ascii_form(part).lower().replace(" ", "") for part in (one.first, one.last))
    wanted = (
        f"{first}-{last}",
        f"{first[0]}{last}",
        f"{first}{last}",
        f"{last}{first[0]}",
        f"{first}{last[0]}",
        f"{first}-{last[0]}",
    )
    listed = [wanted[form], *wanted, *(f"{first}-{last}{n}" for n in range(2, 9))]
    return next(login for text in listed if (login := "".join(c for c in text if c.isalnum() or c == "-")) not in taken)


def _teams(spec: Spec, company: Company, hub: Hub, sink: Sink) -> None:
    for number, team in enumerate(company.teams.values(), 1):
        hub.teams[team.key] = 3_000_000 + number * 137
    for team in company.teams.values():
        id = hub.teams[team.key]
        sink.add(
            m.Team,
            id=id,
            org_id=hub.org,
            slug=team.key,
            name=team.name,
            parent_id=hub.teams.get(team.parent or ""),
            created_at=company.founded_at,
            updated_at=company.founded_at,
        )
        for one in company.members(team.key):
            if one.seat in hub.accounts and one.is_employed(spec.start) and one.team == team.key:
                sink.add(
                    m.TeamMember,
                    team_id=id,
                    account_id=hub.accounts[one.seat],
                    role="maintainer" if one.seat == team.lead else "member",
                )
