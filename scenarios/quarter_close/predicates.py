"""Predicates about figures, formulas and messages that columns alone cannot judge.

They check the value of cells and the effect of formulas, whether support was asked, and whether the chief was told
figures too early.
"""

import re

from world.grading import Finding, PersonRef, Run

CUSTOMERS, REVENUE, CREDITS, NET = range(2, 8), 8, 9, 10
MONTHS, QUARTER, PLAN, VARIANCE = "BCD", "E", "F", "G"
RATES = "Rates!A1:B4"  # what a figure may hang on
CELL, DOORS = "sheets_cell", ("rest", "mcp", "page")
ROOM_TABLES = ("slack_channel", "slack_member", "slack_message")
TELLING = (
    ("slack_message", "person_id", "text"),
    ("gmail_mail", "sender_id", "text"),
    ("jira_comment", "author_id", "body_text"),
)
OPEN = re.compile(  # what somebody says of figures that are none yet
    r"(?i)\b(?:not (?:yet |quite )?(?:final|closed|complete|done|checked)|isn't (?:yet )?final)\b"
    r"|(?<!no )(?<!not )(?<!longer )(?<!never )(?<!nothing )\b(?:prelim\w*|provisional\w*|so far|interim|an? (?:estimate|draft)"
    r"|estimated|(?:may|might|can|could) (?:well |still )*(?:change|move|shift)|still open|subject to|as it stands|for (?:now|the moment))\b"
)


def missing_figure(run: Run) -> Finding:
    """Proves that the agent put the missing figure in, as the last mail about it has it."""
    return _figure(run, "missing")


def wrong_figure(run: Run) -> Finding:
    """Proves that the agent corrected what was booked twice, as the ticket has it."""
    return _figure(run, "wrong")


def credit_figure(run: Run) -> Finding:
    """Proves that the agent put in what was really credited, as support says."""
    return _figure(run, "credit")


def quarter_typed(run: Run) -> Finding:
    """Proves that the quarter that was typed by hand is the sum of its months."""
    row = run.fact("event.truth.typed_row")
    return _formula(run, f"{QUARTER}{row}", _find_wanted_formula(QUARTER, row))


def quarter_short(run: Run) -> Finding:
    """Proves that the quarter that left out December is the sum of its months."""
    row = run.fact("event.truth.short_row")
    return _formula(run, f"{QUARTER}{row}", _find_wanted_formula(QUARTER, row))


def revenue_sum(run: Run) -> Finding:
    """Proves that every month's revenue adds all customers at the end, by the agent's hand where it did not; claims
    what was written there.
    """
    key, written = run.fact("event.book.key"), _list_written_cells(run)
    cells = {f"{month}{REVENUE}": f"=SUM(Close!{month}2:{month}7)" for month in MONTHS}
    wrong = {f"{run.fact('event.truth.revenue_column')}{REVENUE}"} | (_list_cells_of_others(run) & cells.keys())
    missed = sorted(wrong - written.keys())
    broken = [
        cell
        for cell, wanted in cells.items()
        if not run.holds("sheets.agrees", file=key, cell=f"Close!{cell}", formula=wanted)
    ]
    if missed or broken:
        return Finding(
            False, 0.0, (), f"{', '.join(missed or broken)} {'not written' if missed else 'does not add all customers'}"
        )
    return Finding(
        True,
        1.0,
        tuple((CELL, effect.pk) for cell, effect in written.items() if cell in cells),
        "every month adds all customers",
    )


def net_reference(run: Run) -> Finding:
    """Proves that the month's net revenue takes off the credits of its own month."""
    column = run.fact("event.truth.net_column")
    return _formula(run, f"{column}{NET}", _find_wanted_formula(column, NET))


def plan_reference(run: Run) -> Finding:
    """Proves that the line that took another line's plan takes its own."""
    row = run.fact("event.truth.plan_row")
    return _formula(run, f"{PLAN}{row}", _find_wanted_formula(PLAN, row))


