"""The session of one call, whose look-ups by key cost what their rows cost."""

from functools import lru_cache
from typing import Any

from sqlalchemy import Select, bindparam, inspect
from sqlalchemy.orm import Mapper
from sqlmodel import Session, select

from world.core.json_types import is_row


class CallSession(Session):
    """A session that builds the query of a key once per table, where SQLAlchemy builds it for every row."""

    def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        """The row with a key (a tuple for several columns), or None. Rows that the session knows are not read again."""
        mapper: Mapper[Any] = inspect(entity)
        key: tuple[Any, ...] = tuple(ident) if is_row(ident) else (ident,)
        if (
            options
            or len(key) != len(mapper.primary_key)
            or mapper.identity_key_from_primary_key(key) in self.identity_map
        ):
            return super().get(entity, ident, **options)
        return self.scalars(_by_key(entity), {f"key_{number}": value for number, value in enumerate(key)}).first()


@lru_cache(maxsize=500)
def _by_key(entity: Any) -> Select[Any]:
    columns = inspect(entity).primary_key
    return select(entity).where(
        *(column == bindparam(f"key_{number}", type_=column.type) for number, column in enumerate(columns))
    )
