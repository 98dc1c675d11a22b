"""Slash commands: what a text that begins with `/` does instead of being posted. The workspace's built-in ones."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from apps.slack.pages.people import PageAuthor, People
from apps.slack.pages.ui import pages
from world.core.errors import InvalidArguments
from world.core.params import Arguments
from world.web import View, response_headers

_COMMAND = re.compile(r"/([^\s/]\S*)(?:\s+(.*))?", re.DOTALL)
_EMOJI = re.compile(r"(:[a-z0-9_+'-]+:)\s*", re.IGNORECASE)
_REMIND = re.compile(
    r"me\s+(?:to\s+)?(?P<what>.+?)\s+(?P<when>(?:in|at|on|next|tomorrow|today|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_MINUTES = re.compile(r"(?:for\s+)?(\d+)\s*(m|min|minutes?|h|hours?|d|days?)?")
SHRUG = "¯\\_(ツ)_/¯"
UNKNOWN = "is not a valid command. To send a text that begins with a slash, put a space before it."


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command as it was typed, and where."""

    view: View
    name: str
    rest: str
    channel: str
    arguments: Arguments

    @property
    def people(self) -> People:
        """People by id."""
        return People.of(self.view)

    def refuse(self, why: str) -> InvalidArguments:
        """The line under the box that says why nothing was done."""
        return InvalidArguments([(f"/{self.name}", why)])

    def submit(self, operation: str, **arguments: Any) -> Any:
        """Do it, as any form would."""
        return self.view.submit(operation, arguments)

    def go_to(self, path: str, **query: str) -> Response:
        """Lead the reader to another page."""
        address = self.view.url(path, **query)
        fragment = response_headers.is_fragment(self.view.request)
        return response_headers.elsewhere(address) if fragment else response_headers.see_other(address)


Command = Callable[[CommandLine], Any]
COMMANDS: dict[str, Command] = {}


def _command(*names: str) -> Callable[[Command], Command]:
    def declare(run: Command) -> Command:
        COMMANDS.update(dict.fromkeys(names, run))
        return run

    return declare


@pages.interpret("chat.postMessage")
def run_command(view: View, arguments: dict[str, object]) -> object:
    """Run a command; None for a text that is none."""
    text = arguments.get("text")
    found = _COMMAND.fullmatch(text) if isinstance(text, str) and not arguments.get("draft_id") else None
    if found is None:
        return None
    name = found[1].lower()
    line = CommandLine(view, name, (found[2] or "").strip(), str(arguments.get("channel", "")), arguments)
    if name not in COMMANDS:
        raise line.refuse(UNKNOWN)
    if arguments.get("thread_ts") and name != "shrug":
        raise line.refuse("is not supported in threads.")
    return COMMANDS[name](line)


def list_commands(begun: str) -> list[tuple[str, str]]:
    """The commands whose names go on from what was typed, with what they do; none once a name is whole."""
    if begun in COMMANDS:
        return []
    return [(name, (run.__doc__ or "").strip()) for name, run in COMMANDS.items() if name.startswith(begun)]


def build_note(text: str) -> dict[str, str]:
    """Return a command's answer to the person who typed it."""
    return {"said": text}


def find_person(line: CommandLine, text: str) -> PageAuthor:
    """The person of `@handle`, of an address, or of a name; a refusal if there is none."""
    wanted = text.strip().removeprefix("@").lower()
    for who in line.people.all.values():
        names = (who.handle, who.name, who.real_name, who.email)
        if wanted and not who.is_gone and wanted in [name.lower() for name in names]:
            return who
    raise line.refuse(f"needs somebody's name, and “{text}” is nobody's." if text else "needs somebody's name.")


def find_channel(line: CommandLine, text: str) -> str:
    """The id of the channel of `#name`; a refusal if there is none."""
    wanted = text.strip().removeprefix("#").lower()
    listed = line.view.read("conversations.list", types="public_channel,private_channel", limit=1000)["channels"]
    for room in listed:
        if room["name"] == wanted:
            return str(room["id"])
    raise line.refuse(f"needs a channel's name, and “{text}” is none's." if text else "needs a channel's name.")


def split_person(line: CommandLine) -> tuple[PageAuthor, str]:
    """The person a command begins with, whose name may be of several words, and what follows."""
    words = line.rest.split(" ")
    for count in range(min(3, len(words)), 1, -1):
        try:
            return find_person(line, " ".join(words[:count])), " ".join(words[count:])
        except InvalidArguments:
            continue
    return find_person(line, words[0]), " ".join(words[1:])


@_command("away")
def toggle_away(line: CommandLine) -> object:
    """Toggle between away and active."""
    away = line.view.read("users.getPresence", user=line.people.me)["presence"] == "away"
    line.submit("users.setPresence", presence="auto" if away else "away")
    return build_note("You are now active." if away else "You are now away.")


@_command("active")
def be_active(line: CommandLine) -> object:
    """Be there again."""
    line.submit("users.setPresence", presence="auto")
    return build_note("You are now active.")


@_command("status")
def set_status(line: CommandLine) -> object:
    """Set a status, with an emoji before it, or clear it."""
    found = _EMOJI.match(line.rest)
    text = line.rest[found.end() :] if found else line.rest
    if text.lower() == "clear":
        text, found = "", None
    emoji = found[1] if found else ":speech_balloon:" if text else ""
    line.submit("users.profile.set", profile={"status_text": text, "status_emoji": emoji})
    return build_note("Your status was set." if text or emoji else "Your status was cleared.")


