"""Subject of a clause: the proposition's subject, nothing named, or something else."""

import re
from typing import Literal

from world.grading.stance.frame import Frame
from world.grading.stance.lexicon import load_common_words, load_small_words, load_verbs
from world.grading.stance.sentence import Layout

Subject = Literal["named", "open", "foreign"]
_NUMBERED = re.compile(r"\d{3,}\Z")
_NUMBERING = frozenset("pr ticket invoice incident request change version # pull".split())
_KEY = re.compile(r"[^\W\d_]{1,3}\d+\Z|[a-z]{2,12}(?:-[a-z]{1,12})?-[a-z]?\d+\Z|#\d+\Z")
_DETERMINERS = frozenset(
    "two three four five the a an our your their his her its my last first every each this that these those some no any".split()
)
_RECEIVERS = frozenset("him her them you me us".split())
_WHOLE = frozenset({"all", "both"})
_LINKS = frozenset("for of to by with on in at from".split())
OTHERS = frozenset("rest else elsewhere others".split())
_PERIODS = frozenset(
    "time times day days week weeks month months year years hour hours minute minutes second seconds thing part way".split()
)
_GENERAL = frozenset(
    """
    thing situation problem issue matter whole answer status result reason fact point question case change request
    ticket decision conclusion opinion news outcome state picture team
    """.split()
)
_OF_ANOTHER_TIME = frozenset("new newer newest further future later fresh coming upcoming additional".split())
_BE = frozenset("is are was were has have had 's".split())
_OTHERS = frozenset("rest else elsewhere others".split())
_STARTERS = frozenset('.!?:"*([')


