"""The same change of a spreadsheet asked for at every door: the API over HTTP, a tool, the page."""

from collections.abc import Mapping
from typing import Any

import orjson
from httpx2 import Response

from tests.company import as_person
from tests.conformance.sheets_client import SheetsClient
from tests.mcp_servers.calls import Desk
from tests.security.sheet_vault import Drive
from world.core.principal import Principal
from world.web.session import COOKIE

DOORS = ("rest", "mcp", "page")


class Asking:
    """What people ask of one drive at its doors."""

    def __init__(self, drive: Drive) -> None:
        self.drive, self.rest, self.page_state = drive, SheetsClient(drive.host), Desk(drive.host, "sheets")
        self.secrets: dict[str, tuple[str, str]] = {}

    def close(self) -> None:
        """Let go of the client."""
        self.rest.http.close()

    def at(self, door: str, who: str, key: str, *requests: Mapping[str, Any]) -> tuple[bool, str]:
        """Whether changes are refused, and what is said."""
        if door == "rest":
            answer = self.rest.post(f"/v4/spreadsheets/{key}:batchUpdate", json={"requests": requests}, who=who)
            return answer.status_code >= 400, answer.text
        if door == "mcp":
            return self.page_state.ask("batch_update", who, spreadsheet_id=key, requests=list(requests))
        answer = self.form(
            who,
            key,
            "grid",
            {"op": "web.change", "args:json": orjson.dumps({"spreadsheetId": key, "requests": requests}).decode()},
        )
        return answer.status_code >= 400, answer.text

    def form(self, who: str, key: str, action: str, data: Mapping[str, str]) -> Response:
        """A form of the spreadsheet's page sent, with the hidden field that it holds."""
        if who not in self.secrets:
            me = as_person(self.drive.host, who)
            cookie = self.drive.host.tokens.issue(Principal(me.world, me.person, "session", generation=me.generation))
            page = self.drive.http.get(f"/sheets/d/{key}/edit", headers={"Cookie": f"{COOKIE}={cookie}"}).text
            self.secrets[who] = cookie, page.partition('name="_token" value="')[2].partition('"')[0]
        cookie, token = self.secrets[who]
        headers = {
            "Cookie": f"{COOKIE}={cookie}",
            "HX-Request": "true",
            "HX-Current-URL": f"http://testserver/sheets/d/{key}/edit",
        }
        return self.drive.http.post(f"/sheets/do/{action}", data={**data, "_token": token}, headers=headers)
