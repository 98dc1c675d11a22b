"""What happens when a ticket changes: the move, the counts, the way back."""

from collections.abc import Callable

from scenarios.office.books import name_cell
from scenarios.office.cast import ask_directly
from scenarios.office.tickets import comment
from world.core.journal import Change
from world.script.chore import find_truth
from world.script.scenario import Event, Script
from world.script.stage import Facts, Stage

from .services import COUNTS
from .texts import LAGS, RETURNED, THROUGH

MOVE, HOUR = 15, 60
"""Minutes that a move takes, and until the second count."""


def watch_ticket(s: Script, name: str, asked: Event) -> None:
    """Move a service when its ticket is put to In Progress, count twice, and take it back when the ticket is put to To Do."""
    began = s.on(
        is_step,
        _pass,
        deadline=None,
        otherwise=None,
        after=asked,
        about=_is_put(name, "In Progress"),
        name=f"began_{name}",
    )
    through = s.after(began, f"{MOVE}m", _end_move(name), name=f"through_{name}")
    counted = s.after(through, f"{HOUR}m", lambda w: count_rows(w, name, "second"), name=f"counted_{name}")
    s.on(
        is_step,
        _take_back(name),
        deadline=None,
        otherwise=None,
        after=began,
        about=_is_put(name, "To Do"),
        name=f"back_{name}",
    )
    if name == "silent" and s.difficulty == "hard":
        s.after(counted, "8m", _belittle, name="lag")


def is_step(change: Change) -> bool:
    """Whether a ticket got another status."""
    before, after = change.before or {}, change.after or {}
    known = change.table == "jira_issue" and "status_id" in before
    return known and before["status_id"] != after.get("status_id")


def _is_put(name: str, status: str) -> Callable[[Stage, Facts], bool]:
    """Whether it is the ticket of a service that got this status."""

    def about(w: Stage, row: Facts) -> bool:
        fits = row["key"] == find_truth(w)["items"][name]["key"]
        return fits and w.find("jira_status", id=row["status_id"])["name"] == status

    return about


def _pass(w: Stage) -> None:
    w.note(ok=True)


def _end_move(name: str) -> Callable[[Stage], None]:
    def end(w: Stage) -> None:
        """The move is through, and rows are counted for the first time."""
        if not w.fired(f"back_{name}"):
            write_on_ticket(w, name, THROUGH)
            count_rows(w, name, "first")

    return end


def _take_back(name: str) -> Callable[[Stage], None]:
    return lambda w: write_on_ticket(w, name, RETURNED)


def write_on_ticket(w: Stage, name: str, texts: tuple[str, ...]) -> None:
    """The one who counts says on the ticket what has happened."""
    truth = find_truth(w)
    one = truth["items"][name]
    text = w.rng("ticket", name).choice(texts).format(service=one["service"], **truth["clusters"])
    comment(w, truth["cast"]["counter"], one["key"], text)
    w.note(ok=True)


def count_rows(w: Stage, name: str, count: str) -> None:
    """Type a count into the tab, unless the service has gone back."""
    if w.fired(f"back_{name}"):
        return
    truth = find_truth(w)
    one = truth["items"][name]
    place = name_cell("Checks", one["row"], 1 + 2 * COUNTS.index(count))
    given = {"spreadsheetId": truth["book"]["key"], "range": place, "valueInputOption": "RAW", "values": [one[count]]}
    w.act(truth["cast"]["counter"], "spreadsheets.values.update", **given)
    w.note(ok=True)


def count_again(w: Stage) -> None:
    """The third count of everything that has moved, and has been counted twice."""
    for name in find_truth(w)["items"]:
        if w.fired(f"counted_{name}"):
            count_rows(w, name, "third")
    w.note(ok=True)


def _belittle(w: Stage) -> None:
    """The one who counts calls the difference nothing."""
    text = w.rng("lag").choice(LAGS).format(service=find_truth(w)["items"]["silent"]["service"])
    ask_directly(w, "counter", text)
