"""Bot messages: alerts that flap, red builds, pager hand-overs, standup reminders, Jira cards, vendor status feeds."""

from collections.abc import Sequence

from seeds.company import Staff
from seeds.conversation_timing import StoryWriter
from seeds.events import FieldChange, IssueChanged, IssueMade, Posted, PullMerged, Pushed, token
from seeds.stories.issues import Issues
from world.core.clock import DAY, HOUR, MINUTE, MONTHS, SECOND, WEEKDAYS, to_datetime

# alert name, service, what it says; the numbers are drawn
FLAPS = {
    "alerts-payments": (
        ("LedgerLagHigh", "ledger", "replication lag {n}s over 30s for 5m"),
        ("WebhookQueueAge", "webhooks", "oldest message {n} min in `webhooks-delivery-prod`"),
        ("PaymentsP99", "payments", "p99 of POST /v2/charges {ms} ms over 2500 ms"),
        ("NordacqTimeouts", "payments", "{p}% of authorisations timed out in 10m"),
        ("ReconciliationLate", "ledger", "nightly run not finished after {n} min"),
        ("IdempotencyThrottles", "payments", "DynamoDB throttled {n} writes on `idempotency-prod`"),
        ("RefundBacklog", "payments", "{n} refunds waiting longer than 15 min"),
    ),
    "alerts-checkout": (
        ("CheckoutErrorRate", "checkout", "{p}% 5xx on /cart over 10m"),
        ("SearchLatency", "catalog-search", "p95 {ms} ms over 800 ms"),
        ("DashboardCanary", "merchant-dashboard", "canary login failed {n} times from eu-central"),
        ("SessionTableThrottles", "checkout", "DynamoDB throttled {n} reads on `sessions-prod`"),
        ("EdgeCertExpiry", "edge", "certificate of `pay-sandbox` expires in {n} days"),
        ("CartConversionDrop", "checkout", "conversion {p}% below the same hour last week"),
    ),
}
TESTS = {
    "checkout": (
        "tests/cart/test_totals.py::test_rounding_of_cartons",
        "tests/e2e/test_guest_checkout.py::test_vat_id",
        "tests/tax/test_matrix.py::test_reverse_charge",
    ),
    "ledger": (
        "tests/ledger/test_replay.py::test_replay_is_idempotent",
        "tests/close/test_month.py::test_late_booking",
    ),
    "merchant-dashboard": (
        "tests/dashboard/test_export.py::test_semicolon_locale",
        "tests/api/test_payouts.py::test_month_boundary",
    ),
    "catalog-search": (
        "tests/search/test_contract_prices.py::test_expired_contract",
        "tests/search/test_synonyms.py::test_plural",
    ),
    "notifications": ("tests/mail/test_templates.py::test_missing_locale",),
    "edge": ("tests/routes/test_limits.py::test_burst", "tests/tls/test_renewal.py::test_expiry_alarm"),
}
ANY_TESTS = ("tests/test_config.py::test_defaults", "tests/test_health.py::test_ready")  # of a service of another pack
VENDORS = (
    (
        "engineering",
        26,
        (
            "AWS us-east-1 · Amazon OpenSearch Service: elevated error rates for domain configuration changes."
            " Data plane not affected. *Resolved* after 1h 12m."
        ),
    ),
    (
        "engineering",
        19,
        "Atlassian · Jira: some customers see slow loading of boards. *Identified*, a fix is being rolled out.",
    ),
    ("engineering", 17, "Slack · delays in notifications on Android. *Resolved*."),
    ("engineering", 12, "Letterpost · delivery delays to outlook domains of up to 40 minutes. *Monitoring*."),
    (
        "engineering",
        9,
        (
            "AWS us-east-1 · AWS Lambda: increased invoke latency in one Availability Zone between 02:10 and 02:48 PST."
            " *Resolved*."
        ),
    ),
    (
        "engineering",
        6,
        "Nordacq · planned maintenance 11 March 04:00-05:30 UTC, authorisations may be declined for up to 90 seconds.",
    ),
    ("engineering", 2, "Veritide · identity checks in the UK slower than usual. *Investigating*."),
)
FLAP_COUNT, RED_COUNT = 38, 13


