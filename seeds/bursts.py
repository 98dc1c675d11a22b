"""Bursts: one thought that a person sends as several messages, a few seconds apart."""

import re

from world.core.rng import Stream

SHORT = ("vs.", "e.g.", "i.e.", "ca.", "cf.", "approx.", "incl.", "Dr.", "Mr.", "Mrs.", "Ms.")  # end no sentence
NO_SHORT = "".join(rf"(?<!\b{re.escape(one)})" for one in SHORT)
SENTENCE = re.compile(rf"(?<=[.!?]){NO_SHORT}\s+(?=\S)|(?<=:\))\s+(?=\S)")
WHOLE = ("```", "\n", "\x02s:")  # what stays in one message: pasted lines, lists, links to spreadsheets
CLAUSE = re.compile(r",\s+(?=(?:but|so|and|because|which|or|then|otherwise|please|if)\s)")
SHARE = {"chatty": 0.85, "terse": 0.8, "formal": 0.4}  # of what has several sentences, by voice
APART = {"chatty": 0.4, "terse": 0.3, "formal": 0.05}  # of what has one sentence of several clauses
MOST = 4  # messages of one thought
PAUSE_S = 32  # median of real ones, without the typing
SHORTEST = 2  # words of a message


def split_thought(text: str, voice: str, draw: Stream) -> list[str]:
    """The messages as which a person sends a text; one for most texts. The comma between two clauses goes."""
    if any(mark in text for mark in WHOLE):
        return [text]
    for seam, share in ((SENTENCE, SHARE), (CLAUSE, APART)):
        pieces = seam.split(text, maxsplit=MOST - 1)
        if len(pieces) > 1 and min(len(one.split()) for one in pieces) >= SHORTEST:
            return pieces if draw.random() < share[voice] else [text]
    return [text]


def draw_pause_s(words: int, draw: Stream) -> float:
    """Seconds until the next message of a burst: its words are typed, and now and then something comes between."""
    return 3.0 + words + draw.lognormal(PAUSE_S, 1.2)
