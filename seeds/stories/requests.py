"""What customers report and machines raise: a mail or an alert, what is said of it, its ticket, its code, the answer."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from seeds.content_packs import Epic, Letter, Scene, Ticket, Turn
from seeds.conversation_timing import StoryWriter
from seeds.events import KEEP, KEPT
from seeds.pasted_logs import write_log
from seeds.role_selectors import RoleNotFilled, cast
from seeds.stories.issues import Issues, Life
from seeds.stories.pulls import find_service
from seeds.stories.reopenings import reopen
from world.core.clock import HOUR, MINUTE
from world.core.rng import Stream

TEAMS = {"payments": "payments", "ledger": "payments", "platform": "platform"}  # of a component; checkout has the rest
CUSTOMERS = dict.fromkeys(("cust", "other", "third"), "customer")
NEEDS = {name: name for name in ("many", "latency", "sha", "host")} | {**CUSTOMERS, "n": "count", "m": "small"}
STATES, SHARES = ("done", "review", "progress", "todo"), (28, 6, 4, 2)
OBJECTED = 0.9  # of the work in review, that which the review sends back
REOPENED = 0.14  # of the reports that are done, those that are not done yet when somebody looks
HOT = 0.25  # of the matters that may grow, those that do: the tail of comments and of conversations
KEPT_SHARE = 0.7  # of the wordings by which it may grow
TWICE = 2  # times that a wording by which a matter grows is used in one company, at most
MOST = 30  # turns that a matter may grow by, in the ticket and in the chat each
PASTE = "[paste]"  # in a wording: what the machine wrote
LATEST = {"done": (5, 27), "review": (4, 9), "progress": (4, 9), "todo": (1, 5)}  # days since its creation, by state
LINKED = 0.25  # of the matters, those linked to the one before of the same component

Matter = Mapping[str, Any]


class _Wordings:
    """The wordings of every turn, each used once before one comes again."""

    def __init__(self) -> None:
        self._left: dict[Sequence[str], list[str]] = {}
        self._said = Counter[str]()

    def draw(self, wordings: Sequence[str], draw: Stream) -> str:
        key = tuple(wordings)
        if not self._left.get(key):
            self._left[key] = draw.shuffled(wordings)
        return self._left[key].pop()

    def keep_fresh(self, wordings: Sequence[str]) -> list[str]:
        """Those that have not been said too often; they count as said."""
        fresh = [one for one in wordings if self._said[one] < TWICE]
        self._said.update(fresh)
        return fresh


def tell_requests(
    teller: StoryWriter, issues: Issues, texts: Mapping[str, Any], wanted: int
) -> tuple[list[Epic], list[Letter]]:
    """Tell so many matters up to what is said of them; returns their tickets, still to be linked, and their mails."""
    drawn = teller.spec.stream("requests", "order").shuffled(texts["matters"])[:wanted]
    epics, letters = list[Epic](), list[Letter]()
    latest: dict[str, str] = {}
    wordings = _Wordings()
    for one in drawn:
        request = _Request(teller, one, texts["kinds"][one["kind"]], latest.get(one["component"], ""), wordings)
        if letter := request.tell(issues):
            epics.append(request.epic)
            letters.append(letter)
            latest[one["component"]] = request.handle
    return epics, letters


class _Request:
    """One matter on its way through the company."""

    def __init__(self, teller: StoryWriter, matter: Matter, kind: Matter, neighbour: str, wordings: _Wordings) -> None:
        self.wordings = wordings
        self.teller, self.matter, self.kind, self.component = teller, matter, kind, matter["component"]
        self.handle = f"request-{matter['id']}"
        self.team = TEAMS.get(self.component, "checkout")
        self.alerts = "alerts-payments" if self.team == "payments" else "alerts-checkout"
        self.words = {
            **matter["words"],
            "quote": f"> {KEEP}{matter['words'].get('mail', '')}{KEPT}",
            "issue.this": f"{{issue.{self.handle}}}",
            "channel.place": f"{{channel.{self.alerts}}}",
        }
        self.draw = teller.spec.stream("request", matter["id"])
        linked = (neighbour,) if neighbour and self.draw.random() < LINKED else ()
        self.epic = Epic(
            id=self.handle,
            project=kind["project"],
            needs=NEEDS,
            tickets=(self._build_ticket({"relates": linked} if linked else {}),),
        )

    def tell(self, issues: Issues) -> Letter | None:
        """Tell ticket, code and chat; None where nobody here plays it."""
        issues.tell_epic(self.epic)
        life = issues.lives.get(self.handle)
        if life is None:
            return None
        if "alert" in self.kind:
            self._raise_alert(life)
        if "reopening" in self.kind and self.draw.random() < REOPENED:
            reopen(self.teller, life, self._place(), self._read("reopening"), self._read("undone"))
        return self._build_letter()

    def _read(self, name: str) -> tuple[Turn, ...]:
        """The turns of one part, read as those of a conversation."""
        return Scene.model_validate({"in": self._place(), "turns": self._compose(name)}).turns

    def _build_ticket(self, links: Mapping[str, tuple[str, ...]]) -> Ticket:
        draw, support = self.draw, self.kind["project"] == "INC"
        state = draw.weighted(STATES, SHARES)
        reopened = state == "review" and not support and draw.random() < OBJECTED
        more = [list(self._grow(draw, median)) for median in (13, 6)] if self._is_hot(draw) else [[], []]
        state = {"review": "waiting", "todo": "open"}.get(state, state) if support else state
        return Ticket.model_validate(
            {
                "id": self.handle,
                "type": self.kind["type"],
                "title": self._write(("[title]",), draw),
                "desc": self._write(self.kind["descriptions"], draw),
                "state": state,
                "reopened": reopened,
                "reporter": "s",
                "assignee": "o" if support else "e",
                "component": () if support else (self.component,),
                "customer": "{cust.name}" if support else "",
                "service": find_service(self.teller.company, (self.component,)) if support else "",
                "age": draw.integer(*LATEST.get(state, LATEST["todo"])),
                "roles": self._cast(),
                "links": links,
                "comments": [*self._compose("comments"), *more[0]],
                "scenes": [
                    {"in": self._place(), "at": "created", "turns": [*self._compose("opening"), *more[1]]},
                    {"in": self._place(), "at": "done", "turns": self._compose("closing")},
                ],
            }
        )

    def _is_hot(self, draw: Stream) -> bool:
        return "more" in self.kind and draw.random() < HOT

    def _grow(self, draw: Stream, median: int) -> Iterator[dict[str, str]]:
        """Turns of a matter that more customers have and more people look at: some of those written, in their order."""
        before, left = "", dict[str, list[str]]()
        for role, wordings in self.kind["more"].items():
            left[role] = self.wordings.keep_fresh([one for one in wordings if draw.random() < KEPT_SHARE])
        for _ in range(min(int(draw.lognormal(median, 0.8)), MOST)):
            ready = [role for role, wordings in left.items() if wordings and role != before]
            if not ready:
                return
            before, gap = draw.choice(ready), draw.weighted(("short", "work", "hours"), (5, 3, 1))
            yield {f"{before} {gap}": self._write((left[before].pop(0),), draw)}

    def _cast(self) -> dict[str, str]:
        """Who plays: reporter, assignee, and somebody who listens in."""
        if "alert" in self.kind:
            return {"s": f"{self.team} lead" if self.team != "platform" else "platform", "e": f"{self.team} staying"}
        if self.kind["project"] == "INC":
            return {"s": "support", "o": "support|success-2"}
        return {"s": "support", "e": f"{self.team} staying", "p": "payments|checkout staying|product|customers"}

    def _place(self) -> str:
        return str(self.kind.get("place") or f"team-{self.team}")

    def _compose(self, name: str) -> list[dict[str, str]]:
        """The turns of one part that are drawn, each in one of its wordings."""
        return [turn for turn in self._draw_turns(name) if turn]

    def _draw_turns(self, name: str) -> Iterator[dict[str, str]]:
        """The turns of one part, empty where left out; a number behind a turn is its chance in tenths."""
        for key, wordings in self.kind[name].items():
            head, _, chance = key.rpartition(" ")
            if not chance.isdigit():
                head, chance = key, "10"
            drawn = self.draw.random() * 10 < int(chance)
            yield {head: self._write(wordings, self.draw)} if drawn else {}

    def _write(self, wordings: Sequence[str], draw: Stream) -> str:
        text = wording = self.wordings.draw(wordings, draw)
        for name, words in self.words.items():
            text = text.replace(f"[{name}]", words).replace(f"{{{name}}}", words)
        return text[:1].upper() + text[1:] if wording.startswith("[") else text

    def _raise_alert(self, life: Life) -> None:
        """The alert hours before, at night or on a weekend too, and what the person with the pager made of it."""
        teller, room = self.teller, self.teller.rooms.get(self.alerts)
        at = life.at["created"] - int(min(max(self.draw.lognormal(14, 0.9), 2), 70) * HOUR)
        if room is None or at < teller.spec.window_start:
            return
        try:
            roles = cast(teller.company, {"bot": "bot-alerts", "o": f"oncall:{self.team}"}, self.draw, at)
        except (RoleNotFilled, LookupError):
            return
        scene = Scene.model_validate({"in": self.alerts, "turns": self._compose("alert")})
        times = teller.timeline(scene.turns, roles, at, self.draw, urgent=True)
        life.slots.roles |= roles
        turns = [self._paste(turn, when) for turn, when in zip(scene.turns, times, strict=True)]
        made = teller.tell(self.handle, self.alerts, turns, life.slots, times, part="alert", bursts=True)
        if life.made and made[-1].at < life.made.at - MINUTE:
            teller.log.add_cause(life.made.id, made[0].id)

    def _paste(self, turn: Turn, at: int) -> Turn:
        """The turn with what the machine wrote until then."""
        if PASTE not in turn.say:
            return turn
        service = find_service(self.teller.company, (self.component,)) or self.component
        return replace(turn, say=turn.say.replace(PASTE, write_log(service, self.words["log"], at, self.draw)))

    def _build_letter(self) -> Letter:
        alert = "alert" in self.kind
        first, *others = self._compose("mails")
        name, shows = self.matter.get("file", ("", ""))
        return Letter.model_validate(
            {
                "id": self.handle,
                "about": self.handle,
                "at": "created" if alert else "before",
                "subject": self._write(("[alert]" if alert else "[subject]",), self.draw),
                "roles": {"s": "reporter", "e": "assignee", "o": "assignee", "k": "outside cust"},
                "mails": [attach(first, name), *others],
                "files": {name: shows} if name else {},
            }
        )


def attach(mail: Mapping[str, str], name: str) -> dict[str, str]:
    """The mail with a file, if there is one."""
    return {f"{key} file:{name}" if name else key: text for key, text in mail.items()}
