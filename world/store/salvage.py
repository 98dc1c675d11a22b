"""Salvage of a damaged log: the calls before the damage, as a world of another name."""

import mmap
import os
from dataclasses import dataclass
from pathlib import Path

from world.store.errors import DamagedLog, StoreError
from world.store.log import Log, LogHeader, LogLimits


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage of a log: its position in bytes of the file, and the number of bytes from there on left behind."""

    damaged_at: int
    lost_bytes: int


def copy_sound_part(
    source: Path, target: Path, name: str, page_size: int, keeper: LogLimits
) -> tuple[Damage, LogHeader]:
    """Write the header and the whole records before the first damage to a new file; the damaged one stays as it is.

    Raises DamagedLog where nothing can be saved, StoreError where nothing is damaged.
    """
    with source.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data, memoryview(data) as view:
        spec, sound = Log(name, str(source), page_size, keeper).find_sound_part(data, view)
        if spec is None:
            raise DamagedLog(f"the header of log {name} is cut short: nothing can be saved")
        if sound == len(data):
            raise StoreError(f"log {name} is whole: there is nothing to salvage")
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as copy:
            copy.write(view[:sound])
            copy.flush()
            os.fsync(copy.fileno())
        return Damage(sound, len(data) - sound), spec
