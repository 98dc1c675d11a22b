"""What the drive knows beside spreadsheets: its query language, who stands behind an address, how its things are shown."""
