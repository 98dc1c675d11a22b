"""Incidents that vendors report on their status pages."""

from world.script.stage import Stage


def post_incident(w: Stage, vendor: str, part: str, *, over: bool) -> None:
    """Let a vendor report an incident of a part on its status page, which is over or goes on."""
    rng = w.rng("incident", vendor)
    name = f"{rng.choice(('Elevated error rates', 'Requests fail', 'Slow answers'))}: {part}"
    state = ("resolved", "operational", "This is over.") if over else ("identified", "major_outage", "We work on it.")
    given = {"vendor": vendor, "incident": f"{vendor}-{rng.integer(100, 999)}", "name": name, "impact": "major"}
    bot = w.find("person", handle="vendor-status")["id"]
    w.act(bot, "status.post", **given, status=state[0], components={part: state[1]}, body=state[2])
