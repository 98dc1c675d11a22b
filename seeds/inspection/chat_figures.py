"""Figures of a company's chat: words, shares, and how unevenly people talk."""

import re
from collections import Counter
from dataclasses import asdict

from seeds.inspection.company_tables import Rows, Tables
from seeds.inspection.text_figures import measure_texts

LINK = re.compile(r"<http|[A-Z]{3,4}-\d+")
DAY_S, WEEKEND = 86_400, (2, 3)  # days since the epoch, modulo 7
WORDS = ("duplicates", "distinct2", "gzip_ratio", "openers", "words_median")


def list_human_messages(tables: Tables) -> Rows:
    """The messages that no bot wrote."""
    bots = {row["id"] for row in tables["person"] if row["kind"] == "bot"}
    return [row for row in tables["slack_message"] if row["person_id"] not in bots]


def measure_chat(tables: Tables) -> dict[str, float]:
    """Figures by the name of their band."""
    people = list_human_messages(tables)
    ids, words = {row["id"] for row in people}, asdict(measure_texts([row["text"] for row in people]))
    counts = sorted(Counter(row["person_id"] for row in people).values(), reverse=True)
    shares = {
        "replies": sum(row["thread_ts"] is not None for row in people),
        "reacted": len({row["message_id"] for row in tables["slack_reaction"]} & ids),
        "edited": sum(row["edited_ts"] is not None for row in people),
        "mentions": len({row["message_id"] for row in tables["slack_mention"]} & ids),
        "weekend": sum(_day(row["ts"]) % 7 in WEEKEND for row in people),
        "links": sum(bool(LINK.search(row["text"])) for row in people),
    }
    return {
        **{f"chat.{name}": words[name] for name in WORDS},
        **{f"chat.{name}": number / len(people) for name, number in shares.items()},
        "chat.bots": 1 - len(people) / len(tables["slack_message"]),
        "chat.top_tenth": sum(counts[: len(counts) // 10 or 1]) / sum(counts),
    }


def _day(ts: str) -> int:
    return int(ts.partition(".")[0]) // DAY_S
