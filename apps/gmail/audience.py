"""Readers of a mail: its sender and all recipients, through lists or by name, open or blind."""

from collections.abc import Iterator

from world.core.audience import COMPANY, Audience, Cells
from world.core.reading.part import Lookup


def of_mail(mail: Cells, lookup: Lookup) -> Audience:
    """Return the sender and the recipients; an address that nobody inside has is an outsider's."""
    addresses = {str(one["email"]).lower() for name in ("to_list", "cc_list", "bcc_list") for one in mail[name]}
    addresses |= {str(one).lower() for one in mail["recipients"]} | {str(mail["from_email"]).lower()}
    found = Audience(frozenset((str(mail["sender_id"]),) if mail.get("sender_id") else ()))
    for address in sorted(addresses):
        found |= of_address(address, lookup)
    return found


def of_address(address: str, lookup: Lookup) -> Audience:
    """Return the readers of mail to an address."""
    for group in lookup.find("gmail_list", address=address):
        return COMPANY if group["is_everyone"] else Audience(frozenset(_members(group, lookup)))
    for person in lookup.find("person", email=address):
        return Audience(frozenset((str(person["id"]),)))
    for alias in lookup.find("alias", kind="email", value=address):
        return Audience(frozenset((str(alias["person_id"]),)))
    return Audience(outsiders=frozenset(() if _is_inside(address, lookup) else (address,)))


def _is_inside(address: str, lookup: Lookup) -> bool:
    """Whether an address is of the company's domain: of nobody, of a robot, or of somebody who left."""
    company = lookup.row("company", 1)
    domain = str(company["domain"]) if company else ""
    return bool(domain) and address.endswith((f"@{domain}", f".{domain}"))


def _members(group: Cells, lookup: Lookup) -> Iterator[str]:
    """Yield the members of a list: its team's, those of the teams below, and those named."""
    yield from (str(row["person_id"]) for row in lookup.find("gmail_list_member", address=group["address"]))
    teams = [group["team_id"]] if group["team_id"] else []
    for team in teams:
        teams += [row["id"] for row in lookup.find("team", parent_id=team) if row["id"] not in teams]
        yield from (str(row["id"]) for row in lookup.find("person", team_id=team, status="active"))