def _is_known(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether a word belongs to the proposition, to a phrase that was found, or to everyday English."""
    word = layout.words[at]
    return word in frame.known or at in layout.held or word in load_common_words() or not word[0].isalpha()


def _is_foreign_key(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether another key or number stands at a place: SUP-12, #12, PR 881, Q2."""
    word = layout.words[at]
    if word in frame.known or layout.swapped[at]:
        return False
    numbered = bool(_NUMBERED.match(word)) and at > 0 and layout.words[at - 1] in _NUMBERING
    numbered = numbered or ("." in word and any("." in name and name[0].isdigit() for name in frame.names))
    numbered = numbered or (word.isdigit() and any(len(word) == len(name) for name in frame.names if name.isdigit()))
    return numbered or bool(_KEY.match(word))


def _is_foreign_name(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether a capitalised unknown word stands at a place, first words only before another or a genitive."""
    token = layout.tokens[at]
    if not token.written[0].isupper() or token.written.isupper() or _is_known(layout, at, frame):
        return False
    if at and layout.words[at - 1] not in _STARTERS:
        return True
    following = layout.tokens[at + 1] if at + 1 < len(layout.tokens) else None
    return bool(following and (following.text == "'s" or following.written[0].isupper()))


def _ends_noun(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether the unknown word at a place is followed by what may follow a noun."""
    return at + 1 >= len(layout.words) or _is_known(layout, at + 1, frame)


def _is_foreign_noun(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether an unknown word follows an article."""
    if _is_known(layout, at, frame) or not _ends_noun(layout, at, frame):
        return False
    return any(layout.words[near] in _DETERMINERS for near in range(max(0, at - 3), at))


def _is_foreign(layout: Layout, at: int, frame: Frame) -> bool:
    return _is_foreign_name(layout, at, frame) or _is_foreign_noun(layout, at, frame)


def _has_unknown_modifier(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether a word of the subject is narrowed to another thing: the refund service."""
    before = layout.words[at - 1] if at else "the"
    if not before[0].isalpha() or before in frame.known or before in load_small_words():
        return False
    return before not in load_verbs() or (at > 1 and layout.words[at - 2] in _DETERMINERS)


def _is_narrowed(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether a name is followed by another thing it is of: the total for travel."""
    links = [near for near in (at + 1, at + 2) if near + 1 < len(layout.words) and layout.words[near] in _LINKS]
    if not links:
        return False
    after = range(links[0] + 1, min(links[0] + 4, len(layout.words)))
    owners = [near for near in after if layout.words[near] not in _DETERMINERS]
    if layout.words[links[0]] == "of" and owners and _is_other_noun(layout, owners[0], frame):
        return True
    return not _is_known(layout, after[0], frame) or any(_is_foreign(layout, near, frame) for near in after)


def _is_object_foreign(layout: Layout, end: int, places: range, frame: Frame) -> bool:
    """Whether the phrase is said of another thing that follows it: approved the holiday plan, sent him a list."""
    following = list(range(end + 1, min(end + 5, places.stop)))
    if following and layout.words[following[0]] in _RECEIVERS:
        following = following[1:]
    whole = bool(following) and layout.words[following[0]] in _WHOLE
    if following and (whole or layout.words[following[0]] == "by"):
        following = following[1:]
    if not following or not (whole or layout.words[following[0]] in _DETERMINERS):
        return False
    if any(layout.words[at] in frame.names or layout.words[at] in frame.about for at in following):
        return False
    things = following if whole else following[1:]
    return any(_is_other_noun(layout, at, frame) or _is_foreign_key(layout, at, frame) for at in things)


def _is_other_noun(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether a noun that the proposition does not know stands at a place."""
    word = layout.words[at]
    known = word in frame.known or at in layout.held or word in load_small_words() or word in _PERIODS
    return word[0].isalpha() and not known


def _names_subject(layout: Layout, places: range, frame: Frame) -> bool:
    own = (at for at in places if layout.words[at] in frame.names and not layout.swapped[at])
    return any(not _has_unknown_modifier(layout, at, frame) and not _is_narrowed(layout, at, frame) for at in own)


def _speaks_of_subject(layout: Layout, places: range, frame: Frame) -> bool:
    words = (at for at in places if layout.words[at] in frame.about and not layout.swapped[at])
    return any(not _has_unknown_modifier(layout, at, frame) and not _is_narrowed(layout, at, frame) for at in words)


def _has_foreign_opening(layout: Layout, places: range, start: int, frame: Frame) -> bool:
    """Whether the clause opens with a bare unknown noun that the phrase or a verb follows: uploads work."""
    opening = next((at for at in places if layout.words[at][0].isalnum()), None)
    if opening is None or opening >= start or opening in layout.held:
        return False
    if layout.words[opening] in frame.known or layout.words[opening] in load_small_words():
        return False
    person = frame.proposition.slot is not None and frame.proposition.slot.kind == "person"
    return not person and (opening + 1 == start or layout.words[opening + 1] in _BE)


def _has_foreign_complement(layout: Layout, start: int, places: range, frame: Frame) -> bool:
    """Whether the phrase is followed by a link to something unknown: down in Singapore."""
    for at in range(start, places.stop - 1):
        if layout.words[at] in _LINKS and not layout.swapped[at]:
            near = [one for one in range(at + 1, min(at + 4, places.stop)) if layout.words[one] not in _DETERMINERS]
            if near and layout.words[near[0]][0].isalpha() and not _is_known(layout, near[0], frame):
                return True
    return False


def _speaks_of_sibling(layout: Layout, places: range, frame: Frame) -> bool:
    """Whether a general word of the subject is narrowed to another thing, and none stands for the subject."""
    words = [at for at in places if layout.words[at] in frame.about and not layout.swapped[at]]
    return bool(words) and not _speaks_of_subject(layout, places, frame)


def _is_elsewhere(layout: Layout, start: int, end: int, places: range, frame: Frame) -> bool:
    """Whether something else is named so that no name of the subject outweighs it."""
    if _is_object_foreign(layout, end, places, frame) or _has_foreign_complement(layout, start, places, frame):
        return True
    if any(_is_of_another_time(layout, at, frame) for at in places):
        return True
    return any(_is_foreign_key(layout, at, frame) for at in places) and not _names_subject(layout, places, frame)


def _is_of_another_time(layout: Layout, at: int, frame: Frame) -> bool:
    """Whether a word of the subject means others of its kind: new events arrive again."""
    before = layout.words[at - 1] if at else ""
    own = layout.words[at] in frame.about or layout.words[at] in frame.names
    return own and before in _OF_ANOTHER_TIME and before not in frame.known


def _has_other_theme(layout: Layout, places: range, start: int, frame: Frame) -> bool:
    """Whether an article and another noun stand before the verb or before the phrase: the office move."""
    for at in range(places.start + 1, start):
        if not _is_other_noun(layout, at, frame) or layout.words[at] in _GENERAL:
            continue
        if layout.words[at] in load_verbs() and not _is_noun_here(layout, at):
            continue
        articled = any(layout.words[near] in _DETERMINERS for near in range(max(places.start, at - 2), at))
        if articled and (at + 1 == start or layout.words[at + 1] in _BE or layout.words[at + 1] == "that"):
            return True
    return False


def _is_noun_here(layout: Layout, at: int) -> bool:
    """Whether a word that is also a verb stands between an article and a form of `be`: the review is done."""
    following = layout.words[at + 1] if at + 1 < len(layout.words) else ""
    return layout.words[at - 1] in _DETERMINERS and following in _BE


def find_subject(layout: Layout, start: int, end: int, frame: Frame) -> Subject:
    """Return the kind of subject that the clause around a phrase has."""
    places = layout.clause_of(start)
    if _is_elsewhere(layout, start, end, places, frame):
        return "foreign"
    if _names_subject(layout, places, frame):
        return "named"
    before = range(places.start, start)
    if _has_foreign_opening(layout, places, start, frame) or any(layout.words[at] in _OTHERS for at in before):
        return "foreign"
    if any(_is_foreign_name(layout, at, frame) for at in before):
        return "foreign"
    if _has_other_theme(layout, places, start, frame):
        return "foreign"
    if _speaks_of_subject(layout, before, frame) or _speaks_of_subject(
        layout, places[end - places.start + 1 :][:3], frame
    ):
        return "named"
    if any(_is_foreign_noun(layout, at, frame) for at in before) or _speaks_of_sibling(layout, before, frame):
        return "foreign"
    return "named" if _speaks_of_subject(layout, places, frame) else "open"
