"""The stance of one author's messages on a proposition: asserted, denied, unclear or absent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from world.core.reading.passage import Passage
from world.grading.stance.frame import Frame, build_frame
from world.grading.stance.proposition import Proposition
from world.grading.stance.replies import Reply, find_reply, find_sign
from world.grading.stance.sentence import Layout, lay_out
from world.grading.stance.speech import is_english
from world.grading.stance.tokens import words_of
from world.grading.stance.visible import Piece, has_struck_text, list_pieces
from world.grading.stance.votes import Silence, Vote, list_ellipses, list_identifications, list_votes

MOST_CHARS = 15_000  # of one author in one place; what is longer is not judged
MOST_IN_SENTENCE = 600  # characters; what runs on longer is no sentence
HARMLESS = frozenset({"", "aside", "quotation", "plan", "another time"})
BARE = 3  # words of a sentence that cannot stand alone
SHORT = 9  # words of a sentence that turns the one before it
BACK = frozenset(
    """
    it that this those these they so such which above previous earlier former none neither nor nothing all everything
    statement said wrote
    """.split()
)
CONFLICT = "a sentence contradicts itself"
Outcome = Literal["asserted", "denied", "unclear", "absent"]


@dataclass(frozen=True, slots=True)
class Stance:
    """Stance of messages on a proposition, with the sentence and the reason that decided."""

    outcome: Outcome
    sentence: str = ""
    reason: str = ""

    @property
    def conflicts(self) -> bool:
        """Whether one sentence speaks for the proposition and against it."""
        return self.reason == CONFLICT


@dataclass(slots=True)
class Record:
    """Record of what has been read so far: votes with their sentences, and why sentences gave none.

    `yes` is the vote of a bare yes, if the messages answer a question.
    """

    votes: list[tuple[Vote, str]]
    silences: list[tuple[str, str]]
    names: list[tuple[Vote, str]]
    yes: int | None = None
    echo: int = 0
    irony: str = ""
    loose: str = ""


def _has_tag(layout: Layout, tag: str) -> bool:
    return any(hit.tag == tag for hit in layout.hits)


def _retracts(layout: Layout) -> bool:
    """Whether a sentence takes back what was said; words of the concept itself do not: `ignore it`, of a false mail."""
    said = [hit for hit in layout.hits if hit.tag in "+-"]
    found = (hit for hit in layout.hits if hit.tag == "retraction")
    return any(not any(one.start <= hit.start and hit.end <= one.end for one in said) for hit in found)


def _touches(layout: Layout, frame: Frame) -> bool:
    return any(word in frame.names for word in layout.words) or any(hit.tag in "+-" for hit in layout.hits)


def _forget(record: Record, text: str) -> None:
    record.silences = [(text, "taken back")] if record.votes or record.silences else []
    record.votes, record.names, record.echo = [], [], 0


def _is_answer(words: list[str]) -> int:
    """Whether a short sentence affirms (1) or denies (-1) what stands before it."""
    if len(words) > 6 or not words:
        return 0
    plain = " ".join(word for word in words if word[0].isalnum())
    if plain in {
        "no",
        "nope",
        "nah",
        "never",
        "wrong",
        "it is not",
        "not true",
        "not so",
        "it does not",
        "they are not",
    }:
        return -1
    if plain in {"it has not", "it did not", "that is wrong", "not at all", "not yet", "not any more", "it was not"}:
        return -1
    return 1 if plain in {"yes", "yep", "yeah", "right", "correct", "exactly", "it is", "true", "confirmed"} else 0


def _note_silence(record: Record, piece: Piece, layout: Layout, silence: Silence, frame: Frame) -> None:
    """Record why a sentence gave no vote; a sentence that may negate earlier ones leaves the whole open."""
    if silence.reason or _touches(layout, frame):
        record.silences.append((piece.text, silence.reason or "no statement"))
    last = record.votes[-1][0].sign if record.votes else 0
    against = silence.reason not in HARMLESS and silence.sign != last
    bare = not silence.reason and (_has_tag(layout, "not") or _has_tag(layout, "deny"))
    if last and _is_about_it(layout, frame) and (against or (bare and not _touches(layout, frame))):
        record.loose = piece.text


def _is_about_it(layout: Layout, frame: Frame) -> bool:
    """Whether a sentence is about the subject.

    It names the subject, or it is short, points back at an earlier statement and names nothing else.
    """
    words = [word for word in layout.words if word[0].isalnum()]
    named = any(word in frame.names for word in words)
    other = any(token.written[0].isupper() and token.text not in frame.known for token in layout.tokens[1:])
    return named or len(words) <= BARE or (len(words) <= SHORT and not other and not BACK.isdisjoint(words))


def _read_said(record: Record, piece: Piece, layout: Layout, frame: Frame) -> None:
    votes, silence = list_votes(layout, frame)
    if _retracts(layout):
        _forget(record, piece.text)
        votes = [vote for vote in votes if vote.named]
    asks = piece.text.rstrip("\"') ").endswith("?")
    if piece.kind != "said" or asks:
        record.echo = votes[-1].sign if votes else 0
        record.silences += [(piece.text, "question" if asks else piece.kind)] if _touches(layout, frame) else []
        return
    if (answer := _is_answer(layout.words)) and record.echo:
        record.votes.append((Vote(answer * record.echo, "answer", False, True, True, 0), piece.text))
    if not votes and record.yes is not None and (reply := find_reply(layout.words)):
        votes = _to_votes(reply, record.yes)
    votes = [*votes, *list_ellipses(layout, frame, [vote for vote, _ in record.votes], votes)]
    record.names += [(vote, piece.text) for vote in list_identifications(layout, frame)]
    record.votes += [(vote, piece.text) for vote in votes]
    if not votes:
        _note_silence(record, piece, layout, silence, frame)
    if votes:
        record.loose = ""


def _to_votes(reply: Reply, yes: int) -> list[Vote]:
    """Turn an answer to a question into votes, if its meaning is clear; consent is given to a proposal."""
    sign = {"affirm": yes, "deny": -yes, "consent": 1, "dissent": -1}.get(reply, 0)
    return [Vote(sign, "answer", False, True, True, 0)] if sign else []


def _read_pieces(pieces: Sequence[Piece], frame: Frame, yes: int | None) -> Record:
    record = Record([], [], [], yes)
    for piece in pieces:
        if yes is not None and (reply := find_sign(piece.text)):
            record.votes += [(vote, piece.text) for vote in _to_votes(reply, yes)]
            continue
        if len(piece.text) > MOST_IN_SENTENCE:
            record.silences.append((piece.text[:MOST_IN_SENTENCE], "too long a sentence"))
            record.loose = piece.text[:MOST_IN_SENTENCE]
            continue
        layout = lay_out(piece.text, frame)
        if not is_english([token.text for token in layout.tokens]):
            record.silences.append((piece.text, "another language"))
            continue
        if _has_tag(layout, "irony"):
            record.irony = record.irony or piece.text
        _read_said(record, piece, layout, frame)
    return record


def _decide(votes: list[tuple[Vote, str]]) -> Stance:
    """Votes that agree decide; a past one gives way to a later one."""
    last, text = votes[-1]
    against = [vote for vote, _ in votes if vote.sign != last.sign]
    if last.reason == "mixed" or any(not vote.past for vote in against):
        within = _find_contradiction(votes)
        return Stance("unclear", within, CONFLICT) if within else Stance("unclear", text, "sentences conflict")
    return Stance("asserted" if last.sign > 0 else "denied", text, last.reason)


def _find_contradiction(votes: Sequence[tuple[Vote, str]]) -> str:
    """Return the first sentence in which negations lead to votes for and against; empty without one."""
    turned = [(text, vote.sign) for vote, text in votes if vote.reason == "turned"]
    return next((text for text, sign in turned if (text, -sign) in turned), "")


def names_subject(message: Passage, proposition: Proposition) -> bool:
    """Whether a message speaks of the subject of a proposition, by one of its names or by a word about it."""
    frame = build_frame(proposition)
    names = frame.names | frame.about
    return any(word in names for piece in list_pieces(message) for word in words_of(piece.text))


def can_decide(message: Passage, proposition: Proposition, *, answers: bool) -> bool:
    """Whether anything in a message may assert or deny a proposition; with `answers`, a yes or no may.

    Much cheaper than the stance, and never false for a message whose stance is asserted or denied.
    """
    frame = build_frame(proposition)
    return frame.slot is not None or any(_may_vote(piece, frame, answers) for piece in list_pieces(message))


def _may_vote(piece: Piece, frame: Frame, answers: bool) -> bool:
    words = [frame.spelling.mend(word) for word in words_of(piece.text)]
    if any(hit.tag in "+-" for hit in frame.scope.find(words)):
        return True
    return answers and bool(find_sign(piece.text) or find_reply(words))


def judge_stance(messages: Sequence[Passage], proposition: Proposition, yes: int | None = None) -> Stance:
    """Return the stance on a proposition of one author's messages in a place, oldest first.

    Where they answer a question, `yes` is the vote of a bare yes: 1 for the proposition, -1 against it, 0 if that is
    open.
    """
    if sum(len(message.text) for message in messages) > MOST_CHARS:
        return Stance("unclear", "", "too long to be read")
    frame = build_frame(proposition)
    record = _read_pieces([piece for message in messages for piece in list_pieces(message)], frame, yes)
    if record.irony:
        return Stance("unclear", record.irony, "irony")
    if any(has_struck_text(message) for message in messages):
        record.votes = [pair for pair in record.votes if pair[0].named]
    votes = [pair for pair in record.votes if not (frame.is_present and pair[0].past)]
    votes = votes or record.votes or record.names
    if votes and frame.is_present and all(vote.past for vote, _ in votes) and not votes[-1][0].lasts:
        return Stance("unclear", votes[-1][1], "another time")
    if votes and record.votes and record.loose:
        return Stance("unclear", record.loose, "a later sentence that cannot be attached")
    if votes:
        return _decide(votes)
    if record.silences:
        return Stance("unclear", *record.silences[-1])
    return Stance("absent")
