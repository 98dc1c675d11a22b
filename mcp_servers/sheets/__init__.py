"""Tool surfaces of the spreadsheets."""
