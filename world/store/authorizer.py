"""The statements no world may run, as an authorizer for whichever driver is used."""

# Action codes: sqlite.org/c3ref/c_alter_table.html
DELETE, INSERT, PRAGMA, UPDATE, FUNCTION = 9, 18, 19, 23, 31
CREATE = (1, 2, 3, 4, 5, 6, 7, 8, 29)
DROP = (10, 11, 12, 13, 14, 15, 16, 17, 30)
ATTACH, DETACH, ALTER_TABLE, REINDEX, ANALYZE = 24, 25, 26, 27, 28
REFUSED = frozenset((*CREATE, *DROP, ATTACH, DETACH, ALTER_TABLE, REINDEX, ANALYZE))
OK, DENY = 0, 1

CHANCE = ("random", "randomblob")
CLOCKS = (
    "current_timestamp",
    "current_time",
    "current_date",
    "date",
    "time",
    "datetime",
    "julianday",
    "unixepoch",
    "strftime",
    "timediff",
)
COUNTERS = ("changes", "total_changes", "last_insert_rowid")  # of the connection, hence of other worlds
PRAGMAS = frozenset(("data_version", "read_uncommitted", "foreign_keys", "page_count"))  # FTS5 and SQLAlchemy ask these
FUNCTIONS = frozenset((*CHANCE, *CLOCKS, *COUNTERS))


def authorize(action: int, first: str | None, second: str | None, database: str | None, trigger: str | None) -> int:
    """Refuse what would touch the base, the schema, the plans of other worlds, the clock or chance."""
    if action == FUNCTION:
        return DENY if (second or "").lower() in FUNCTIONS else OK
    if action in REFUSED:
        return DENY
    if action == PRAGMA:
        return OK if second is None and first in PRAGMAS else DENY
    if action in (INSERT, DELETE, UPDATE):
        return DENY if (first or "").startswith("sqlite_stat") or (first or "").endswith("_fts_config") else OK
    return OK
