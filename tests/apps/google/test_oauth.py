"""Tokens for refresh tokens and assertions: they reach as far as their scopes, in whichever of Google's services they
count.
"""

from typing import Any

import jwt
import pytest

from apps.google import oauth
from apps.google.scopes import FULL, PREFIX, expand_scopes, reaches_no_further
from tests.company import as_person
from tests.conformance.sheets_client import SheetsClient

URL = "http://sheets.test/sheets"
VALUES, FILE = "/v4/spreadsheets/s1/values/A1", "/drive/v3/files/f1"
SHEETS, SEEN = f"{PREFIX}spreadsheets", f"{PREFIX}spreadsheets.readonly"


def statuses(client: SheetsClient, token: str) -> tuple[int, int, int]:
    """What reading values, writing them and deleting a file come to with a token."""
    own = {"Authorization": f"Bearer {token}"}
    reads, writes = client.get(VALUES, headers=own), client.put(VALUES, json={}, headers=own)
    return reads.status_code, writes.status_code, client.delete(FILE, headers=own).status_code


def refreshed(client: SheetsClient, *scopes: str, app: str = "sheets", **given: str) -> Any:
    """The token endpoint's answer to a person's refresh token."""
    file = oauth.refresh_token_to_json(client.host, as_person(client.host, "ada", app=app, scopes=scopes), [], URL)
    form = {
        "grant_type": "refresh_token",
        **{name: file[name] for name in ("refresh_token", "client_id", "client_secret")},
        **given,
    }
    return client.http.post("/token", data=form)


@pytest.mark.parametrize(
    ("scopes", "app", "wanted"),
    [
        ((), "sheets", (200, 200, 204)),
        ((SHEETS,), "sheets", (200, 200, 403)),
        ((SEEN,), "sheets", (200, 403, 403)),
        ((SEEN,), "", (200, 403, 403)),
        ((f"{PREFIX}drive",), "", (200, 200, 204)),
        ((FULL,), "", (403, 403, 403)),
        ((FULL, SEEN), "", (200, 403, 403)),
        ((f"{PREFIX}gmail.modify",), "", (403, 403, 403)),
    ],
)
def test_a_refreshed_token_reaches_as_far_as_it_was_given(
    client: SheetsClient, scopes: tuple[str, ...], app: str, wanted: tuple[int, ...]
) -> None:
    made = refreshed(client, *scopes, app=app).json()
    assert made["access_token"].startswith("ya29.") and made["scope"] == (" ".join(sorted(scopes)) or f"{PREFIX}drive")
    assert statuses(client, made["access_token"]) == wanted


def test_a_token_may_ask_for_less_and_not_for_more(client: SheetsClient) -> None:
    less = refreshed(client, f"{PREFIX}drive", scope=SEEN).json()["access_token"]
    assert statuses(client, less) == (200, 403, 403)
    more = refreshed(client, SEEN, scope=SHEETS)
    assert (more.status_code, more.json()["error"]) == (400, "invalid_scope")


def test_a_service_account_reads_sheets_for_those_it_speaks_for(client: SheetsClient) -> None:
    me, other = (as_person(client.host, who, app="sheets") for who in ("ada", "bo"))
    file = oauth.service_account_to_json(client.host, me, [other], URL)
    assert file["token_uri"] == f"{URL}/token"
    for who, status in (("bo@tiny.example", 200), ("cyrus@tiny.example", 401)):
        said = {
            "iss": file["client_email"],
            "sub": who,
            "scope": f"{SEEN} {PREFIX}drive.readonly",
            "aud": file["token_uri"],
        }
        signed = jwt.encode(said, file["private_key"], "RS256")
        answer = client.http.post("/token", data={"grant_type": oauth.ASSERTION, "assertion": signed})
        assert answer.status_code == status, answer.text
        if status == 200:
            assert statuses(client, answer.json()["access_token"]) == (200, 403, 403)
    itself = jwt.encode({"iss": file["client_email"], "scope": SHEETS}, file["private_key"], "RS256")
    assert statuses(client, itself) == (200, 200, 403)


def test_all_of_mail_is_everything_only_to_the_mail_service() -> None:
    assert expand_scopes({FULL}, "gmail") == frozenset() == expand_scopes(set(), "sheets")
    assert "gmail.modify" in expand_scopes({FULL}, "") and "drive" not in expand_scopes({FULL}, "")
    assert reaches_no_further({SEEN}, {f"{PREFIX}drive"}, "sheets") and not reaches_no_further(
        {FULL}, {SHEETS}, "sheets"
    )
