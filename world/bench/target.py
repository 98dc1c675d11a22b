"""A server to measure, in a process of its own: `python -m world.bench.target IMAGE FOLDER`."""

import asyncio
import json
import sys
from pathlib import Path

from world.access import Principal
from world.bench.worlds import MEMBER
from world.home import open_host
from world.host import Host
from world.server.control_plane import token_form
from world.server.serve import listening, run, tcp, unix
from world.settings import Settings
from world.store.reading import row

LARGEST = "SELECT person_id FROM gmail_message GROUP BY person_id ORDER BY count(*) DESC, 1 LIMIT 1"
RECIPIENT = "SELECT email FROM person WHERE status = 'active' AND kind = 'employee' AND id <> ? ORDER BY id LIMIT 1"


def describe(host: Host) -> dict[str, str]:
    """Who may post where, and with which token."""
    host.create("bench", Settings(limits="off"))
    person, channel = row(host.actors["bench"].bound, MEMBER) or ("", "")
    slack, gmail = (host.tokens.issue(Principal("bench", person, "user", app), token_form(host, app, "user")) for app in ("slack", "gmail"))
    recipient = row(host.actors["bench"].bound, RECIPIENT, person) or ("",)
    reader = row(host.actors["bench"].bound, LARGEST) or (person,)
    login = host.tokens.issue(Principal("bench", reader[0], "session"))
    return {"person": person, "channel": channel, "token": slack, "mail_token": gmail, "recipient": recipient[0], "login": login}


async def _main(image: Path, folder: Path) -> None:
    host = open_host(image, folder / "worlds")
    path = folder / "control.sock"
    about = describe(host)
    async with listening(host, tcp("127.0.0.1", 0), unix(path), secret="bench") as up:
        print(json.dumps({"url": up.url, "control": str(path), **about}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(_main(Path(sys.argv[1]), Path(sys.argv[2])))
