"""Bursts: one thought that a person sends as two or three messages, a few seconds apart."""

import re

from world.core.rng import Stream

SHORT = ("vs.", "e.g.", "i.e.", "ca.", "cf.", "approx.", "incl.", "Dr.", "Mr.", "Mrs.", "Ms.")  # end no sentence
NO_SHORT = "".join(rf"(?<!\b{re.escape(one)})" for one in SHORT)
SENTENCE = re.compile(rf"(?<=[.!?]){NO_SHORT}\s+(?=\S)|(?<=:\))\s+(?=\S)")
WHOLE = ("```", "\n", "\x02s:")  # what stays in one message: pasted lines, lists, links to spreadsheets
SHARE = {"chatty": 0.75, "terse": 0.65, "formal": 0.25}  # of what has several sentences, by voice
MOST = 3  # messages of one thought
PAUSE_S = 32  # median of real ones, without the typing
SHORTEST = 2  # words of a message


def split_thought(text: str, voice: str, draw: Stream) -> list[str]:
    """The messages as which a person sends a text; one for most texts."""
    if any(mark in text for mark in WHOLE):
        return [text]
    sentences = SENTENCE.split(text)
    if len(sentences) == 1 or min(len(one.split()) for one in sentences) < SHORTEST or draw.random() >= SHARE[voice]:
        return [text]
    return [*sentences[: MOST - 1], *([" ".join(sentences[MOST - 1 :])] if len(sentences) >= MOST else [])]


def draw_pause_s(words: int, draw: Stream) -> float:
    """Seconds until the next message of a burst: its words are typed, and now and then something comes between."""
    return 3.0 + words + draw.lognormal(PAUSE_S, 1.2)
