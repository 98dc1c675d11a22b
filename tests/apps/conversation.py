"""A world of the seeded company in which coworkers are spoken to, and one who knows a batch."""

from collections.abc import Callable
from typing import Any

from tests.company import START
from world.core.clock import SECOND
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.script.coworkers import Coworker, Demand, Rule, State, evidence
from world.script.scenario import Script, compile_script

HOUR_S = 3600
ME, EXPERT, BOSS = "p_0003", "p_0012", "p_0002"
ASK_BACK = ("Which issue is it about?", "Do you have an issue for me?", "Give me the key of the issue, please.")
HELLO = ("Hi.", "Hello.", "Hey.")
FACT = ("Batch 7.", "It was batch 7.", "7, the batch.")
NO = ("That I may not hand out.", "No, ask Piotr.", "Not allowed.")
LOST = ("What do you need?", "Say more?", "I do not follow.")
CALLED = ("{to}, {speaker} needs you.", "{to}: please help {speaker}.", "Over to {to} for {speaker}.")
Play = Callable[..., "Room"]


def expert(**more: Any) -> Coworker:
    """Greeted first, they tell the batch to whoever names an issue of the SHOP project, and the password to nobody."""
    found = evidence("jira_issue", "key", lambda w, row: row["key"].startswith("SHOP-"))
    batch = Rule("batch", intent=(("batch",),), replies=FACT, demands=(Demand(found, ASK_BACK),), goes="told")
    password = Rule(
        "password", intent=(("password",),), replies=FACT, demands=(Demand(lambda w, heard: False, NO, final=True),)
    )
    usual: dict[str, Any] = {
        "who": lambda w: EXPERT,
        "always": True,
        "delay_s": 60,
        "fallback": LOST,
        "rules": (password,),
        "states": (
            State("fresh", (Rule("hello", intent=(("hello", "hi"),), replies=HELLO, goes="met"),)),
            State("met", (batch,)),
            State("told", fallback=("All said.",) * 3),
        ),
    }
    return Coworker(**{**usual, **more})


class Room:
    """A world that plays a script, and what is said in it; `say` waits for an answer."""

    def __init__(self, host: Host, name: str = "w") -> None:
        self.host, self.name = host, name

    def call(self, operation: str, who: str = ME, **arguments: Any) -> Any:
        return self.host.call(Principal(self.name, who), "rest", operation, arguments, "http://quayline.test")

    def pass_time(self, seconds: int) -> None:
        actor = self.host.actors[self.name]
        actor.advance(actor.now + seconds * SECOND)

    def rows(self, sql: str, *values: Any) -> list[Any]:
        return self.host.actors[self.name].bound.raw.execute(sql, values).fetchall()

    def direct(self, text: str, *, seconds: int = HOUR_S // 4) -> str:
        """Send a direct message; the answer, or nothing."""
        account = self.rows("SELECT external_id FROM account WHERE app = 'slack' AND person_id = ?", EXPERT)[0][0]
        sent = self.call("chat.postMessage", channel=account, text=text)
        self.pass_time(seconds)
        said = self.rows(
            "SELECT text FROM slack_message WHERE channel_id = ? AND ts > ? AND person_id = ?",
            sent["channel"],
            sent["ts"],
            EXPERT,
        )
        return "|".join(one for (one,) in said)

    def mailed(self, whom: str, subject: str, by: str = EXPERT) -> list[str]:
        """What the expert, or another, has answered somebody by mail."""
        sql = """SELECT b.id FROM gmail_message b JOIN gmail_mail m ON m.id = b.mail_id
            WHERE b.person_id = ? AND m.sender_id = ? AND m.subject = ? ORDER BY b.internal_at"""
        return [
            self.call("users.messages.get", whom, id=id)["snippet"]
            for (id,) in self.rows(sql, whom, by, f"Re: {subject}")
        ]

    def said_by(self, person: str) -> list[str]:
        start = f"{self.rows('SELECT at FROM _call ORDER BY seq LIMIT 1')[0][0] // SECOND}"
        return [
            one
            for (one,) in self.rows(
                "SELECT text FROM slack_message WHERE person_id = ? AND ts > ? ORDER BY ts", person, start
            )
        ]


def playing(firm: Host) -> Play:
    """Worlds over the seeded company that play coworkers and other parts of a script."""

    def begin(*parts: Coworker | Callable[[Script], object], name: str = "w") -> Room:
        script = Script("people", START, "Europe/Berlin")
        for part in parts:
            if isinstance(part, Coworker):
                script.coworker(part)
            else:
                part(script)
        firm.create(name, Settings(limits="off"), compile_script(script, horizon="9d"))
        return Room(firm, name)

    return begin
