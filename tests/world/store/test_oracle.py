"""Worlds against plain SQLite files: every page, result and error must be the same."""

import os
from pathlib import Path

import pytest
from twins import Oracle

from world.store import Base, vfs

TRANSACTIONS = int(os.environ.get("FIRMAMENT_ORACLE_TRANSACTIONS", "8000"))
PART = 1000


@pytest.mark.parametrize("seed", range(max(1, TRANSACTIONS // PART)))
def test_worlds_are_byte_for_byte_what_plain_files_become(
    tmp_path: Path, image: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    if seed % 2:  # a cache that holds next to nothing, while the plain file keeps the usual one
        monkeypatch.setattr(vfs, "PRAGMAS", tuple(pragma.replace("=-512", "=5") for pragma in vfs.PRAGMAS))
    oracle = Oracle(tmp_path / "oracle", Base(image), seed)
    while oracle.made < PART:
        oracle.step()
    oracle.close()
    assert oracle.failed > PART // 20
