"""Chat style of each person: a vector drawn once, applied to text after its slots are filled."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from seeds.events import bare
from world.core.rng import Stream

NEIGHBOURS = {
    "a": "sq",
    "b": "vn",
    "c": "xv",
    "d": "sf",
    "e": "wr",
    "f": "dg",
    "g": "fh",
    "h": "gj",
    "i": "uo",
    "k": "jl",
    "l": "k",
    "m": "n",
    "n": "bm",
    "o": "ip",
    "p": "o",
    "r": "et",
    "s": "ad",
    "t": "ry",
    "u": "yi",
    "v": "cb",
    "w": "qe",
    "y": "tu",
}
# Left alone by every change of style: reference tokens, code, addresses, emoji codes.
FIXED = re.compile(r"\x02[^\x03]*\x03|\x04[^\x05]*\x05|```.*?```|`[^`]*`|https?://\S+|\S+@\S+|:[a-z0-9_+-]+:", re.S)
CAPITAL = re.compile(r"(^|[.!?]\s+|\n)([A-Z])(?=[a-z' ])")
LATER_CAPITAL = re.compile(r"([.!?]\s+|\n)([A-Z])(?=[a-z' ])")
FIRST_PERSON = re.compile(r"\bI(?='|\b)")
SMALL_I = re.compile(r"\bi(?='(?:m|ve|ll|d)\b|\s)")


@dataclass(frozen=True, slots=True)
class Style:
    """`lowercase`, `full_stop`, `late`: shares; `typo` and `reaction` multiply rates; `pastes_links`: issues as
    addresses.
    """

    voice: str
    lowercase: float
    full_stop: float
    reply_median_s: float
    typo: float
    late: float
    reaction: float
    pastes_links: bool


def draw_style(draw: Stream, voice: str) -> Style:
    """A person's vector for life, centred on the voice of their seat."""
    formal, terse = voice == "formal", voice == "terse"
    lower = 0.0 if formal else draw.weighted((0.0, 0.25, 0.9), (0.45, 0.2, 0.35) if terse else (0.6, 0.2, 0.2))
    return Style(
        voice=voice,
        lowercase=lower,
        full_stop=0.85 if formal else draw.weighted((0.05, 0.3, 0.6), (0.6, 0.3, 0.1)),
        reply_median_s=draw.lognormal(150 if terse else 240, 0.5),
        typo=draw.weighted((0.2, 1.0, 2.4), (0.45, 0.4, 0.15)) * (0.4 if formal else 1.0),
        late=0.02 + 0.06 * draw.random(),
        reaction=draw.lognormal(1.0, 0.6),
        pastes_links=draw.random() < 0.4,
    )


def apply_style(text: str, style: Style, draw: Stream, *, typo_rate: float = 0.04) -> str:
    """The text as this person would have typed it; tokens, code and addresses stay as they are."""
    text = _drop_full_stop(text, style, draw)
    text = _change_case(text, style, draw)
    return bare(_mistype_word(text, draw) if draw.random() < typo_rate * style.typo else text)


def _drop_full_stop(text: str, style: Style, draw: Stream) -> str:
    if not text.endswith(".") or text.endswith("..") or draw.random() < style.full_stop:
        return text
    return text[:-1]


def _change_case(text: str, style: Style, draw: Stream) -> str:
    small = draw.random() < style.lowercase
    return outside_fixed(text, _lower_capitals if small else _raise_capitals)


def _lower_capitals(part: str, first: bool) -> str:
    pattern = CAPITAL if first else LATER_CAPITAL
    return FIRST_PERSON.sub("i", pattern.sub(lambda found: found[1] + found[2].lower(), part))


def _raise_capitals(part: str, first: bool) -> str:
    if first and len(part) > 1 and part[0].islower() and (part[1].islower() or part[1] in " '"):
        part = part[0].upper() + part[1:]
    return SMALL_I.sub("I", part)


def outside_fixed(text: str, change: Callable[[str, bool], str]) -> str:
    """The text with its parts changed, but for those that keep their spelling; `change` is told which part is first."""
    out, at = [], 0
    for found in FIXED.finditer(text):
        out += [change(text[at : found.start()], at == 0) if found.start() > at else "", found[0]]
        at = found.end()
    out.append(change(text[at:], at == 0) if at < len(text) else "")
    return "".join(out)


def _mistype_word(text: str, draw: Stream) -> str:
    """One slip of the keyboard in one plain word."""
    kept = [(found.start(), found.end()) for found in FIXED.finditer(text)]
    words = [
        word
        for word in re.finditer(r"(?<![\w@#/.-])[a-z']{5,}(?![\w@/.-])", text)
        if not any(start <= word.start() < end for start, end in kept)
    ]
    if not words:
        return text
    word = draw.choice(words)
    return text[: word.start()] + _slip(word[0], draw) + text[word.end() :]


def _slip(word: str, draw: Stream) -> str:
    at = draw.integer(1, len(word) - 2)
    if "'" in word:
        return word.replace("'", "", 1)
    kind = draw.integer(0, 3)
    if kind == 0:
        return word[:at] + word[at] + word[at:]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + draw.choice(NEIGHBOURS.get(word[at], word[at])) + word[at + 1 :]
