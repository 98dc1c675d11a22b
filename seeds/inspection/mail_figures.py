"""Figures of a company's mail: exchanges between people, the pace of answers, and mailboxes."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import mean, median
from typing import Any

from seeds.inspection.company_tables import Rows, Tables
from seeds.inspection.text_figures import measure_texts

MINUTE, DAY_MINUTES = 60_000_000, 1440
WORDS = ("duplicates", "distinct2", "gzip_ratio", "openers")
END = re.compile(r"^(?:-- ?|On .+ wrote:|-+ Forwarded message -+)$", re.MULTILINE)  # of what the author wrote
GREETING, FAREWELL = 4, 3  # words of a line that only greets, and of one that only takes leave


def measure_mail(tables: Tables) -> dict[str, float]:
    """Figures by the name of their band."""
    written = _list_human_mails(tables)
    sizes = list(_count_by_exchange(written).values())
    talks = [size for size in sizes if size > 1]
    waits = _list_waits(written)
    recipients = [len(row["to_list"]) + len(row["cc_list"]) for row in written]
    entries = tables["gmail_message"]
    in_inbox = sum(row["label_id"] == "INBOX" for row in tables["gmail_message_label"])
    bodies = {row["id"]: read_body(row["text"]) for row in written}
    words = asdict(measure_texts(list(bodies.values())))
    answers = [bodies[row["id"]] for row in written if row["answers"]]
    return {
        **{f"mail.{name}": words[name] for name in WORDS},
        "mail.words_median": measure_texts([cut_quotation(row["text"]) for row in written]).words_median,
        "mail.reply_words": measure_texts(answers).words_median,
        "mail.pairs": talks.count(2) / len(talks),
        "mail.thread_mean": mean(talks),
        "mail.threaded": sum(talks) / len(written),
        "mail.recipients": mean(recipients),
        "mail.one_recipient": recipients.count(1) / len(recipients),
        "mail.files": sum(bool(row["filenames"]) for row in written) / len(written),
        "mail.reply_minutes": median(waits),
        "mail.reply_in_a_day": sum(wait < DAY_MINUTES for wait in waits) / len(waits),
        "mail.bulk": 1 - len(written) / len(tables["gmail_mail"]),
        "mail.unread": sum(bool(row["is_unread"]) for row in entries) / len(entries),
        "mail.inbox": in_inbox / len(entries),
    }


def cut_quotation(text: str) -> str:
    """What stands above signature and quotation."""
    ending = END.search(text)
    return text[: ending.start() if ending else None]


def read_body(text: str) -> str:
    """What the author wrote, without greeting, farewell, signature and quotation."""
    parts = [part for part in cut_quotation(text).split("\n\n") if part.strip()]
    if len(parts) > 1 and len(parts[0].split()) <= GREETING:
        parts = parts[1:]
    if len(parts) > 1 and all(len(line.split()) <= FAREWELL for line in parts[-1].splitlines()):
        parts = parts[:-1]
    return "\n\n".join(parts).strip()


def _list_human_mails(tables: Tables) -> list[Mapping[str, Any]]:
    """Mails that were sent by neither machines nor spammers, in the order of time."""
    unwanted = {row["mail_id"] for row in tables["gmail_message"] if row["is_spam"]}
    found = [row for row in tables["gmail_mail"] if not row["is_automatic"] and row["id"] not in unwanted]
    return sorted(found, key=lambda row: (row["sent_at"], row["id"]))


def _count_by_exchange(written: Rows) -> Counter[str]:
    """How many mails each exchange has, by the id of its first mail."""
    first = dict[str, str]()
    for row in written:
        before: Sequence[str] = row["answers"] or []
        first[row["message_id"]] = next((first[one] for one in before if one in first), row["message_id"])
    return Counter(first.values())


def _list_waits(written: Rows) -> list[float]:
    """Minutes between each answer and what it answers, a mail of somebody else."""
    sent = {row["message_id"]: row for row in written}
    last = [(row, sent.get((row["answers"] or [""])[-1])) for row in written]
    return [
        (row["sent_at"] - before["sent_at"]) / MINUTE
        for row, before in last
        if before and before["from_email"] != row["from_email"]
    ]
