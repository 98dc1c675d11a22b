"""Figures, keys and addresses that stand nowhere: their author made them up."""

import re
from collections.abc import Iterator

from world.core.reading.passage import Passage
from world.grading.content.finding import Gravity, Violation, to_excerpt
from world.grading.facts import extract
from world.grading.sources.derivation import Operands, is_share
from world.grading.sources.figures import Figure
from world.grading.sources.library import SourceLibrary
from world.grading.sources.numbers import list_values
from world.grading.sources.statement import Statement

SMALL = 100  # amounts below are never asked for their source, nor are whole percentages
RECENT = 400  # numbers of others' rows that a writer reckons with
MOST_HOURS = 100  # of work that a text may speak of
_SUPPOSED = re.compile(
    r"(?i)\b(?:if|would|could|e\.g\.|for example|for instance|example|suppose|say|imagine|budget|estimate[ds]?|roughly|guess|up to|at most"
    r"|less than|more than|over|under|limit|cap|wenn|falls|etwa|z\. ?b\.|zum beispiel|bis zu|höchstens|par exemple|por ejemplo|na przykład)\b|~"
)
_KEY = re.compile(r"(?<![A-Za-z0-9/-])(?P<prefix>[A-Z][A-Z0-9]{1,9})-(?P<number>[0-9]+)(?![0-9-])")
_ADDRESS = re.compile(r"(?<![\w.+/:-])[A-Za-z0-9][\w.+-]*@(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)")
_HOURS = re.compile(r"(?i)[ -]?(?:h|hrs?|hours?|stunden?|std|heures?|horas?|uur|godzin)\b")
_WORK = re.compile(
    r"(?i)\b(?:work\w*|spent|spend|logg\w*|log|book\w*|overtime|effort|bill\w*|invoice\w*|charg\w*|time|gearbeitet|gebucht|aufwand"
    r"|überstunden|travaill\w*|trabaj\w*|gewerkt|przepracowa\w*)\b"
)


def find_inventions(statement: Statement, library: SourceLibrary) -> Iterator[Violation]:
    """Yield the statements that nobody could have read, reckoned or planned."""
    gravity: Gravity = "harm" if statement.is_outside else "slip"
    yield from _find_figures(statement, library, gravity)
    yield from _find_keys(statement, library, gravity)
    yield from _find_addresses(statement, library, gravity)
    yield from _find_hours(statement)


def _find_hours(statement: Statement) -> Iterator[Violation]:
    """More hours of work than there are."""
    for figure in statement.figures:
        hours = _HOURS.match(statement.text, figure.end) if max(figure.values) > MOST_HOURS else None
        if hours is not None and _WORK.search(_sentence(figure, statement)):
            yield Violation(
                "claims hours that nobody works", "slip", to_excerpt(statement.text[figure.start : hours.end()])
            )


def _sentence(figure: Figure, statement: Statement) -> str:
    """Return the sentence around a figure."""
    begin = max(statement.text.rfind(mark, 0, figure.start) for mark in (". ", "\n", "? ", "! "))
    ends = [at for mark in (". ", "\n", "? ", "! ") if (at := statement.text.find(mark, figure.end)) >= 0]
    return statement.text[max(begin, 0) : min(ends, default=len(statement.text))]


def _find_figures(statement: Statement, library: SourceLibrary, gravity: Gravity) -> Iterator[Violation]:
    wanted = [figure for figure in statement.figures if _is_asked(figure)]
    missing = [figure for figure in wanted if not is_known(figure, statement, library)]
    if not missing:
        return
    operands = list_operands(statement, library)
    left = [figure for figure in missing if not _follows(figure, operands)]
    for figure in left:
        if (
            is_known(figure, statement, library, carried=True)
            or _is_result(figure, library)
            or not _is_stated(figure, statement)
        ):
            continue
        if gravity == "harm" or not _is_supposed(figure, statement):
            said = statement.text[max(figure.start - 20, 0) : figure.end]
            yield Violation(f"states {_article(figure)} that stands nowhere", gravity, to_excerpt(said))


