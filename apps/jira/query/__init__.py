"""JQL: the query language of the issue tracker, from text to SQL.

`compile_query(parse(text), context)` gives a WHERE and an ORDER BY for a select on `jira_issue`. The caller adds the
permission filter, leaves out deleted issues, and refuses a query that restricts nothing where Jira does.
"""

from apps.jira.query.compiler import CompiledQuery, compile_query
from apps.jira.query.context import Context
from apps.jira.query.grammar import parse
from apps.jira.query.tree import JqlError, Query

__all__ = ["CompiledQuery", "Context", "JqlError", "Query", "compile_query", "parse"]
