"""Rows of the shared company: people, teams, offices, customers, services, rotas, accounts, and story handles."""

from collections.abc import Iterable

from seeds.company import Company, Staff
from seeds.rows.row_collector import Sink
from seeds.spec import Spec
from world.core import directory as d
from world.core.ids import Ids


def account_id(spec: Spec, app: str, person_id: str) -> str:
    """A person's id in an app, in that vendor's form; the same in every size of a seed's company."""
    ids = Ids(spec.seed, f"account:{app}:{person_id}", 0)
    if app == "slack":
        return ids.token("U", 10)
    if app == "jira":
        return f"{ids.digits(6)}:{ids.uuid()}"
    return f"{app}-{person_id}"


def project(spec: Spec, company: Company, sink: Sink) -> None:
    """All rows of world/core/directory.py that a company starts with."""
    everybody = [*company.staff.values(), *company.bots.values()]
    _company(company, sink)
    _people(spec, company, everybody, sink)
    _organisations(company, sink)
    _rotas(company, sink)
    _accounts(spec, everybody, sink)


def _company(company: Company, sink: Sink) -> None:
    ids = {one.seat: one.id for one in company.staff.values()}
    sink.add(
        d.Company,
        id=1,
        name=company.name,
        domain=company.domain,
        tz=company.tz,
        founded_at=company.founded_at,
        slack_domain=company.slack_domain,
        jira_site=company.jira_site,
    )
    for office in company.offices.values():
        sink.add(d.Office, id=office.id, name=office.name, city=office.city, tz=office.tz, locale=office.locale)
        sink.refer("office", office.id, "e.company", "company", office.key)
    for team in company.teams.values():
        parent = company.teams[team.parent].id if team.parent else None
        sink.add(d.Team, id=team.id, name=team.name, lead_id=ids[team.lead], parent_id=parent)
        sink.refer("team", team.id, "e.company", "company", team.key)
    for service in company.services.values():
        team = company.teams[service.team].id
        sink.add(
            d.Service, id=service.id, name=service.id, team_id=team, tier=service.tier, description=service.description
        )
        sink.refer("service", service.id, "e.company", "company", service.id)


def _people(spec: Spec, company: Company, everybody: Iterable[Staff], sink: Sink) -> None:
    ids = {one.seat: one.id for one in company.staff.values()}
    aliases: list[tuple[str, str, str]] = []
    for one in everybody:
        left = one.left_at is not None and one.left_at <= spec.start
        sink.add(
            d.Person,
            id=one.id,
            full_name=one.full,
            display_name=one.display,
            first_name=one.first,
            last_name=one.last,
            handle=one.handle,
            email=one.email,
            title=one.title,
            team_id=company.teams[one.team].id,
            manager_id=ids.get(one.manager or ""),
            office_id=company.offices[one.office].id if one.office else None,
            tz=one.tz,
            hours_start=one.hours[0],
            hours_end=one.hours[1],
            kind=one.kind,
            status="left" if left else "active",
            joined_at=one.joined_at,
            left_at=one.left_at if left else None,
            phone=one.phone,
            pronouns=one.pronouns,
        )
        sink.refer("person", one.id, f"e.people.{one.seat}", "people", one.seat)
        aliases += _aliases(spec, company, one)
    for number, (person, kind, value) in enumerate(aliases, 1):
        sink.add(d.Alias, id=number, person_id=person, kind=kind, value=value)
        sink.refer("alias", str(number), "e.people", "people", "alias")
    for number, away in enumerate(company.absences, 1):
        sink.add(
            d.Absence,
            id=number,
            person_id=ids[away.seat],
            start_at=away.start_at,
            end_at=away.end_at,
            kind=away.kind,
            note=away.note,
            delegate_id=ids.get(away.delegate or ""),
        )
        sink.refer("absence", str(number), "e.people", "people", f"away-{away.seat}")


def _aliases(spec: Spec, company: Company, one: Staff) -> list[tuple[str, str, str]]:
    if one.kind != "employee":
        return []
    draw = spec.stream("person", one.seat, "alias")
    short = one.email.partition("@")[0]
    first, _, last = short.partition(".")
    found = []
    if draw.random() < 0.2:
        found.append((one.id, "email", f"{first[0]}.{last}@{company.domain}"))
    if one.first == "Daniel":
        found.append((one.id, "nick", "dan" if one.team == "customers" else "dk"))
    elif draw.random() < 0.15 and len(one.first) > 4:
        found.append((one.id, "nick", first[:4]))
    return found


def _organisations(company: Company, sink: Sink) -> None:
    ids = {one.seat: one.id for one in company.staff.values()}
    for one in company.clients.values():
        sink.add(
            d.Organisation,
            id=one.id,
            name=one.name,
            domain=one.domain,
            kind=one.kind,
            tier=one.tier,
            owner_id=ids.get(one.owner or ""),
        )
        sink.refer("organisation", one.id, "e.customers", "customers", one.handle)
        for i, person in enumerate(one.contacts, 1):
            sink.add(
                d.Contact,
                id=person.id,
                organisation_id=one.id,
                full_name=person.full,
                email=person.email,
                title=person.title,
                tz=person.tz,
            )
            sink.refer("contact", person.id, "e.customers", "customers", f"{one.handle}-{i}")


def _rotas(company: Company, sink: Sink) -> None:
    number = 0
    for rota in company.rotas.values():
        sink.add(d.Schedule, id=rota.id, name=rota.name, service_id=rota.service)
        sink.refer("schedule", rota.id, "e.company", "company", rota.id)
        for shift in rota.shifts:
            number += 1
            sink.add(
                d.Shift,
                id=number,
                schedule_id=rota.id,
                person_id=company.staff[shift.seat].id,
                start_at=shift.start_at,
                end_at=shift.end_at,
            )
            sink.refer("shift", str(number), "e.company", "company", rota.id)


def _accounts(spec: Spec, everybody: Iterable[Staff], sink: Sink) -> None:
    for one in everybody:
        for app in ("jira", "slack"):
            sink.add(d.Account, app=app, person_id=one.id, external_id=account_id(spec, app, one.id))
        if one.kind == "employee":
            sink.add(d.Account, app="gmail", person_id=one.id, external_id=one.email)
