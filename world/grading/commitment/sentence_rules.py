"""Denials of one sentence about the text it stands in: that it is not so, is taken back, or is not meant."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from world.grading.commitment.findings import (
    COPULAS,
    TURNS,
    WORK,
    finds_fault,
    names_objects,
    owns_slip,
    speaks_of_object,
)
from world.grading.commitment.language import is_foreign
from world.grading.commitment.lexicon import load_cues
from world.grading.commitment.patterns import PhraseMatch
from world.grading.commitment.sentences import Sentence, list_quotations
from world.grading.commitment.suppositions import begins_request, supposes
from world.grading.stance.lexicon import load_verbs

ANSWERS = "answers"  # a denial of nothing that was said before it: no, not yet
Direction = Literal["before", "last", "after", "both", "itself"]
REACH = 7  # words between what points at the text and what is said of it
LONGEST_BARE = 8
_CLAUSE_ENDS = frozenset(". , ; : ! ? ( ) – — - \n".split(" ")) | {"\n"}
_CLAUSE_STARTS = _CLAUSE_ENDS | frozenset("and but because since so as for sorry note that".split())
_EVENTS = frozenset("go goes going gone went".split())
_NEGATIVE = frozenset("no not nope nah never none nothing".split())
_TURNING = (("no", "longer"), ("far", "from"), ("by", "no", "means"), ("anything", "but"), ("in", "no", "way"))
_HINDERS = frozenset("not never will would if when until before whether unless can could may might should or".split())
_UNTRUE_NOUNS = frozenset(
    """
    lie lies myth rumour rumor rumours rumors gossip legend hoax nonsense mistake error fallacy falsehood misconception
    misunderstanding fiction fantasy dream joke prank false untrue wrong incorrect mistaken deny denies denied dispute
    disputes doubt doubts reject refute nobody none allegedly unconfirmed liar liars lying lied invented pretend pretends
    imagine imagined dreamt dreamed doubtful questionable
    """.split()
)
_STRONG = frozenset(
    "lie lies myth rumour rumor rumours rumors gossip legend hoax fallacy falsehood misconception".split()
)
_CLAUSAL = frozenset(
    """
    claim claims claimed allege alleges alleged assume assumes assumed presume suppose supposes supposed suspect suspects
    guess imagine maintain insists insist swear bet chance odds hope hopes wish possibility likelihood idea notion theory
    assertion allegation assumption story about possible impossible probable improbable unlikely likely case not be
    conceivable thinkable rumoured rumored said vision suggestion view opinion impression
    """.split()
)
_ANNOUNCING = (_CLAUSAL - {"be"}) | frozenset(
    """
    say says said saying think believe confirm mean means write wrote written state stated tell told know see agree accept
    promise guarantee deny report reported announce hear heard read this that these those following it below true right
    true correct statement sentence message words
    """.split()
)
_NO_SUBJECTS = _CLAUSE_ENDS | frozenset(
    """
    on in at for to of up out off with and or but is was are were will would has had can could should may might must too
    now then as by from first again back over down about when if before after because so until while into not one way
    part bit
    """.split()
)
_DETERMINERS = frozenset("the a an this your our their his her my its each every one".split())
_CONDITIONAL = frozenset("unless should were had suppose supposing assuming provided imagine".split())
_TURNED_TO = frozenset("but and should that which where whose whom who".split())
_VERBS = frozenset("hold apply happen exist stand".split())
_SHORT_NO = 3
_ELLIPSIS = re.compile(
    r"(?:and |but |no )?(?:it|this|that|they|these|those)(?: really| actually| simply)?"
    r"(?: (?:is|was|does|did|has|have|are|were) never| never (?:is|was|does|did|has|have|were))"
)
_LONGEST_LABEL = 7
_WIDTH = {"itself": 0, "last": 1, "before": 2, "after": 2, "both": 3}
_DISPOSALS = frozenset("delete drop cancel ignore discard dismiss remove".split())
_THINGS = frozenset(
    """
    mail mails email emails link links site page invoice attachment file letter notice form request ticket issue branch
    channel sheet alert call sms phishing scam spam fake fraud
    """.split()
)
_OWN_WILL = frozenset("want have need had like wish going about meant wanted".split())
_PLACES = frozenset("window channel chat tab thread room".split())
_EXCUSES = frozenset("mistake bad culpa".split())
_AT_ONCE = frozenset("away now after before here there at in on".split())
_OF_THINGS = frozenset("fake bogus real genuine".split())
_ARTICLES = frozenset("the a an my our your".split())
_LONGEST_NOUN = 3  # words from its article to the clause about it
_POINTING = frozenset({"that", "this", "it"})
_OPENING = 4  # words before what takes back a whole text: please, sorry, oh no
_MENDS = frozenset("correct reverse".split())
_GOES_ON = frozenset("please and or before then in to".split())
_ADDED = frozenset("sorry no oh oops edit correction ps but and wait actually note".split())
_LONGEST_MATRIX = 16
_MINE = frozenset("i we my our".split())
_ALL = frozenset("all everything nothing none anything whatever every any".split())
_SAID = frozenset(
    "said say wrote write written posted post reported report told tell sent stated claimed announced".split()
)
_SAYINGS = frozenset(
    "messages reports posts mails emails comments notes claims answers replies updates statements".split()
)
_RESTRICTIONS = frozenset("about on regarding concerning except above below but".split())
_REMARK = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]|[–—-]\s+([^–—-]{1,50})[.!]?\s*$")


@dataclass(frozen=True, slots=True)
class Denial:
    """A sentence that denies: which part of the text, and why; `vague` ones may speak of something else."""

    direction: Direction
    reason: str
    vague: bool = False


def find_denial(
    sentence: Sentence, *, after_statement: bool, after_question: bool, names_thing: bool = False
) -> Denial | None:
    """Return the denial in a sentence, or None.

    The text before it has stated something, has just asked, or names a thing that `it` may stand for: a mail, a file.
    """
    found = [
        *_says_of_itself(sentence, after_statement),
        _is_unreal(sentence),
        _retracts(sentence, after_statement, names_thing),
        _announces(sentence),
        _is_label(sentence, after_statement),
        _is_bare(sentence, after_statement, after_question),
        _is_elliptic(sentence, after_statement and not after_question),
        _is_ironic(sentence),
        _is_foreign_denial(sentence),
    ]
    certain = [one for one in found if one is not None and not one.vague]
    return max(
        certain or [one for one in found if one is not None], key=lambda one: _WIDTH[one.direction], default=None
    )


def _is_foreign_denial(sentence: Sentence) -> Denial | None:
    return Denial("both", "another language") if is_foreign(sentence) else None


def _is_unreal(sentence: Sentence) -> Denial | None:
    words = _list_words(Sentence(_without_quotations(sentence.text), sentence.start, sentence.end))
    hits = [hit for hit in load_cues().unreal.find(words) if not _compares(words, hit)]
    return Denial("both", "not meant") if hits else None


def _without_quotations(text: str) -> str:
    """A sentence without what it quotes, unless that is all of it: a title may hold any words."""
    left = text
    for start, end in reversed(list_quotations(text)):
        left = f"{left[:start]} {left[end:]}"
    return left if any(letter.isalnum() for letter in left) else text


def _compares(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether `as if` stands within a sentence: retried as if it were a timeout."""
    return list(words[hit.start : hit.end]) == ["as", "if"] and 0 < hit.start and hit.end < len(words)


