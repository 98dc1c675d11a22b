"""A tiny app for tests of the page door: notes that may be written, listed, and refused."""

from typing import Annotated

from pydantic import Field
from sqlmodel import Field as Column
from sqlmodel import SQLModel, col, select

from world.core.app import App
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params, Text

app = App("jot", "Jot", fault_codes={"error": "jot_down", "readonly": "jot_maintenance"})


class JotNote(SQLModel, table=True):
    """A note."""

    __tablename__ = "jot_note"
    id: str = Column(primary_key=True)
    author: str
    text: str
    size: int = 0


class Write(Params):
    """A note to write."""

    text: Annotated[Text, Field(min_length=1, max_length=200)] = Field(description="What it says.")
    tags: list[str] = Field(default_factory=list, description="Labels.")
    colour: str | None = Field(default=None, description="A colour.")
    file: dict[str, object] | None = Field(default=None, description="An upload.")


class Which(Params):
    """One note."""

    id: str = Field(description="The note.")


class Which0(Params):
    """Nothing."""


def shown(note: JotNote) -> dict[str, object]:
    """A note as its readers see it."""
    return {"id": note.id, "text": note.text, "author": note.author, "size": note.size}


@app.operation("jot.write", writes=True, source="own choice", raises=("word_forbidden",))
def write(call: Call, params: Write) -> dict[str, object]:
    """Write a note."""
    if "forbidden" in params.text:
        raise OperationError("word_forbidden")
    data = params.file["data"] if params.file else b""
    note = JotNote(
        id=call.ids.hex(8), author=call.person, text=",".join([params.text, *params.tags]), size=len(bytes(data))
    )  # type: ignore[arg-type]
    call.session.add(note)
    return shown(note)


@app.operation("jot.delete", writes=True, source="own choice", raises=("note_not_found",))
def delete(call: Call, params: Which) -> dict[str, object]:
    """Delete a note."""
    note = call.session.get(JotNote, params.id)
    if note is None:
        raise OperationError("note_not_found")
    call.session.delete(note)
    return {"id": note.id}


@app.operation("jot.list", source="own choice")
def list_notes(call: Call, params: Which0) -> list[dict[str, object]]:
    """All notes."""
    return [shown(note) for note in call.session.exec(select(JotNote).order_by(col(JotNote.id)))]


@app.operation("jot.get", source="own choice", raises=("note_not_found",))
def get(call: Call, params: Which) -> dict[str, object]:
    """One note."""
    note = call.session.get(JotNote, params.id)
    if note is None:
        raise OperationError("note_not_found")
    return shown(note)
