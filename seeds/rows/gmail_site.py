"""Rows of the mail service that hold whether or not anybody has written: mailboxes, lists, settings of people."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.gmail import models as m
from seeds.casting import fits
from seeds.company import Company, Staff, company_pack
from seeds.rows.sink import Sink
from seeds.spec import Spec


@dataclass(frozen=True, slots=True)
class Circle:
    """A mailing list: who gets its mail, `selectors` or a team or everybody."""

    address: str
    name: str
    team: str = ""
    everyone: bool = False
    selectors: tuple[str, ...] = ()

    def members(self, company: Company, at: int) -> list[Staff]:
        """Who is on it at a time, in order of their ids."""
        if self.team:
            found = {one.seat for one in _below(company, self.team)}
            return [one for one in company.staff.values() if one.seat in found and one.employed(at)]
        return [one for one in company.staff.values() if one.employed(at) and (self.everyone or any(fits(company, one, s) for s in self.selectors))]


def _below(company: Company, team: str) -> Iterator[Staff]:
    """People of a team and of all teams below it."""
    yield from (one for one in company.staff.values() if one.team == team)
    for one in company.teams.values():
        if one.parent == team:
            yield from _below(company, one.key)


def circles(company: Company) -> dict[str, Circle]:
    """The company's lists by the part before the @."""
    domain = company.domain
    made = [Circle(f"everyone@{domain}", "Everyone", everyone=True)]
    made += [Circle(f"{one.key}@{domain}", one.name, team=one.key) for one in company.teams.values()]
    made += [Circle(f"{one['address']}@{domain}", one["name"], selectors=tuple(one["members"])) for one in company_pack("shop")["lists"]]
    return {one.address.partition("@")[0]: one for one in made}


def project(spec: Spec, company: Company, sink: Sink) -> None:
    """A mailbox for everybody who ever worked here, and the lists."""
    for one in company.staff.values():
        sink.add(m.Mailbox, person_id=one.id, email=one.email, first_history_id=spec.stream("mail", one.seat, "history").integer(21_000, 940_000))
    for circle in circles(company).values():
        members = circle.members(company, spec.start)
        if not members:
            continue
        team: Any = company.teams[circle.team].id if circle.team else None
        sink.add(m.MailingList, address=circle.address, name=circle.name, team_id=team, is_everyone=circle.everyone)
        sink.refer("gmail_list", circle.address, "e.company", "company", circle.address.partition("@")[0])
        for one in members if circle.selectors else ():
            sink.add(m.ListMember, address=circle.address, person_id=one.id)
