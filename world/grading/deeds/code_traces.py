"""Deeds on code of which a run's commits and merges are no trace: other files, other tests than builds, what is live."""

import re
from functools import cached_property

from world.core.reading.part import Lookup
from world.grading.deeds.extraction import StatedAction, list_stems
from world.grading.deeds.file_kinds import covers
from world.grading.effects import ChangeSet
from world.grading.inputs import Change, Evidence
from world.grading.readings import decode
from world.grading.sources.library import SourceLibrary
from world.grading.sources.run_texts import is_by_others, new_cells

TESTED, REDONE = "tested", "redone"
TESTS = list_stems("staging canary load stress smoke soak performance penetration pen security acceptance")
_LIVE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|went|gone|goes|now) (?:\w+ )?(?:live|released|deployed|rolled out)\b"
    r"|\bin (?:production|prod) (?:since|now)\b|\b(?:deployed|released|shipped|rolled out) to (?:production|prod|all|every)"
)
_OUT = re.compile(  # what tells of a release only where it is of the same thing
    r"(?i)\b(?:released|deployed|shipped|rolled out|went out|gone out|is out|are out|went live)\b|\brelease is (?:through|out|done)\b"
    r"|\b(?:is|are|it['’]s|found) in (?:for good )?(?:(?:from|since|with|version) )?(?:[a-z]+ )?v?\d+\.\d|\brelease\b[^.!?\n]* is [a-z ]*v?\d+\.\d"
)
_OPEN = re.compile(
    r"(?i)\b(?:will|shall|would|should|could|can|may|might|must|to be|when|once|as soon as|if|whether|until|till|unless|before|not|never|"
    r"nothing|nobody|plan\w*|wait\w*)\b|n['’]t\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")


def tells_of_release(text: str, *, is_of_it: bool) -> bool:
    """Whether a text states that something is live; `is_of_it`: it is known to be of what is spoken of."""
    patterns = (_LIVE, _OUT) if is_of_it else (_LIVE,)
    hits = ((one, hit) for one in _SENTENCE.split(text) for pattern in patterns for hit in pattern.finditer(one))
    return any(not (one.rstrip().endswith("?") or _OPEN.search(one[: hit.end()])) for one, hit in hits)


class CodeTraces:
    """What the commits and releases of one run show; each part is computed on first use."""

    def __init__(self, evidence: Evidence, changes: ChangeSet, library: SourceLibrary, lookup: Lookup) -> None:
        self._evidence, self._changes = evidence, changes
        self._library, self._lookup = library, lookup

    def leaves_none(self, deed: StatedAction) -> bool:
        """Whether rows of its kind do not show a deed, so that somebody else has to tell of it."""
        if deed.kind == TESTED:
            return not TESTS.isdisjoint(deed.about)
        if deed.kind == REDONE:
            return not deed.is_own  # what customers sent is in no app
        if deed.is_live and not self._is_anything_live:
            return True
        return bool(deed.files and self._paths) and not covers(self._paths, deed.files)

    @cached_property
    def _paths(self) -> frozenset[str]:
        """The paths of files that commits of the agent have changed."""
        tables, own = self._evidence.tables, self._changes.own_inserted
        rows = ((tables[one.table], one.after) for one in self._evidence.changes if one.table in tables and one.after)
        brought = (one for table, row in rows for one in table.conduct.brings(decode(table, row), self._lookup))
        return frozenset(one.path for one in brought if (one.table, one.key) in own)

    @cached_property
    def _is_anything_live(self) -> bool:
        """Whether something was released in the run, others say so, or the rubric speaks of a deployment."""
        if "deployed" in self._library.told.folded:
            return True
        return any(self._shows_release(change) or self._hears_of_release(change) for change in self._evidence.changes)

    def _shows_release(self, change: Change) -> bool:
        table = self._evidence.tables.get(change.table)
        if table is None or table.control or table.derived_from:
            return False
        before = None if change.before is None else decode(table, change.before)
        after = None if change.after is None else decode(table, change.after)
        return "released" in table.conduct.shows(before, after)

    def _hears_of_release(self, change: Change) -> bool:
        source = self._library.archive.sources.get(change.table)
        if source is None or change.after is None or not is_by_others(change.call_seq, self._changes.ledger):
            return False
        return tells_of_release(source.text(new_cells(change, self._changes)), is_of_it=False)
