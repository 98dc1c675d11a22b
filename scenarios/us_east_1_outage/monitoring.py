"""Messages of monitoring: alerts, pages, and notices that an alert cleared."""

from apps.gmail import external_people
from world.script.stage import Stage

from .people import bot, channel, mention, say
from .texts import ALERT, CLEARED, PAGER, RELIEF, SECOND_ALERT, WAVE


def alert(w: Stage, share: int) -> None:
    where = channel(w, "alerts-payments")
    ts = say(w, bot(w, "alertmanager"), where, ALERT.format(share=share))
    w.note(channel=where, ts=ts)


def second_alert(w: Stage) -> None:
    numbers = w.rng("second alert")
    text = SECOND_ALERT.format(p99=numbers.integer(9000, 14000), timeouts=numbers.integer(800, 2400))
    say(w, bot(w, "alertmanager"), channel(w, "alerts-payments"), text)


def page(w: Stage, event: str, number: int, name: str) -> None:
    """Page the person on call, in the thread of an alert and by mail."""
    oncall = w.on_call("payments")
    where, ts = w.fact(event, "channel"), w.fact(event, "ts")
    say(
        w,
        bot(w, "pager"),
        where,
        f"Paging {mention(w, oncall)} (Payments primary). Acknowledge in this thread.",
        thread_ts=ts,
    )
    external_people.write_mail(
        w,
        w.person("pager").email,
        [oncall.email],
        f"[#{number}] TRIGGERED: {name}",
        PAGER.format(number=number, alert=name, name=oncall.full_name),
        automatic=True,
    )
    w.note(oncall=oncall.id, number=str(number))


def relief(w: Stage) -> None:
    """One of two alerts clears, which is not the end."""
    share = w.rng("relief").integer(11, 19) / 10
    say(w, bot(w, "alertmanager"), channel(w, "alerts-payments"), RELIEF.format(share=share))


def wave(w: Stage) -> None:
    """Post that the work that waited arrives all at once and fails again."""
    where, numbers = channel(w, "alerts-payments"), w.rng("wave")
    text = WAVE.format(
        waiting=numbers.integer(2100, 7900), minutes=numbers.integer(31, 58), share=numbers.integer(12, 24)
    )
    w.note(channel=where, ts=say(w, bot(w, "alertmanager"), where, text))


def clear_alerts(w: Stage) -> None:
    where = channel(w, "alerts-payments")
    clock = f"{(w.now // 60_000_000 - 10) % 1440 // 60:02}:{(w.now // 60_000_000 - 10) % 60:02}"
    w.note(channel=where, ts=say(w, bot(w, "alertmanager"), where, CLEARED.format(clock=clock)))
