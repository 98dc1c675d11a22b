"""The life of an issue: created, planned, started, reviewed, finished; what is said on it and about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from seeds.company import Staff
from seeds.content_packs import Epic, Scene, Ticket, Turn
from seeds.conversation_timing import StoryWriter
from seeds.events import Commented, Event, FieldChange, IssueChanged, IssueMade, Linked, Watched, Worked, bare
from seeds.repositories import first_proposals
from seeds.role_selectors import RoleNotFilled, cast, fits
from seeds.slots import Slots, draw_value
from seeds.stories.pulls import Pulls, find_service
from seeds.stories.sprints import Sprint
from world.core.clock import DAY, HOUR, MINUTE, SECOND, duration, to_datetime
from world.core.rng import Stream

# Name of each phase in the workflow of a project; a phase without a name is not shown.
FLOWS = {
    "SHOP": {"created": "To Do", "started": "In Progress", "review": "In Review", "done": "Done"},
    "INC": {"created": "Open", "started": "Investigating", "review": "Waiting for customer", "done": "Resolved"},
    "SEC": {"created": "To Do", "started": "In Progress", "done": "Done"},
}
LINKS = {
    "blocks": "Blocks",
    "relates": "Relates",
    "duplicates": "Duplicate",
    "causes": "Problem/Incident",
    "clones": "Cloners",
}
GIVEN_UP = 0.9  # of the work that a review sends back and that is not done yet, that whose pull request is closed
WORDS = {"done": "Done", "wontdo": "Won't Do", "duplicate": "Duplicate"}


@dataclass(slots=True)
class Life:
    """Time at which an issue reached each phase; phases it has not reached are missing. `story` is told of it.

    `closing`: the last thing said of it once it was done; whoever answers its customer waits for that.
    """

    ticket: Ticket
    slots: Slots
    reporter: Staff
    assignee: Staff | None
    at: dict[str, int] = field(default_factory=dict)
    made: Event | None = None
    finished: Event | None = None
    story: str = ""
    closing: Event | None = None


class Issues:
    """Tells software issues; knows the sprints and which issues exist."""

    def __init__(self, teller: StoryWriter, sprints: dict[str, Sprint], pulls: Pulls) -> None:
        self.teller, self.sprints, self.pulls = teller, sprints, pulls
        self.lives: dict[str, Life] = {}

    def tell_epic(self, epic: Epic) -> None:
        """The epic's tickets in order, parents first; links once all exist."""
        lives: list[Life] = []
        for ticket in epic.tickets:
            if life := self._live(epic, ticket):
                lives.append(life)
                self.lives[ticket.id] = life
        for life in lives:
            self._create_issue(epic, life)
        for life in lives:
            self._changes(epic, life)
            self._talk(epic, life)

    def tell_links(self, epics: Sequence[Epic]) -> None:
        """Links between issues that exist, made when the later of the two was a little old."""
        for epic in epics:
            for ticket in epic.tickets:
                if life := self.lives.get(ticket.id):
                    self._link(life.story, life)

    # -- casting and times

    def _live(self, epic: Epic, ticket: Ticket) -> Life | None:
        draw = self.teller.spec.stream("issue", ticket.id)
        company, start = self.teller.company, self.teller.spec.start
        at = self._draw_creation_time(epic, ticket, draw)
        wanted = {**epic.roles, **ticket.roles}
        spoken = {turn.by for turn in (*ticket.comments, *ticket.log, *(t for s in ticket.scenes for t in s.turns))}
        named = {
            slot
            for slot in wanted
            if "{" + slot
            in ticket.desc
            + ticket.title
            + " ".join(t.say for s in ticket.scenes for t in s.turns)
            + " ".join(t.say for t in ticket.comments)
        }
        roles = {
            name: wanted[name] for name in sorted(wanted) if name in spoken | named | {ticket.reporter, ticket.assignee}
        }
        for role, selector in (("reporter", ticket.reporter or "any"), ("assignee", ticket.assignee)):
            if selector and selector not in roles:
                roles[role] = selector
        try:
            playing = cast(company, roles, draw, at)
        except RoleNotFilled:
            return None
        reporter = playing.get("reporter") or playing[ticket.reporter]
        assignee = (playing.get("assignee") or playing.get(ticket.assignee)) if ticket.assignee else None
        playing["reporter"] = reporter
        if assignee is not None:
            playing["assignee"] = assignee
        slots = Slots(company, playing)
        for name, kind in {**epic.needs, **ticket.needs}.items():
            slots.values[name] = draw_value(
                kind,
                self.teller.spec.stream("epic", epic.id if name in epic.needs else ticket.id, name),
                company,
                slots.values,
            )
        life = Life(ticket, slots, reporter, assignee, story=ticket.id if epic.loose else epic.id)
        self._times(life, at, draw)
        return life if life.at["created"] < start else None

    def _draw_creation_time(self, epic: Epic, ticket: Ticket, draw: Stream) -> int:
        """After its parent and after the issue it duplicates; else by age, or some while before its first sprint."""
        start = self.teller.spec.start
        before = (_parent(epic, ticket), *ticket.links.get("duplicates", ()))
        floor = max((self.lives[other].at["created"] for other in before if other in self.lives), default=0)
        if ticket.age is not None:
            at = start - ticket.age * DAY + draw.integer(0, 6) * HOUR
        elif "duplicates" in ticket.links:
            at = floor + int(draw.lognormal(6, 0.9) * DAY)
        elif ticket.sprint:
            at = self.sprints[ticket.sprint[0]].start_at - int(min(max(draw.lognormal(13, 0.7), 1), 60) * DAY)
        else:
            at = start - int(min(max(draw.lognormal(55, 0.8), 4), 400) * DAY)
        if (proposed := _find_proposal(epic, ticket)) is not None:
            at = min(at, start - int((proposed + 4) * DAY))
        return min(max(at, floor + draw.integer(20, 400) * MINUTE), start - DAY + draw.integer(0, 300) * MINUTE)

    def _times(self, life: Life, at: int, draw: Stream) -> None:
        """Fill the phases the ticket's state calls for, inside its sprints and before now."""
        hours, now, ticket = self.teller.hours, self.teller.spec.start, life.ticket
        life.at["created"] = created = hours.next_working(life.reporter, at, draw) + draw.integer(0, SECOND - 1)
        first = self.sprints.get(ticket.sprint[0]) if ticket.sprint else None
        if first is not None:
            planned = max(first.planned_at + draw.integer(1, 40) * MINUTE, created + draw.integer(20, 200) * MINUTE)
            life.at["planned"] = min(planned, now - 30 * MINUTE)
        if ticket.state in ("wontdo", "duplicate"):
            days = draw.lognormal(1.2, 0.8) if ticket.state == "duplicate" else draw.lognormal(9, 0.7)
            life.at["done"] = self._find_working_time(
                life.reporter, min(created + int(days * DAY), now - 5 * HOUR), draw
            )
        if ticket.state not in ("done", "review", "progress"):
            return
        last = self.sprints.get(ticket.sprint[-1]) if ticket.sprint else None
        begin = max(life.at.get("planned", created), first.start_at if first else created)
        end = min(last.end_at if last else begin + 21 * DAY, now - 2 * HOUR - (ticket.by or 0) * DAY)
        self._plan_work(life, begin, end, draw)

    def _plan_work(self, life: Life, begin: int, end: int, draw: Stream) -> None:
        worker = life.assignee or life.reporter
        room = max(end - begin, 4 * HOUR)
        share = {"done": 0.45, "review": 0.6, "progress": 0.9}[life.ticket.state]
        wait = (
            int(room * share * draw.random())
            if life.ticket.sprint
            else min(int(draw.lognormal(5, 1.1) * HOUR), room // 2)
        )
        started = self._find_working_time(worker, begin + wait + 10 * MINUTE, draw)
        life.at["started"] = started = max(started, begin + 5 * MINUTE)
        if life.ticket.state == "progress":
            return
        carried = self.sprints[life.ticket.sprint[-1]].start_at if life.ticket.sprint[1:] else 0
        begin = max(started, carried)
        left = max(end - begin, HOUR)
        cycle = min(int(draw.lognormal(2.2, 0.8) * DAY), int(left * 0.8))
        review = self._find_working_time(worker, begin + max(cycle, 30 * MINUTE), draw)
        life.at["review"] = min(max(review, started + 20 * MINUTE), self.teller.spec.start - 90 * MINUTE)
        if life.ticket.state == "done":
            done = self._find_working_time(worker, life.at["review"] + int(draw.lognormal(260, 0.9)) * MINUTE, draw)
            latest = self.teller.spec.start - 20 * MINUTE - (life.ticket.by or 0) * DAY
            life.at["done"] = min(max(done, life.at["review"] + 15 * MINUTE), latest)
            life.at["review"] = min(life.at["review"], life.at["done"] - 10 * MINUTE)

    def _find_working_time(self, one: Staff, at: int, draw: Stream) -> int:
        """The next working time of a person, or the last one before now if that would be in the future or after they
        left.
        """
        limit = min(self.teller.spec.start - 100 * MINUTE, one.left_at or self.teller.spec.start)
        hours = self.teller.hours
        found = hours.next_working(one, at, draw) if at < limit else limit
        if found < limit:
            return found
        back = next((t for t in range(min(at, limit), limit - 90 * DAY, -HOUR) if hours.is_working(one, t)), None)
        if back is None:
            raise LookupError(f"{one.seat} was never at work before {limit}")
        return back - draw.integer(0, 40) * MINUTE

    # -- events

    def _create_issue(self, epic: Epic, life: Life) -> None:
        ticket, at = life.ticket, life.at["created"]
        parent = _parent(epic, ticket)
        due = (
            to_datetime(self.teller.spec.start + ticket.due * DAY, self.teller.company.tz).date().isoformat()
            if ticket.due is not None
            else ""
        )
        facts = IssueMade(
            issue=ticket.id,
            project=epic.project,
            type=ticket.type,
            title=bare(life.slots.fill(ticket.title, life.reporter, at)),
            description=bare(life.slots.fill(ticket.desc.strip(), life.reporter, at)),
            status=FLOWS[epic.project]["created"],
            severity=ticket.severity,
            service=ticket.service,
            customer=bare(life.slots.fill(ticket.customer, life.reporter, at)),
            reporter=life.reporter.id,
            priority=ticket.priority,
            parent=parent if parent in self.lives else "",
            components=ticket.component,
            labels=ticket.labels,
            affects=(ticket.affects,) if ticket.affects else (),
            due=due,
            estimate_s=duration(ticket.estimate) // SECOND if ticket.estimate else 0,
        )
        life.made = self.teller.log.add(life.story, at, life.reporter.id, facts, part=ticket.id)

    def _changes(self, epic: Epic, life: Life) -> None:
        ticket = life.ticket
        self._plan(epic, life)
        flow = FLOWS[epic.project]
        status = flow["created"]
        for phase in ("started", "review", "done"):
            if phase not in life.at or phase not in flow or (phase == "review" and self._is_unasked(epic, ticket)):
                continue
            name = flow[phase]
            if (
                phase == "started"
                and life.assignee
                and "planned" not in life.at
                and life.assignee.is_employed(life.at[phase])
            ):
                self._change(
                    life.story,
                    life,
                    life.at[phase] - MINUTE,
                    life.assignee,
                    FieldChange("assignee", "", life.assignee.id),
                )
            changes = [FieldChange("status", status, name)]
            if phase == "done":
                changes.append(FieldChange("resolution", "", WORDS[ticket.state]))
                if ticket.fix:
                    changes.append(FieldChange("fix", "", ticket.fix))
            actor = life.assignee or life.reporter
            code = self._tell_code(epic, life, phase)
            at = life.at[phase]
            life.finished = self._change(life.story, life, at, self._present(actor, at, life), *changes, code=code)
            status = name
            if phase == "review" and ticket.reopened:
                status = self._send_back(epic, life)

    def _tell_code(self, epic: Epic, life: Life, phase: str) -> Event | None:
        """The pull request that moves an issue to review, or whose merge finishes it."""
        ticket, made = life.ticket, life.made
        if "review" not in FLOWS[epic.project] or epic.project == "INC" or life.assignee is None or made is None:
            return None
        if phase == "review":
            service = find_service(self.teller.company, ticket.component)
            return self.pulls.open(life.story, made, life.assignee, life.at, service)
        if phase == "done" and ticket.state == "done":
            return self.pulls.merge(life.story, ticket.id, life.assignee, life.at["done"], objected=ticket.reopened)
        return None

    def _is_unasked(self, epic: Epic, ticket: Ticket) -> bool:
        """Most support requests are answered without asking the customer back."""
        return (
            epic.project == "INC"
            and ticket.state == "done"
            and self.teller.spec.stream("issue", ticket.id, "asked").random() < 0.6
        )

    def _send_back(self, epic: Epic, life: Life) -> str:
        """Review found something: back to In Progress once."""
        one = life.assignee or life.reporter
        back = life.at["review"] + max(
            (life.at.get("done", self.teller.spec.start) - life.at["review"]) // 3, 5 * MINUTE
        )
        remark = self.pulls.send_back(life.story, life.ticket.id, back)
        self._change(life.story, life, back, one, FieldChange("status", "In Review", "In Progress"), code=remark)
        if "done" not in life.at:
            self._give_up(life, one, remark, back)
            return "In Progress"
        again = back + (life.at["done"] - back) // 2
        self._change(life.story, life, again, one, FieldChange("status", "In Progress", "In Review"))
        return "In Review"

    def _give_up(self, life: Life, one: Staff, remark: Event | None, back: int) -> None:
        """The author closes the pull request that was sent back, and starts again."""
        draw = self.teller.spec.stream("issue", life.ticket.id, "given up")
        at = self._after(one, back + self.teller.hours.gap("hours", one, draw), draw)
        if at is not None and draw.random() < GIVEN_UP:
            self.pulls.close(life.story, life.ticket.id, one, remark, at)

    def _plan(self, epic: Epic, life: Life) -> None:
        """Into the sprint with points and an assignee; carried over when a sprint ends with it unfinished."""
        ticket = life.ticket
        if "planned" not in life.at:
            return
        lead = self._lead(life, life.at["planned"])
        changes = [FieldChange("sprint", "", ticket.sprint[0])]
        if ticket.points is not None:
            changes.insert(0, FieldChange("points", "", f"{ticket.points:g}"))
        if life.assignee and life.assignee.is_employed(life.at["planned"]):
            changes.append(FieldChange("assignee", "", life.assignee.id))
        for i, change in enumerate(changes):
            self._change(life.story, life, life.at["planned"] + i * 9 * SECOND, lead, change)
        for old, new in zip(ticket.sprint, ticket.sprint[1:], strict=False):
            at = self.sprints[old].closed_at
            if at is not None:
                self._change(
                    life.story, life, at + 2 * SECOND, self.sprints[old].closer, FieldChange("sprint", old, new)
                )

    def _lead(self, life: Life, at: int) -> Staff:
        """Return the planner of an issue: the lead of the assignee's team, else the reporter."""
        company = self.teller.company
        one = life.assignee or life.reporter
        lead = company.staff.get(one.manager or "") or one
        return lead if lead.is_employed(at) and not company.away(lead.seat, at) else life.reporter

    def _present(self, one: Staff, at: int, life: Life) -> Staff:
        return one if one.is_employed(at) else life.reporter

    def _change(
        self, story: str, life: Life, at: int, actor: Staff, *changes: FieldChange, code: Event | None = None
    ) -> Event:
        at = max(at, life.at["created"] + SECOND)
        cause = [one.id for one in (life.made, code) if one is not None]
        facts = IssueChanged(life.ticket.id, changes)
        return self.teller.log.add(story, at, actor.id, facts, causes=cause, part=life.ticket.id)

    # -- talk

    def _talk(self, epic: Epic, life: Life) -> None:
        self.comment(life.story, life, life.ticket.comments)
        self._log_work(life.story, life)
        for i, scene in enumerate(life.ticket.scenes):
            self._scene(life.story, life, scene, f"{life.ticket.id}.chat-{i + 1}")
        draw = self.teller.spec.stream("issue", life.ticket.id, "watch")
        for one in draw.shuffled(
            [s for s in self.teller.company.staff.values() if fits(self.teller.company, s, "eng|product|support")]
        )[: draw.weighted((0, 1, 2, 3), (5, 3, 2, 1))]:
            at = self._after(one, life.at["created"] + draw.integer(1, 70) * HOUR, draw)
            if at and one is not life.reporter:
                self.teller.log.add(
                    life.story,
                    at,
                    one.id,
                    Watched(life.ticket.id),
                    causes=[life.made.id] if life.made else [],
                    part=life.ticket.id,
                )

    def comment(self, story: str, life: Life, turns: Sequence[Turn]) -> None:
        """Comments in order; one that would fall after now is not written yet, nor are those behind it."""
        draw = self.teller.spec.stream("issue", life.ticket.id, "comments")
        at = life.at.get("started", life.at["created"])
        for turn in turns:
            one = life.slots.roles[turn.by]
            if turn.phase:
                at = life.at[turn.phase] if turn.phase in life.at else at
            found = self._after(
                one, at + self.teller.hours.gap(turn.gap or ("work" if turn.phase else "hours"), one, draw), draw
            )
            if found is None:
                return
            at = found
            text = bare(life.slots.fill(turn.say, one, at))
            self.teller.log.add(
                story,
                at,
                one.id,
                Commented(life.ticket.id, text),
                causes=[life.made.id] if life.made else [],
                part=life.ticket.id,
            )

    def _after(self, one: Staff, at: int, draw: Stream) -> int | None:
        """The person's next working time, or None if that is not before now or they have left by then."""
        if at >= self.teller.spec.start or not (one.left_at is None or at < one.left_at - DAY):
            return None
        at = self.teller.hours.next_working(one, max(at, one.joined_at), draw) + draw.integer(0, SECOND - 1)
        return at if at < self.teller.spec.start - MINUTE and one.is_employed(at) else None

    def _log_work(self, story: str, life: Life) -> None:
        """`log` turns begin with the time spent: "2h30m traced the retries"."""
        draw = self.teller.spec.stream("issue", life.ticket.id, "worklog")
        at = life.at.get("started")
        for turn in life.ticket.log:
            one = life.slots.roles[turn.by]
            spent, _, text = turn.say.partition(" ")
            found = None if at is None else self._after(one, at + duration(spent), draw)
            if found is None:
                return
            at = found + 20 * HOUR
            facts = Worked(
                life.ticket.id,
                (found - duration(spent)) // MINUTE * MINUTE,
                duration(spent) // SECOND,
                bare(life.slots.fill(text, one, found)),
            )
            self.teller.log.add(story, found, one.id, facts, part=life.ticket.id)

    def _scene(self, story: str, life: Life, scene: Scene, part: str) -> None:
        """A conversation about the issue, some while after the phase it belongs to."""
        room = self.teller.rooms.get(scene.place)
        base = life.at.get(scene.at or "created")
        if room is None or base is None or base < self.teller.spec.window_start:
            return
        roles = {turn.by: life.slots.roles[turn.by] for turn in scene.turns}
        known = life.finished if scene.at == "done" and life.finished else life.made
        for attempt in range(6):
            draw = self.teller.spec.stream("scene", part, attempt)
            at = self.teller.hours.next_working(
                roles[scene.turns[0].by], base + int(draw.lognormal(25, 1.0)) * MINUTE + attempt * 3 * HOUR, draw
            )
            times = self.teller.timeline(scene.turns, roles, at, draw, lively=True)
            if times[-1] < self.teller.spec.start and all(
                roles[t.by].is_employed(w) and roles[t.by].seat in room.seats(w)
                for t, w in zip(scene.turns, times, strict=True)
            ):
                said = self.teller.tell(
                    story,
                    scene.place,
                    scene.turns,
                    life.slots,
                    times,
                    causes=[known.id] if known else [],
                    part=part,
                    bursts=True,
                )
                life.closing = said[-1] if scene.at == "done" else life.closing
                return

    def _link(self, story: str, life: Life) -> None:
        draw = self.teller.spec.stream("issue", life.ticket.id, "links")
        for word, others in life.ticket.links.items():
            for other in others:
                if other not in self.lives:
                    continue
                after = max(life.at["created"], self.lives[other].at["created"]) + draw.integer(2, 90) * MINUTE
                at = (
                    life.at["done"] - 2 * SECOND
                    if word == "duplicates" and life.at.get("done", 0) > after
                    else self._after(life.reporter, after, draw)
                )
                if at:
                    self.teller.log.add(
                        story, at, life.reporter.id, Linked(life.ticket.id, LINKS[word], other), part=life.ticket.id
                    )


def _parent(epic: Epic, ticket: Ticket) -> str:
    """The parent named, else the epic itself for standard issues."""
    first = epic.tickets[0]
    return ticket.parent or (first.id if first.type == "Epic" and ticket.type not in ("Epic", "Sub-task") else "")


def _find_proposal(epic: Epic, ticket: Ticket) -> float | None:
    """Days before the start of the first pull request for an issue, or a day more for one below it; None without."""
    below = [_find_proposal(epic, one) for one in epic.tickets if _parent(epic, one) == ticket.id]
    return max([*(days + 1 for days in below if days), *filter(None, [first_proposals().get(ticket.id)])], default=None)
