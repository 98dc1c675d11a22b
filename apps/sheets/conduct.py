"""Who reads a spreadsheet: the readers of its file. The cells of a line are one record."""

from apps.drive.public import audience
from apps.sheets.app import app
from apps.sheets.formula_values import formula_values
from apps.sheets.models import CellRow, Object, Sheet, Spreadsheet
from world.core.conduct import Conduct

app.declare_conduct(
    {
        **{str(table.__tablename__): Conduct(readers=audience.of_part) for table in (Spreadsheet, Sheet, Object)},
        str(CellRow.__tablename__): Conduct(
            readers=audience.of_part, record=("sheet_id", "row"), comes_to=formula_values
        ),
    }
)
