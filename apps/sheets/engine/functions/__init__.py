"""The functions' code, by the kind of thing they compute: importing this declares them all."""

from apps.sheets.engine.functions import (
    arrays,
    asking,
    bonds,
    conditions,
    dates,
    delegated,
    depreciation,
    finance,
    imaginary,
    information,
    lambdas,
    logic,
    lookup,
    mathematics,
    operators,
    patterns,
    pivoting,
    reaching,
    reading,
    statistics,
    texts,
)

__all__ = [
    "arrays",
    "asking", "bonds", "conditions", "dates", "delegated", "depreciation", "finance", "imaginary", "information", "lambdas", "logic", "lookup",
    "mathematics", "operators", "patterns", "pivoting", "reaching", "reading", "statistics", "texts",
]  # fmt: skip
