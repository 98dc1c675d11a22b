"""Times of kept code: the hours of its series differ by seed, and what answers an incident follows it."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from seeds.events import Anchor, Event
from seeds.spec import Spec
from world.core.clock import DAY, HOUR, MINUTE

DRIFT = 50  # minutes by which the noon of a day moves at most
OLDEST = 420  # days before the world's start
LANDED = 4 * MINUTE  # at least, between the merge of an answer and the end of the fault: its release comes between


class SeriesTimes:
    """A map of times that keeps their order: nights stay, noons move a little, incidents pull their answers along."""

    def __init__(self, spec: Spec, service: str, facts: Mapping[str, Any], events: Mapping[str, Event]) -> None:
        pulled = _find_answers(spec, facts, events)
        knots = dict(pulled)
        midnight = spec.start // DAY * DAY
        for back in range(OLDEST):
            day = midnight - back * DAY
            knots.setdefault(day, day)
            if not any(abs(day + 12 * HOUR - at) < DAY for at in pulled):
                noon = day + 12 * HOUR
                drift = spec.stream("code", service, back).integer(-DRIFT, DRIFT)
                knots.setdefault(noon, noon + drift * MINUTE)
        self._given = sorted(knots)
        self._moved = [knots[at] for at in self._given]

    def shift(self, at: int) -> int:
        """The time in this company of a time of the series; both in microseconds."""
        place = bisect_right(self._given, at)
        if place in (0, len(self._given)):
            return at
        low, high = self._given[place - 1], self._given[place]
        first, last = self._moved[place - 1], self._moved[place]
        return first + (at - low) * (last - first) // (high - low)


def _find_answers(spec: Spec, facts: Mapping[str, Any], events: Mapping[str, Event]) -> dict[int, int]:
    """When pull requests that answer an incident were opened and merged, by the times of their series."""
    moments = {(one.story, one.part): one.at for one in events.values() if isinstance(one.facts, Anchor)}
    found: dict[int, int] = {}
    for pull in facts["pulls"].values():
        story = pull.get("answers", "")
        if (story, "mitigated") in moments:
            began, ended = moments[story, "found"], moments[story, "mitigated"]
            opened, merged = (spec.start - int(pull[name] * DAY) for name in ("opened_days", "merged_days"))
            landed = ended - max((ended - began) // 3, LANDED)
            found |= {opened: began + (landed - began) * 3 // 8, merged: landed}
    return found
