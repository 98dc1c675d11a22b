"""Who reads a spreadsheet: the readers of its file. The cells of a line are one record."""

from apps.drive.public import audience
from apps.sheets.app import app
from world.core.conduct import Conduct

PART = Conduct(readers=audience.of_part)

app.declare_conduct(
    {
        "sheets_spreadsheet": PART,
        "sheets_sheet": PART,
        "sheets_object": PART,
        "sheets_cell": Conduct(readers=audience.of_part, record=("sheet_id", "row")),
    }
)
