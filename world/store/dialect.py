"""The `sqlite+apsw` dialect of SQLAlchemy, and engines whose connections stand on worlds."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import NullPool

from world.store import dbapi


class Dialect(SQLiteDialect_pysqlite):
    """SQLite over apsw."""

    driver = "apsw"
    supports_statement_cache = True

    @classmethod
    def import_dbapi(cls) -> Any:
        return dbapi

    @classmethod
    def load_provisioning(cls) -> None:
        __import__("sqlalchemy.dialects.sqlite.provision")

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.begin()


def engine(creator: Callable[[], dbapi.Connection]) -> Engine:
    """One per store: the cache of compiled statements belongs to it."""
    return create_engine("sqlite+apsw://", creator=creator, poolclass=NullPool)


registry.register("sqlite.apsw", "world.store.dialect", "Dialect")
