"""History of a spreadsheet: undo of gestures, and versions to view or restore."""
