"""Messages of vendors: status pages and a late mail."""

from apps.gmail import external_people
from world.script.stage import Stage

from .people import bot, channel, say
from .texts import VENDOR


def aws_investigating(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="aws",
        incident="us-east-1-2026-03-02",
        name="Increased error rates in US-EAST-1",
        status="investigating",
        impact="minor",
        components={"Database tables (US-EAST-1)": "degraded_performance"},
        body="We are investigating increased error rates and latencies for multiple services in the US-EAST-1 Region.",
    )
    say(
        w,
        bot(w, "vendor-status"),
        channel(w, "incidents"),
        "AWS: *Investigating* increased error rates in US-EAST-1 (minor).",
    )


def vendor_mail(w: Stage, number: int) -> None:
    """Send AWS's late mail, which says too early that the outage is over."""
    sender = w.find("contact", organisation_id=w.find("organisation", name="Amazon Web Services")["id"])["email"]
    where = f"no-reply@{sender.rpartition('@')[2]}"
    external_people.write_mail(
        w,
        where,
        [w.on_call("payments").email],
        "AWS Health event: DynamoDB operational issue (us-east-1)",
        VENDOR.format(number=number),
    )
    w.note(event=f"AWS_DYNAMODB_OPERATIONAL_ISSUE_{number}")


def slack_page(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="slack",
        incident="slack-2026-03-02",
        name="Trouble sending and loading messages",
        status="investigating",
        impact="major",
        components={"Messaging": "partial_outage"},
        body="Some customers may be unable to send or load messages. We are looking into it.",
    )


def slack_page_clear(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="slack",
        incident="slack-2026-03-02",
        status="resolved",
        impact="major",
        components={"Messaging": "operational"},
        body="The issue is resolved. Delayed messages are being delivered.",
    )


def aws_identified(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="aws",
        incident="us-east-1-2026-03-02",
        status="identified",
        impact="major",
        components={"Database tables (US-EAST-1)": "major_outage"},
        body=(
            "We have identified the cause: DNS resolution of the DynamoDB API endpoint in US-EAST-1. We are working on"
            " recovery."
        ),
    )
    say(
        w,
        bot(w, "vendor-status"),
        channel(w, "incidents"),
        "AWS: *Identified*: DNS resolution of the DynamoDB endpoint in US-EAST-1.",
    )


def aws_resolved(w: Stage) -> None:
    w.act(
        bot(w, "vendor-status"),
        "status.post",
        vendor="aws",
        incident="us-east-1-2026-03-02",
        status="resolved",
        impact="major",
        components={"Database tables (US-EAST-1)": "operational"},
        body="All services in US-EAST-1 operate normally. The cause was an empty DNS record of the DynamoDB endpoint.",
    )
    say(
        w, bot(w, "vendor-status"), channel(w, "incidents"), "AWS: *Resolved*. DynamoDB in US-EAST-1 operates normally."
    )
