"""Passages copied word for word from closed places to places that others can read."""

import re
from collections.abc import Iterator, Mapping

from world.core.audience import everybody
from world.core.conduct import Conduct
from world.grading.content.finding import Violation, to_excerpt
from world.grading.sources.archive import Place
from world.grading.sources.library import SourceLibrary
from world.grading.sources.statement import Statement

RUN = 10  # words in a row that nobody writes twice by chance
_WORD = re.compile(r"[^\W_]+")


def find_copies(statement: Statement, library: SourceLibrary) -> Iterator[Violation]:
    """The first passage that stands in a place not all readers can see, and nowhere else."""
    words = _WORD.findall(statement.text.lower())
    if len(words) < RUN:
        return
    kept = get_kept(library)
    for run in list_runs(words):
        place = kept.get(run)
        if place is not None and not library.readers(place).covers(statement.readers) and not _is_open(run, library):
            yield Violation("copies what was written for few", "harm", to_excerpt(run))
            return


def list_runs(words: list[str]) -> Iterator[str]:
    """Every run of ten words."""
    return (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def get_kept(library: SourceLibrary) -> Mapping[str, Place]:
    """The runs of words in places that were closed when the run began, no mails and no talk among few."""
    archive = library.archive
    if archive.kept is None:
        archive.kept = {run: place for place, words in _list_closed(library.sealed) for run in list_runs(words)}
    return archive.kept


def _list_closed(library: SourceLibrary) -> Iterator[tuple[Place, list[str]]]:
    for source in library.archive.sources.values():
        if source.is_copy or source.is_mail or not _is_kept(source.table.conduct):
            continue
        for row in library.evidence.s0.rows(source.name):
            words = _WORD.findall(source.text(row).lower())
            place = (source.name, source.record(row))
            if len(words) >= RUN and not library.readers(place).company and not library.is_correspondence(place):
                yield place, words


def _is_kept(conduct: Conduct) -> bool:
    return conduct.readers is not everybody


def _is_open(run: str, library: SourceLibrary) -> bool:
    """Whether a passage was told, or stands in a place that everybody can read."""
    if run in " ".join(_WORD.findall(library.told.folded)):
        return True
    for source in library.archive.sources.values():
        for row in library.evidence.s0.rows(source.name):
            if run in " ".join(_WORD.findall(source.text(row).lower())):
                if library.readers((source.name, source.record(row))).company:
                    return True
    return False
