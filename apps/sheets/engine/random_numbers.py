"""Random numbers of formulas: drawn from the moment's seed, the cell and the number of earlier draws."""

import hashlib

from apps.sheets.engine.evaluate import Run


def draw(run: Run) -> float:
    """Return the next number of this formula, from 0 to below 1."""
    run.draws += 1
    words = f"{run.around.moment.seed}|{run.sheet}|{run.row}|{run.column}|{run.draws}"
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=7).digest(), "big") / 2**56
