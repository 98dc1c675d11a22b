"""Where an address leads: a mailbox of the company, a list, somebody outside, or nowhere."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from world.call import Call

_OWN_DOMAIN = "SELECT domain FROM company WHERE id = 1"
_MEMBERS = (
    "SELECT DISTINCT p.id FROM gmail_list l JOIN person p ON p.status = 'active' AND p.kind = 'employee'"
    " WHERE l.address = :address AND (l.is_everyone OR p.team_id IN (WITH RECURSIVE below(id) AS ("
    " SELECT l.team_id UNION SELECT t.id FROM team t JOIN below b ON t.parent_id = b.id) SELECT id FROM below)"
    " OR p.id IN (SELECT person_id FROM gmail_list_member WHERE address = l.address)) ORDER BY p.id"
)


@dataclass(slots=True)
class Route:
    """Where the recipients of one mail are: person id -> the address it came by, outside addresses, dead ones with the reason."""

    people: dict[str, str] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)  # person id -> the list it came by
    outside: list[str] = field(default_factory=list)
    dead: dict[str, str] = field(default_factory=dict)  # address -> unknown_user, disabled or no_domain


def route(call: Call, addresses: Iterable[str]) -> Route:
    """Follow every address; who is named twice gets the mail once."""
    domain = str(call.scalar(_OWN_DOMAIN) or "")
    out = Route()
    for address in dict.fromkeys(one.lower() for one in addresses):
        if address.rpartition("@")[2] == domain:
            _inside(call, address, out)
        elif (reason := _unreachable(call, address)) is not None:
            out.dead[address] = reason
        else:
            out.outside.append(address)
    return out


def untagged(address: str) -> str:
    """`ann+news@x` is `ann@x`."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _inside(call: Call, address: str, out: Route) -> None:
    members = [row[0] for row in call.all(_MEMBERS, {"address": address})]
    if members or call.first("SELECT 1 FROM gmail_list WHERE address = :address", {"address": address}) is not None:
        for person in members:
            if person not in out.people:
                out.people[person] = address
                out.lists[person] = address
        return
    person = call.directory.by_email(untagged(address))
    if person is None or call.first("SELECT 1 FROM gmail_mailbox WHERE person_id = :id", {"id": person.id}) is None:
        out.dead[address] = "unknown_user"
    elif person.status != "active":
        out.dead[address] = "disabled"
    else:
        out.people[person.id] = address
        out.lists.pop(person.id, None)


def _unreachable(call: Call, address: str) -> str | None:
    """Why mail to an outside address comes back: its domain cannot exist, or a customer or vendor has nobody of that name."""
    domain = address.rpartition("@")[2]
    if "." not in domain or domain.endswith(".invalid"):
        return "no_domain"
    if call.first("SELECT 1 FROM contact WHERE email = :address", {"address": untagged(address)}) is not None:
        return None
    return "unknown_user" if call.first("SELECT 1 FROM organisation WHERE domain = :domain", {"domain": domain}) is not None else None
