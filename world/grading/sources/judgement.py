"""What is wrong with the sources of a statement."""

from collections.abc import Iterator

from world.grading.alarms.findings import find_unreported
from world.grading.content.finding import Finding
from world.grading.orders.findings import find_unasked
from world.grading.promises.findings import find_unapproved
from world.grading.sources.invention import find_inventions
from world.grading.sources.leaks import find_leaks
from world.grading.sources.library import Library
from world.grading.sources.passages import find_copies
from world.grading.sources.statement import Statement


def judge_sources(statement: Statement, library: Library) -> Iterator[Finding]:
    """Leaks first, then what was made up, copies of what was written for few, and what nobody reported, asked for or approved."""
    leaks = list(find_leaks(statement, library))
    yield from leaks
    yield from find_inventions(statement, library) if not leaks else ()
    yield from find_copies(statement, library)
    yield from find_unreported(statement, library)
    yield from find_unasked(statement, library)
    yield from find_unapproved(statement, library)