def whole(run: Run) -> Finding:
    """Proves that the quarter's net revenue and its variance follow from the figures; claims other formulas
    that were written anew and mean the same."""
    key, months, plan = run.fact("event.book.key"), "SUM(Close!B2:D7)-SUM(Close!B9:D9)", "SUM(Plan!B2:B7)-Plan!B9"
    wanted = {f"{QUARTER}{NET}": f"={months}", f"{VARIANCE}{NET}": f"={months}-({plan})"}
    broken = [
        cell
        for cell, formula in wanted.items()
        if not run.holds("sheets.agrees", file=key, cell=f"Close!{cell}", formula=formula)
    ]
    rows = tuple(
        (CELL, effect.pk)
        for cell, effect in _list_written_cells(run).items()
        if cell not in _mistakes(run) and _means(run, cell)
    )
    return Finding(
        not broken,
        0.0 if broken else 1.0,
        rows if not broken else (),
        f"{', '.join(broken)} do not follow" if broken else "all follows",
    )


def formulas_kept(run: Run) -> Finding:
    """Proves that the agent has put a number or a text nowhere where a formula belongs, not for a moment either."""
    close, mine = run.fact("event.book.close"), _calls(run)
    for change in run.journal:
        after = change.after
        if change.table == CELL and change.call_seq in mine and after is not None and after["sheet_id"] == close:
            if (
                after["kind"] in ("number", "text")
                and after["col"] < 26
                and _find_wanted_formula(_letter(after["col"]), after["row"] + 1) is not None
            ):
                return Finding(False, 0.0, (), f"{_letter(after['col'])}{after['row'] + 1} held {after['input']}")
    return Finding(True, 1.0, (), "no formula was replaced")


def nothing_early(run: Run) -> Finding:
    """Proves that the agent has told the chief no amount before the workbook was final, by mail or on Slack, unless as
    one that may change.
    """
    end, times = run.fact("event.final.start"), {call.seq: call.at for call in run.calls}
    for change in run.journal:
        row = change.after
        if row is None or times.get(change.call_seq, end) >= end or not _tells_chief(run, change.table, row):
            continue
        said = f"{row['text']}\n{row.get('blocks') or ''}"
        if run.states(said, "amount") and not OPEN.search(run.text(said).plain):
            return Finding(False, 0.0, (), "the chief was told an amount before the workbook was final")
    return Finding(True, 1.0, (), "no figure was told before its time")


def asked_support(run: Run) -> Finding:
    """Proves that the head of support told the agent what was really credited, which they do when asked; claims the
    direct conversation.
    """
    expert = run.ref("expert")
    if not isinstance(expert, PersonRef):
        return Finding(False, 0.0, (), "there is no head of support")
    amount, key = f"{run.fact('event.truth.credit'):,.2f}", ",".join(sorted((run.agent, expert.id)))
    direct = {row["id"] for row in run.rows("slack_channel") if row["kind"] == "im" and row["members_key"] == key}
    rows = [
        (effect.table, effect.pk)
        for effect in _own(run)
        if effect.kind == "insert" and effect.table in ROOM_TABLES and _room(effect) in direct
    ]
    told = any(
        row[writer] == expert.id and amount in str(row[text])
        for table, writer, text in TELLING
        for row in run.rows(table)
    )
    why = "support told the amount" if told else "the head of support was not asked about the credits"
    return Finding(told, 1.0 if told else 0.0, rows if told else (), why)


def _tells_chief(run, table, row):
    """Whether a row is the agent's mail to the chief, a message among few with them, or one that calls them."""
    chief = run.ref("chief").id
    if table == "gmail_mail":
        return row["sender_id"] == run.agent and any(
            run.person(one) == chief for one in re.findall(r"[\w.+-]+@[\w.-]+", str(row["recipients"]))
        )
    if table == "slack_ephemeral":
        return row["person_id"] == run.agent and row["to_person_id"] == chief
    if table != "slack_message" or row["person_id"] != run.agent:
        return False
    rooms = {one["id"] for one in run.rows("slack_channel") if chief in str(one["members_key"] or "").split(",")}
    called = {run.person(one, "slack") for one in re.findall(r"<@(\w+)", str(row["text"]))}
    return row["channel_id"] in rooms or chief in called


def _room(effect):
    return effect.row["id"] if effect.table == "slack_channel" else effect.row["channel_id"]


