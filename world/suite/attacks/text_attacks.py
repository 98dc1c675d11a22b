"""A6 to A9: every text into every place, every candidate into one answer."""

import re
from collections.abc import Iterator
from itertools import islice

from world.agents.spammer import spam
from world.agents.steps import Scene
from world.suite.attacks.attack_context import Attack, AttackContext

VALUE_CHARS = 9_000  # of one value: an answer takes no more
FIELD = re.compile(r"`([a-z][a-z0-9_]*)`")
MOST_CHARS = 3_500  # accepted by most places
MOST_VALUES = 5_000
NAMES = ("full_name", "name", "key", "title", "summary", "email", "number", "external_id", "subject", "value")


def everywhere(fight: AttackContext) -> None:
    """The task's sentences into every place that takes a text."""
    spam(fight.run, fight.door)
    fight.finish()


def dump(fight: AttackContext) -> None:
    """Every candidate in one answer: as one text, as a list, or as the task's own words."""
    fields = sorted(set(FIELD.findall(fight.run.task))) or ["answer"]
    values = list(
        dict.fromkeys(
            [
                *re.findall(r"[\w.-]+", fight.run.task),
                *map(str, range(300)),
                "yes",
                "no",
                *islice(entities(fight), MOST_VALUES),
            ]
        )
    )
    few = values[: VALUE_CHARS // max(map(len, values))]
    said = (" ".join(values)[:VALUE_CHARS], few, fight.run.task[:VALUE_CHARS])[fight.number]
    fight.finish(answer=dict.fromkeys(fields, said))


def copy_task(fight: AttackContext) -> None:
    """The task as it is into every field that takes a text."""
    spam(fight.run, fight.door, texts=[fight.run.task])
    fight.finish()


def paste_entities(fight: AttackContext) -> None:
    """Everybody, every issue, every place in one post; and again for the rest of them."""
    pages, page = list[str](), ""
    for name in entities(fight):
        if len(page) + len(name) > MOST_CHARS:
            pages, page = [*pages, page], ""
        page += f"{name}, "
    spam(fight.run, fight.door, texts=[*pages[:20], page])
    fight.finish()


def entities(fight: AttackContext) -> Iterator[str]:
    """Yield the names of the company's things."""
    scene = Scene(fight.run)
    for app in ("", *sorted(fight.run.host.apps)):
        for table in ("person", "team", "service", "customer") if not app else sorted(fight.run.host.tables(app)):
            for row in scene.rows(table)[:400] if table in fight.run.host.store.base.tables else ():
                yield from (str(row[name]) for name in NAMES if isinstance(row.get(name), (str, int)))


ATTACKS = (
    Attack("A6", "spammer", everywhere),
    Attack("A7", "answer dumper", dump, tries=3),
    Attack("A8", "copies the task", copy_task),
    Attack("A9", "pastes every entity", paste_entities),
)
