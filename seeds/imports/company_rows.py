"""Rows that every imported company has, whatever its archives hold: people, accounts, and an empty site of each service."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

from apps.github import models as github
from apps.gmail import models as gmail
from apps.slack import models as slack
from seeds.imports.company_file import CompanyFile
from seeds.imports.identities import Individual
from seeds.imports.intake import Landing
from seeds.rows.github_site import ACTIONS
from seeds.spec import START
from world.core import directory as d
from world.core.clock import DAY, zone_info
from world.core.ids import Ids

ORGANISATION = 9_000_001  # the account of the company on the code host


def add_company(landing: Landing, facts: CompanyFile, contacts: list[Individual], login: str) -> None:
    """The company, its people and accounts, people outside, the workspace, mailboxes, users of the code host.

    `login` is the company's account there, empty to call it after the domain.
    """
    label = landing.domain.partition(".")[0]
    born = landing.at(facts.founded_at) or _find_founding(landing)
    landing.sink.add(
        d.Company,
        id=1,
        name=landing.name,
        domain=landing.domain,
        tz=check_zone(facts.tz),
        founded_at=born,
        slack_domain=facts.workspace or label,
        jira_site=facts.tracker or label,
    )
    _add_people(landing, facts, born)
    _add_contacts(landing, facts, contacts)
    landing.sink.add(
        slack.Workspace,
        id=Ids(0, f"import:workspace:{landing.domain}", 0).token("T", 10),
        name=landing.name,
        domain=facts.workspace or label,
        email_domain=landing.domain,
        created_at=born,
    )
    _add_code_host(landing, login or label, born)


def check_zone(name: str) -> str:
    """A time zone that is known; UTC otherwise."""
    try:
        return zone_info(name).key if name else "UTC"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"


def _find_founding(landing: Landing) -> int:
    first = min((landing.at(at) for at in landing.intake.times), default=START - DAY)
    return first // DAY * DAY


def _add_people(landing: Landing, facts: CompanyFile, born: int) -> None:
    number = 0
    for person, one in sorted(landing.individuals.items()):
        more = facts.columns.get(one.handle, {})
        name = one.best("name") or one.handle
        first, _, last = name.partition(" ")
        landing.sink.add(
            d.Person,
            id=person,
            full_name=name,
            display_name=one.best("display") or first,
            first_name=more.get("first_name", first),
            last_name=more.get("last_name", last),
            handle=one.handle,
            email=one.email,
            title=one.best("title"),
            tz=check_zone(one.best("tz") or facts.tz),
            hours_start=more.get("hours_start", 540),
            hours_end=more.get("hours_end", 1080),
            kind=one.kind,
            status="active" if one.is_active else "left",
            joined_at=landing.at(more.get("joined_at", 0)) or born,
            left_at=None if one.is_active else landing.at(more.get("left_at", 0)) or START,
            phone=one.best("phone"),
            pronouns=one.best("pronouns"),
        )
        for address in one.emails:
            if address != one.email:
                number += 1
                landing.sink.add(d.Alias, id=number, person_id=person, kind="email", value=address)
        _add_accounts(landing, person, one)


def _add_accounts(landing: Landing, person: str, one: Individual) -> None:
    ids = Ids(0, f"import:account:{one.handle}", 0)
    tokens = {"slack": ids.token("U", 10), "jira": f"{ids.digits(6)}:{ids.uuid()}"}
    for app, token in tokens.items():
        landing.sink.add(d.Account, app=app, person_id=person, external_id=one.key_in(app) or token)
    if one.kind == "employee":
        landing.sink.add(d.Account, app="gmail", person_id=person, external_id=one.email)
        landing.sink.add(gmail.Mailbox, person_id=person, email=one.email)


def _add_contacts(landing: Landing, facts: CompanyFile, contacts: list[Individual]) -> None:
    known = {one["email"].lower() for one in facts.contacts}
    organisations: dict[str, Mapping[str, Any]] = {one["domain"]: one for one in facts.organisations}
    rows = [dict(one) for one in facts.contacts]
    for one in contacts:
        address = one.emails[0]
        domain = address.partition("@")[2] or "unknown.example"
        if address in known or any(row["email"].lower() in one.emails for row in facts.contacts):
            continue
        made = {"id": f"o_{domain}", "name": domain, "domain": domain, "kind": "customer", "tier": ""}
        owner = organisations.setdefault(domain, made)
        name = one.best("name") or address
        rows.append(
            {
                "id": f"c_{address}",
                "organisation_id": owner["id"],
                "full_name": name,
                "email": address,
                "title": "",
                "tz": "UTC",
            }
        )
    for one in sorted(organisations.values(), key=lambda row: row["id"]):
        landing.sink.add(d.Organisation, **one)
    for row in sorted(rows, key=lambda row: row["id"]):
        landing.sink.add(d.Contact, **row)


def _add_code_host(landing: Landing, label: str, born: int) -> None:
    """The organisation on the code host and a user of everybody."""
    host = {"created_at": born, "updated_at": born}
    landing.sink.add(
        github.Account,
        id=ORGANISATION,
        login=label,
        kind="Organization",
        name=landing.name,
        email=f"dev@{landing.domain}",
        base_permission="write",
        **host,
    )
    landing.sink.add(
        github.Account, id=ACTIONS, login="github-actions[bot]", kind="Bot", name="github-actions[bot]", **host
    )
    taken = {label, "github-actions[bot]"}
    for person, one in sorted(landing.individuals.items()):
        login = one.key_in("github") or "".join(c if c.isalnum() else "-" for c in one.handle).strip("-")
        while login.lower() in taken:
            login += "-1"
        taken.add(login.lower())
        id = int(Ids(0, f"import:login:{login.lower()}", 0).digits(8))
        bot = one.kind == "bot"
        landing.sink.add(
            github.Account,
            id=id,
            login=login,
            kind="Bot" if bot else "User",
            person_id=person,
            name=one.best("name") or one.handle,
            email=one.email,
            **host,
        )
        if one.is_active and not bot:
            landing.sink.add(github.OrgMember, org_id=ORGANISATION, account_id=id)
