"""Writers killed with SIGKILL, and what is found afterwards."""

import hashlib

from tests.campaign.part import Figures, Ground, Part, chance_of
from tests.world.store.crashes import WORLDS, check, killed_after
from tests.world.store.office import build_office, posted
from world.store import Base, Store, seal

PER_FOLDER = 100  # kills of one set of worlds, which then grow too long


def run(ground: Ground) -> Figures:
    """Kill writers of five worlds after 1 to 60 acknowledged calls."""
    chance, kills = chance_of("kills"), ground.share(10_000)
    folder = ground.scratch / "kills"
    folder.mkdir()
    build_office(folder / "office.building")
    base = Base(seal(folder / "office.building", folder / "images"))
    figures = dict.fromkeys(("done", "acknowledged_calls", "lost_writes", "half_calls", "changed_images"), 0)
    acknowledged: dict[int, int] = {}
    for number in range(kills):
        worlds = folder / f"worlds-{number // PER_FOLDER}"
        if number % PER_FOLDER == 0:
            figures["acknowledged_calls"] += sum(acknowledged.values())
            acknowledged = dict.fromkeys(range(WORLDS), 0)
        acknowledged |= killed_after(worlds, base, chance.randrange(1, 60))
        store = Store(worlds, base)
        for n, count in acknowledged.items():
            found = posted(store, store.open(f"w{n}")) if f"w{n}" in store.names() else []
            figures["lost_writes"] += len(set(range(count)) - set(found))
            figures["half_calls"] += found != list(range(len(found))) or len(found) > count + 1
        check(store)
        store.close()
        figures["done"] += 1
    figures["acknowledged_calls"] += sum(acknowledged.values())
    figures["changed_images"] += hashlib.sha256(base.path.read_bytes()).hexdigest() != base.sha256
    return figures


part = Part("kills", 10_000, "kills", ("lost_writes", "half_calls", "changed_images"), run)
