"""T11, T16 on the drive: whatever is sought by `q`, asked by a QUERY formula or named by a page token is answered or refused in words, and shows nothing beyond the caller."""

# ruff: noqa: E501 - one line to a thing of a table
from collections.abc import Iterator
from typing import Any

import pytest

from tests.security.searched_world import ODD, TRIES, drawn, repeated, steps
from tests.security.sheet_vault import TYPE, WORD, Vault, without
from world.core.errors import InvalidArguments, OperationError, Outage

WORDS = [
    *ODD,
    "name",
    "fullText",
    "mimeType",
    "modifiedTime",
    "viewedByMeTime",
    "trashed",
    "starred",
    "parents",
    "owners",
    "writers",
    "readers",
    "sharedWithMe",
    "createdTime",
    "properties",
    "appProperties",
    "visibility",
    "shortcutDetails.targetId",
    "memberCount",
    "contains",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "and",
    "or",
    "not",
    "has",
    "true",
    "false",
    "'root'",
    "'me'",
    "'ada@tiny.example'",
    "'eve@tiny.example'",
    "'limited'",
    "'anyoneWithLink'",
    "'2012-06-04T12:00:00'",
    f"'{WORD}'",
    "'hers'",
    "{ key='secret' and value='x' }",
    "\\'",
    "'a\\\\'",
]
CLAUSES = [
    f"name contains '{WORD}'",
    f"not name contains '{WORD}'",
    f"fullText contains '{WORD}'",
    f"fullText contains '\"{WORD} typed\"'",
    f"not fullText contains '{WORD}'",
    f"name = '{WORD} title'",
    f"name != '{WORD} title'",
    "name > 'a'",
    f"mimeType = '{TYPE}spreadsheet'",
    f"mimeType != '{TYPE}folder'",
    "modifiedTime > '2020-01-01T00:00:00'",
    "viewedByMeTime > '2020-01-01'",
    "trashed = false",
    "not trashed = true",
    "starred = false",
    "'root' in parents",
    "not 'root' in parents",
    "'ada@tiny.example' in owners",
    "not 'eve@tiny.example' in owners",
    "'ada@tiny.example' in writers",
    "not 'bo@tiny.example' in readers",
    "sharedWithMe",
    "sharedWithMe = false",
    f"properties has {{ key='secret' and value='{WORD} property' }}",
    "visibility = 'limited'",
    "not visibility = 'anyoneWithLink'",
    "createdTime < '2030-01-01T00:00:00'",
]
QUERIES = [
    *ODD,
    "select",
    "where",
    "group by",
    "pivot",
    "order by",
    "limit",
    "offset",
    "label",
    "format",
    "options",
    "skipping",
    "A",
    "B",
    "Col1",
    "Col9",
    "*",
    "sum(B)",
    "count(A)",
    "avg(C)",
    "max(",
    "year(A)",
    "upper(A)",
    "=",
    "<>",
    "<=",
    "and",
    "or",
    "not",
    "is null",
    "is not null",
    "contains",
    "matches",
    "like",
    "starts with",
    "'x'",
    "date '2026-01-01'",
    "timeofday '1:2:3'",
    "true",
    ",",
    "(",
    ")",
    "5",
    "-1",
    "desc",
    "no_values",
    "`A`",
]
ASKED = [
    "select A",
    "select *",
    "select A, sum(B) group by A",
    "where B > 1",
    "where A contains 'x'",
    "where A matches '(x+)+$'",
    "order by B desc",
    "limit 2",
    "offset 1",
    "label A 'y'",
    "select sum(B) pivot A",
    "select B+C*2",
    "where not B is null",
    "select upper(A)",
    "format B '0.0'",
    "where A like '%x_'",
    "select Col1",
]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    made = Vault(tmp_path_factory.mktemp("queries"))
    made.place = made.say("drive.files.create", "eve", name="hers", mimeType=f"{TYPE}folder")["id"]  # type: ignore[attr-defined]
    made.say("drive.files.create", "eve", name="hers too", parents=[made.place], description="x")  # type: ignore[attr-defined]
    made.raw = made.host.actors["w"].bound.raw  # type: ignore[attr-defined]
    yield made
    made.close()


def look(vault: Vault, operation: str, who: str = "eve", /, **given: Any) -> Any:
    """An answer, or None for a refusal in words."""
    try:
        call = vault.host.call if vault.operations[operation].writes else vault.host.peek
        return call(vault.host.principal("w", who), "rest", operation, given)
    except OperationError as refusal:
        assert (
            not isinstance(refusal, Outage) and refusal.code and WORD not in without(str(dict(refusal.detail)), given)
        )
        return None


def test_no_search_of_the_drive_fails_or_shows_a_foreign_file(vault: Vault) -> None:
    answered = found = 0
    orders = (
        "",
        "name",
        "modifiedTime desc",
        "folder,name_natural",
        "recency",
        "quotaBytesUsed",
        "name foo",
        "sharedWithMeTime,",
    )
    for number, q in enumerate(drawn(14, WORDS, CLAUSES)):
        answer = look(
            vault,
            "drive.files.list",
            q=q,
            pageSize=100,
            orderBy=orders[number % 24] if number % 24 < len(orders) else "",
        )
        if answer is None:
            continue
        answered += 1
        found += bool(answer["files"])
        assert {one["name"] for one in answer["files"]} <= {"hers", "hers too"}, q
        assert WORD not in str(answer), q
    assert answered > TRIES // 10 and found > TRIES // 50, (answered, found)


