"""Operations on notes: list, write, delete."""

from typing import Annotated, TypedDict

from pydantic import Field
from sqlmodel import col, select

from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import NoParams, Params, Text

from .app import app
from .models import NotebookNote

SOURCE = "own choice"


class NoteView(TypedDict):
    """A note as its readers see it."""

    id: str
    author: str
    text: str
    created_at: int


class NewNote(Params):
    """A note to write."""

    text: Annotated[Text, Field(min_length=1, max_length=200)] = Field(
        description="What it says.", examples=["Call the bank"]
    )


class NoteId(Params):
    """One note."""

    id: Text = Field(description="The note's id.", examples=["0123456789abcdef"])


def to_view(note: NotebookNote) -> NoteView:
    """The row as an answer."""
    return {"id": note.id, "author": note.author, "text": note.text, "created_at": note.created_at}


@app.operation("notebook.list", source=SOURCE, examples=[{}])
def list_notes(call: Call, params: NoParams) -> list[NoteView]:
    """List all notes, the oldest first."""
    return [to_view(note) for note in call.session.exec(select(NotebookNote).order_by(col(NotebookNote.id)))]


@app.operation("notebook.write", writes=True, source=SOURCE, examples=[{"text": "Call the bank"}])
def write_note(call: Call, params: NewNote) -> NoteView:
    """Write a note that everybody can read."""
    note = NotebookNote(id=call.ids.hex(8), author=call.person, text=params.text, created_at=call.now)
    call.session.add(note)
    return to_view(note)


@app.operation(
    "notebook.delete",
    writes=True,
    source=SOURCE,
    raises=("note_not_found", "not_your_note"),
    examples=[{"id": "0123456789abcdef"}],
)
def delete_note(call: Call, params: NoteId) -> NoteView:
    """Delete a note of your own."""
    note = call.session.get(NotebookNote, params.id)
    if note is None:
        raise OperationError("note_not_found")
    if note.author != call.person:
        raise OperationError("not_your_note")
    call.session.delete(note)
    return to_view(note)
