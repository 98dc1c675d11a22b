"""The table of mails that people send about an issue by hand."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from sqlmodel import Field, SQLModel

from apps.jira.columns import ISSUE, json_column


class SentNotification(SQLModel, table=True):
    """A mail that somebody sent about an issue to people of their choice; no page shows it."""

    __tablename__ = "jira_notification"
    __table_args__ = {"info": {"names": {"issue": ISSUE, "author": "author_id:person.id"}}}
    id: int = Field(primary_key=True)
    issue_id: int = Field(index=True)
    author_id: str
    recipients: list[str] = Field(default_factory=list, sa_column=json_column())
    subject: str
    text: str
    html: str = ""
    created_at: int