def _is_label(sentence: Sentence, after_statement: bool) -> Denial | None:
    """Whether a few words without a verb call the text beside them unreal: `Falsehood:`, `[dummy value]`, `#irony`."""
    words = [word for word in sentence.words if word[0].isalnum()]
    if not words or len(words) > _LONGEST_LABEL or load_cues().unreal_words.isdisjoint(words):
        return None
    wishes = words[-2:] == ["fingers", "crossed"] and _HAVING.isdisjoint(words)  # not so `had my fingers crossed`
    if COPULAS & set(words) or any(word[0].isdigit() for word in words) or wishes:
        return None
    if not after_statement and "'s" in sentence.words and load_cues().unreal_words & set(words) <= _OF_THINGS:
        return None  # a thing is called so: it's fake
    if sentence.leads:
        return Denial("after", "not meant")
    return Denial("before" if after_statement else "both", "not meant")


_HAVING = frozenset("had with my was were".split())


def _announces(sentence: Sentence) -> Denial | None:
    """Whether a heading says that what follows is not so."""
    words = sentence.words
    if not sentence.leads or any(word[0].isdigit() for word in words):
        return None
    hits = [hit for hit in _find_predicates(words) if _is_of_statements(words, hit)]
    hits = [hit for hit in hits if not finds_fault(words, hit) and not names_objects(words, hit)]
    received = any(speaks_of_object(words, pointer) for pointer in load_cues().pointers.find(words)) if hits else False
    if received or {"i", "you", "we", "us", "them"} & set(words) or owns_slip(words):
        return None
    odd = any((hit.tag == "untrue") != bool(_count_turns(words[max(0, hit.start - 3) : hit.start]) % 2) for hit in hits)
    return Denial("after", "denied") if odd else None


