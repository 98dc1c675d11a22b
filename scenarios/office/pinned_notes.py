"""Notes that are pinned in channels of Slack: the rules and answers a team keeps at hand."""

from world.script.stage import Stage


def pin(w: Stage, person: str, channel: str, text: str) -> str:
    """Somebody posts a note in a channel and pins it. Returns its timestamp."""
    room = w.find("slack_channel", name=channel)["id"]
    posted = w.act(person, "chat.postMessage", channel=room, text=text)
    w.act(person, "pins.add", channel=room, timestamp=posted["ts"])
    return posted["ts"]
