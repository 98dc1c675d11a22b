"""Temper: how a person types beyond their style. Contractions, commas, small words, smileys; drawn once for each."""

import re
from dataclasses import dataclass

from seeds.chat_style import outside_fixed
from seeds.spec import Spec
from world.core.rng import Stream

NOT = re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should) not\b(?! only)", re.IGNORECASE)
CANNOT = re.compile(r"\b(c|C)annot\b")
IS = re.compile(r"(^|[.!?:\n] ?)(it|that|there|what|here|who) is(?= (?!it\b|that\b)[a-z])", re.IGNORECASE)
FIRST = re.compile(r"\b(I) (am|will|would)(?= (?!not\b)[a-z]+ [a-z])")
SHORTENED = {"am": "'m", "will": "'ll", "would": "'d"}
COMMA = re.compile(
    r",(?= (?:but|so|and|because|which|or|then|that|it|we|they|please|if|not|only|as|with|who|where|when|just|even|also"
    r"|sorry|the|no|this|you|what|until|otherwise|from|I)\b)"
)
GLAD = re.compile(r"^(thank|great|nice|perfect|good|works?\b|yes\b|wonderful|cool|done\b)", re.IGNORECASE)
SORRY = re.compile(r"\b(sorry|my (?:fault|mistake)|forgot|oh\b|unfortunately|afraid)", re.IGNORECASE)
STATEMENT = re.compile(r"^(?:the|it|they|there|we|that|this|only|both)\b", re.IGNORECASE)
ASKING, WONDERING = re.compile(r"\bplease\b", re.IGNORECASE), re.compile(r"\?$")
SIGNS = (
    (GLAD, (":)", ":tada:", ":raised_hands:")),
    (SORRY, (":see_no_evil:", ":grimacing:", ":sweat_smile:")),
    (ASKING, (":pray:", ":)")),
    (WONDERING, (":thinking_face:",)),
)
FILLERS = ("hm", "ok", "well", "ah", "hmm", "yeah", "ok so", "right", "btw")
HEDGES = ("I think", "I guess", "as far as I can see", "probably", "maybe I am wrong but", "not sure but")
LONG = 6  # words from which on something is put before a message


@dataclass(frozen=True, slots=True)
class Temper:
    """Shares of the places or messages at which a person does so."""

    contracts: float
    drops_commas: float
    exclaims: float
    trails_off: float
    smiles: float
    fills: float
    hedges: float


def draw_temper(spec: Spec, person: str, voice: str) -> Temper:
    """A person's temper for life; formal people have little of it."""
    draw, formal = spec.stream("person", person, "temper"), voice == "formal"
    scale = 0.25 if formal else 1.0
    return Temper(
        contracts=draw.weighted((0.5, 0.9, 1.0), (2, 3, 3)) * (0.6 if formal else 1.0),
        drops_commas=draw.weighted((0.1, 0.6, 0.95), (2, 3, 3)) * scale,
        exclaims=draw.weighted((0.02, 0.3, 0.7), (4, 3, 2)),
        trails_off=draw.weighted((0.0, 0.06, 0.2), (4, 3, 2)) * scale,
        smiles=draw.weighted((0.0, 0.25, 0.6), (3, 4, 3)) * scale,
        fills=draw.weighted((0.02, 0.1, 0.25), (3, 3, 2)) * scale,
        hedges=draw.weighted((0.05, 0.2, 0.4), (3, 3, 2)),
    )


def apply_temper(text: str, temper: Temper, draw: Stream) -> str:
    """The text as a person of this temper types it; tokens, code and addresses stay as they are."""

    def change(part: str, first: bool) -> str:
        part = _contract(part, temper, draw)
        part = COMMA.sub(lambda found: "" if draw.random() < temper.drops_commas else found[0], part)
        return _begin(part, temper, draw) if first else part

    changed = outside_fixed(text, change)
    return changed if changed.endswith("```") else _end(changed, temper, draw)


def _contract(part: str, temper: Temper, draw: Stream) -> str:
    if draw.random() >= temper.contracts:
        return part
    part = NOT.sub(lambda found: f"{found[1]}n't", part)
    part = CANNOT.sub(lambda found: f"{found[1]}an't", part)
    part = FIRST.sub(lambda found: found[1] + SHORTENED[found[2]], part)
    return IS.sub(lambda found: f"{found[1]}{found[2]}'s", part)


def _begin(part: str, temper: Temper, draw: Stream) -> str:
    """A small word before what is long enough to need one."""
    if len(part.split()) < LONG or part.startswith("*") or ":" in part or "\n" in part:
        return part
    if STATEMENT.match(part) and draw.random() < temper.hedges:
        return f"{draw.choice(HEDGES)} {part[0].lower()}{part[1:]}"
    if part[0].islower() and draw.random() < temper.fills:
        return f"{draw.choice(FILLERS)}, {part}"
    return part


def _end(text: str, temper: Temper, draw: Stream) -> str:
    """An exclamation, dots or a smiley where the message gives a reason."""
    plain = text.rstrip(".")
    if plain[-1:].isalpha() and GLAD.match(text) and draw.random() < temper.exclaims:
        text = f"{plain}!"
    elif plain[-1:].isalpha() and draw.random() < temper.trails_off:
        text = f"{plain}..."
    signs = next((signs for cue, signs in SIGNS if cue.search(text)), ())
    return f"{text} {draw.choice(signs)}" if signs and text[-1] not in ":)" and draw.random() < temper.smiles else text
