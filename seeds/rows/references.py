"""Replacements of the reference tokens in a text: issue keys, mentions, channel links, permalinks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from seeds.events import TOKEN, ChannelMade, Event, IssueMade, Posted, PullOpened
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
    issues: Mapping[str, Event]
    """The events that made the issues, by handle."""
    pulls: Mapping[str, tuple[str, int]]
    """Repository and number of a pull request, by the handle of its issue."""
    commits: dict[str, str] = field(default_factory=dict)
    """SHAs of merged pull requests by the same handle; the rows of the code host, which come first, fill it."""

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

    def pull_url(self, handle: str) -> str:
        """The address of a pull request."""
        service, number = self.pulls[handle]
        return f"https://github.com/{self.domain}/{service}/pull/{number}"

    def write_code(self, kind: str, handle: str) -> str:
        """A token of the code host: g, the short SHA; n, the number; a, the address."""
        if kind == "g":
            return self.commits[handle][:7]
        return f"#{self.pulls[handle][1]}" if kind == "n" else self.pull_url(handle)

    def issue_url(self, handle: str) -> str:
        """The address of an issue."""
        return f"https://{self.domain}.atlassian.net/browse/{self.issue_keys[handle]}"


def references(spec: Spec, domain: str, events: list[Event]) -> References:
    """Number the issues in order of creation and mint the channel ids."""
    channels: dict[str, str] = {}
    names: dict[str, str] = {}
    keys: dict[str, str] = {}
    counts: dict[str, int] = {}
    issues: dict[str, Event] = {}
    pulls: dict[str, tuple[str, int]] = {}
    for event in events:
        facts = event.facts
        if isinstance(facts, ChannelMade):
            letter = "D" if facts.kind == "im" else "C"
            channels[facts.channel] = Ids(spec.seed, f"channel:{facts.channel}", 0).token(letter, 10)
            names[facts.channel] = facts.name
        elif isinstance(facts, IssueMade):
            counts[facts.project] = counts.get(facts.project, 0) + 1
            issues[facts.issue] = event
            keys[facts.issue] = f"{facts.project}-{counts[facts.project]}"
        elif isinstance(facts, PullOpened):
            number = sum(service == facts.service for service, _ in pulls.values()) + 1
            pulls[facts.pull] = facts.service, number
    return References(spec, domain, {event.id: event for event in events}, channels, names, keys, issues, pulls)
