"""People, channels and groups on a page, by id, read once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from apps.slack.markup import Names
from apps.slack.operations.client import BootAnswer
from world.web import View
from world.web.emoji import picture


@dataclass(frozen=True, slots=True)
class PageAuthor:
    """A person or app as the pages show them."""

    id: str
    name: str
    real_name: str
    handle: str = ""
    title: str = ""
    email: str = ""
    phone: str = ""
    pronouns: str = ""
    tz: str = "UTC"
    tz_label: str = ""
    is_bot: bool = False
    is_gone: bool = False
    is_guest: bool = False
    status_text: str = ""
    status_emoji: str = ""

    @property
    def status_picture(self) -> str:
        """The status emoji as a character."""
        name = self.status_emoji.strip(":")
        return (picture(name) or "") if name else ""


def who_from_user(user: Mapping[str, Any]) -> PageAuthor:
    """A user object of the service."""
    profile: Mapping[str, Any] = user.get("profile") or {}
    real = str(user.get("real_name") or profile.get("real_name") or user.get("name") or "")
    return PageAuthor(
        str(user["id"]),
        str(profile.get("display_name") or real),
        real,
        str(user.get("name") or ""),
        str(profile.get("title") or ""),
        str(profile.get("email") or ""),
        str(profile.get("phone") or ""),
        str(profile.get("pronouns") or ""),
        str(user.get("tz") or "UTC"),
        str(user.get("tz_label") or ""),
        bool(user.get("is_bot")),
        bool(user.get("deleted")),
        bool(user.get("is_restricted")),
        str(profile.get("status_text") or ""),
        str(profile.get("status_emoji") or ""),
    )


def conversation_kind(room: Mapping[str, object]) -> str:
    """public, private, im or mpim."""
    return (
        "im"
        if room.get("is_im")
        else "mpim"
        if room.get("is_mpim")
        else "private"
        if room.get("is_private")
        else "public"
    )


class People:
    """Everybody the page may name."""

    def __init__(self, view: View) -> None:
        self._view = view

    @classmethod
    def of(cls, view: View) -> "People":
        """The people of a page, made once for its handler and its side bar."""
        found = view.notes.setdefault("people", cls(view))
        if not isinstance(found, cls):
            raise TypeError("the page keeps something else under this name")
        return found

    @cached_property
    def all(self) -> dict[str, PageAuthor]:
        """Everybody with an account, by id."""
        found: dict[str, PageAuthor] = {}
        cursor = ""
        while True:
            page = self._view.read("users.list", limit=1000, cursor=cursor)
            found |= {str(user["id"]): who_from_user(user) for user in page["members"]}
            cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return found

    @property
    def zone(self) -> str:
        """The reader's time zone."""
        return self._view.page_state.me.tz

    @property
    def now(self) -> int:
        """The simulated time, microseconds since the epoch."""
        return self._view.now

    def is_active(self, who: PageAuthor) -> bool:
        """Whether somebody is there now."""
        answer = self._view.attempt("users.getPresence", user=who.id)
        return bool(answer) and answer["presence"] == "active"

    @cached_property
    def boot(self) -> BootAnswer:
        """The reader, the workspace and the reader's conversations."""
        return self._view.read("client.userBoot")

    @property
    def me(self) -> str:
        """The reader's own user id."""
        return str(self.boot["self"]["id"])

    @cached_property
    def rooms(self) -> dict[str, Mapping[str, Any]]:
        """The reader's conversations, by id; archived ones are not among them."""
        return {
            str(room["id"]): room
            for rooms in (self.boot["channels"], self.boot["ims"], self.boot["mpims"])
            for room in rooms
        }

    def who(self, user: str) -> PageAuthor:
        """The person of a user id; a stranger keeps the id as name."""
        return self.all.get(user) or PageAuthor(
            user, "Slackbot" if user == "USLACKBOT" else user or "Unknown", user, is_bot=user == "USLACKBOT"
        )

    @cached_property
    def names(self) -> Names:
        """Display names of the ids in texts."""
        groups = self._view.attempt("usergroups.list", include_users=True) or {"usergroups": []}
        mine = [g["id"] for g in groups["usergroups"] if self.me in (g.get("users") or ())]
        return Names(
            users={id: who.name for id, who in self.all.items()},
            channels=Channels(self._view, self),
            groups={g["id"]: g["handle"] for g in groups["usergroups"]},
            me=frozenset([self.me, *mine]),
            link=self._view.url,
            emoji=picture,
        )

    def room(self, channel: str) -> Mapping[str, object]:
        """A conversation the reader may see, its own or not; nameless when it may not be seen."""
        found = self.rooms.get(channel)
        if found is None:
            answer = self._view.attempt("conversations.info", channel=channel)
            found = answer["channel"] if answer else {"id": channel, "name": "private-channel", "is_private": True}
        return found

    def kind(self, channel: str) -> str:
        """public, private, im or mpim."""
        return conversation_kind(self.room(channel))

    def title(self, room: Mapping[str, object]) -> str:
        """Return the title of a conversation: `general`, or the names of the others."""
        if room.get("is_im"):
            return self.who(str(room["user"])).name
        if room.get("is_mpim"):
            return ", ".join(who.name for who in self.others(room)) or str(room.get("name", ""))
        return str(room.get("name", ""))

    def others(self, room: Mapping[str, object]) -> list[PageAuthor]:
        """The other people of a direct conversation."""
        if room.get("is_im"):
            return [self.who(str(room["user"]))]
        listed = self._view.attempt("conversations.members", channel=room["id"], limit=20) or {"members": []}
        return [self.who(user) for user in listed["members"] if user != self.me]


class Channels(Mapping[str, str]):
    """Names of channels by id: the reader's own, and any other the reader may see."""

    def __init__(self, view: View, people: People) -> None:
        self._view, self._people = view, people

    def __getitem__(self, channel: str) -> str:
        room = self._people.rooms.get(channel)
        if room is None:
            found = self._view.attempt("conversations.info", channel=channel)
            if found is None:
                raise KeyError(channel)
            room = found["channel"]
        return str(room.get("name", ""))

    def __iter__(self) -> Iterator[str]:
        return iter(self._people.rooms)

    def __len__(self) -> int:
        return len(self._people.rooms)
