"""Routing of addresses: to a mailbox of the company, a list, an outsider, or nowhere."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.gmail.mailbox_settings import forwards
from world.core.call import Call

_LIST = "SELECT allows_outside FROM gmail_list WHERE address = :address"
_OWN_DOMAIN = "SELECT domain FROM company WHERE id = 1"
_MEMBERS = (
    "SELECT DISTINCT p.id FROM gmail_list l JOIN person p ON p.status = 'active' AND p.kind = 'employee'"
    " WHERE l.address = :address AND (l.is_everyone OR p.team_id IN (WITH RECURSIVE below(id) AS ("
    " SELECT l.team_id UNION SELECT t.id FROM team t JOIN below b ON t.parent_id = b.id) SELECT id FROM below)"
    " OR p.id IN (SELECT person_id FROM gmail_list_member WHERE address = l.address)) ORDER BY p.id"
)


@dataclass(slots=True)
class Route:
    """Route of one mail: person id -> the address it came by, outside addresses, and dead ones with the reason."""

    people: dict[str, str] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)  # person id -> the list it came by
    outside: list[str] = field(default_factory=list)
    dead: dict[str, str] = field(
        default_factory=dict
    )  # address -> unknown_user, disabled, closed_list, loop or no_domain


def route_addresses(call: Call, addresses: Iterable[str], *, from_outside: bool = False) -> Route:
    """Route every address; a person named twice gets the mail once. Outside mail reaches only lists that allow it."""
    domain = str(call.scalar(_OWN_DOMAIN) or "")
    out = Route()
    for address in dict.fromkeys(one.lower() for one in addresses):
        if address.rpartition("@")[2] == domain:
            _route_inside(call, address, out, from_outside)
        elif (reason := _find_unreachable_reason(call, address)) is not None:
            out.dead[address] = reason
        else:
            out.outside.append(address)
    return out


def strip_tag(address: str) -> str:
    """Return an address without its tag: `ann@x` for `ann+news@x`."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def is_inside(call: Call, address: str) -> bool:
    """Whether an address is of the company's own domain."""
    return address.lower().rpartition("@")[2] == call.scalar(_OWN_DOMAIN)


def _route_inside(call: Call, address: str, out: Route, from_outside: bool) -> None:
    found = call.first(_LIST, {"address": address})
    if found is None:
        _route_person(call, address, out)
    elif from_outside and not found[0]:
        out.dead[address] = "closed_list"
    else:
        for (person,) in call.all(_MEMBERS, {"address": address}):
            if person not in out.people:
                out.people[person] = out.lists[person] = address


def _route_person(call: Call, address: str, out: Route, seen: frozenset[str] = frozenset()) -> None:
    """Route to a mailbox of the company; mail to somebody who left goes to their forwarding address."""
    id, status = call.directory.owner(strip_tag(address)) or ("", "")
    if call.first("SELECT 1 FROM gmail_mailbox WHERE person_id = :id", {"id": id}) is None:
        out.dead[address] = "unknown_user"
    elif status == "active":
        out.people[id] = address
        out.lists.pop(id, None)
    elif (onward := forwards.find_forwarding_address(call, id)) is None:
        out.dead[address] = "disabled"
    elif id in seen:
        out.dead[address] = "loop"
    elif is_inside(call, onward):
        _route_person(call, onward, out, seen | {id})
    else:
        out.outside.append(onward)


def _find_unreachable_reason(call: Call, address: str) -> str | None:
    """Return the reason why mail to an outside address bounces: a bad domain, or an unknown name at a known company."""
    domain = address.rpartition("@")[2]
    if "." not in domain or domain.endswith(".invalid"):
        return "no_domain"
    if call.first("SELECT 1 FROM contact WHERE email = :address", {"address": strip_tag(address)}) is not None:
        return None
    return (
        "unknown_user"
        if call.first("SELECT 1 FROM organisation WHERE domain = :domain", {"domain": domain}) is not None
        else None
    )
