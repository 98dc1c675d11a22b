"""Log excerpts that people paste: the machine's own lines with their times, the service and the version that ran."""

from itertools import cycle, islice

from seeds.events import token
from world.core.clock import MINUTE, SECOND, to_datetime
from world.core.rng import Stream

LINES = (6, 40)  # of an excerpt, at least and at most
USUAL = 11
AGE = (20, 300)  # seconds from its last line to the paste
STEP_S = 4  # median of the seconds between two lines


def write_log(service: str, written: str, at: int, draw: Stream) -> str:
    """The last lines before a time: what the story says was written, over and over, with the request each line is of. `{host}` is a slot."""
    count = min(max(int(draw.lognormal(USUAL, 0.5)), LINES[0]), LINES[1])
    lines = list(islice(cycle(written.split("\n")), count))
    moment, told = at - draw.integer(*AGE) * SECOND, list[str]()
    for line in reversed(lines):
        clock = f"{to_datetime(moment):%H:%M:%S}.{moment // 1000 % 1000:03}"
        told.append(line if line.startswith(" ") else f"{clock} {draw.bits() >> 40:06x} {line}")
        moment -= min(int(draw.lognormal(STEP_S, 1.0) * SECOND), 5 * MINUTE) + draw.integer(0, SECOND - 1)
    return "\n".join([f"{service} {token('v', f'live:{service}:{at}')} on {{host}}, UTC", *reversed(told)])
