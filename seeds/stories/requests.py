"""What customers report and machines raise: a mail or an alert, what is said of it, its ticket, its code, the answer."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from seeds.content_packs import Epic, Letter, Scene, Ticket
from seeds.conversation_timing import StoryWriter
from seeds.role_selectors import RoleNotFilled, cast
from seeds.stories.issues import Issues, Life
from seeds.stories.pulls import find_service
from world.core.clock import HOUR, MINUTE
from world.core.rng import Stream

TEAMS = {"payments": "payments", "ledger": "payments", "platform": "platform"}  # of a component; checkout has the rest
NEEDS = {name: name for name in ("many", "latency", "sha", "host")} | {"cust": "customer", "n": "count", "m": "small"}
STATES, SHARES = ("done", "review", "progress", "todo"), (15, 2, 2, 1)
LATEST = {"done": (5, 27), "review": (4, 9), "progress": (4, 9), "todo": (1, 5)}  # days since its creation, by state
LINKED = 0.25  # of the matters, those linked to the one before of the same component

Matter = Mapping[str, Any]


def tell_requests(
    teller: StoryWriter, issues: Issues, texts: Mapping[str, Any], wanted: int
) -> tuple[list[Epic], list[Letter]]:
    """Tell so many matters up to what is said of them; returns their tickets, still to be linked, and their mails."""
    drawn = teller.spec.stream("requests", "order").shuffled(texts["matters"])[:wanted]
    epics, letters = list[Epic](), list[Letter]()
    latest: dict[str, str] = {}
    for one in drawn:
        request = _Request(teller, one, texts["kinds"][one["kind"]], latest.get(one["component"], ""))
        if letter := request.tell(issues):
            epics.append(request.epic)
            letters.append(letter)
            latest[one["component"]] = request.handle
    return epics, letters


class _Request:
    """One matter on its way through the company."""

    def __init__(self, teller: StoryWriter, matter: Matter, kind: Matter, neighbour: str) -> None:
        self.teller, self.matter, self.kind, self.component = teller, matter, kind, matter["component"]
        self.handle = f"request-{matter['id']}"
        self.team = TEAMS.get(self.component, "checkout")
        self.alerts = "alerts-payments" if self.team == "payments" else "alerts-checkout"
        self.words = {
            **matter["words"],
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
        return self._build_letter()

    def _build_ticket(self, links: Mapping[str, tuple[str, ...]]) -> Ticket:
        draw, support = self.draw, self.kind["project"] == "INC"
        state = draw.weighted(STATES, SHARES)
        state = {"review": "waiting", "todo": "open"}.get(state, state) if support else state
        return Ticket.model_validate(
            {
                "id": self.handle,
                "type": self.kind["type"],
                "title": self._write(("[title]",), draw),
                "desc": self._write(self.kind["descriptions"], draw),
                "state": state,
                "reporter": "s",
                "assignee": "o" if support else "e",
                "component": () if support else (self.component,),
                "customer": "{cust.name}" if support else "",
                "service": find_service(self.teller.company, (self.component,)) if support else "",
                "age": draw.integer(*LATEST.get(state, LATEST["todo"])),
                "roles": self._cast(),
                "links": links,
                "comments": self._compose("comments"),
                "scenes": [
                    {"in": self._place(), "at": at, "turns": self._compose(name)}
                    for at, name in (("created", "opening"), ("done", "closing"))
                ],
            }
        )

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
        text = wording = draw.choice(wordings)
        for name, words in self.words.items():
            text = text.replace(f"[{name}]", words).replace(f"{{{name}}}", words)
        return text[:1].upper() + text[1:] if wording.startswith("[") else text

    def _raise_alert(self, life: Life) -> None:
        """The alert hours before, at night or on a weekend too, and what the person with the pager made of it."""
        teller, room = self.teller, self.teller.rooms.get(self.alerts)
        at = life.at["created"] - int(min(max(self.draw.lognormal(8, 0.9), 2), 60) * HOUR)
        if room is None or at < teller.spec.window_start:
            return
        try:
            roles = cast(teller.company, {"bot": "bot-alerts", "o": f"oncall:{self.team}"}, self.draw, at)
        except (RoleNotFilled, LookupError):
            return
        scene = Scene.model_validate({"in": self.alerts, "turns": self._compose("alert")})
        times = teller.timeline(scene.turns, roles, at, self.draw, urgent=True)
        life.slots.roles |= roles
        made = teller.tell(self.handle, self.alerts, scene.turns, life.slots, times, part="alert")
        if life.made and made[-1].at < life.made.at - MINUTE:
            teller.log.add_cause(life.made.id, made[0].id)

    def _build_letter(self) -> Letter:
        alert = "alert" in self.kind
        first, *others = takewhile(bool, self._draw_turns("mails"))  # nobody answers a mail that is not written
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
