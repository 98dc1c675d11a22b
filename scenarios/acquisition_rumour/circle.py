"""The spreadsheet of the matter: who is in the circle, and what it is about."""

from datetime import UTC, date, datetime, timedelta

from scenarios.office.books import create_book, share_file
from world.core.clock import SECOND
from world.script.stage import Facts, Stage

from .texts import DEALS

HEAD = ("Name", "In since", "Out since")


def today_of(w: Stage) -> date:
    """The day it is, UTC."""
    return datetime.fromtimestamp(w.now // SECOND, UTC).date()


def write_circle(w: Stage, cast: dict[str, str], secret: Facts, case: dict[str, str]) -> str:
    """The guardian writes the spreadsheet and shares it with those who are in the circle; returns its key."""
    said, _, what = DEALS[secret["deal"]]
    terms = [
        ("Matter", said.format(party=secret["party"])),
        (what, secret["amount"]),
        ("Announcement", secret["day"]),
        ("Kept by", w.person(cast["guardian"]).full_name),
    ]
    tabs = {"Circle": [HEAD, *list_members(w, cast, case)], "Terms": terms}
    key = create_book(w, cast["guardian"], secret["code"], tabs, entry="RAW")
    readers = ["boss", "me"]
    readers += ["insider"] if case["insider"] == "first" else []
    readers += ["outsider"] if case["outsider"] == "today" else []
    for part in readers:
        share_file(w, cast["guardian"], key, cast[part], role="reader")
    return key


def list_members(w: Stage, cast: dict[str, str], case: dict[str, str]) -> list[tuple[str, str, str]]:
    """The rows of the circle at the start."""
    since, out = ((today_of(w) - timedelta(days=back)).isoformat() for back in (24, 6))
    parts = ["guardian", "boss", "me"]
    if case["outsider"] != "never":
        parts.insert(1, "outsider")
    if case["insider"] == "first":
        parts.append("insider")
    gone = "outsider" if case["outsider"] == "earlier" else ""
    return [(w.person(cast[part]).full_name, since, out if part == gone else "") for part in parts]


def change_circle(w: Stage, cast: dict[str, str], case: dict[str, str], key: str) -> None:
    """The guardian takes somebody in, or strikes somebody out, as the case has it."""
    today = today_of(w).isoformat()
    if case["insider"] == "late":
        row = len(list_members(w, cast, case)) + 2
        write_row(w, cast, key, f"Circle!A{row}:B{row}", [w.person(cast["insider"]).full_name, today])
        share_file(w, cast["guardian"], key, cast["insider"], role="reader")
    if case["outsider"] == "today":
        write_row(w, cast, key, "Circle!C3", [today])
        shared = w.act(cast["guardian"], "drive.permissions.list", fileId=key)["permissions"]
        address = w.person(cast["outsider"]).email
        theirs = next(one["id"] for one in shared if one.get("emailAddress") == address)
        w.act(cast["guardian"], "drive.permissions.delete", fileId=key, permissionId=theirs)


def write_row(w: Stage, cast: dict[str, str], key: str, where: str, values: list[str]) -> None:
    """The guardian types into cells of one row."""
    arguments = {"spreadsheetId": key, "range": where, "valueInputOption": "RAW", "values": [values]}
    w.act(cast["guardian"], "spreadsheets.values.update", **arguments)
