"""Incidents: fault, alert, declaration, room, hypotheses, mitigation, all clear, paperwork, and the work that follows."""

from dataclasses import replace

from seeds.company import Staff
from seeds.content_packs import Epic, Incident, Scene, Ticket
from seeds.conversation_timing import Room, StoryWriter
from seeds.events import Anchor, Archived, FieldChange, IssueChanged, IssueMade, Linked, bare
from seeds.role_selectors import RoleNotFilled, cast
from seeds.slots import Slots, draw_value
from seeds.stories.channels import add_bot, join, open_room
from seeds.stories.issues import Issues, Life
from seeds.stories.releases import Releases
from world.core.clock import DAY, MINUTE, SECOND, to_datetime

FIELD_OF = {"found": None, "mitigated": "Monitoring", "resolved": "Resolved", "reviewed": "Closed"}


class Incidents:
    """Tells incidents one by one."""

    def __init__(self, teller: StoryWriter, issues: Issues, releases: Releases) -> None:
        self.teller, self.issues, self.releases = teller, issues, releases

    def tell(self, incident: Incident) -> None:
        """The whole chain of one incident, unless nobody here can play it."""
        start = self._start(incident)
        try:
            roles = cast(self.teller.company, incident.roles, self.teller.spec.stream("incident", incident.id), start)
        except RoleNotFilled:
            return
        slots = Slots(self.teller.company, roles)
        for name, kind in incident.needs.items():
            slots.values[name] = draw_value(
                kind, self.teller.spec.stream("incident", incident.id, name), self.teller.company, slots.values
            )
        slots.moments = self._moments(incident, start)
        self._release(incident, slots)
        for name, at in slots.moments.items():
            self.teller.log.add(incident.id, at, "system:world", Anchor(name), part=name)
        life = self._ticket(incident, slots)
        room = self._room(incident, slots)
        for i, scene in enumerate(incident.scenes):
            self._scene(incident, scene, slots, room, i)
        self.issues.comment(incident.id, life, incident.ticket.comments)
        if room and incident.archived:
            at = self.teller.hours.next_working(
                roles[incident.commander],
                slots.moments["resolved"] + incident.archived * DAY,
                self.teller.spec.stream(incident.id, "archive"),
            )
            if at < self.teller.spec.start:
                room.archived_at = at
                self.teller.log.add(incident.id, at, roles[incident.commander].id, Archived(room.key), part="archived")
        self._actions(incident, life, roles)

    def _start(self, incident: Incident) -> int:
        """The fault begins on the given day and hour, the minutes drawn."""
        midnight = to_datetime(self.teller.spec.start).replace(hour=0, minute=0, second=0)
        base = int(midnight.timestamp()) * SECOND - incident.day * DAY
        draw = self.teller.spec.stream("incident", incident.id, "start")
        return base + int(incident.hour * 60 + draw.integer(0, 40)) * MINUTE + draw.integer(0, 59) * SECOND

    def _moments(self, incident: Incident, start: int) -> dict[str, int]:
        moments, at = {"fault": start}, start
        for name, (low, high) in incident.clock.items():
            at += self.teller.hours.minutes(low, high, self.teller.spec.stream("incident", incident.id, name))
            moments[name] = at
        if "reviewed" in moments:
            moments["reviewed"] = at = self.teller.hours.next_working(
                self.teller.company.who("platform-lead"),
                moments["reviewed"],
                self.teller.spec.stream(incident.id, "review"),
            )
        return moments

    def _release(self, incident: Incident, slots: Slots) -> None:
        """The release that broke it, and the one that took it back."""
        if not incident.deploy:
            return
        before = slots.moments["fault"] - self.teller.hours.minutes(
            6, 35, self.teller.spec.stream(incident.id, "deploy")
        )
        bad = self.releases.release(incident.service, before, (incident.deploy,), incident.id, "bad-release")
        slots.deploy = {"version": bad.version, "service": incident.service}
        slots.moments["deployed"] = before
        if incident.revert:
            fixed = self.releases.release(
                incident.service, slots.moments["mitigated"] - 2 * MINUTE, (), incident.id, "revert", revert_of=bad
            )
            slots.deploy["revert"] = fixed.version

    def _ticket(self, incident: Incident, slots: Slots) -> Life:
        ticket, at = incident.ticket, slots.moments["declared"] + 3 * MINUTE
        reporter, assignee = slots.roles[ticket.reporter], slots.roles[ticket.assignee]
        slots = replace(slots, roles={**slots.roles, "reporter": reporter, "assignee": assignee})
        life = Life(ticket, slots, reporter, assignee, at={"created": at, **slots.moments}, story=incident.id)
        facts = IssueMade(
            issue=ticket.id,
            project="INC",
            type="Incident",
            title=bare(slots.fill(ticket.title, reporter, at)),
            description=bare(slots.fill(ticket.desc.strip(), reporter, at)),
            status="Open",
            reporter=reporter.id,
            priority=ticket.priority,
            labels=ticket.labels,
            severity=incident.severity,
            service=incident.service,
            customer=bare(slots.fill(ticket.customer, reporter, at)),
            started_at=slots.moments["fault"] // MINUTE * MINUTE,
        )
        life.made = self.teller.log.add(incident.id, at, reporter.id, facts, part=ticket.id)
        self.issues.lives[ticket.id] = life
        self._course(incident, life)
        return life

    def _course(self, incident: Incident, life: Life) -> None:
        """Investigating, Monitoring, Resolved, Closed, as far as the incident got."""
        first, at = life.at["created"], life.at
        assert life.assignee is not None
        self._change(incident, life, first + 30 * SECOND, life.reporter, FieldChange("assignee", "", life.assignee.id))
        self._change(incident, life, first + 2 * MINUTE, life.assignee, FieldChange("status", "Open", "Investigating"))
        status = "Investigating"
        for anchor in ("mitigated", "resolved", "reviewed"):
            if anchor not in at or at[anchor] >= self.teller.spec.start:
                return
            name = FIELD_OF[anchor]
            assert name is not None
            changes = [FieldChange("status", status, name)]
            if name == "Resolved":
                changes.append(FieldChange("resolution", "", "Done"))
            closer = self.teller.company.who("platform-lead") if name == "Closed" else life.assignee
            self._change(incident, life, max(at[anchor], first + 4 * MINUTE) + 4 * MINUTE, closer, *changes)
            status = name

    def _change(self, incident: Incident, life: Life, at: int, one: Staff, *changes: FieldChange) -> None:
        cause = [life.made.id] if life.made else []
        self.teller.log.add(
            incident.id, at, one.id, IssueChanged(life.ticket.id, changes), causes=cause, part=life.ticket.id
        )

    def _room(self, incident: Incident, slots: Slots) -> Room | None:
        if not incident.room:
            return None
        commander = slots.roles[incident.commander]
        at = slots.moments["declared"] + 4 * MINUTE
        name = bare(slots.fill(incident.room, commander, at))
        room = open_room(
            self.teller,
            incident.id,
            f"room:{incident.id}",
            name,
            "public",
            commander,
            at,
            f"{incident.severity} · commander {commander.full}",
            "",
            part="room",
        )
        speakers = sorted({turn.by for scene in incident.scenes if scene.place == "room" for turn in scene.turns})
        for role in speakers:
            one = slots.roles[role]
            if one.kind == "bot":
                add_bot(self.teller, incident.id, room, one.seat, at + SECOND)
            elif one is not commander:
                join(self.teller, incident.id, room, one, at, inviter=commander.id, soon=True)
        return room

    def _scene(self, incident: Incident, scene: Scene, slots: Slots, room: Room | None, number: int) -> None:
        key = room.key if scene.place == "room" and room else scene.place
        if key not in self.teller.rooms:
            return
        words = scene.at.split()
        base = slots.moments[words[0]]
        draw = self.teller.spec.stream("incident", incident.id, "scene", number)
        at = (
            base
            + int(draw.lognormal(75, 0.5)) * SECOND
            + (self.teller.hours.gap(words[1], slots.roles[scene.turns[0].by], draw) if len(words) > 1 else 0)
        )
        if scene.place == "room":
            at = max(
                at,
                max(self.teller.rooms[key].joined[slots.roles[turn.by].seat] for turn in scene.turns[:1]) + 20 * SECOND,
            )
        times = self.teller.timeline(scene.turns, slots.roles, at, draw, urgent=scene.urgent, moments=slots.moments)
        if scene.place == "room":
            times = self._delay_until_joined(
                self.teller.rooms[key], [slots.roles[turn.by].seat for turn in scene.turns], times
            )
        kept = [(turn, when) for turn, when in zip(scene.turns, times, strict=True) if when < self.teller.spec.start]
        made = self.teller.tell(
            incident.id,
            key,
            [turn for turn, _ in kept],
            slots,
            [when for _, when in kept],
            part=scene.part or f"scene-{number + 1}",
        )
        if made and scene.part:
            slots.threads[scene.part] = made[0].id

    @staticmethod
    def _delay_until_joined(room: Room, seats: list[str], times: list[int]) -> list[int]:
        """Nobody speaks in the room before joining it."""
        out: list[int] = []
        for seat, at in zip(seats, times, strict=True):
            out.append(max(at, room.joined[seat] + 15 * SECOND, out[-1] + 6 * SECOND if out else 0))
        return out

    def _actions(self, incident: Incident, life: Life, roles: dict[str, Staff]) -> None:
        """Work that the review asked for, in the software project, linked to the incident."""
        if "reviewed" not in life.at or not incident.actions:
            return
        days = max((self.teller.spec.start - life.at["reviewed"]) // DAY, 0)
        tickets = tuple(replace_age(one, int(days)) for one in incident.actions)
        seats = {name: one.seat for name, one in roles.items() if one.kind == "employee"}
        epic = Epic(id=f"{incident.id}-actions", project="SHOP", roles={**seats}, needs={}, tickets=tickets)
        self.issues.tell_epic(epic)
        for ticket in tickets:
            made = self.issues.lives.get(ticket.id)
            if made is not None:
                at = made.at["created"] + 70 * SECOND
                self.teller.log.add(
                    incident.id,
                    at,
                    made.reporter.id,
                    Linked(incident.ticket.id, "Problem/Incident", ticket.id),
                    part=ticket.id,
                )


def replace_age(ticket: Ticket, days: int) -> Ticket:
    """The ticket as written down on the day of the review."""
    return ticket.model_copy(update={"age": ticket.age if ticket.age is not None else days})
