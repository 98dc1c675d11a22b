"""Figures of the generated company against seeds/targets.toml, over several seeds."""

import re
import statistics
from importlib.resources import files

import pytest

from seeds.build import GeneratedCompany, rows
from seeds.data_card import card
from seeds.events import Event, Mailed
from seeds.rows.row_collector import Sink
from seeds.targets import targets
from tests.seeds.conftest import Tell
from tests.seeds.lint import Figures, figures
from world.core.clock import MINUTE

SEEDS = (7, *(pytest.param(seed, marks=pytest.mark.full) for seed in (1, 4, 9, 16)))


@pytest.fixture(scope="module", params=SEEDS)
def tables(request: pytest.FixtureRequest, tell: Tell) -> dict[str, list[dict[str, object]]]:
    """The rows of a seed's S company by table name."""
    sink: Sink = rows(tell("S", request.param))
    found = {str(model.__tablename__): found for model, found in sink.rows.items()}
    return {**found, "story_ref": sink.references("sheets_cell")}


Tables = dict[str, list[dict[str, object]]]


def said_by_people(tables: Tables) -> list[dict[str, object]]:
    bots = {row["id"] for row in tables["person"] if row["kind"] == "bot"}
    return [row for row in tables["slack_message"] if row["person_id"] not in bots]


def within(name: str, value: float) -> None:
    """Assert that a figure lies in its band."""
    low, high = targets()["band"][name]["low"], targets()["band"][name]["high"]
    assert low <= value <= high, f"{name}: {value:.3f} is not within {low} and {high}"


def test_the_words_of_the_chat_are_neither_repetitive_nor_word_salad(tables: Tables):
    found = figures([str(row["text"]) for row in said_by_people(tables)])
    for name in ("duplicates", "distinct2", "gzip_ratio", "openers", "words_median"):
        within(f"chat.{name}", getattr(found, name))


def test_jira_titles_are_all_different_and_of_human_length(tables: Tables):
    found = figures([str(row["summary"]) for row in tables["jira_issue"]])
    assert found.duplicates == 0
    within("jira.title_words", found.words_median)
    within("jira.title_gzip", found.gzip_ratio)


def test_descriptions_are_long_enough_to_say_something(tables: Tables):
    filled = [str(row["description_text"]) for row in tables["jira_issue"] if row["description_text"]]
    within("jira.description_words", figures(filled).words_median)
    within("jira.description_empty", 1 - len(filled) / len(tables["jira_issue"]))