def _find_predicates(words: Sequence[str]) -> list[PhraseMatch]:
    """Find what calls a statement true or untrue: not the `right` of `right away`."""
    hits = load_cues().predicates.find(words)
    return [hit for hit in hits if not _is_adverb(words, hit)]


def _is_adverb(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether a word only leads on: `right away`, or the `so` of `no chat, so here it is`."""
    word = words[hit.end - 1]
    if word == "so":
        return hit.start > 0 and words[hit.start - 1] in (",", ";", "and") and words[hit.end : hit.end + 1] != ["."]
    return word == "right" and not _AT_ONCE.isdisjoint(words[hit.end : hit.end + 1])


def _is_of_statements(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether a predicate may be about a statement: not `what went wrong`, not `the fix did not hold`."""
    if _EVENTS & set(words[max(0, hit.start - 2) : hit.start]):
        return False
    return words[hit.start].rstrip("s") not in _VERBS or bool(load_cues().pointers.find(words))


def _is_ironic(sentence: Sentence) -> Denial | None:
    cues = load_cues()
    marked = [hit for hit in cues.irony.find(sentence.words) if _stands_apart(sentence, hit)]
    if marked or any(sign in sentence.text for sign in cues.signs):
        return Denial("both", "irony")
    return None


def _stands_apart(sentence: Sentence, hit: PhraseMatch) -> bool:
    """Whether a marker is no part of a unit: req/s."""
    start = sentence.tokens[hit.start].start
    return start == 0 or not sentence.text[start - 1].isalnum()


def _retracts(sentence: Sentence, after_statement: bool, names_thing: bool) -> Denial | None:
    words = _list_words(sentence)
    hits = [
        hit for hit in load_cues().retraction.find(words) if _is_performed(words, hit) and not _is_parted(sentence, hit)
    ]
    if not (after_statement and not names_thing):
        hits = [hit for hit in hits if not _disposes_of_thing(words, hit)]
    if not after_statement:  # what was wrong was said or done elsewhere
        hits = [hit for hit in hits if words[hit.end - 1] not in _EXCUSES]
    if not hits or sentence.asks:
        return None
    if min(hit.start for hit in hits) > _OPENING:
        return Denial("itself", "taken back")
    if after_statement:
        return Denial("before", "taken back")
    return Denial("both", "taken back") if sentence.leads else Denial("before", "taken back", vague=True)


def names_thing(words: Sequence[str]) -> bool:
    """Whether words name a thing that one can delete or ignore, and that is no statement."""
    return not _THINGS.isdisjoint(words)


def _disposes_of_thing(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether a reader is asked to get rid of a thing: delete it, ignore the mail."""
    asked, object = words[hit.start : hit.end], words[hit.end - 1]
    return not _DISPOSALS.isdisjoint(asked) and (object == "it" or object in _THINGS) and "my" not in asked


def _is_bare(sentence: Sentence, after_statement: bool, after_question: bool) -> Denial | None:
    words = [word for word in sentence.words if word[0].isalnum()]
    if not words or len(words) > LONGEST_BARE:
        return None
    cues = load_cues()
    untrue = {at for hit in _find_predicates(sentence.words) for at in range(hit.start, hit.end)}
    rest = [
        word
        for at, word in enumerate(sentence.words)
        if word[0].isalnum() and at not in untrue and not (word.isdigit() and len(word) == 1)
    ]
    said = any(hit.tag == "untrue" for hit in _find_predicates(sentence.words))
    negative = words[0] in _NEGATIVE and len(words) <= _SHORT_NO
    if not (said or negative) or any(word not in cues.bare for word in rest):
        return None
    if sentence.leads and said:
        return Denial("after", "denied")
    if sentence.leads or not after_statement or after_question:
        # `Not yet: one is still firing` answers, and gives its reason
        return Denial("before", "denied" if said else ANSWERS, vague=True)
    return Denial("before", "denied")


def _is_elliptic(sentence: Sentence, after_statement: bool) -> Denial | None:
    """Whether nothing is said but that the statement before is not so: `it never was`."""
    words = " ".join(word for word in sentence.words if word[0].isalnum())
    return Denial("last", "denied") if after_statement and _ELLIPSIS.fullmatch(words) else None


def _list_words(sentence: Sentence) -> list[str]:
    """The words without the signs between them."""
    return [sentence.words[at] for at in _list_places(sentence)]


def _list_places(sentence: Sentence) -> list[int]:
    return [at for at, word in enumerate(sentence.words) if word[0].isalnum() or word[0] in "'/:" or word == "j/k"]


def _is_parted(sentence: Sentence, hit: PhraseMatch) -> bool:
    """Whether a comma stands before the last word of a phrase, so that it is no object: `no discount, that is final`."""
    last = _list_places(sentence)[hit.end - 1]
    return sentence.words[last] in _POINTING and sentence.words[last - 1] == "," and hit.end - hit.start > 1


def _is_performed(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether somebody takes back now.

    Not so `I will not forget it`, `withdraw it if`, `I asked them to correct it`, `it was on the wrong ticket`.
    """
    before = words[max(0, hit.start - 4) : hit.start]
    if words[hit.start] in _MENDS and ("please" in before or not _GOES_ON.isdisjoint(words[hit.end : hit.end + 1])):
        return False  # the reader is asked to mend the work
    if _HINDERS & set(before) or (before[-1:] == ["to"] and _OWN_WILL.isdisjoint(before[-2:-1])):
        return False
    return not (before[-1:] == ["the"] and words[hit.start] == "wrong" and words[hit.end - 1] not in _PLACES)


# statements about the text itself


def _says_of_itself(sentence: Sentence, after_statement: bool) -> Iterator[Denial | None]:
    words, cues = sentence.words, load_cues()
    predicates = _find_predicates(words)
    for pointer in cues.pointers.find(words):
        for predicate in predicates:
            if 0 <= predicate.start - pointer.end <= REACH and _denies(words, pointer, predicate):
                if not speaks_of_object(words, pointer):
                    yield _aim(sentence, pointer, predicate, after_statement)


def _denies(words: Sequence[str], pointer: PhraseMatch, predicate: PhraseMatch) -> bool:
    between = list(words[pointer.end : predicate.start])
    linked = COPULAS & set(between) or words[predicate.start].rstrip("s") in _VERBS
    if any(word in _CLAUSE_ENDS or word in _TURNED_TO for word in between) or not linked:
        return False
    turns = _count_turns(between)
    return (turns + (pointer.tag == "none") + (predicate.tag == "untrue")) % 2 == 1


def _count_turns(words: Sequence[str]) -> int:
    """Count the negations among words."""
    rows = [row for row in _TURNING if row[0] not in TURNS]
    longer = sum(tuple(words[at : at + len(row)]) == row for row in rows for at in range(len(words)))
    return sum(word in TURNS for word in words) + longer


def _aim(sentence: Sentence, pointer: PhraseMatch, predicate: PhraseMatch, after_statement: bool) -> Denial | None:
    words = sentence.words
    if pointer.tag == "vague" and not _stands_alone(words, pointer, predicate):
        return None
    if not after_statement and _speaks_of_thing(words, pointer, predicate):
        return None
    if pointer.tag == "vague" and words[pointer.end] in WORK:
        return None
    if pointer.tag in ("before", "after"):
        return Denial("before" if pointer.tag == "before" else "after", "denied")
    if pointer.tag in ("both", "none"):
        return Denial("both", "denied")
    if any(word[0].isalnum() and word not in _ADDED for word in words[: pointer.start]):
        return Denial("itself", "denied")
    if sentence.leads and not after_statement:
        return Denial("after", "denied")
    return Denial("before", "denied", vague=not after_statement)


def _speaks_of_thing(words: Sequence[str], pointer: PhraseMatch, predicate: PhraseMatch) -> bool:
    """Whether a thing is called fake or not real, not what is said here: it is fake, the message is not real."""
    return words[pointer.start] not in ("this", "these") and not _OF_THINGS.isdisjoint(
        words[predicate.start : predicate.end]
    )


def _stands_alone(words: Sequence[str], pointer: PhraseMatch, predicate: PhraseMatch) -> bool:
    """Whether `this` opens a clause that the predicate ends: not `this figure`, not `wrong by 3 minutes`."""
    opens = pointer.start == 0 or words[pointer.start - 1] in _CLAUSE_STARTS
    following = words[predicate.end] if predicate.end < len(words) else "."
    return opens and (following in _CLAUSE_ENDS or following in ("and", "sorry", "but", "because", "so", "though"))


def takes_all_back(sentence: Sentence) -> bool:
    """Whether its author takes back all they have said, anywhere.

    Examples are `nothing of what I reported is true` and `forget everything I wrote`. A withdrawal of statements about
    one thing does not count.
    """
    words = sentence.words
    denied = [
        words[pointer.start : predicate.start]
        for pointer in load_cues().pointers.find(words)
        for predicate in _find_predicates(words)
        if 0 <= predicate.start - pointer.end <= REACH and _denies(words, pointer, predicate)
    ]
    spoken = _list_words(sentence)
    retracted = [spoken[hit.start :] for hit in load_cues().retraction.find(spoken) if _is_performed(spoken, hit)]
    return not sentence.asks and any(map(_speaks_of_all_mine, (*denied, *retracted)))


def _speaks_of_all_mine(words: Sequence[str]) -> bool:
    """Whether words mean all that their author said: everything I wrote, my reports; not what I said about it."""
    mine = [at for at, word in enumerate(words) if word in _MINE]
    listed = any(words[at + 1 : at + 2] and not _SAYINGS.isdisjoint(words[at + 1 : at + 3]) for at in mine)
    said = any(not _SAID.isdisjoint(words[at + 1 : at + 5]) for at in mine)
    return _RESTRICTIONS.isdisjoint(words) and (listed or (said and not _ALL.isdisjoint(words)))


# denials within the sentence


def find_void(sentence: Sentence) -> tuple[int, int] | None:
    """The part of a sentence that is denied, doubted or told of others, as offsets in it."""
    tokens, words = sentence.tokens, sentence.words
    if not words:
        return None
    firsts = [hit.start for hit in load_cues().wrapper.find(words) if _opens_clause(words, hit.start)]
    firsts += _false_matrices(words)
    if (words[0] in _CONDITIONAL and not sentence.asks) or (words[0] == "if" and supposes(words)):
        firsts.append(0)
    if firsts:
        first = min(firsts)
        ends = {"but", ";", "however", ")"} if "(" in words[:first] else {"but", ";", "however"}
        end = next((at for at in range(first, len(words)) if words[at] in ends or begins_request(words, at)), None)
        return tokens[first].start, tokens[end].start if end is not None else len(sentence.text)
    for match in _REMARK.finditer(sentence.text):
        if is_remark(match[1] or match[2]):
            return 0, match.end()
    return None


def leads_to_denied(sentence: Sentence) -> bool:
    """Whether what a denial leads to is denied too: `I never said: ...`; behind a whole denial stands its reason, as in
    `I do not think so: ...` or `we do not think that the relay failed: ...`.
    """
    spoken = [word for word in sentence.words if word[0].isalnum()]
    return sentence.leads and bool(spoken) and spoken[-1] in _ANNOUNCING


def _opens_clause(words: Sequence[str], at: int) -> bool:
    return at == 0 or words[at - 1] in _CLAUSE_STARTS


def _false_matrices(words: Sequence[str]) -> list[int]:
    """List the positions of `that` behind words that do not state its clause.

    Examples: a lie that, nobody says that, one could dream that.
    """
    found: list[int] = []
    for at, word in enumerate(words[:-3]):
        if word not in ("that", "whether") or at == 0 or words[at + 1] in _NO_SUBJECTS or words[at + 2] in _CLAUSE_ENDS:
            continue  # without a verb behind it, it points: reach that maximum, ...
        if _is_relative(words, at):
            continue
        begin = max([0, *(end + 1 for end in range(at) if words[end] in _CLAUSE_ENDS)])
        matrix = words[max(begin, at - _LONGEST_MATRIX) : at]
        if not (_takes_clause(words, at - 1) or _ends_untrue(matrix) or not _STRONG.isdisjoint(matrix)):
            continue
        plain = word == "that" and not load_cues().factive.isdisjoint(matrix)
        if not plain or _count_turns(matrix) % 2 or _holds_untrue(matrix):
            found.append(at)
    return found


def _is_relative(words: Sequence[str], at: int) -> bool:
    """Whether `that` is the subject of its verb, and stands for the noun before it: `the pull request that takes it back`."""
    verb, behind = words[at + 1], words[at + 2]
    if not verb.endswith("s") or verb not in load_verbs() or behind in COPULAS or behind in load_verbs():
        return False
    return not _ARTICLES.isdisjoint(words[max(0, at - _LONGEST_NOUN) : at])


def _ends_untrue(matrix: Sequence[str]) -> bool:
    """Whether the words right before `that` call it untrue: it is an old wives' tale that."""
    return any(hit.tag == "untrue" and hit.end == len(matrix) for hit in load_cues().predicates.find(matrix))


def _takes_clause(words: Sequence[str], at: int) -> bool:
    """Whether `that` behind a word opens a statement, and is not `which`: the amount that was taken."""
    word = words[at]
    if at and words[at - 1] in _DETERMINERS and word not in _CLAUSAL and word not in _UNTRUE_NOUNS:
        return word in ("fact", "news", "result", "reason", "point", "problem")
    return word in load_cues().factive or word in load_verbs() or word in _UNTRUE_NOUNS or word in _CLAUSAL


def _holds_untrue(words: Sequence[str]) -> bool:
    return any(hit.tag == "untrue" for hit in load_cues().predicates.find(words)) or not _UNTRUE_NOUNS.isdisjoint(words)


def is_remark(text: str) -> bool:
    """Whether an aside denies the text beside it."""
    words = Sentence(text, 0, len(text)).words
    if not load_cues().unreal_words.isdisjoint(words) and not any(word[0].isdigit() for word in words):
        return True
    hits = load_cues().remark.find(words)
    rest = [
        word
        for at, word in enumerate(words)
        if word[0].isalnum() and all(at not in range(hit.start, hit.end) for hit in hits)
    ]
    return bool(hits) and all(word in load_cues().bare for word in rest)
