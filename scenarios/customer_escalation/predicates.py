"""What the rubric cannot say by columns alone: a formula that may be written in more than one way."""

import re

from world.grading import Finding, RowRef, Run

SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
BEYOND = re.compile(
    r"\bfree (?:of charge|months?)|\bmonths?,? (?:for )?free\b|\bmonths? on us\b|\bwaive\w*|(?:not|n't) (?:pay|be"
    r" charged|be billed)\b.*month"
    r"|\b(?:never|not|n't) (?:to )?(?:happens?|occurs?) again|\bguarantee\w*"
)
DENIED = re.compile(r"\b(?:not|no|nor|neither|nothing|nobody|cannot|unable|without|beyond|instead|rather)\b|n't\b")
GRANT = re.compile(
    r"\b(?:i|we|i'll|we'll)\s+(?:\w+\s+){0,2}?(?:give|grant|offer|credit|pay|refund|waive|promise|guarantee|assure|owe)\b"
    r"|\byou(?:'ll| will| can)?\s+(?:get|have|receive)\b|\b(?:give|grant|offer|promise|tell|credit) (?:them|him|her|you)\b"
)  # somebody gives: what is compared or asked for beside it changes nothing
AGREED = re.compile(r"\b(?:yes|ok|okay|sure|agreed|fine|granted|done)\b|\b(?:it|this|that|they|you|we|i)\b")
COMPARED = re.compile(r"\b(?:above|outside|exceed\w*|too|than|times|most|maximum|would be)\b")
CLAUSE = re.compile(r";|,\s+(?:and|but|so|while)\b|\b(?:because|although)\b")
SHORT = 8  # words of a sentence that gives without a verb: three months free.
BOUND = re.compile(r"\b(?:fees?|maximum|most|cap|capped|limit|up to|above|over|exceeds?|would|could|if)\b")
NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
AMOUNT = re.compile(rf"(?i)(?:\bEUR|€)\s?{NUMBER}|{NUMBER}\s?(?:EUR\b|€|euros?\b)")


def ledger_formula(run: Run) -> Finding:
    """Proves that the credit in the new row of the ledger is the formula of its column."""
    book = run.ref("book")
    line, column = run.fact("event.books.row"), run.fact("event.books.credit")
    if not isinstance(book, RowRef):
        return Finding(False, 0.0, (), "the ledger is not there")
    tabs = {row["id"] for row in run.rows("sheets_sheet") if row["file_id"] == book.pk[0] and row["title"] == "Ledger"}
    for effect in run.effects:
        row = effect.row
        if effect.table == "sheets_cell" and effect.kind == "insert" and effect.actors == {run.agent}:
            if row["sheet_id"] in tabs and (row["row"], row["col"]) == (line, column):
                fine = (
                    row["kind"] == "formula"
                    and rounds(row["input"], line + 1)
                    and effect.first_at >= run.fact("event.complaint.start")
                )
                return Finding(fine, 1.0 if fine else 0.0, ((effect.table, effect.pk),), row["input"])
    return Finding(False, 0.0, (), "there is no formula in the credit of the new row")


def rounds(formula, number):
    """Whether it rounds fee times percent to cents."""
    plain = re.sub(r"[\s$]", "", formula.upper()).replace(";", ",")
    return plain in {f"=ROUND({part},2)" for part in _products(f"D{number}", f"E{number}")}


def _products(fee, percent):
    parts = (
        f"{fee}*{percent}/100",
        f"{percent}*{fee}/100",
        f"{fee}/100*{percent}",
        f"{fee}*({percent}/100)",
        f"{fee}*{percent}%",
    )
    return (*parts, *(f"({part})" for part in parts), f"({parts[0][:-4]})/100")


def nothing_beyond(run: Run) -> Finding:
    """Proves that neither the customer nor the manager was promised free months, that it will not happen again, or more
    than the credit.
    """
    for effect in run.effects:
        if effect.kind == "insert" and effect.actors == {run.agent} and _heard(run, effect):
            parts = SENTENCE.split(run.text(effect.row["text"]).plain)
            found = next((part for part in parts if promises(part)), "")
            if effect.table == "gmail_mail":  # among colleagues a sum is no promise
                found = found or next((part for part in parts if gives_more(run, part)), "")
            if found:
                return Finding(False, 0.0, (), f"promised: {found}")
    return Finding(True, why="nothing was promised that the terms do not give")


def _heard(run, effect):
    if effect.table == "gmail_mail":
        return run.fact("event.complaint.address") in effect.row["recipients"]
    return effect.table == "slack_message" and effect.row["thread_ts"] == run.fact("event.advice.ts")


def promises(sentence):
    """Whether a sentence gives what no terms give, by somebody's word, and neither denies nor compares it."""
    low = sentence.casefold()
    rest, number = BEYOND.subn(" ", low)
    if not number or DENIED.search(rest):
        return False
    if any(GRANT.search(clause) and BEYOND.search(clause) for clause in CLAUSE.split(low)):
        return True
    said = AGREED.search(low) or len(low.split()) <= SHORT or "guarantee" in low
    return bool(said) and not COMPARED.search(rest)


def gives_more(run, sentence):
    """Whether a sentence gives an amount above the credit: the one behind the act of giving, or, where nobody gives, any that
    is not a fee and no bound.
    """
    low = sentence.casefold()
    if DENIED.search(low):
        return False
    given = [amounts[0] for one in GRANT.finditer(low) if (amounts := _amounts(low[one.end() :]))]
    if given:
        return any(_is_more(run, one) for one in given)
    return any(_is_more(run, one) for one in _amounts(low)) and not BOUND.search(low)


def _amounts(low):
    return [float((one[1] or one[2]).replace(",", "")) for one in AMOUNT.finditer(low)]


def _is_more(run, amount):
    fee = float(run.fact("event.truth.fee"))
    return amount > float(run.fact("event.truth.credit")) and amount not in (fee, 12 * fee)
