"""What holds whatever is asked for: nothing beyond the grid, no torn merges, and a fresh engine sees what the warm one
does.
"""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.sheets.cells import Area
from apps.sheets.engine import pool
from apps.sheets.operations.requests.dimensions import merges
from apps.sheets.spreadsheet import Spreadsheet
from tests.apps.sheets.requests.change_requests import Asking, grid, lines, place
from tests.company import as_person
from tests.examples import examples
from world.core.errors import OperationError
from world.run.host import Host

KNOWN = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
AXES = st.sampled_from(["ROWS", "COLUMNS"])
FEW = st.integers(0, 9)
SMALL = st.builds(
    lambda top, left, high, wide: grid(top, left, top + high, left + wide),
    FEW,
    FEW,
    st.integers(1, 4),
    st.integers(1, 4),
)
SPANS = st.builds(lambda axis, start, count: lines(axis, start, start + count), AXES, FEW, st.integers(1, 3))
SPOTS = st.builds(place, FEW, FEW)
PASTES = st.sampled_from(["PASTE_NORMAL", "PASTE_VALUES", "PASTE_FORMULA", "PASTE_FORMAT"])
TYPED = st.sampled_from([5, "x", "=A1+B2", "=SUM(A1:C4)", "=SUM(B:B)", "=$C$3&D4", "", "2026-03-02", True])


def one(kind: str, **fields: Any) -> Any:
    return st.fixed_dictionaries({kind: st.fixed_dictionaries(fields)})


REQUESTS = st.one_of(
    one("insertDimension", range=SPANS),
    one("deleteDimension", range=SPANS),
    one("moveDimension", source=SPANS, destinationIndex=FEW),
    one("insertRange", range=SMALL, shiftDimension=AXES),
    one("deleteRange", range=SMALL, shiftDimension=AXES),
    one("cutPaste", source=SMALL, destination=SPOTS, pasteType=PASTES),
    one("copyPaste", source=SMALL, destination=SMALL, pasteType=PASTES),
    one("sortRange", range=SMALL, sortSpecs=st.just([{"dimensionIndex": 3}])),
    one("deleteDuplicates", range=SMALL),
    one("randomizeRange", range=SMALL),
    one("pasteData", coordinate=SPOTS, data=TYPED.map(str), delimiter=st.just(",")),
    one("autoFill", range=SMALL),
    one(
        "findReplace",
        find=st.sampled_from(["1", "A", "x"]),
        replacement=st.sampled_from(["2", "B"]),
        allSheets=st.just(True),
        includeFormulas=st.booleans(),
    ),
)


def start(budget: Asking) -> None:
    """A small sheet with merges, a rule and a second sheet that reads it."""
    small = {"sheetId": 0, "gridProperties": {"rowCount": 14, "columnCount": 13}}
    budget.one("updateSheetProperties", properties=small, fields="gridProperties(rowCount,columnCount)")
    budget.one(
        "addSheet", properties={"title": "Other", "sheetId": 4, "gridProperties": {"rowCount": 5, "columnCount": 5}}
    )
    budget.put("Other!A1", [["=Sheet1!B2", "=SUM(Sheet1!B2:C5)", "=SUM(Sheet1!C:C)"]])
    budget.put("E1:F3", [[3, "a"], ["=E1*2", "b"], ["=SUM(E1:E2)", "c"]])
    budget.lay("merge", grid(7, 7, 9, 9))
    budget.lay("merge", grid(5, 0, 6, 3))


def ask(budget: Asking, request: dict[str, Any]) -> bool:
    """Whether a request was carried out; it may be refused, but only as the vendor refuses."""
    try:
        budget.batch(request)
    except OperationError as error:
        assert error.code in ("bad_request", "range_beyond_sheet", "too_long"), error
        return False
    return True


def seen(book: Spreadsheet) -> list[Any]:
    return [
        (tab.title, tab.rows, tab.columns, book.values(tab, Area(0, 0, tab.rows, tab.columns))) for tab in book.tabs
    ]


def check(book: Spreadsheet) -> None:
    """The laws."""
    warm = seen(book)
    book.reshape()
    assert seen(book) == warm
    for tab in book.tabs:
        count = book.call.scalar("SELECT count(*) FROM sheets_cell WHERE sheet_id = :sheet", {"sheet": tab.id})
        assert len(book.cells(tab, Area(0, 0, tab.rows, tab.columns))) == count
        held = [Area(*merge).within(tab.rows, tab.columns) for merge in merges(book, tab)]
        assert held == merges(book, tab)
        assert not any(one.meets(other) for place, one in enumerate(held) for other in held[:place])


@settings(max_examples=examples(15), deadline=None, suppress_health_check=KNOWN)
@given(st.lists(REQUESTS, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_whatever_is_asked_the_laws_hold(host: Host, requests: list[Any], random: Any) -> None:
    name = f"law{random.getrandbits(60)}"
    actor = host.fork(host.actor("w"), name)

    def say(operation: str, who: str = "ada", **arguments: Any) -> Any:
        return actor.call(as_person(host, who, name), "rest", host.operation(operation), arguments, "")

    try:
        budget = Asking(say)
        start(budget)
        for request in requests:
            ask(budget, request)
            budget.within(check)
    finally:
        host.drop(name)


@settings(max_examples=examples(20), deadline=None, suppress_health_check=KNOWN)
@given(AXES, FEW, st.integers(1, 3))
def test_what_is_put_in_and_taken_out_leaves_all_as_it_was(budget: Asking, axis: str, at: int, count: int) -> None:
    before = budget.typed()
    budget.batch(
        {"insertDimension": {"range": lines(axis, at, at + count)}},
        {"deleteDimension": {"range": lines(axis, at, at + count)}},
    )
    assert budget.typed() == before
    area = grid(at, at, at + count, at + count)
    ask(budget, {"insertRange": {"range": area, "shiftDimension": axis}})
    ask(budget, {"deleteRange": {"range": area, "shiftDimension": axis}})
    assert budget.typed() == before


def test_an_engine_is_kept_by_content_and_never_by_what_failed(budget: Asking, host: Host) -> None:
    budget.values("D5")
    kept = dict(pool._WARM)  # pyright: ignore[reportPrivateUsage]
    assert not ask(
        budget,
        {
            "updateCells": {
                "start": {},
                "rows": [{"values": [{"userEnteredValue": {"numberValue": 9}}]}, 3],
                "fields": "*",
            }
        },
    )
    assert not ask(budget, {"insertDimension": {"range": lines("ROWS", 4000, 4001)}})
    assert set(pool._WARM) <= set(kept) and budget.values("D5") == [["3130.5"]]  # pyright: ignore[reportPrivateUsage]
