"""Tables of a repository's rulesets and autolinks."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlmodel import Field, SQLModel

from apps.github.columns import REPO, json_column


class Ruleset(SQLModel, table=True):
    """Rules for branches or tags whose names match.

    `enforcement`: active, evaluate or disabled; `rules` are {type, parameters} as in the API.
    """

    __tablename__ = "github_ruleset"
    __table_args__ = {"info": {"names": {"repo": REPO}, "volatile": ["updated_at"]}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    name: str
    target: str = "branch"
    enforcement: str = "active"
    include: list[str] = Field(default_factory=list, sa_column=json_column())
    exclude: list[str] = Field(default_factory=list, sa_column=json_column())
    bypass: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column())
    rules: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column())
    created_at: int
    updated_at: int


class Autolink(SQLModel, table=True):
    """A prefix whose references lead to another site: `TICKET-12`."""

    __tablename__ = "github_autolink"
    __table_args__ = {"info": {"names": {"repo": REPO}}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    key_prefix: str
    url_template: str
    is_alphanumeric: bool = True
    created_at: int
