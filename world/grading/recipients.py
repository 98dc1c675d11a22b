"""Whom a message goes to, and copies for outsiders whom neither the task nor the conversation named."""

from collections.abc import Callable, Iterator, Sequence

import orjson

from world.core.json_types import is_object
from world.grading.cells import Cell, address, members
from world.grading.compiler import Column
from world.grading.scope import Scope
from world.grading.tables import Row, Table


def list_addresses(table: Table, row: Row, columns: Sequence[str]) -> list[str]:
    """The addresses in some columns, without repeats, in order."""
    found: list[str] = []
    for name in columns:
        value = table.cell(row, name)
        if isinstance(value, str) and value.startswith("["):
            value = orjson.loads(value)
        found += [
            address(str(cell.value["email"] if is_object(cell.value) and "email" in cell.value else cell.value))
            for cell in members(Cell(value, value, Column(table.name, name, "json", name, table.app)))
        ]
    return list(dict.fromkeys(found))


def list_copied(table: Table, row: Row, s: Scope, suffices: Callable[[Sequence[str]], bool]) -> list[str]:
    """The outsiders whom a message need not have gone to: `suffices` says whether some recipients are all that is asked.

    Others of an organisation that is written to may be copied, and whoever is in the conversation that is answered.
    """
    everybody = list_addresses(table, row, table.sent_to)
    outside = [one for one in everybody if not is_colleague(one, s)]
    spare: list[str] = []
    for one in reversed(outside):
        if suffices([other for other in everybody if other not in spare and other != one]):
            spare.append(one)
    known = {str(domain).casefold() for _, _, domain, _ in s.directory.organisations if domain}
    hosts = known & {_host(one) for one in outside if one not in spare}
    left = [one for one in reversed(spare) if _host(one) not in hosts]
    present = (
        {person for other in _list_answered(table, row, s) for person in _list_people(table, other)} if left else ()
    )
    return [one for one in left if one.casefold() not in present]


def is_colleague(one: str, s: Scope) -> bool:
    """Whether an address is somebody's of the company."""
    known = s.directory.by_id.get(s.directory.identify(one) or "")
    if known is not None:
        return known.kind != "contact"
    return _host(one) == str(s.directory.company.get("domain", "")).casefold()


def _host(one: str) -> str:
    return one.rpartition("@")[2].casefold()


def _list_answered(table: Table, row: Row, s: Scope) -> Iterator[Row]:
    """The messages that a message answers, as its app says."""
    for column, how in table.conduct.acts.get("answers", {}).items():
        id_column = str(how["any"]).removeprefix("{of}.")
        answered = {str(one) for one in table.cell(row, column) or ()}
        yield from (one for one in s.changes.final.rows(table.name) if str(one.get(id_column)) in answered)


def _list_people(table: Table, row: Row) -> set[str]:
    """Who wrote a message, and to whom, in small letters."""
    senders = {str(row.get(name)) for name in table.columns if name.startswith("from_")}
    return {one.casefold() for one in (*senders, *list_addresses(table, row, table.sent_to))}
