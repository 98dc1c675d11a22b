"""What a spreadsheet was: gestures to undo, versions to look at or restore."""
