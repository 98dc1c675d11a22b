"""The operations; importing a module declares them on the app."""

from apps.sheets.operations import (
    append,
    cell_comments,
    content,
    data_filter_values,
    metadata,
    sheet_copy,
    spreadsheets,
    values,
    web_batches,
    web_files,
    web_gestures,
    web_grid,
    web_navigation,
    web_versions,
)

__all__ = [
    "append",
    "cell_comments",
    "content",
    "sheet_copy",
    "data_filter_values",
    "metadata",
    "spreadsheets",
    "values",
    "web_files",
    "web_gestures",
    "web_grid",
    "web_navigation",
    "web_batches",
    "web_versions",
]
