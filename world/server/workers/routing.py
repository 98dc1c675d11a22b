"""Whose request it is: the worker that has its world, told by the credential or the path of the request."""

import base64
import re
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

import orjson

from world.core.access import Record, Tokens
from world.core.json_types import is_object
from world.core.principal import Principal

END_OF_HEAD = b"\r\n\r\n"
MOST_FIRST = 65_536  # bytes of a request that are looked at
MOST_WORDS = 4096
_CREDENTIALS = re.compile(rb"\r\n(?:authorization|cookie):[ \t]*([^\r\n]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
_WORLD = re.compile(r"/w/([^/?#]+)")
_CONTROLLED = re.compile(r"/worlds/([^/?#]+)")
_SESSION = re.compile(rb"session_id\"?\s*[=:]\s*\"?s\d+(?:-(\d+))?\b")
_EPISODE = re.compile(rb"episode_id\"?\s*[=:]\s*\"?([A-Za-z0-9._-]+)")
_WORD = re.compile(r"[A-Za-z0-9._~+/@-]{16,}")


def read_path(data: bytes) -> str:
    """The target of a request line."""
    return data.split(b"\r\n", 1)[0].split(b" ", 2)[1].decode("latin-1") if data.count(b" ", 0, 8192) > 1 else "/"


def is_complete(data: bytes) -> bool:
    """Whether the head has come, and a small body with it."""
    end = _end_of_head(data)
    if end == len(data) and not data.endswith(END_OF_HEAD):
        return len(data) >= MOST_FIRST
    length = _LENGTH.search(data, 0, end)
    return len(data) >= min(end + (int(length[1]) if length else 0), MOST_FIRST)


def list_credentials(data: bytes) -> Generator[str, None, None]:
    """The credentials in the headers of a request."""
    for line in _CREDENTIALS.findall(data, 0, _end_of_head(data)):
        scheme, _, said = line.decode("latin-1").strip().rpartition(" ")
        yield from _WORD.findall(_read_password(said) if scheme.lower() == "basic" else line.decode("latin-1"))


def list_words(data: bytes) -> Generator[str, None, None]:
    """Everything in a request that could be a credential, where vendors have it sent first."""
    yield from list_credentials(data)
    text = unquote(data[:MOST_FIRST].decode("latin-1"))
    for number, word in enumerate(_WORD.findall(text)):
        if number == MOST_WORDS:
            return
        yield word
        yield from word.split("/")


@dataclass
class RoutingTable:
    """Which worker has which world, and which world a credential opens."""

    tokens: Tokens
    worlds: dict[str, int] = field(default_factory=dict[str, int])

    def learn(self, worker: int, news: Iterable[Record]) -> None:
        """Take over what a worker tells: worlds made and dropped, credentials issued and revoked."""
        for record in news:
            match record["do"]:
                case "started":
                    self.worlds = {world: owner for world, owner in self.worlds.items() if owner != worker}
                case "made":
                    self.worlds[record["world"]] = worker
                case "gone":
                    self.worlds.pop(record["world"], None)
                case "generation":
                    pass  # counts what one worker dropped
                case _:
                    self.tokens.repeat(record)

    def find_owner(self, data: bytes) -> int | None:
        """The worker for the first bytes of an agent's request; None where nothing tells."""
        for word in list_words(data):
            found = self._open(word)
            if found is not None and found.world in self.worlds:
                return self.worlds[found.world]
        return self.worlds.get(find_addressed_world(data) or "")

    def _open(self, word: str) -> Principal | None:
        if found := self.tokens.resolve(word) or self.tokens.find_grant(word):
            return found
        signer = self.tokens.signer(_read_issuer(word)) if word.count(".") == 2 else None
        return signer.principal if signer is not None else None

    def list_loads(self, workers: int) -> list[int]:
        """The number of worlds of each worker."""
        loads = [0] * workers
        for worker in self.worlds.values():
            loads[worker] += 1
        return loads


def find_addressed_world(data: bytes) -> str | None:
    """The world that stands in the path of an agent's request."""
    named = _WORLD.match(read_path(data))
    return unquote(named[1]) if named else None


def find_controlled_world(data: bytes) -> str | None:
    """The world that a request to the control plane is about."""
    named = _CONTROLLED.match(read_path(data))
    return unquote(named[1]) if named else None


def find_session_owner(data: bytes, worlds: Mapping[str, int]) -> int | None:
    """The worker of the session or episode that a request below /openenv names; None where it names none."""
    if not read_path(data).startswith("/openenv/"):
        return None
    if named := _SESSION.search(data, 0, MOST_FIRST):
        return int(named[1] or 0)
    episode = _EPISODE.search(data, 0, MOST_FIRST)
    return worlds.get(episode[1].decode()) if episode else None


def find_new_name(data: bytes) -> str | None:
    """The name that a request to the control plane gives a new world, if it does."""
    try:
        body: object = orjson.loads(data[_end_of_head(data) :])
    except orjson.JSONDecodeError:
        return None
    name: object = body.get("name") if is_object(body) else None
    return name if isinstance(name, str) else None


def _end_of_head(data: bytes) -> int:
    end = data.find(END_OF_HEAD)
    return len(data) if end < 0 else end + len(END_OF_HEAD)


def _read_password(said: str) -> str:
    try:
        return base64.b64decode(said).decode("latin-1")
    except ValueError:
        return ""


def _read_issuer(word: str) -> str:
    """Who has signed a JSON Web Token, unverified: the worker verifies it."""
    part = word.split(".")[1]
    try:
        claims: object = orjson.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError:
        return ""
    return str(claims.get("iss", "")) if is_object(claims) else ""
