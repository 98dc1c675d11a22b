"""Disks that lose power: unsynced writes are cut off, torn by sectors and reordered."""

import shutil

from tests.campaign.part import Figures, Ground, Part, chance_of
from tests.world.store.crashes import cut_power, record_worlds
from tests.world.store.office import build_office
from world.store import Base, seal


def run(ground: Ground) -> Figures:
    """Cut the power at moments drawn by chance; of every two cuts one tears and reorders."""
    chance, folder = chance_of("power_cuts"), ground.scratch / "power"
    folder.mkdir()
    build_office(folder / "office.building")
    base = Base(seal(folder / "office.building", folder / "images"))
    worlds = folder / "worlds"
    recorded = record_worlds(worlds, base)
    figures = dict.fromkeys(("done", "refused_worlds", "lost_snapshots", "silently_wrong"), 0)
    for turn in range(ground.share(1_000)):
        at = chance.randrange(1, len(recorded.disk.events) + 1)
        leave = recorded.disk.after_disorder if turn % 2 else recorded.disk.after_power_cut
        left = cut_power(recorded, at, leave(at, chance), worlds, folder / "cut", base)
        figures["refused_worlds"] += left.refused
        figures["lost_snapshots"] += left.lost
        figures["silently_wrong"] += not left.is_prefix
        figures["done"] += 1
        shutil.rmtree(folder / "cut", ignore_errors=True)
    return figures


part = Part("power_cuts", 1_000, "power cuts", ("lost_snapshots", "silently_wrong"), run)
