"""A predicate that forgets to ask who acted."""

from world.grading import Finding, Run


def noted(run: Run) -> Finding:
    """Some comment on the ticket mentions the cause."""
    found = [e for e in run.effects if e.table == "ticket_comment" and "DNS" in run.text(e.row["body"]).plain]
    return Finding(bool(found), rows=[(e.table, e.pk) for e in found])
