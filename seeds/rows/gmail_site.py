"""Rows of the mail service that hold whether or not anybody has written: mailboxes and lists."""

from apps.gmail import models as m
from seeds.company import Company
from seeds.mailing_lists import circles
from seeds.rows.row_collector import Sink
from seeds.spec import Spec

CLOSED = frozenset(
    {"leadership"}
)  # teams whose list takes mail of the company only; vendors and machines write to the others


def project(spec: Spec, company: Company, sink: Sink) -> None:
    """A mailbox for everybody who ever worked here, and the lists."""
    for one in company.staff.values():
        sink.add(
            m.Mailbox,
            person_id=one.id,
            email=one.email,
            first_history_id=spec.stream("mail", one.seat, "history").integer(21_000, 940_000),
        )
    for circle in circles(company).values():
        members = circle.members(company, spec.start)
        if not members:
            continue
        team: object = company.teams[circle.team].id if circle.team else None
        sink.add(
            m.MailingList,
            address=circle.address,
            name=circle.name,
            team_id=team,
            is_everyone=circle.everyone,
            allows_outside=circle.team not in CLOSED,
        )
        sink.refer("gmail_list", circle.address, "e.company", "company", circle.address.partition("@")[0])
        for one in members if circle.selectors else ():
            sink.add(m.ListMember, address=circle.address, person_id=one.id)