def tell_machines(teller: StoryWriter, issues: Issues) -> None:
    """Everything the bots post that belongs to no incident and no release."""
    bots = teller.company.bots
    for place, kinds in FLAPS.items():
        if place in teller.rooms and "bot-alerts" in bots:
            _flaps(teller, place, kinds)
    if "ci" in teller.rooms and "bot-ci" in bots:
        _builds(teller)
    if "bot-pager" in bots:
        _hand_overs(teller)
    if "bot-standup" in bots:
        _standups(teller)
    if "bot-vendors" in bots:
        _vendors(teller)
    if "bot-jira" in bots:
        _cards(teller, issues)


def _post(
    teller: StoryWriter,
    bot: str,
    place: str,
    text: str,
    at: int,
    story: str,
    *,
    thread: str = "",
    causes: Sequence[str] = (),
) -> str:
    facts = Posted(place, text, thread, human=False)
    return teller.log.add(story, at, teller.company.bots[bot].id, facts, causes=causes).id


def _flaps(teller: StoryWriter, place: str, kinds: tuple[tuple[str, str, str], ...]) -> None:
    for number in range(FLAP_COUNT // 2):
        draw = teller.spec.stream("flap", place, number)
        at = teller.spec.start - draw.integer(2, 29 * 24) * HOUR + draw.integer(0, 3599) * SECOND
        name, service, says = draw.choice(kinds)
        if service not in teller.company.services:
            continue
        says = says.format(
            n=draw.integer(31, 88), ms=draw.integer(2511, 4870), p=f"{draw.integer(2, 9)}.{draw.integer(1, 9)}"
        )
        story = f"flap-{place}"
        _post(teller, "bot-alerts", place, f":red_circle: *[FIRING]* {name} · {service} · {says}", at, story)
        lasted = min(int(draw.lognormal(9, 0.9)) + 2, 100)
        _post(
            teller,
            "bot-alerts",
            place,
            f":large_green_circle: *[RESOLVED]* {name} · {service} · after {lasted}m",
            at + lasted * MINUTE + draw.integer(1, 50) * SECOND,
            story,
        )


def _builds(teller: StoryWriter) -> None:
    """Main is red after some merges; the bot names the commit and who wrote it."""
    events = teller.log.list_events()
    pushed = {event.facts.pull: event for event in events if isinstance(event.facts, Pushed)}
    landed = [event for event in events if isinstance(event.facts, PullMerged) and event.at >= teller.spec.window_start]
    builds = sorted(teller.spec.stream("builds").shuffled(landed)[:RED_COUNT], key=lambda event: event.at)
    for number, event in enumerate(builds):
        assert isinstance(event.facts, PullMerged)
        draw, service = teller.spec.stream("build", event.id), event.facts.service
        one = teller.people[pushed[event.facts.pull].actor]
        at, build = event.at + draw.integer(150, 540) * SECOND, 8123 + number * 97 + draw.integer(0, 60)
        if at > teller.spec.start - 2 * HOUR:
            continue
        sha = token("g", event.facts.pull)
        red = f":x: main is red · {service} #{build} · `{draw.choice(TESTS.get(service, ANY_TESTS))}` · {sha} by {one.full}"
        first = _post(teller, "bot-ci", "ci", red, at, "builds", causes=[event.id])
        green = min(at + max(int(draw.lognormal(34, 0.7)), 6) * MINUTE, teller.spec.start - MINUTE)
        _post(
            teller,
            "bot-ci",
            "ci",
            f":white_check_mark: main is green again · {service} #{build + draw.integer(1, 4)} · was red"
            f" {(green - at) // MINUTE} min",
            green,
            "builds",
            causes=[first],
        )


def _hand_overs(teller: StoryWriter) -> None:
    places = {"payments": "alerts-payments", "checkout": "alerts-checkout", "platform": "alerts-checkout"}
    for rota in teller.company.rotas.values():
        place = places.get(rota.id, "incidents")
        if place not in teller.rooms or rota.id == "support":
            continue
        for shift in rota.shifts:
            if teller.spec.window_start <= shift.start_at < teller.spec.start:
                one = teller.company.staff[shift.seat]
                until = to_datetime(shift.end_at, one.tz)
                city = one.tz.split("/")[-1].replace("_", " ")
                end = (
                    f"{WEEKDAYS[until.weekday()][:3]} {until.day} {MONTHS[until.month - 1][:3]} {until:%H:%M} ({city}"
                    " time)"
                )
                text = f":pager: {rota.name}: {token('p', one.id)} is on call until {end}"
                _post(teller, "bot-pager", place, text, shift.start_at + 2 * SECOND, f"rota-{rota.id}")


def _standups(teller: StoryWriter) -> None:
    """A reminder before each team's standup, naming who leads it that day."""
    for place, team, minute in (("team-payments", "payments", 9 * 60 + 50), ("team-checkout", "checkout", 10 * 60 + 5)):
        if place not in teller.rooms:
            continue
        for back in range(29, -1, -1):
            day = to_datetime(teller.spec.start - back * DAY, teller.company.tz).replace(
                hour=0, minute=0, second=0, microsecond=0
            )
            at = int(day.timestamp()) * SECOND + minute * MINUTE
            people = [one for one in teller.company.members(team) if teller.hours.is_working(one, at + 10 * MINUTE)]
            if day.weekday() < 5 and people and at < teller.spec.start:
                one = teller.spec.stream("standup", place, back).choice(people)
                absent = [
                    p for p in teller.company.members(team) if p.is_employed(at) and teller.company.away(p.seat, at)
                ]
                out = f" Out today: {', '.join(p.first for p in absent)}." if absent else ""
                _post(
                    teller,
                    "bot-standup",
                    place,
                    f"Standup in 10 minutes, {one.first} leads.{out}",
                    at + SECOND,
                    f"standup-{team}",
                )


def _vendors(teller: StoryWriter) -> None:
    for place, back, text in VENDORS:
        draw = teller.spec.stream("vendor", back)
        at = (teller.spec.start - back * DAY) // DAY * DAY + draw.integer(7 * 60, 16 * 60) * MINUTE
        if place in teller.rooms and at < teller.spec.start:
            _post(teller, "bot-vendors", place, text, at, "vendor-feeds")


def _cards(teller: StoryWriter, issues: Issues) -> None:
    """Post Jira's own messages: new bugs, new incidents and finished issues, in the channels that follow them."""
    rooms = {
        "payments": "team-payments",
        "ledger": "team-payments",
        "webhooks": "team-payments",
        "checkout": "team-checkout",
        "dashboard": "team-checkout",
        "search": "team-checkout",
    }
    titles: dict[str, IssueMade] = {}
    people = teller.people
    for event in teller.log.list_events():
        facts = event.facts
        if isinstance(facts, IssueMade):
            titles[facts.issue] = facts
        if event.at < teller.spec.window_start or event.at >= teller.spec.start - MINUTE:
            continue
        handle = facts.issue if isinstance(facts, (IssueMade, IssueChanged)) else ""
        if not handle or handle not in titles or titles[handle].project == "SEC":
            continue
        made = titles[handle]
        place = "incidents" if made.type == "Incident" else rooms.get(made.components[0] if made.components else "", "")
        text = _card(made, facts, people[event.actor])
        if text and place in teller.rooms:
            bot = teller.company.bots["bot-jira"]
            teller.log.add(
                event.story,
                event.at + 4 * SECOND,
                bot.id,
                Posted(place, text, human=False),
                causes=[event.id],
                part=handle,
            )


def _card(made: IssueMade, facts: object, one: Staff) -> str:
    link = token("u", made.issue)
    if isinstance(facts, IssueMade) and made.type in ("Bug", "Incident"):
        return f"{one.full} created {'an' if made.type[0] in 'AEIOU' else 'a'} *{made.type}* {link} {made.title}"
    if isinstance(facts, IssueChanged):
        status = next((change for change in facts.changes if change.field == "status"), FieldChange("", "", ""))
        if status.new in ("Done", "Resolved") or (made.type == "Incident" and status.new == "Monitoring"):
            return f"{one.full} moved {link} {made.title} to *{status.new}*"
    return ""


def tell_reactions(teller: StoryWriter) -> None:
    """People react to what others wrote, here and there."""
    for event in teller.log.list_events():
        facts = event.facts
        if not isinstance(facts, Posted) or not facts.human:
            continue
        draw = teller.spec.stream("react", event.id)
        author = teller.people[event.actor]
        if draw.random() < 0.145 * min(author.style.reaction, 2.0):
            emoji = draw.weighted(
                (
                    "+1",
                    "eyes",
                    "heart",
                    "joy",
                    "raised_hands",
                    "100",
                    "thinking_face",
                    "white_check_mark",
                    "pray",
                    "tada",
                    "see_no_evil",
                    "rocket",
                ),
                (30, 9, 9, 9, 8, 6, 5, 6, 6, 4, 3, 3),
            )
            teller.react(event, facts.channel, emoji, draw.weighted((1, 2, 3), (6, 3, 1)), draw)
