"""Customers' accounts and lists that are kept of them: who is drawn, and rows that are added to a list."""

from datetime import UTC, date, datetime
from typing import Unpack

from scenarios.office.books import name_cell, write
from scenarios.office.mail import address_of, list_contacts
from world.agents.steps import Step
from world.core.clock import SECOND
from world.script.chore import Draw, Item, ItemOptions
from world.script.stage import Facts

SHOPS = (
    "Keramik Vogt",
    "Bakkerij Smeets",
    "Fahrradhaus Ott",
    "Lumen Candles",
    "Pine and Thread",
    "Vinoteca Sol",
    "Tea House Mint",
    "Atelier Kroll",
    "Harbour Books",
    "Sklep Zielony",
    "Northgate Tools",
    "Casa Pellegrini",
    "Blumen Eder",
    "Oak Street Toys",
    "Maison Colbert",
    "Spice Route",
)
"""Small shops that are no customers on file."""


def today(d: Draw) -> date:
    """The day on which the request comes, UTC."""
    return datetime.fromtimestamp(d.asked_at / SECOND, UTC).date()


def draw_contacts(d: Draw, count: int) -> list[Facts]:
    """Contacts of different customers, in random order; further ones of the same customers follow if there are too few."""
    found = d.stream("contacts").shuffled(list_contacts(d.w))
    first = {one["customer"]: one for one in reversed(found)}
    rest = [one for one in found if one not in first.values()]
    return d.sample([*first.values()], min(count, len(first)), "contacts") + rest[: max(0, count - len(first))]


def enter_row(id: str, truth: Facts, tab: str, *values: object, after: tuple[str, ...] = ()) -> Step:
    """The step that fills the row `row` of the book from its first column on."""
    return write(id, truth["book"], name_cell(tab, truth["row"], 0), *values, after=after)


def row_cell(id: str, tab: str, col: int, wanted: Item, **more: Unpack[ItemOptions]) -> Item:
    """The expectation that a cell of the new row `row` is filled."""
    return {"id": id, "insert": "sheets_cell", "where": {**place_cell(tab, col), **wanted}, **more}


def place_cell(tab: str, col: int, row: str = "event.truth.row") -> Item:
    """Where a cell of the new row is, for the `where` of a rubric."""
    return {"file_id": {"ref": "book"}, "sheet": tab, "row_from": row, "col": col}


def date_cell(day: str) -> Item:
    """A cell that holds a date, typed as one or written as text: `2026-04-01`."""
    serial = (date.fromisoformat(day) - date(1899, 12, 30)).days
    return {"input": {"in": [str(serial), day]}}


def describe_person(name: str, firm: str) -> dict[str, str]:
    """Somebody of a firm outside: `name`, `firm`, `mail`, and `from`, how a mail names them."""
    mail = address_of(name, f"{''.join(one for one in firm.lower() if one.isalpha())}.example")
    return {"name": name, "firm": firm, "mail": mail, "from": f"{name} <{mail}>"}