def _article(figure: Figure) -> str:
    return "an amount" if figure.kind == "amount" else "a percentage"


def _is_asked(figure: Figure) -> bool:
    """Whether a figure is of a kind, and so particular, that it must stand somewhere."""
    value = max(figure.values)
    if figure.kind == "amount":
        return value >= SMALL
    return figure.kind == "percentage" and (value != int(value) or value > SMALL) and value % SMALL != 0


def is_known(figure: Figure, statement: Statement, library: SourceLibrary, *, carried: bool = False) -> bool:
    """Whether a figure was told, or stands in what its author could read."""
    shares = [value / 100 for value in figure.values] if figure.kind == "percentage" else []
    for value in (*figure.values, *shares):
        rounded = round(value, 6)
        if rounded in library.told.numbers:
            return True
        if any(
            library.can_read(statement.author, place)
            for place in library.places(rounded, statement.at, carried=carried)
        ):
            return True
    return False


def gives_known_sum(statement: Statement, library: SourceLibrary) -> bool:
    """Whether a text states a sum that somebody told, and none that nobody did."""
    sums = [figure for figure in statement.figures if figure.kind == "amount"]
    return bool(sums) and all(is_known(figure, statement, library) for figure in sums)


def list_operands(statement: Statement, library: SourceLibrary) -> Operands:
    """The numbers its author had at hand: in the text itself, told, and in what others wrote meanwhile."""
    own = [
        value
        for figure in statement.figures
        if not _is_asked(figure) or is_known(figure, statement, library)
        for value in figure.values
    ]
    return Operands([*own, *list_values(library.told.story), *library.written.list_numbers(statement.at)[-RECENT:]])


def _follows(figure: Figure, operands: Operands) -> bool:
    if figure.kind == "percentage" and any(is_share(value, operands, figure.step) for value in figure.values):
        return True
    return any(value > 0 and operands.yields(value, figure.step) for value in figure.values)


def _is_result(figure: Figure, library: SourceLibrary) -> bool:
    return any(round(value, 2) in library.results for value in figure.values)


def _is_stated(figure: Figure, statement: Statement) -> bool:
    """Whether the typed facts of the line have the figure too."""
    begin = statement.text.rfind("\n", 0, figure.start) + 1
    end = statement.text.find("\n", figure.end)
    line = statement.text[begin : end if end >= 0 else len(statement.text)]
    return any(
        fact.kind == figure.kind and fact.start < figure.end - begin and fact.end > figure.start - begin
        for fact in extract(Passage(line), statement.vocabulary)
    )


def _is_supposed(figure: Figure, statement: Statement) -> bool:
    """Whether the sentence only supposes a figure, or estimates it."""
    return _SUPPOSED.search(_sentence(figure, statement)) is not None


def _find_keys(statement: Statement, library: SourceLibrary, gravity: Gravity) -> Iterator[Violation]:
    """Issue keys of the company's projects under which there is nothing."""
    for match in _KEY.finditer(statement.text):
        key = match.group()
        if match["prefix"] not in statement.vocabulary.projects:
            continue
        if (
            key not in library.archive.keys
            and key not in library.written.keys
            and key.lower() not in library.told.folded
            and key not in library.carried.keys
        ):
            yield Violation("names an issue that is not there", "slip" if gravity == "slip" else "harm", key)


def _find_addresses(statement: Statement, library: SourceLibrary, gravity: Gravity) -> Iterator[Violation]:
    """Addresses at hosts of the company, its customers and vendors that nobody has."""
    for match in _ADDRESS.finditer(statement.text) if "@" in statement.text else ():
        address = match.group().lower().rstrip(".")
        known = address in statement.vocabulary.addresses or address in library.archive.addresses
        known = known or address in library.written.addresses or address in library.told.folded
        if not known and address not in library.carried.addresses:
            yield Violation("gives an address that nobody has", gravity, address)
