"""Benchmarks of the mail service: searches of a large mailbox, a mail over REST, the inbox in a browser."""

import json
from base64 import urlsafe_b64encode
from itertools import count
from typing import Any

from world.bench.app_bench import WORLD, AppBench, BenchSetting, Target, issue_login, issue_token, load_page
from world.bench.server_process import LeanClient
from world.bench.timing import pair_ms, per_call_us
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host, open_host
from world.store.queries import row

LARGEST = "SELECT person_id, count(*) FROM gmail_message GROUP BY person_id ORDER BY 2 DESC, 1 LIMIT 1"
SENDER = "SELECT id FROM person WHERE status = 'active' AND kind = 'employee' ORDER BY id LIMIT 1"
RECIPIENT = "SELECT email FROM person WHERE status = 'active' AND kind = 'employee' AND id <> ? ORDER BY id LIMIT 1"
SEARCHES = (
    "from:me invoice",
    "is:unread invoice",
    "in:inbox ledger",
    "invoice budget",
    "the with",
    "-in:inbox the",
    "the nowhere",
    "is:starred vendor",
)
PAGE = 50


def _search_ms(host: Host) -> float:
    """Measure the first page of two-operator searches over the largest mailbox; return the median of the slowest."""
    actor = host.create("searched", Settings(limits="off"))
    person, _ = row(actor.bound, LARGEST) or ("", 0)
    principal = Principal("searched", person, "user", "gmail", generation=actor.generation)

    def search(query: str) -> None:
        host.peek(principal, "rest", "users.messages.list", {"q": query, "maxResults": PAGE})

    return max(per_call_us(lambda query=query: search(query), rounds=11, calls=1) for query in SEARCHES) / 1000


def _send(target: Target, echo: Target) -> dict[str, float]:
    """Measure a mail from one person to another against the echo's write."""
    mine = target["apps"]["gmail"]
    ours = LeanClient(target["url"], {"Authorization": f"Bearer {mine['token']}"})
    theirs = LeanClient(echo["url"])
    numbers = count()

    def mail() -> bytes:
        raw = f"To: {mine['recipient']}\r\nSubject: Number {next(numbers)}\r\n\r\nGood morning.\r\n"
        return ours.send(
            "POST", "/gmail/gmail/v1/users/me/messages/send", {"raw": urlsafe_b64encode(raw.encode()).decode()}
        )

    if json.loads(mail())["labelIds"] != ["SENT"]:
        raise AssertionError("the mail was not sent")
    taken, reference = pair_ms(mail, lambda: theirs.send("POST", "/echo", {"text": f"hello {next(numbers)}"}))
    return {"gmail_send_ms": taken, "gmail_send_echo_ms": reference, "gmail_send_x_echo": taken / reference}


def _describe(host: Host) -> dict[str, Any]:
    """Return a sender, a recipient, and a login to the largest mailbox."""
    bound = host.actors[WORLD].bound
    (person,) = row(bound, SENDER) or ("",)
    (recipient,) = row(bound, RECIPIENT, person) or ("",)
    largest, _ = row(bound, LARGEST) or (person, 0)
    return {
        "token": issue_token(host, person, "gmail"),
        "recipient": recipient,
        "login": issue_login(host, largest),
    }


def _figures(ground: BenchSetting) -> dict[str, float]:
    host = open_host(ground.largest, ground.scratch / "searched")
    try:
        found = {"gmail_search_ms_50k": _search_ms(host)}
    finally:
        host.store.close()
    with ground.serve("mail") as target:
        found |= _send(target, ground.echo)
    with ground.serve("inbox", ground.largest) as target:
        found |= load_page(
            "gmail_inbox_load_ms", target, target["apps"]["gmail"]["login"], "/gmail/mail/inbox", "Inbox"
        )
    return found


bench = AppBench(
    targets={"gmail_search_ms_50k": ("<=", 20), "gmail_send_x_echo": ("<=", 8), "gmail_inbox_load_ms": ("<=", 250)},
    describe=_describe,
    figures=_figures,
)
