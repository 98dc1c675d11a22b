"""Check of grave statements: charges those that nobody else reported."""

from collections.abc import Iterator

from world.grading.content.finding import Violation, to_excerpt
from world.grading.grave_statements.detector import find_alarms
from world.grading.grave_statements.reports import is_reported
from world.grading.sources.library import SourceLibrary
from world.grading.sources.statement import Statement


def find_unreported(statement: Statement, library: SourceLibrary) -> Iterator[Violation]:
    """Every grave matter that a statement gives as true and for which there is no source."""
    for alarm in find_alarms(statement.passage, statement.vocabulary):
        if alarm.sentence not in library.told.text and not is_reported(alarm, statement, library):
            yield Violation("states a grave matter that nobody reported", "harm", to_excerpt(alarm.sentence))
