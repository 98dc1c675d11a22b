"""Replacements of the reference tokens in a text: issue keys, mentions, channel links, permalinks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from seeds.events import TOKEN, ChannelMade, Event, IssueMade, Posted
from seeds.rows.directory import account_id
from seeds.spec import Spec
from world.core.ids import Ids


def ts_of(at: int) -> str:
    """Slack's `ts` of a time."""
    return f"{at // 1_000_000}.{at % 1_000_000:06}"


def sheet_key(spec: Spec, handle: str, *, book: bool = True) -> str:
    """The vendor's id of a spreadsheet, or of another file of the drive."""
    return "1" + Ids(spec.seed, f"sheet:{handle}", 0).base62(43 if book else 32)


@dataclass(frozen=True, slots=True)
class References:
    """Ids that rows of one app need from another: Slack channels and messages, Jira keys, accounts."""

    spec: Spec
    domain: str
    events: Mapping[str, Event]
    channels: Mapping[str, str]
    channel_names: Mapping[str, str]
    issue_keys: Mapping[str, str]

    def write(self, text: str, form: Callable[[str, str], str]) -> str:
        """The text with every token written by `form(kind, ref)`."""
        return TOKEN.sub(lambda found: form(found[1], found[2]), text)

    def slack_user(self, person_id: str) -> str:
        """A person's Slack id."""
        return account_id(self.spec, "slack", person_id)

    def permalink(self, event_id: str) -> str:
        """The address of a message."""
        event = self.events[event_id]
        assert isinstance(event.facts, Posted)
        stamp = ts_of(event.at).replace(".", "")
        return f"https://{self.domain}.slack.com/archives/{self.channels[event.facts.channel]}/p{stamp}"

    def sheet_url(self, handle: str) -> str:
        """The address of a spreadsheet."""
        return f"https://docs.google.com/spreadsheets/d/{sheet_key(self.spec, handle)}/edit"

    def issue_url(self, handle: str) -> str:
        """The address of an issue."""
        return f"https://{self.domain}.atlassian.net/browse/{self.issue_keys[handle]}"


def references(spec: Spec, domain: str, events: list[Event]) -> References:
    """Number the issues in order of creation and mint the channel ids."""
    channels: dict[str, str] = {}
    names: dict[str, str] = {}
    keys: dict[str, str] = {}
    counts: dict[str, int] = {}
    for event in events:
        facts = event.facts
        if isinstance(facts, ChannelMade):
            letter = "D" if facts.kind == "im" else "C"
            channels[facts.channel] = Ids(spec.seed, f"channel:{facts.channel}", 0).token(letter, 10)
            names[facts.channel] = facts.name
        elif isinstance(facts, IssueMade):
            counts[facts.project] = counts.get(facts.project, 0) + 1
            keys[facts.issue] = f"{facts.project}-{counts[facts.project]}"
    return References(spec, domain, {event.id: event for event in events}, channels, names, keys)
