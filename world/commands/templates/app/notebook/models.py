"""Tables. Times are microseconds since the epoch, UTC."""

from typing import ClassVar

from sqlmodel import Field, SQLModel


class NotebookNote(SQLModel, table=True):
    """A note and who wrote it."""

    __tablename__: ClassVar[str] = "notebook_note"  # type: ignore[misc]
    id: str = Field(primary_key=True)
    author: str
    text: str
    created_at: int
