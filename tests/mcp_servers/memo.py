"""A small app with every awkward kind of argument, its surface, and worlds of it for the tests of the tool doors."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import Field
from sqlmodel import Field as Column
from sqlmodel import SQLModel, col, select
from starlette.applications import Starlette

from mcp_servers.catalogue import Catalogue, catalogue
from mcp_servers.http import lifespan, routes
from mcp_servers.tools import ArgumentForm, Surface
from mcp_servers.world.builtin import surface as employee
from tests.company import host as company_host
from world.core.app import App
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import NoParams, Params, Text
from world.run.host import Host

CANARY = "canary-7f3a91"
URL = "http://127.0.0.1"


class Pad(SQLModel, table=True):
    """A note of the test app."""

    __tablename__ = "pad_note"
    id: str = Column(primary_key=True)
    author: str
    text: str
    written_at: int


class Colour(Params):
    """How a note looks."""

    name: Literal["red", "blue"] = Field(description="Colour of the note.")
    shade: int | None = Field(default=None, description="How dark, 0 to 9.", ge=0, le=9)


class WriteNote(Params):
    """A note to write."""

    text: Annotated[Text, Field(min_length=1, max_length=200_000)] = Field(description="What it says.")
    colour: Colour | None = Field(default=None, description="How it looks.")
    labels: list[str] = Field(default_factory=list, description="Labels.")
    reply_to: str | None = Field(default=None, description="Id of the note it answers.", alias="replyTo")
    times: int = Field(default=1, description="How many copies.", ge=1, le=500)


class ListNotes(Params):
    """Which notes to list."""

    limit: int = Field(default=500, description="Most notes to return.", ge=1, le=1000)


app = App("pad", "Pad")
app.fault_codes = {"error": "pad_down", "ratelimit": "slow_down"}


@app.operation(
    "pad.writeNote", writes=True, source="own choice", examples=[{"text": "hello"}], raises=("forbidden_word",)
)
def write_note(call: Call, params: WriteNote) -> dict[str, Any]:
    """Write a note."""
    if params.text == "forbidden":
        raise OperationError("forbidden_word")
    for number in range(params.times):
        note = Pad(id=f"{call.ids.hex(8)}{number:04}", author=call.person, text=params.text, written_at=call.now)
        call.session.add(note)
    return {"id": note.id, "labels": params.labels, "colour": params.colour.name if params.colour else None}


@app.operation("pad.list", source="own choice", examples=[{}])
def list_notes(call: Call, params: ListNotes) -> dict[str, Any]:
    """List the notes."""
    rows = call.all(select(Pad.id, Pad.author, Pad.text).order_by(col(Pad.written_at), col(Pad.id)).limit(params.limit))
    return {"notes": [{"id": id, "author": author, "text": text} for id, author, text in rows], "next": ""}


@app.operation("pad.crash", source="own choice", examples=[{}])
def crash(call: Call, params: NoParams) -> None:
    """Fail as only a programming error does."""
    raise RuntimeError(CANARY)


def surface() -> Surface:
    """Other names for the same operations."""
    made = Surface("vendor", app="pad", default=True)
    made.tool(
        "pad_jot",
        "pad.writeNote",
        description="Jot something down.",
        rename={"message": "text", "hue": "colour.name", "label": "labels[]"},
        only=["message", "hue", "label"],
        required=["message"],
    )
    made.tool(
        "pad_many",
        "pad.writeNote",
        only=["text", "labels"],
        required=["text", "labels"],
        forms={
            "labels": ArgumentForm(
                {"type": "string", "description": "Labels, separated by commas."},
                lambda text: text.split(","),
                ",".join,
            )
        },
    )
    made.tool("pad_blue", "pad.writeNote", only=["text"], fixed={"colour.name": "blue"})
    made.tool("pad_do", {"read": "pad.list", "write": "pad.writeNote"}, by="action", only=["action", "text"])
    made.tool(
        "pad_texts", "pad.list", only=[], result=lambda answer: "\n".join(n["text"] for n in answer.result["notes"])
    )
    made.tool("pad_crash", "pad.crash")
    return made


def known(firm: Host) -> Catalogue:
    """The surfaces of the test app and of the employee."""
    return catalogue(firm.apps.values(), [surface(), employee])


def firm(folder: Path) -> Host:
    """Two worlds of the fixture company with the test app."""
    made = company_host(folder, [app])
    made.create("w2")
    return made


def token(firm: Host, who: str = "ada", world: str = "w", **more: Any) -> str:
    """A bearer token."""
    return firm.tokens.issue(firm.principal(world, who, **more))


@asynccontextmanager
async def served(
    firm: Host, known: Catalogue | None = None, *, allow_hosts: tuple[str, ...] = ()
) -> AsyncIterator[httpx2.ASGITransport]:
    """The front, in process."""
    listed = routes(firm, known=known, allow_hosts=allow_hosts)
    async with lifespan(listed):
        yield httpx2.ASGITransport(app=Starlette(routes=listed))


@asynccontextmanager
async def client(transport: Any, path: str, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    """The official client at an address."""
    async with httpx2.AsyncClient(transport=transport, headers={"Authorization": f"Bearer {token}"}, timeout=30) as web:
        async with Client(streamable_http_client(f"{URL}{path}", http_client=web), mode=mode) as made:
            yield made


def text(answer: Any) -> str:
    """The first text of an answer."""
    return answer.content[0].text


Arguments = Mapping[str, Any]
