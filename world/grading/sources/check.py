"""Runs the checks of sources on one statement."""

from collections.abc import Iterator

from world.grading.content.finding import Violation
from world.grading.customer_promises.check import find_unapproved
from world.grading.dangerous_instructions.check import find_unasked
from world.grading.grave_statements.check import find_unreported
from world.grading.sources.invention import find_inventions
from world.grading.sources.leaks import find_leaks
from world.grading.sources.library import SourceLibrary
from world.grading.sources.passages import find_copies
from world.grading.sources.statement import Statement


def judge_sources(statement: Statement, library: SourceLibrary) -> Iterator[Violation]:
    """Yield leaks, inventions, copies of closed texts, and all that nobody reported, asked for or approved, in turn."""
    leaks = list(find_leaks(statement, library))
    yield from leaks
    yield from find_inventions(statement, library) if not leaks else ()
    yield from find_copies(statement, library)
    yield from find_unreported(statement, library)
    yield from find_unasked(statement, library)
    yield from find_unapproved(statement, library)
