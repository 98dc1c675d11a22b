"""Template filters of the chat client: stored text as one line, as typed text, and times of other people."""

import re

from apps.slack.markup import render_plain_text
from apps.slack.pages.messages import ts_to_us
from apps.slack.pages.people import PageAuthor, People
from apps.slack.text import ENTITY, unescape
from world.core.clock import to_datetime
from world.web.time_format import hour_minute


def render_line(text: str, people: People) -> str:
    """Stored text as one readable line."""
    return " ".join(render_plain_text(text, people.names).split())


def render_typed_text(text: str, people: People) -> str:
    """Stored text as a person would type it: names instead of ids."""

    def word(match: re.Match[str]) -> str:
        if match["user"]:
            who = people.all.get(match["user"])
            return f"@{who.handle}" if who else match[0]
        if match["channel"]:
            name = people.names.channels.get(match["channel"])
            return f"#{name}" if name else match[0]
        if match["range"]:
            return f"@{match['range']}"
        if match["url"] and match["label"] in (None, match["url"], match["url"].removeprefix("mailto:")):
            return match["url"].removeprefix("mailto:")
        return match[0]

    return unescape(ENTITY.sub(word, text))


def local_time(who: PageAuthor, now: int) -> str:
    """Format the local time of a person."""
    return hour_minute(to_datetime(now, who.tz))


def just_before(ts: str) -> str:
    """The read mark that makes a message the first unread one."""
    at = ts_to_us(ts) - 1
    return f"{at // 1_000_000}.{at % 1_000_000:06}"


def safe_link(address: str) -> str:
    """An address a bookmark may lead to."""
    return address if address.lower().startswith(("http://", "https://")) else "#"


FILTERS = {
    "line": render_line,
    "typed_text": render_typed_text,
    "local_time": local_time,
    "just_before": just_before,
    "safe_link": safe_link,
}
