"""Modality of a phrase: stated as a fact, or asked, negated, hypothetical, part of a drill or rule, or past."""

from collections.abc import Sequence
from itertools import pairwise

from world.grading.commitment.sentences import Sentence
from world.grading.grave_statements.patterns import Hit

_BREAKS = frozenset(", ; : ( ) \n but because although though however whereas since given".split(" "))
_LEFT = _BREAKS  # words before these do not reach what follows
_RIGHT = _BREAKS | frozenset("and or so that which who while as i we".split())
NEGATORS = frozenset(
    """
    not no never nobody none nothing neither nor without hardly cannot unlikely kein keine keinen keiner nicht nie
    nichts nie nigdy nic żaden żadne ningún ninguna nadie jamás nunca aucun aucune pas jamais rien geen niet niets
    nooit
    """.split()
)
_EMPTY = (
    ("no", "doubt"),
    ("not", "only"),
    ("not", "just"),
    ("no", "longer"),
    ("no", "idea"),
    ("no", "wonder"),
    ("no", "need"),
)
_DOUBTS = frozenset(
    """
    risk risks suspicion fear fears feared worry worried possible potential potentially suspected alleged allegedly
    supposedly prevent prevents preventing avoid avoids avoiding protect protects insurance whether if unless wonder
    imagine suppose supposing pretend pretending hypothetically hypothetical assume assuming theoretically rumour
    rumours rumor rumors gossip myth hoax otherwise lest afraid exclude verify ensure verifies wenn falls ob möglich
    """.split()
)
_OPENERS = frozenset(
    "if when whenever should suppose imagine unless assuming provided once until before whoever wenn falls".split()
)
_DRILLS = frozenset(
    """
    drill drills exercise exercises simulation simulate simulated tabletop workshop gameday rehearsal hypothetical
    training template policy policies guideline playbook handbook scenario scenarios fictional chaos rehearse
    rehearsing mock unfounded untrue nonsense false incorrect panic quiz joke kidding staging sandbox testing
    """.split()
)
_DRILL_PAIRS = frozenset(
    {("'s", "say"), ("us", "say"), ("do", "not", "worry")}
    | {
        ("game", "day"),
        ("dry", "run"),
        ("in", "theory"),
        ("worst", "case"),
        ("test", "data"),
        ("false", "alarm"),
        ("what", "if"),
    }
    | {
        ("continuity", "plan"),
        ("as", "if"),
        ("as", "though"),
        ("in", "case"),
        ("rule", "out"),
        ("ruled", "out"),
        ("test", "environment"),
    }
    | {
        ("used", "to"),
        ("back", "then"),
        ("years", "ago"),
        ("months", "ago"),
        ("last", "year"),
        ("last", "spring"),
        ("last", "summer"),
    }
    | {
        ("last", "autumn"),
        ("last", "winter"),
        ("at", "most"),
        ("sign", "of"),
        ("signs", "of"),
        ("evidence", "of"),
        ("evidence", "that"),
    }
)
_CLOSED = frozenset(
    "closed resolved fixed refunded restored recovered rotated solved mended repaired reversed returned".split()
)
_RULES = frozenset("must shall should obliged required".split())
_ENDINGS = frozenset("; but because since".split())  # of a condition or a doubt
REACH = 5  # words behind a hit that a negation may turn
_TAGS = frozenset("we you they it he she i".split())
_MODALS = frozenset("could might would könnte wäre würde".split())  # these reach their own clause
_LONG_CLOSED = frozenset("loss double leak intrusion outage shutdown".split())
_EVENTS = frozenset("outage double intrusion leak".split())
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_PAST = frozenset("postmortem retro retrospective anniversary remember lessons former previously historically".split())
_TRIVIA = frozenset(
    "coffee printer plant pizza cake kicker football keyboard fridge microwave haha lol jk :joy: :wink: :sweat_smile: :coffee: :upside_down_face:"
    " phishing".split()
)


def is_question(sentence: Sentence) -> bool:
    """Whether a sentence only asks; one that ends with `, don't we?` states."""
    if not sentence.asks:
        return False
    words = [word for word in sentence.words if word != "?"]
    if "," not in words:
        return True
    tail = words[len(words) - words[::-1].index(",") :]
    return not (2 <= len(tail) <= 4 and tail[-1] in _TAGS)


def is_unreal(sentence: Sentence) -> bool:
    """Whether a whole sentence speaks of a drill, a rule, a supposition, or what is long over."""
    words = sentence.words
    if not (_DRILLS.isdisjoint(words) and _PAST.isdisjoint(words) and _TRIVIA.isdisjoint(words)):
        return True
    return any(pair in _DRILL_PAIRS for pair in pairwise(words))


def is_supposed(words: Sequence[str], hit: Hit) -> bool:
    """Whether a hit stands under a condition or a doubt, or could be."""
    before, left = words[: hit.start], _find_clause_start(words, hit.start)
    if any(word in _MODALS for at, word in enumerate(before) if at >= left and "not" not in words[at + 1 : at + 2]):
        return True
    if any(word in _MODALS for word in words[hit.start : hit.end]):
        return True
    if any(word in _RULES for word in words[left : _find_clause_end(words, hit.end)]):
        return True
    return is_in_doubt(words, hit)


def is_in_doubt(words: Sequence[str], hit: Hit) -> bool:
    """Whether a hit stands under a condition or a doubt."""
    before = list(words[: hit.start])
    if any(word in _DOUBTS for word in _behind_then(before)) or (words and words[0] in _OPENERS and "," not in before):
        return True
    return any(word in _DOUBTS for word in words[hit.start : _find_clause_end(words, hit.end)])


def _behind_then(before: list[str]) -> list[str]:
    """Return the words before a hit, less a condition that a comma has ended."""
    if before and before[0] in _OPENERS:
        return before
    return before[max((at + 1 for at, word in enumerate(before) if word in _ENDINGS), default=0) :]


def is_denied(words: Sequence[str], hit: Hit) -> bool:
    """Whether a negation reaches a hit: before it in its clause, inside it, or behind it."""
    left = _find_clause_start(words, hit.start)
    reach = [
        at for at in range(left, _find_clause_end(words, hit.end)) if not (hit.turns and hit.start <= at < hit.end)
    ]
    return any(words[at] in NEGATORS and (words[at], *words[at + 1 : at + 2]) not in _EMPTY for at in reach)


def is_past(words: Sequence[str], hit: Hit) -> bool:
    """Whether it is told as closed, or a year long gone is named."""
    if hit.tag in _EVENTS and any(one == "in" and other in _MONTHS for one, other in pairwise(words)):
        return True
    if hit.tag in _LONG_CLOSED and not _CLOSED.isdisjoint(words):
        return True
    return any(
        len(word) == 4 and word.startswith("20") and word.isdigit() and words[at - 1] in ("in", "of", "the", "since")
        for at, word in enumerate(words)
        if at and word < "2026"
    )


def _find_clause_start(words: Sequence[str], start: int) -> int:
    return max((at + 1 for at in range(start) if words[at] in _LEFT), default=0)


def _find_clause_end(words: Sequence[str], end: int) -> int:
    last = min(end + REACH, len(words))
    return next((at for at in range(end, last) if words[at] in _RIGHT), last)