@_command("topic")
def set_topic(line: CommandLine) -> object:
    """Set the channel's topic."""
    line.submit("conversations.setTopic", channel=line.channel, topic=line.rest)
    return build_note("The topic was set." if line.rest else "The topic was removed.")


@_command("rename")
def rename(line: CommandLine) -> object:
    """Rename the channel."""
    line.submit("conversations.rename", channel=line.channel, name=line.rest.removeprefix("#"))
    return build_note(f"The channel is now called #{line.rest.removeprefix('#')}.")


@_command("invite")
def invite(line: CommandLine) -> object:
    """Add somebody to this channel, or to the one named last."""
    text, _, last = line.rest.rpartition(" ")
    elsewhere = last.startswith("#") and bool(text)
    channel = find_channel(line, last) if elsewhere else line.channel
    names = re.split(r"\s+(?=@)|,\s*", text if elsewhere else line.rest)
    who = [find_person(line, name) for name in names]
    line.submit("conversations.invite", channel=channel, users=",".join(one.id for one in who))
    return build_note(f"{', '.join(one.name for one in who)} joined.")


@_command("remove", "kick")
def remove(line: CommandLine) -> Any:
    """Remove somebody from this channel."""
    who = find_person(line, line.rest)
    line.submit("conversations.kick", channel=line.channel, user=who.id)
    return build_note(f"{who.name} was removed.")


@_command("join", "open")
def join(line: CommandLine) -> Any:
    """Join a channel and go there."""
    channel = find_channel(line, line.rest)
    line.submit("conversations.join", channel=channel)
    return line.go_to(f"/client/{channel}")


@_command("leave", "close", "part")
def leave(line: CommandLine) -> object:
    """Leave the channel, or close the direct message."""
    room = line.people.room(line.channel)
    direct = room.get("is_im") or room.get("is_mpim")
    line.submit("conversations.close" if direct else "conversations.leave", channel=line.channel)
    return line.go_to("/")


@_command("archive")
def archive(line: CommandLine) -> object:
    """Archive the channel."""
    line.submit("conversations.archive", channel=line.channel)
    return line.go_to(f"/client/{line.channel}")


@_command("star")
def star(line: CommandLine) -> object:
    """Star the conversation, or take the star away."""
    on = line.channel not in line.people.boot["starred"]
    line.submit("conversations.setStarred", channel=line.channel, starred=on)
    return build_note("Starred." if on else "No longer starred.")


@_command("mute")
def mute(line: CommandLine) -> object:
    """Mute the conversation, or let it speak again."""
    on = line.channel not in line.people.boot["prefs"]["muted_channels"].split(",")
    line.submit("conversations.setMuted", channel=line.channel, muted=on)
    return build_note("Muted." if on else "No longer muted.")


@_command("me")
def say_of_oneself(line: CommandLine) -> object:
    """Say what one does."""
    if not line.rest:
        raise line.refuse("needs a text.")
    return line.submit("chat.meMessage", channel=line.channel, text=line.rest)


@_command("shrug")
def shrug(line: CommandLine) -> object:
    """Post the text with a shrug behind it."""
    thread = {"thread_ts": line.arguments["thread_ts"]} if line.arguments.get("thread_ts") else {}
    return line.submit("chat.postMessage", channel=line.channel, text=f"{line.rest} {SHRUG}".strip(), **thread)


@_command("remind")
def remind(line: CommandLine) -> object:
    """Remind oneself of something at a time."""
    found = _REMIND.fullmatch(line.rest)
    if found is None:
        raise line.refuse("reads like: /remind me to check the rollout in 15 minutes.")
    line.submit("reminders.add", text=found["what"].strip('"“” '), time=found["when"].strip())
    return build_note("The reminder is set.")


@_command("msg", "dm")
def message(line: CommandLine) -> Any:
    """Send somebody a direct message."""
    if line.rest.startswith("#"):
        name, _, text = line.rest.partition(" ")
        channel = find_channel(line, name)
    else:
        who, text = split_person(line)
        channel = str(line.submit("conversations.open", users=who.id)["channel"]["id"])
    if text.strip():
        line.submit("chat.postMessage", channel=channel, text=text.strip(), link_names=True)
    return line.go_to(f"/client/{channel}")


@_command("dnd")
def be_left_alone(line: CommandLine) -> object:
    """Be left alone for a while, or no more."""
    if line.rest.lower() in ("off", ""):
        line.submit("dnd.endSnooze" if line.rest else "dnd.setSnooze", **({} if line.rest else {"num_minutes": 60}))
        return build_note("Notifications are on." if line.rest else "Notifications are paused for an hour.")
    found = _MINUTES.fullmatch(line.rest.lower())
    if found is None:
        raise line.refuse("reads like: /dnd 30 minutes, or /dnd off.")
    minutes = int(found[1]) * {"h": 60, "d": 1440}.get((found[2] or "m")[0], 1)
    line.submit("dnd.setSnooze", num_minutes=minutes)
    return build_note(f"Notifications are paused for {minutes} minutes.")


@_command("who")
def list_members(line: CommandLine) -> object:
    """Say who is in the conversation."""
    members = line.view.call("conversations.members", channel=line.channel, limit=200)["members"]
    return build_note("Here: " + ", ".join(line.people.who(user).name for user in members))


@_command("search", "s")
def search(line: CommandLine) -> Any:
    """Search."""
    return line.go_to("/search", q=line.rest)
