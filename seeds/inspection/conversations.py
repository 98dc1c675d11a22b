"""Shapes of a company's conversations beside those of real ones: pace, turns, lengths.

`real_conversations.csv` holds quantiles of 3,000 conversations in the public help channels of two programming
communities (mean of both), measured on github.com/preethac/Software-related-Slack-Chats-with-Disentangled-Conversations,
and for each feature the largest distance between two communities. It holds no text.
"""

import csv
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from statistics import mean, median, pstdev

from seeds.inspection.chat_figures import list_human_messages
from seeds.inspection.company_tables import Tables

POINTS = {"p10": 0.10, "p25": 0.25, "p50": 0.50, "p75": 0.75, "p90": 0.90, "p99": 0.99}
SHORT, FAST_S = 4, 60.0  # words; seconds
TOKEN = re.compile(r"```.*?(?:```|$)|`[^`\n]+`|<?https?://[^\s>]+(?:\|[^>]*)?>?|<[@!#][^>\s]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Said:
    """A message: seconds since the epoch, its author, and how many words; code, a link, a mention are one each."""

    at: float
    author: str
    words: int


@dataclass(frozen=True, slots=True)
class RealShape:
    """Quantiles of a feature in real conversations, and the largest distance between two real communities."""

    group: str
    feature: str
    between: float
    quantiles: Mapping[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A feature of the company's conversations. `distance` is the largest difference of the two distributions."""

    real: RealShape
    values: Sequence[float]
    distance: float


@cache
def read_real_shapes() -> tuple[RealShape, ...]:
    """The shapes of real conversations."""
    text = files("seeds.inspection").joinpath("real_conversations.csv").read_text(encoding="utf-8")
    return tuple(
        RealShape(
            row["group"],
            row["feature"],
            float(row["between_communities"]),
            {share: float(row[name]) for name, share in POINTS.items()},
        )
        for row in csv.DictReader(text.splitlines())
    )


def compare_conversations(tables: Tables) -> list[Shape]:
    """Every feature of the company's conversations beside the real one."""
    measured = [measure_conversation(talk) for talk in list_conversations(tables)]
    shapes: list[Shape] = []
    for real in read_real_shapes():
        values = sorted(found[real.feature] for found in measured if real.feature in found)
        shapes.append(Shape(real, values, measure_distance(values, real.quantiles)))
    return shapes


def list_conversations(tables: Tables) -> Iterator[list[Said]]:
    """What people wrote, by part of a story and channel: a story that goes on after days is another conversation."""
    refs = [row for row in tables["story_ref"] if row["table_name"] == "slack_message"]
    stories = {row["row_id"]: (row["story"], row["part"]) for row in refs}
    told = [
        (
            (*stories[str(row["id"])], row["channel_id"]),
            Said(float(row["ts"]), row["person_id"], count_words(row["text"])),
        )
        for row in list_human_messages(tables)
        if str(row["id"]) in stories
    ]
    told.sort(key=lambda one: (*one[0], one[1].at))
    for _, talk in groupby(told, key=lambda one: one[0]):
        yield [said for _, said in talk]


def count_words(text: str) -> int:
    """Words of a message."""
    return len(TOKEN.sub(" x ", text).split())


def measure_conversation(talk: Sequence[Said]) -> dict[str, float]:
    """The features that a conversation has; seconds, words and shares. Gaps are at least a second."""
    return {**_measure_turns(talk), **_measure_pace(talk), **_measure_words([one.words for one in talk])}


def _measure_turns(talk: Sequence[Said]) -> dict[str, float]:
    opener, authors = talk[0].author, [one.author for one in talk]
    found: dict[str, float] = {
        "messages": len(talk),
        "participants": len(set(authors)),
        "msgs_per_person": len(talk) / len(set(authors)),
        "longest_run": max(len(list(run)) for _, run in groupby(authors)),
        "unanswered": float(len(set(authors)) == 1),
    }
    if len(talk) > 1:
        found["self_follow"] = mean(before == after for before, after in pairwise(authors))
        found["opener_share"] = authors.count(opener) / len(authors)
    if not found["unanswered"]:
        answered = next(number for number, author in enumerate(authors) if author != opener)
        found["opener_returns"] = float(opener in authors[answered:])
    return found


def _measure_pace(talk: Sequence[Said]) -> dict[str, float]:
    gaps = [(max(1.0, after.at - before.at), before.author == after.author) for before, after in pairwise(talk)]
    if not gaps:
        return {}
    lengths = [gap for gap, _ in gaps]
    found = {
        "gap_median": median(lengths),
        "gap_max": max(lengths),
        "duration": max(1.0, talk[-1].at - talk[0].at),
        "gap_fast": mean(gap < FAST_S for gap in lengths),
    }
    for name, wanted in (("same_gap", True), ("switch_gap", False)):
        if some := [gap for gap, same in gaps if same is wanted]:
            found[name] = median(some)
    answers = [one.at for one in talk if one.author != talk[0].author]
    return {**found, **({"first_answer": max(1.0, answers[0] - talk[0].at)} if answers else {})}


def _measure_words(words: Sequence[int]) -> dict[str, float]:
    found: dict[str, float] = {
        "words_mean": mean(words),
        "words_max": max(words),
        "words_min": min(words),
        "words_first": words[0],
        "short_share": mean(count <= SHORT for count in words),
    }
    return found if len(words) == 1 else {**found, "words_sd": pstdev(words), "words_last": words[-1]}


def measure_distance(values: Sequence[float], quantiles: Mapping[float, float]) -> float:
    """The largest difference, 0 to 1, between the distribution of sorted values and one known by quantiles.

    Where values repeat, a distribution takes every share between that below the value and that up to it.
    """
    if not values:
        return 1.0
    furthest = 0.0
    for value in set(quantiles.values()):
        shares = [share for share, found in quantiles.items() if found == value]
        below, upto = bisect_left(values, value) / len(values), bisect_right(values, value) / len(values)
        furthest = max(furthest, min(shares) - upto, below - max(shares))
    return furthest
