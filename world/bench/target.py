"""A server to measure, in a process of its own: `python -m world.bench.target IMAGE FOLDER`."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from world.bench.worlds import MEMBER
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host, open_host
from world.server.control_state import token_form
from world.server.serve import listening, run, tcp, unix
from world.store.queries import row

LARGEST = "SELECT person_id FROM gmail_message GROUP BY person_id ORDER BY count(*) DESC, 1 LIMIT 1"
DEVELOPER = """SELECT a.person_id, a.login, o.login || '/' || r.name, max(i.number) FROM github_repository r JOIN
    github_issue i ON i.repo_id = r.id
    AND i.is_pull AND i.state = 'open' JOIN github_account a ON a.id = i.author_id JOIN github_account o ON o.id =
    r.owner_id
    WHERE a.person_id IS NOT NULL ORDER BY r.id LIMIT 1"""
RECIPIENT = "SELECT email FROM person WHERE status = 'active' AND kind = 'employee' AND id <> ? ORDER BY id LIMIT 1"


def describe(host: Host) -> dict[str, Any]:
    """Who may post where, and with which token."""
    host.create("bench", Settings(limits="off"))
    person, channel = row(host.actors["bench"].bound, MEMBER) or ("", "")
    slack, gmail = (
        host.tokens.issue(Principal("bench", person, "user", app), token_form(host, app, "user"))
        for app in ("slack", "gmail")
    )
    recipient = row(host.actors["bench"].bound, RECIPIENT, person) or ("",)
    reader = row(host.actors["bench"].bound, LARGEST) or (person,)
    login = host.tokens.issue(Principal("bench", reader[0], "session"))
    sheets = host.tokens.issue(Principal("bench", reader[0], "user", "sheets"), token_form(host, "sheets", "user"))
    developer, name, repository, pull = row(host.actors["bench"].bound, DEVELOPER) or ("", "", "", 0)
    code = host.tokens.issue(Principal("bench", developer, "user", "github"), token_form(host, "github", "user"))
    session = host.tokens.issue(Principal("bench", developer, "session"))
    about = {
        "code_token": code,
        "code_login": name,
        "repository": repository,
        "pull": str(pull),
        "code_session": session,
    }
    about |= {"sheets_token": sheets, "person": person, **large(host, reader[0])}
    return {**about, "channel": channel, "token": slack, "mail_token": gmail, "recipient": recipient[0], "login": login}


def large(host: Host, person: str) -> dict[str, Any]:
    """Tokens of one person in worlds of their own, since what a world may change is bounded; and a login to the last of
    them.
    """
    worlds = [f"large-{number}" for number in range(3)]
    for world in worlds:
        host.create(world, Settings(limits="off"))
    tokens = [
        host.tokens.issue(Principal(world, person, "user", "sheets"), token_form(host, "sheets", "user"))
        for world in worlds
    ]
    return {"large_tokens": tokens, "large_login": host.tokens.issue(Principal(worlds[-1], person, "session"))}


async def _main(image: Path, folder: Path) -> None:
    host = open_host(image, folder / "worlds")
    path = folder / "control.sock"
    about = describe(host)
    async with listening(host, tcp("127.0.0.1", 0), unix(path), secret="bench") as up:
        print(json.dumps({"url": up.url, "control": str(path), **about}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(_main(Path(sys.argv[1]), Path(sys.argv[2])))
