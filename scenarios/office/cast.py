"""Casts of stories: who plays which part, drawn from the people at work."""

from collections.abc import Callable, Mapping, Sequence

from scenarios.office.mail import letter
from scenarios.office.people import account
from world.core.clock import DAY
from world.core.directory import Person
from world.script.errors import ScenarioError
from world.script.stage import Stage


def draw_cast(w: Stage, parts: Mapping[str, Sequence[str]], *, days: int = 0) -> dict[str, str]:
    """The directory id of a person for each part, by the beginnings of fitting titles; nobody has two parts, and nobody
    is away now or in the next days.

    Raises ScenarioError if nobody is left for a part.
    """
    end = w.now + days * DAY
    away = {one["person_id"] for one in w.rows("absence") if one["start_at"] <= end and w.now < one["end_at"]}
    here = [one for one in w.rows("person", kind="employee", status="active") if one["id"] not in away]
    found: dict[str, str] = {}
    for part, titles in parts.items():
        fit = [one["id"] for one in here if one["title"].startswith(tuple(titles)) and one["id"] not in found.values()]
        if not fit:
            raise ScenarioError(f"nobody is left to play {part}")
        found[part] = w.rng("cast", part).choice(fit)
    return found


def find_part(part: str) -> Callable[[Stage], Person]:
    """Who plays a part of the drawn `cast`, for a coworker; before the draw that is nobody, and nobody hears anything."""
    return lambda w: w.person(w.fact("truth", "cast")[part])


def describe_member(w: Stage, person: str) -> dict[str, str]:
    """Facts about somebody of the cast: `id`, `name`, `email`."""
    whom = w.person(person)
    return {"id": person, "name": whom.full_name, "email": whom.email}


def write_to(w: Stage, writer: str, reader: str, subject: str, text: str) -> str:
    """Somebody writes a mail to a colleague, with greeting and name; returns its Message-ID."""
    who, whom = w.person(writer), w.person(reader)
    body = letter(whom.first_name, text, who.first_name)
    made = w.act(who, "mail.send", to=[whom.email], subject=subject, text=body)
    return w.find("gmail_mail", id=w.find("gmail_message", id=made["id"])["mail_id"])["message_id"]


def post_as(w: Stage, writer: str, channel: str, text: str, **more: object) -> str:
    """Somebody posts in a channel, by id; returns the message's `ts`, or nothing while Slack is away."""
    posted = w.act(writer, "chat.postMessage", channel=channel, text=text, **more)
    return posted["ts"] if posted else ""


def ask_directly(w: Stage, part: str, text: str) -> None:
    """Somebody of the cast writes a direct message to the agent; the event notes `channel` and `ts`."""
    who = w.fact("truth", "cast")[part]
    opened = w.act(who, "conversations.open", users=account(w, w.fact("truth", "me"), "slack"))["channel"]["id"]
    w.note(channel=opened, ts=post_as(w, who, opened, text))
