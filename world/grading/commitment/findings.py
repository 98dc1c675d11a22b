"""Findings about the work: a value, a formula or a row is wrong, which takes back nothing that was said."""

from collections.abc import Sequence

from world.grading.commitment.patterns import PhraseMatch

TURNS = frozenset("not never hardly barely scarcely no neither nor without".split())
COPULAS = frozenset(
    "is are was were be been being 's sounds seems looks proves proved turned became remains holds hold has have does do"
    " did will would can could stands applies should must may might".split()
)
# What a finding may be about, and no statement: this value is wrong, the formula was not right.
WORK = frozenset(
    """
    value values limit limits formula formulas formulae cell cells row rows column columns setting settings constant
    constants key keys label labels check checks rule rules default defaults name names entry entries threshold variable
    parameter condition query code branch range unit spelling order function method import
    """.split()
)
# What is sent, opened or blocked: `the mail is false`, `false senders:` say nothing of the text they stand in.
OBJECTS = frozenset(
    """
    mail mails email emails sender senders link links page pages site sites invoice invoices attachment attachments file
    files letter letters address addresses domain domains account accounts sms call calls form forms certificate
    certificates badge badges login logins sign-in sign-ins
    """.split()
)
_GIVEN = frozenset("date day time number figure amount link name channel version key".split())  # one value
_REGRETS = frozenset("sorry oops apologies correction".split())
_FAULTY = frozenset("wrong incorrect inaccurate right correct accurate".split())
_RECEIVED = frozenset("message post comment note statement report notice".split())  # from somebody else
_OWN = frozenset("my our this following below above next".split())
_FAULTS = frozenset(
    "wrong incorrect inaccurate mistaken erroneous false outdated obsolete stale invalid right correct accurate valid"
    " true".split()
)
_STATED = frozenset(
    """
    statement statements claim claims sentence sentences message messages text texts answer answers reply replies report
    reports assertion assertions word words line lines point points paragraph paragraphs fact facts news bit bits part
    parts next following above below thing things information info content contents post posts mail mails comment
    comments note notes update updates story draft template announcement notice rumour rumours rumor rumors belief
    impression assumption assumptions idea notion allegation view opinion author person
    """.split()
)
_NO_NOUNS = frozenset(
    "it this that these those they everything all nothing none anything something one which what who and or so but rest".split()
)
_MEASURED = frozenset("figure figures number numbers total totals amount amounts sum sums date dates".split())
_SHOWING = frozenset("this that these those".split())
_PAST = frozenset("was were".split())
_LINKING = _PAST | {"is", "are", "'s"}


def names_objects(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether a heading names things that are not genuine: false senders, these mails are false; not `my mail is false`."""
    spoken = [word for word in words if word[0].isalnum()]
    if not _OWN.isdisjoint(spoken) or not _STATED.isdisjoint(set(spoken) - OBJECTS):
        return False
    return any(word in OBJECTS for word in (*words[: hit.start], *words[hit.end : hit.end + 2]))


def finds_fault(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether a heading tells what was wrong with the work: three formulas were wrong, B3 is not right."""
    if words[hit.end - 1] not in _FAULTS:
        return False
    copula = next((at for at in range(hit.start - 1, 0, -1) if words[at] in _LINKING), 0)
    if not copula or any(word[0].isalnum() and word not in TURNS for word in words[copula + 1 : hit.start]):
        return False
    if list(words[:copula]) == ["what"]:
        return words[copula] in _PAST
    relative = copula > 1 and words[copula - 1] in ("that", "which")
    head = words[copula - 1 - relative]
    shown = not _SHOWING.isdisjoint(words[: copula - 1]) or words[copula] not in _PAST
    noun = head[0].isalnum() and head not in _NO_NOUNS and _STATED.isdisjoint(words[:copula])
    return noun and not (shown and head in _MEASURED)


def speaks_of_object(words: Sequence[str], pointer: PhraseMatch) -> bool:
    """Whether `the mail` is one that the reader knows of: no word tells that it is the author's own."""
    head = pointer.end - 1
    if pointer.tag == "vague":
        return words[pointer.start] != "this" and not OBJECTS.isdisjoint(words[pointer.end : pointer.end + 1])
    if words[pointer.start] != "the" or head != pointer.start + 1 or not _REGRETS.isdisjoint(words):
        return False
    if words[head] in ("mail", "email") and not _FAULTY.isdisjoint(words[head:]):
        return False  # what is wrong is what it says: this one too may be meant
    sent = words[head] in _RECEIVED and words[head + 1 : head + 2] in (["from"], ["by"])
    return sent or words[head] in OBJECTS


def owns_slip(words: Sequence[str]) -> bool:
    """Whether a heading owns up to a value given elsewhere, which what follows puts right.

    Examples are `wrong date from me:` and `sorry, wrong number:`.
    """
    at = next((at for at, word in enumerate(words) if word == "wrong"), len(words))
    owned = words[at + 2 : at + 4] in (["from", "me"], ["of", "mine"]) or not _REGRETS.isdisjoint(words[:at])
    return not _GIVEN.isdisjoint(words[at + 1 : at + 2]) and owned
