"""Jira Server and Data Center: the same world in the words of the API of a server that a company runs itself.

People have names and keys instead of account ids, there is no API version 3, texts are wiki markup.
Source: developer.atlassian.com/server/jira/platform/rest/v10000, confluence.atlassian.com/jirakb on personal access tokens
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from starlette.requests import Request

from apps.jira.app import DATA_CENTER, FOLDER
from world.core.json_types import JsonObject, is_array, is_object
from world.run.host import Host
from world.store.queries import rows

VERSION, NUMBERS, BUILD = "9.12.2", (9, 12, 2), 9_120_002
ACCOUNTS = """SELECT a.external_id, p.handle FROM account a JOIN person p ON p.id = a.person_id WHERE a.app = 'jira'
    ORDER BY a.external_id"""
NAMED = {"username": "accountId", "key": "accountId", "name": "accountId"}
SEARCHED = {"username": "query", "name": "query"}
BY_ACCOUNT = frozenset({"getUser", "getUserGroups", "removeWatcher"})
BY_WORD = frozenset({"findUsers", "findAssignableUsers", "findBulkAssignableUsers"})
PEOPLE = frozenset({"assignee", "reporter", "author", "updateAuthor", "creator", "lead", "user", "users", "owner"})
MENTION = re.compile(r"\[~(?:accountid:)?([^\]\s]+)\]")
ANYBODY = "."  # a search for users needs a word; a dot stands for every name
CLOUD_ONLY = frozenset({"accountId", "accountType"})


def is_asked(request: Request) -> bool:
    """Whether a request is for the dialect: at its host, or below its folder of the app."""
    name = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    return name == DATA_CENTER or str(request.scope.get("root_path", "")).endswith(FOLDER)


class Dialect:
    """Names of one world's people, and how requests and answers are put into the other words."""

    def __init__(self, host: Host, world: str) -> None:
        listed = rows(host.actor(world).bound, ACCOUNTS)
        self._names: dict[str, str] = {str(account): str(handle) for account, handle in listed}
        self._accounts = {name: account for account, name in self._names.items()}

    def translate_query(self, operation: str, items: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Query values with account ids and words where the operation takes them."""
        named = NAMED if operation in BY_ACCOUNT else SEARCHED if operation in BY_WORD else {}
        for name, value in items:
            meant = named.get(name, name)
            if name in CLOUD_ONLY:
                continue
            if meant == "accountId":
                yield meant, self._find_account(value)
            elif meant == "query" and value in self._accounts:
                yield "accountId", self._accounts[value]
            elif meant == "query" and value == ANYBODY:
                yield meant, ""
            else:
                yield meant, value

    def translate_body(self, operation: str, body: object) -> object:
        """A body with account ids instead of names."""
        if operation == "assignIssue" and is_object(body):
            return self._read_person(body)
        if operation == "addWatcher" and isinstance(body, str):
            return self._find_account(body)
        return self._read(body)

    def _read(self, value: object, place: str = "") -> Any:
        if is_object(value):
            if place in PEOPLE and ("name" in value or "key" in value):
                return self._read_person(value)
            return {name: self._read(item, name) for name, item in value.items()}
        if is_array(value):
            return [self._read(item, place) for item in value]
        if isinstance(value, str):
            return MENTION.sub(lambda found: f"[~accountid:{self._find_account(found[1])}]", value)
        return value

    def _read_person(self, given: Mapping[str, object]) -> JsonObject:
        name = given.get("name", given.get("key"))
        if name is None or name == "":
            return {"accountId": None}
        return {"accountId": "-1" if name == "-1" else self._find_account(str(name))}

    def _find_account(self, name: str) -> str:
        return self._accounts.get(name.strip(), name)

    def name_missing_user(self, given: Mapping[str, object]) -> str:
        """Return the server's message for a user it does not find."""
        return f"The user named '{given.get('accountId')}' does not exist"

    def translate_answer(self, value: object) -> object:
        """An answer with names and keys instead of account ids."""
        if is_object(value):
            shown = {name: self.translate_answer(item) for name, item in value.items() if name not in CLOUD_ONLY}
            account = value.get("accountId")
            if "mimeType" in value and "content" in value:
                return {**shown, **_describe_file(value)}
            return {**shown, **self._describe(str(account), str(value.get("self", "")))} if account else shown
        if is_array(value):
            return [self.translate_answer(item) for item in value]
        if isinstance(value, str):
            text = self._names.get(value, value)
            return MENTION.sub(lambda found: f"[~{self._names.get(found[1], found[1])}]", text)
        return value

    def _describe(self, account: str, address: str) -> JsonObject:
        name = self._names.get(account, account)
        found: JsonObject = {"name": name, "key": name}
        return {**found, "self": f"{address.partition('?')[0]}?username={quote(name, safe='')}"} if address else found


def _describe_file(file: Mapping[str, object]) -> JsonObject:
    """The addresses of an attachment's bytes: a server keeps them outside its API."""
    base = str(file.get("self", "")).partition("/rest/")[0]
    id, name = file.get("id"), quote(str(file.get("filename")), safe="")
    found: JsonObject = {"content": f"{base}/secure/attachment/{id}/{name}"}
    return {**found, "thumbnail": f"{base}/secure/thumbnail/{id}/{name}"} if "thumbnail" in file else found


def describe_server(shown: Mapping[str, object], base: str) -> JsonObject:
    """Return the answer of `serverInfo`: resource serverInfo."""
    return {
        "baseUrl": base,
        "version": VERSION,
        "versionNumbers": list(NUMBERS),
        "deploymentType": "Server",
        "buildNumber": BUILD,
        "buildDate": shown["buildDate"],
        "databaseBuildNumber": BUILD,
        "serverTime": shown["serverTime"],
        "scmInfo": shown["scmInfo"],
        "serverTitle": shown["serverTitle"],
    }
