"""The sealed company as grading reads it: tables, rows, people, stories. Read once per host, for all tasks over it."""

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from world.core.tables import metadata
from world.grading.directory import Directory
from world.grading.rows import Rows
from world.grading.tables import Key, Table, describe
from world.run.host import Host
from world.run.sealed_rows import KeptRows, ViewRows


@dataclass(frozen=True, slots=True)
class SealedCompany:
    """What every run over one image starts from; nothing of a run goes into it. `described` are all tables of the
    installed apps, `tables` those of the image.
    """

    described: Mapping[str, Table]
    tables: Mapping[str, Table]
    rows: Rows
    directory: Directory
    stories: Mapping[str, list[tuple[str, Key]]]


_BY_HOST: "WeakKeyDictionary[Host, SealedCompany]" = WeakKeyDictionary()


def get_sealed_company(host: Host) -> SealedCompany:
    """The company of a host's image."""
    found = _BY_HOST.get(host)
    if found is None:
        found = _BY_HOST[host] = _read_company(host)
    return found


def _read_company(host: Host) -> SealedCompany:
    kept = host.store.base.tables
    described = describe(metadata())
    tables = {name: table for name, table in described.items() if name in kept or table.control}
    rows = KeptRows(ViewRows(host.store, host.store.view_base(), tables))
    return SealedCompany(described, tables, rows, Directory.read(rows, tables), read_stories(rows))


def read_stories(rows: Rows) -> dict[str, list[tuple[str, Key]]]:
    """Story handles (`payroll`, `payroll.first_ticket`) to the rows they own."""
    found: dict[str, list[tuple[str, Key]]] = {}
    for ref in rows.rows("story_ref"):
        key = (str(ref["table_name"]), (ref["row_id"],))
        for handle in (ref["story"], f"{ref['story']}.{ref['part']}" if ref["part"] else ""):
            if handle:
                found.setdefault(handle, []).append(key)
    return found