def test_shares_of_the_chat_lie_in_their_bands(tables: Tables):
    people, messages = said_by_people(tables), tables["slack_message"]
    ids = {row["id"] for row in people}
    within("chat.bots", 1 - len(people) / len(messages))
    within("chat.replies", sum(row["thread_ts"] is not None for row in people) / len(people))
    within("chat.reacted", len({row["message_id"] for row in tables["slack_reaction"]} & ids) / len(people))
    within("chat.edited", sum(row["edited_ts"] is not None for row in people) / len(people))
    within("chat.mentions", len({row["message_id"] for row in tables["slack_mention"]} & ids) / len(people))
    within(
        "chat.weekend",
        sum(int(str(row["ts"]).partition(".")[0]) // 86400 % 7 in (2, 3) for row in people) / len(people),
    )
    within(
        "chat.links", sum(bool(re.search(r"<http|[A-Z]{3,4}-\d+", str(row["text"]))) for row in people) / len(people)
    )


def test_activity_is_skewed_but_nobody_is_silent(tables: Tables):
    counts: dict[object, int] = {}
    for row in said_by_people(tables):
        counts[row["person_id"]] = counts.get(row["person_id"], 0) + 1
    ranked = sorted(counts.values(), reverse=True)
    within("chat.top_tenth", sum(ranked[: len(ranked) // 10 or 1]) / sum(ranked))
    assert len(ranked) == 26


def test_shares_of_the_tracker_lie_in_their_bands(tables: Tables):
    issues = tables["jira_issue"]
    types = {row["id"]: row["name"] for row in tables["jira_issue_type"]}
    names = [types[row["issue_type_id"]] for row in issues if str(row["key"]).startswith("SHOP")]
    within("jira.bugs", names.count("Bug") / len(names))
    commented = {row["issue_id"] for row in tables["jira_comment"]}
    within("jira.uncommented", 1 - len(commented) / len(issues))
    linked = {row["source_id"] for row in tables["jira_issue_link"]} | {
        row["destination_id"] for row in tables["jira_issue_link"]
    }
    within("jira.unlinked", 1 - len(linked) / len(issues))
    medium = [row for row in issues if row["priority_id"] == 3]
    within("jira.default_priority", len(medium) / len(issues))


COMMON = {
    "SUM",
    "IF",
    "AVERAGE",
    "ROUND",
    "VLOOKUP",
    "COUNTIF",
    "MAX",
    "MIN",
    "NOW",
    "TODAY",
    "CONCATENATE",
    "IFERROR",
    "SUMIF",
    "INDEX",
    "MATCH",
}


def test_spreadsheets_have_the_shapes_and_formulas_of_real_ones(tables: Tables):
    books = [row["file_id"] for row in tables["sheets_spreadsheet"]]
    tabs = {book: [row["id"] for row in tables["sheets_sheet"] if row["file_id"] == book] for book in books}
    within("sheets.single", sum(len(one) == 1 for one in tabs.values()) / len(books))
    within("sheets.few", sum(len(one) in (2, 3) for one in tabs.values()) / len(books))
    used: dict[object, set[str]] = {}
    tall: dict[object, int] = {}
    for cell in tables["sheets_cell"]:
        tall[cell["file_id"]] = max(tall.get(cell["file_id"], 0), int(str(cell["row"])) + 1)
        if cell["kind"] == "formula":
            used.setdefault(cell["file_id"], set()).update(re.findall(r"([A-Z]+)\(", str(cell["input"])))
    within("sheets.formulas", len(used) / len(books))
    within("sheets.common", sum(not names - COMMON for names in used.values()) / len(used))
    within("sheets.rows_median", statistics.median(tall.values()))
    within("sheets.rows_most", max(tall.values()))
    wrong = {
        row["row_id"]
        for row in tables["story_ref"]
        if row["story"] == "blemish" and str(row["part"]).startswith("error.")
    }
    sheets = {str(row["id"]): row["file_id"] for row in tables["sheets_sheet"]}
    within("sheets.errors", len({sheets[str(place).partition(",")[0]] for place in wrong}) / len(books))
    assert abs(len(books) - targets()["size"]["S"]["workbooks"]["value"]) <= 3


def conversations(story: GeneratedCompany) -> list[list[Event]]:
    """The mails people wrote, by exchange."""
    first: dict[str, str] = {}
    out: dict[str, list[Event]] = {}
    for event in story.events:
        facts = event.facts
        if isinstance(facts, Mailed) and facts.kind == "person":
            first[event.id] = first.get(facts.answers or facts.forwards, event.id)
            out.setdefault(first[event.id], []).append(event)
    return list(out.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanges_of_mail_have_the_sizes_recipients_and_pace_of_real_ones(tell: Tell, seed: int):
    talks = conversations(tell("S", seed))
    sizes, mails = [len(talk) for talk in talks if len(talk) > 1], {event.id: event for talk in talks for event in talk}
    within("mail.pairs", sizes.count(2) / len(sizes))
    within("mail.thread_mean", statistics.mean(sizes))
    within("mail.threaded", sum(sizes) / len(mails))
    facts = [event.facts for event in mails.values() if isinstance(event.facts, Mailed)]
    people = [len(one.to) + len(one.cc) for one in facts]
    within("mail.recipients", statistics.mean(people))
    within("mail.one_recipient", people.count(1) / len(people))
    within("mail.files", sum(bool(one.files) for one in facts) / len(facts))
    waits = [
        (event.at - mails[event.facts.answers].at) / MINUTE
        for event in mails.values()
        if isinstance(event.facts, Mailed) and event.facts.answers
    ]
    within("mail.reply_minutes", statistics.median(waits))
    within("mail.reply_in_a_day", sum(wait < 1440 for wait in waits) / len(waits))
    everything = sum(isinstance(event.facts, Mailed) for event in tell("S", seed).events)
    within("mail.bulk", 1 - len(mails) / everything)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_words_of_mail_are_neither_repetitive_nor_word_salad(tell: Tell, seed: int):
    facts = [event.facts for talk in conversations(tell("S", seed)) for event in talk]
    texts = [one.text for one in facts if isinstance(one, Mailed)]
    found = figures(texts)
    for name in ("duplicates", "distinct2", "gzip_ratio", "openers", "words_median"):
        within(f"mail.{name}", getattr(found, name))
    within(
        "mail.reply_words", figures([one.text for one in facts if isinstance(one, Mailed) and one.answers]).words_median
    )


def test_mailboxes_are_read_and_tidied_as_people_do(tables: Tables):
    entries = tables["gmail_message"]
    kept = [row for row in tables["gmail_message_label"] if row["label_id"] == "INBOX"]
    within("mail.unread", sum(bool(row["is_unread"]) for row in entries) / len(entries))
    within("mail.inbox", len(kept) / len(entries))


def test_voices_are_told_apart_by_simple_measures(tell: Tell):
    """A stand-in for authorship: capitals and full stops alone separate a writer's halves better than chance."""
    story = tell("S", 7)
    texts: dict[str, list[str]] = {}
    for event in story.events:
        if getattr(event.facts, "human", False):
            texts.setdefault(event.actor, []).append(event.facts.text)  # type: ignore[union-attr]

    def traits(lines: list[str]) -> tuple[float, float]:
        return (
            statistics.mean(line[:1].islower() for line in lines),
            statistics.mean(line.endswith(".") for line in lines),
        )

    known = {who: traits(lines[::2]) for who, lines in texts.items() if len(lines) >= 24}
    hits = 0
    for who, lines in texts.items():
        if who in known:
            asked = traits(lines[1::2])
            nearest = sorted(
                known, key=lambda other: sum((a - b) ** 2 for a, b in zip(known[other], asked, strict=True))
            )
            hits += who in nearest[: len(known) // 4]
    assert hits / len(known) >= 0.5


def test_figures_tell_a_grammar_from_people():
    grammar = figures(
        [f"The {a} is {b} again today" for a in ("cart", "ledger", "edge") for b in ("slow", "down", "late")] * 30
    )
    assert grammar.duplicates > 0.9 and grammar.gzip_ratio > 5 and grammar.shared > 0.9
    assert isinstance(grammar, Figures)


def test_the_data_card_is_written_from_the_targets():
    assert files("seeds").joinpath("DATA_CARD.md").read_text(encoding="utf-8") == card()
    assert all(
        one["tag"] in "MRKC" and one["source"] and one["low"] <= one["high"] for one in targets()["band"].values()
    )
