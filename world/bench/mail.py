"""What the mail service costs: searches of a large mailbox, in process; a mail over REST, against the echo; the inbox
in a browser.
"""

import json
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from world.bench.doors import Lean, process
from world.bench.timing import pair_ms, per_call_us
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.store.queries import row

LARGEST = "SELECT person_id, count(*) FROM gmail_message GROUP BY person_id ORDER BY 2 DESC, 1 LIMIT 1"
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


def search_ms(host: Host, world: str) -> float:
    """The first page of searches with two operators over the largest mailbox: the median of the slowest of them."""
    actor = host.create(world, Settings(limits="off"))
    person, _ = row(actor.bound, LARGEST) or ("", 0)
    principal = Principal(world, person, "user", "gmail", generation=actor.generation)

    def search(query: str) -> None:
        host.peek(principal, "rest", "users.messages.list", {"q": query, "maxResults": PAGE})

    return max(per_call_us(lambda query=query: search(query), rounds=11, calls=1) for query in SEARCHES) / 1000


def send(target: Mapping[str, Any], echo: Mapping[str, Any]) -> dict[str, float]:
    """A mail from one person to another against the echo's write."""
    ours = Lean(target["url"], {"Authorization": f"Bearer {target['mail_token']}"})
    theirs = Lean(echo["url"])
    numbers = count()

    def mail() -> bytes:
        raw = f"To: {target['recipient']}\r\nSubject: Number {next(numbers)}\r\n\r\nGood morning.\r\n"
        return ours.send(
            "POST", "/gmail/gmail/v1/users/me/messages/send", {"raw": urlsafe_b64encode(raw.encode()).decode()}
        )

    if json.loads(mail())["labelIds"] != ["SENT"]:
        raise AssertionError("the mail was not sent")
    mine, reference = pair_ms(mail, lambda: theirs.send("POST", "/echo", {"text": f"hello {next(numbers)}"}))
    return {"gmail_send_ms": mine, "gmail_send_echo_ms": reference, "gmail_send_x_echo": mine / reference}


def inbox_load_ms(image: Path, folder: Path) -> dict[str, float]:
    """A load of the largest inbox in Chromium; nothing where there is no browser to load it in."""
    folder.mkdir()
    with process("world.bench.target", str(image), str(folder)) as target:
        command = [
            sys.executable,
            "-m",
            "world.bench.page_load",
            target["url"],
            target["login"],
            "/gmail/mail/inbox",
            "Inbox",
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if done.returncode:
        print(f"no browser, hence no gmail_inbox_load_ms: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return {}
    return {"gmail_inbox_load_ms": json.loads(done.stdout)["load_ms"]}
