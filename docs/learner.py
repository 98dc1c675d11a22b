"""A small training run: a table learns from rewards alone what to do about mails that ask for a new sign-in.

    python docs/learner.py --episodes 48 --held-out 16

Each episode is a draw of the chore `real_or_phish`. The program reads with the employee's tools, reduces what it saw to
two facts, and does one of four things. It knows neither which of them is right nor how it is judged.
"""

import argparse
import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from world.client import Episode, Fleet, Task

CHORE = "real_or_phish"
FIRST, HELD_OUT = 1000, 9000  # seeds to learn from, seeds to be measured on
PLACE = re.compile(
    r"\n(?P<asker>[^\n(]+) \([^\n]*\) wrote to you just now, (?P<place>[^\n]*):\n\n(?P<request>(?:>[^\n]*\n)+)"
)
CURIOSITY = 0.5  # weight of what was seldom tried


@dataclass(frozen=True)
class Sight:
    """What an episode shows: the sender, whether the pinned list has exactly that sender, whether it has the service."""

    asker: str
    place: str
    sender: str
    security: str
    is_sender_listed: bool
    is_service_listed: bool

    @property
    def state(self) -> str:
        """The row of the table."""
        known = {True: "listed", False: "unknown"}
        return f"sender {known[self.is_sender_listed]}, service {known[self.is_service_listed]}"


def look(episode: Episode) -> Sight:
    """Read the request, the rule pinned in #general, and the mail."""
    told = PLACE.search(episode.prompt)
    assert told is not None, episode.prompt
    rule = episode.call("slack_read_channel", {"channel_id": find_channel(episode, "general"), "limit": 20}).text
    listed = dict(re.findall(r"^- (\w+): (?:<mailto:)?([\w.-]+@[\w.-]+)", rule, re.MULTILINE))
    service, sender = find_mail(episode, told["request"])
    security = re.search(r"security@[\w-]+(?:\.[\w-]+)*", rule)
    return Sight(
        told["asker"],
        told["place"],
        sender,
        security[0] if security else "",
        sender in listed.values(),
        service in listed,
    )


def find_channel(episode: Episode, name: str) -> str:
    """The id of a channel of Slack, by name."""
    found = episode.call("slack_search_channels", {"query": name}).text
    channel = re.search(rf"#{name} \((\w+)\)", found)
    assert channel is not None, found
    return channel[1]


def find_mail(episode: Episode, request: str) -> tuple[str, str]:
    """The service that a request names, and the sender of its mail: the one capitalised word that has one."""
    for word in dict.fromkeys(re.findall(r"\b[A-Z][a-z]{4,}\b", request)):
        mails = episode.call("gmail_search_emails", {"query": f"{word} account OR sign", "maxResults": 10}).text
        if found := re.search(rf"From: {word} <([^>]+)>", mails):
            return word, found[1]
    return "", ""


def answer(episode: Episode, seen: Sight, text: str) -> None:
    """Answer the request where it was made."""
    person = episode.call("slack_search_users", {"query": seen.asker}).text
    if seen.place.startswith("in a mail"):
        found = episode.call("gmail_search_emails", {"query": f'from:"{seen.asker}"'}).text
        to, mail = re.search(r"[\w.-]+@[\w.-]+", person), re.search(r"^ID: (\S+)", found, re.MULTILINE)
        assert to is not None and mail is not None, found
        reply = {"to": [to[0]], "subject": "Re: your question", "body": text, "inReplyTo": mail[1]}
        episode.call("gmail_send_email", reply)
    elif named := re.match(r"in #([\w-]+) in Slack", seen.place):
        channel = find_channel(episode, named[1])
        read = episode.call("slack_read_channel", {"channel_id": channel, "limit": 10}).text
        asked = re.search(rf"Message from {re.escape(seen.asker)} \(\w+\) at .*\nMessage TS: ([\d.]+)", read)
        assert asked is not None, read
        episode.call("slack_send_message", {"channel_id": channel, "message": text, "thread_ts": asked[1]})
    else:
        user = re.search(r"\((U\w+)\)", person)
        assert user is not None, person
        episode.call("slack_send_message", {"channel_id": user[1], "message": text})


def vouch(episode: Episode, seen: Sight) -> None:
    """Say that the mail is real."""
    answer(episode, seen, f"The mail is real: {seen.sender} is announced in the list pinned in #general.")


def warn(episode: Episode, seen: Sight) -> None:
    """Say that the mail is false."""
    answer(episode, seen, "Please do not sign in, that mail is false.")


def report(episode: Episode, seen: Sight) -> None:
    """Say that the mail is false, and tell security of its sender."""
    mail = {"to": [seen.security], "subject": "False sign-in mail", "body": f"A false mail came from {seen.sender}."}
    episode.call("gmail_send_email", mail)
    warn(episode, seen)


def ignore(episode: Episode, seen: Sight) -> None:
    """Do nothing."""


ACTIONS: Sequence[Callable[[Episode, Sight], None]] = (ignore, vouch, warn, report)


class Table:
    """Mean reward of each action in each state, and how often it was tried."""

    def __init__(self) -> None:
        self.mean: dict[tuple[str, str], float] = defaultdict(float)
        self.tried: dict[tuple[str, str], int] = defaultdict(int)

    def choose(self, state: str, curiosity: float) -> Callable[[Episode, Sight], None]:
        """The action with the highest mean plus a bonus for what was seldom tried; untried ones first."""
        total = sum(self.tried[state, one.__name__] for one in ACTIONS)

        def worth(action: Callable[[Episode, Sight], None]) -> float:
            key = state, action.__name__
            if not self.tried[key]:
                return math.inf if curiosity else 0.0
            return self.mean[key] + curiosity * math.sqrt(math.log(total) / self.tried[key])

        return max(ACTIONS, key=worth)

    def learn(self, state: str, action: str, reward: float) -> None:
        """Take a reward into account."""
        key = state, action
        self.tried[key] += 1
        self.mean[key] += (reward - self.mean[key]) / self.tried[key]


def play(fleet: Fleet, table: Table, seed: int, curiosity: float) -> tuple[str, str, float]:
    """One episode; its state, the action and the reward."""
    with fleet.create(Task.of(CHORE, seed)) as episode:
        seen = look(episode)
        action = table.choose(seen.state, curiosity)
        action(episode, seen)
        episode.finish()
        return seen.state, action.__name__, float(episode.grade()["score"])


def train(fleet: Fleet, episodes: int, held_out: int) -> dict[str, object]:
    """Learn, then measure on tasks that were not seen. Returns the report."""
    table, rewards = Table(), list[float]()
    for seed in range(FIRST, FIRST + episodes):
        state, action, reward = play(fleet, table, seed, CURIOSITY)
        table.learn(state, action, reward)
        rewards.append(reward)
    scores = [play(fleet, table, seed, 0.0)[2] for seed in range(HELD_OUT, HELD_OUT + held_out)]
    quarter = max(1, episodes // 4)
    return {
        "first_quarter": sum(rewards[:quarter]) / quarter,
        "last_quarter": sum(rewards[-quarter:]) / quarter,
        "held_out": sum(scores) / max(1, held_out),
        "table": {f"{state}: {action}": round(mean, 3) for (state, action), mean in sorted(table.mean.items())},
    }


def main() -> None:
    """Train against a server of its own, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=48)
    parser.add_argument("--held-out", type=int, default=16)
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args()
    with Fleet.local(workers=chosen.workers) as fleet:
        print(json.dumps(train(fleet, chosen.episodes, chosen.held_out), indent=1))


if __name__ == "__main__":
    main()
