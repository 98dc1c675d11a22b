"""The kinds of request of a batchUpdate; importing a module declares its kinds."""

from apps.sheets.operations.requests import (
    banding,
    cells,
    charts,
    conditional,
    dimensions,
    filling,
    filters,
    finding,
    groups,
    growing,
    looks,
    metadata,
    moving,
    names,
    protecting,
    sorting,
    tables,
    tabs,
    validation,
)
from apps.sheets.operations.requests.registry import KINDS, Asked

__all__ = [
    "KINDS", "Asked", "banding", "cells", "charts", "conditional", "dimensions", "filling", "filters", "finding", "groups", "growing", "looks",
    "metadata", "moving", "names", "protecting", "sorting", "tables", "tabs", "validation",
]  # fmt: skip
