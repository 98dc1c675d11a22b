"""Speakers of a text: words reported of somebody else, and other languages."""

import re

_VERBS = frozenset(
    """
    says said say claims claimed believes believed thinks thought insists insisted reckons writes wrote told tells
    swears maintains maintained assumes assumed suggests suggested mentioned mentions announced hinted asked asks
    reports reported argues argued wants demanded demands guesses swore
    """.split()
)
_SELF = frozenset("i we which that who it as all and log header output page command monitoring trail report".split())
_FOREIGN = frozenset(
    """
    der die das und ist nicht wurde wurden ein eine einen für mit auf aus dem den des im wird werden hat haben kann sind
    es zu noch wieder kein keine bei nach seit vom zum zur über
    le la les une est pas été sont dans pour sur avec depuis du au aux ce cette nous plus peut être fait à en il elle
    el los las ya por para con una del otra otro no está han sido muy se que
    il della dello stato non sono nel è già gli di da
    het een niet wordt zijn voor van naar werd geen op
    och inte är har för av på som den det ikke er av til og med
    jest nie się została zostało w na z je byl byla bylo smlouvu
    """.split()
)
_STRANGE = re.compile(r"[\u0370-\u1cff\u3040-\ud7ff]+")
_ENGLISH = frozenset(
    """
    the is are was were of and to it that this we i you not for with be has have will been our they there at from an
    they my your his her its do does did can all so but if or as by now no what who again just up out still back
    """.split()
)


def is_english(words: list[str]) -> bool:
    """Whether more small words of English than of other languages stand in a text."""
    foreign = sum(word in _FOREIGN for word in words)
    strange = len(_STRANGE.findall(" ".join(words)))
    english = sum(word in _ENGLISH for word in words)
    return not (foreign > english or strange > 3)


def find_reports(words: list[str]) -> list[int]:
    """List the positions of verbs that report what somebody else says."""
    return [at for at, word in enumerate(words) if word in _VERBS and at and words[at - 1] not in _SELF]