def test_the_files_hidden_here_are_found_by_their_owner(vault: Vault) -> None:
    found = [
        bool(look(vault, "drive.files.list", "ada", q=q)["files"])
        for q in CLAUSES
        if " > 'a'" not in q and "viewed" not in q
    ]
    assert sum(found) > len(found) - 5, found


def test_no_query_formula_fails_or_reads_what_its_reader_may_not(vault: Vault) -> None:
    key = vault.book("Asking", "eve")
    vault.put(key, "A1", ["x", 1, 2.5], ["xx", 2, None], ["y", -3, "t"], who="eve")
    texts = [text.replace('"', '""').replace("\n", " ") for text in drawn(15, QUERIES, ASKED)][: TRIES // 2]
    ranges = ("A1:C3", f'IMPORTRANGE("{vault.secret}","A1:B2")', "{A1:B3,C1:C3}", "Nowhere!A1:B2", "A1")
    told: list[str] = []
    for start in range(0, len(texts), 100):
        formulas = [
            [f'=QUERY({ranges[place % 7 if place % 7 < 5 else 0]},"{text}"{",1" if place % 3 else ""})']
            for place, text in enumerate(texts[start : start + 100])
        ]
        vault.put(key, "H1:H400", *[line for one in formulas for line in (one, [""], [""], [""])], who="eve")
        shown = vault.read(key, "H1:K400", "eve")
        assert "typed" not in str(shown) and "made" not in str(shown)
        told += [str(line[0]) for line in shown[::4] if line]
    assert len(told) > len(texts) // 2 and 10 < sum(not one.startswith("#") for one in told) < len(told)


LONG = {
    "or": "name contains 'w{}' or ",
    "and": "not name contains 'w{}' and ",
    "texts": "fullText contains 'w{}' or ",
    "people": "'u{}@tiny.example' in readers or ",
    "parents": "'root' in parents or ",
    "not": "not ",
    "open": "(",
    "closed": ")",
    "quotes": "'",
    "escapes": "\\'",
    "words": "name ",
    "braces": "{",
    "has": "properties has {{ key='k' and value='{}' }} or ",
    "times": "modifiedTime > '2020-01-01T00:00:00' and ",
    "visibility": "visibility = 'limited' or ",
    "hearts": "💥",
    "shared": "sharedWithMe and ",
}


@pytest.mark.parametrize("unit", LONG.values(), ids=LONG)
def test_a_search_of_any_length_is_answered_or_refused_at_a_bounded_cost(vault: Vault, unit: str) -> None:
    place: Any = vault
    text = unit.replace("{{", "{").replace("}}", "}") if "has" in unit else unit
    half, whole = (
        steps(place, lambda size=size: look(vault, "drive.files.list", q=repeated(text, size) + "trashed = false"))
        for size in (4_000, 8_000)
    )
    assert whole < 3_000_000 and whole < 4 * half + 50_000, (half, whole)


@pytest.mark.parametrize("unit", ["a", "(", "not ", "'", "name contains 'a' or "])
def test_a_megabyte_of_search_is_refused_before_it_is_read(vault: Vault, unit: str) -> None:
    text, place = repeated(unit, 1_000_000), vault
    with pytest.raises((InvalidArguments, OperationError)):
        vault.host.peek(vault.host.principal("w", "eve"), "rest", "drive.files.list", {"q": text})
    assert steps(place, lambda: look(vault, "drive.files.list", q=text)) < 1_500_000  # type: ignore[arg-type]


def test_no_page_token_leads_beyond_ones_own(vault: Vault) -> None:
    for number in range(4):
        vault.say("drive.files.create", name=f"{WORD} {number}", mimeType="text/plain")
    mine = {
        "drive.files.list": {"q": f"name contains '{WORD}'"},
        "drive.comments.list": {"fileId": vault.secret},
        "drive.permissions.list": {"fileId": vault.secret},
        "drive.changes.list": {"pageToken": vault.say("drive.changes.getStartPageToken")["startPageToken"]},
    }
    for _ in range(2):
        vault.say("drive.comments.create", fileId=vault.secret, content="x")
    vault.share(vault.secret, "dee", "reader")
    for operation, given in mine.items():
        told = vault.say(operation, **{"pageSize": 1, **given})
        token = told.get("nextPageToken") or told["newStartPageToken"]
        for who in ("eve", "bo"):
            assert look(vault, operation, who, **{**given, "pageSize": 1, "pageToken": token}) is None, (operation, who)
        assert look(vault, operation, "ada", **{**given, "pageSize": 1, "pageToken": token}) is not None, operation
        for text in ODD:
            assert text == "" or look(vault, operation, "ada", **{**given, "pageToken": text}) is None, (
                operation,
                text,
            )