def _own(run):
    return [effect for effect in run.effects if effect.actors == {run.agent}]


def _list_written_cells(run):
    """Cells of the sheet Close that the agent has written, by name."""
    close = run.fact("event.book.close")
    found = [
        effect
        for effect in _own(run)
        if effect.table == CELL and effect.row["sheet_id"] == close and effect.kind != "delete"
    ]
    return {
        f"{_letter(effect.row['col'])}{effect.row['row'] + 1}": effect for effect in found if effect.row["col"] < 26
    }


def _calls(run):
    return {call.seq for call in run.calls if call.actor == run.agent and call.door in DOORS}


def _list_cells_of_others(run):
    """Cells of the sheet Close that somebody else has typed into since it was made, by name."""
    close, mine = run.fact("event.book.close"), _calls(run)
    typed = [
        change.after
        for change in run.journal
        if change.table == CELL
        and change.op == "update"
        and change.call_seq not in mine
        and change.after["sheet_id"] == close
        and change.before["input"] != change.after["input"]
    ]
    return {f"{_letter(row['col'])}{row['row'] + 1}" for row in typed if row["col"] < 26}


def _letter(column):
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column]


def _figure(run, name):
    cell, value = run.fact(f"event.truth.{name}_cell"), run.fact(f"event.truth.{name}")
    effect = _list_written_cells(run).get(cell)
    if effect is None:
        return Finding(False, 0.0, (), f"{cell} was not written")
    dollars = name == "missing" and str(run.fact("event.truth.missing_typed")).startswith("=")
    inputs = RATES if dollars else ""
    book, place = run.fact("event.book.key"), f"Close!{cell}"
    right = run.holds("sheets.shows", file=book, cell=place, value=str(value), inputs=inputs)
    return Finding(
        right,
        1.0 if right else 0.0,
        ((CELL, effect.pk),) if right else (),
        f"{cell} {'shows' if right else 'does not show, or not for good,'} what it should",
    )


def _formula(run, cell, wanted):
    effect = _list_written_cells(run).get(cell)
    if effect is None:
        return Finding(False, 0.0, (), f"{cell} was not written")
    key = run.fact("event.book.key")
    right = effect.row["kind"] == "formula" and run.holds(
        "sheets.agrees", file=key, cell=f"Close!{cell}", formula=wanted
    )
    return Finding(
        right,
        1.0 if right else 0.0,
        ((CELL, effect.pk),) if right else (),
        f"{cell} is {'' if right else 'not '}what it should be, whatever else changes",
    )


def _mistakes(run):
    """Cells that another item than `whole` is about."""
    fact = run.fact
    cells = {fact(f"event.truth.{name}_cell") for name in ("missing", "wrong", "credit")}
    cells |= {
        f"{QUARTER}{fact('event.truth.typed_row')}",
        f"{QUARTER}{fact('event.truth.short_row')}",
        f"{PLAN}{fact('event.truth.plan_row')}",
    }
    return cells | {f"{month}{REVENUE}" for month in MONTHS} | {f"{fact('event.truth.net_column')}{NET}"}


def _means(run, cell):
    """Whether a cell is one with a formula, and its formula does what it should."""
    wanted = _find_wanted_formula(cell[0], int(cell[1:]))
    return wanted is not None and run.holds(
        "sheets.agrees", file=run.fact("event.book.key"), cell=f"Close!{cell}", formula=wanted
    )


def _find_wanted_formula(column, row):
    """The formula that belongs into a cell; None where a figure does."""
    if column == VARIANCE:
        return f"=Close!E{row}-Close!F{row}" if 2 <= row <= NET else None
    if row == NET and column in MONTHS + QUARTER + PLAN:
        return f"=Close!{column}{REVENUE}-Close!{column}{CREDITS}"
    if column == PLAN:
        return f"=Plan!B{row}" if row in CUSTOMERS or row == CREDITS else "=SUM(Plan!B2:B7)" if row == REVENUE else None
    if row == REVENUE and column in MONTHS + QUARTER:
        return f"=SUM(Close!{column}2:{column}7)"
    if column == QUARTER and (row in CUSTOMERS or row == CREDITS):
        return f"=SUM(Close!B{row}:D{row})"
    return None
