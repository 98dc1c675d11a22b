"""AWS us-east-1 fails, then Slack fails; after the public post-mortem of 20 October 2025
(aws.amazon.com/message/101925).
"""

from world.script.faults import Backlog, Fault
from world.script.loader import Card
from world.script.scenario import Script, row

from .colleagues import chatter, eta, false_recovery, nothing, runbook, slack_back, slack_down, thanks, wrong_cure
from .coworkers import askers, platform, reviewer
from .customers import by_mail, contracts, correct_region, customer_asks, duplicate, escalation, muted_asks, report
from .monitoring import alert, clear_alerts, page, relief, second_alert, wave
from .texts import DECIDED, FIRST_QUESTION, MOVED, SECOND_QUESTION
from .traffic import LEAST, decide, note_deployment
from .vendor_status import aws_identified, aws_investigating, aws_resolved, slack_page, slack_page_clear, vendor_mail

card = Card(
    title="us-east-1 is down, and then Slack is",
    agent={"schedule": "payments"},
    needs=("ci",),
    apps=("slack", "jira", "gmail", "sheets", "github", "status"),
    start="5h30m",
    horizon="4h",
    max_calls=3000,
    settings={"limits": "vendor"},
    surfaces={"slack": "vendor", "jira": "vendor"},
    difficulty="hard",
    difficulties=("easy", "medium", "hard"),
    minutes=30,
    tags=("incident", "outage", "lying_status"),
)


def scenario(s: Script) -> None:
    """The afternoon: alert, reports, a wrong cure, a late status page, no Slack, false recovery, a second wave,
    recovery, paperwork.
    """
    draws = s.rng("facts")
    batch = f"RB-{draws.integer(4100, 9899)}"
    share, captures = draws.integer(27, 46), draws.integer(31, 78)
    order = draws.shuffled(range(9))
    first, second = order[:2]
    number, vendor = draws.integer(4100, 9899), draws.integer(10_000_000, 99_999_999)
    later = number + draws.integer(3, 60)

    s.at("+0s", runbook, name="runbook")
    s.at("+3m", lambda w: contracts(w, order), name="contracts")
    s.at("+4m", lambda w: alert(w, share), name="alert")
    s.at("+5m", second_alert, name="second_alert")
    s.at("+6m", lambda w: page(w, "alert", number, "PaymentsAuthorisationErrors"), name="page")
    s.at(
        "+8m",
        lambda w: report(w, "support-2", "Customers cannot pay: checkout answers with an error at the last step"),
        name="report",
    )
    s.at("+12m", lambda w: duplicate(w, first), name="duplicate")
    s.at("+14m", lambda w: escalation(w, first, FIRST_QUESTION), name="first_question")
    s.at("+17m", wrong_cure, name="wrong_cure")
    s.at("+23m", aws_investigating, name="aws_page")
    s.at("+26m", customer_asks, name="customer_asks")
    s.at("+28m", muted_asks, name="muted_asks")
    s.at("+31m", eta, name="eta")
    failover(s)
    without_slack(s, second)
    s.at("+88m", aws_identified, name="aws_identified")
    second_wave(s, later, order[4])
    s.at("+110m", lambda w: vendor_mail(w, vendor), name="vendor_mail")
    s.at("+140m", clear_alerts, name="cleared")
    s.at("+170m", aws_resolved, name="aws_resolved")
    s.on(
        row("jira_issue", "update", resolution_id=lambda value: value is not None),
        thanks,
        deadline="3h30m",
        otherwise=nothing,
    )
    s.at("+3m", lambda w: w.note(batch=batch, captures=captures), name="truth")
    s.coworker(platform(batch, captures))
    for one in askers(order[3]):
        s.coworker(one)


def failover(s: Script) -> None:
    """Somebody decides that card traffic moves; platform reviews the pull request, in the hard setting not without a
    change.
    """
    tasks = s.rng("tasks").integer(5, 8) if s.difficulty == "hard" else LEAST
    decided = s.at("+33m", lambda w: decide(w, DECIDED[s.difficulty]), name="failover")
    s.on(
        row("github_pull", "update", merged_at=lambda value: value is not None),
        lambda w: note_deployment(w, tasks),
        deadline="107m",
        otherwise=nothing,
        after=decided,
        name="deployed",
    )
    s.coworker(reviewer(tasks))


def without_slack(s: Script, second: int) -> None:
    """Half an hour without Slack; in the hard setting its search lags afterwards."""
    down = s.at("+45m", slack_down, name="slack_down")
    s.at("+48m", by_mail, name="by_mail")
    s.at("+52m", lambda w: escalation(w, second, SECOND_QUESTION), name="second_question")
    s.at("+58m", chatter, name="chatter")
    s.at("+63m", slack_page, name="slack_page")
    back = s.at("+75m", slack_back, name="slack_back")
    s.fault(
        Fault("slack_outage", "slack", "error", backlog=Backlog(per_minute=4), code="internal_error"),
        start=down,
        end=back,
    )
    if s.difficulty == "hard":
        s.fault(Fault("slack_stale_search", "slack", "stale_read", operations=("search.*",)), start=back, end="+90m")
    s.at("+80m", slack_page_clear, name="slack_page_clear")


def second_wave(s: Script, number: int, moved: int) -> None:
    """One alert clears, a colleague takes it for all, and it comes again; the sheet turns out to have named a
    customer's region wrong.
    """
    if s.difficulty == "hard":
        s.at("+95m", relief, name="relief")
    s.at("+97m", false_recovery, name="false_recovery")
    s.at("+104m", wave, name="wave")
    s.at("+105m", lambda w: page(w, "wave", number, "CaptureBacklog"), name="second_page")
    s.at("+107m", lambda w: correct_region(w, moved, MOVED.get(s.difficulty, "")), name="corrected")
