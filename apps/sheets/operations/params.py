"""Argument types that several operations share."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from apps.drive.public import many
from apps.sheets.vendor_types import CheckedObject
from world.core.params import Params, Text

EXAMPLE = "$spreadsheets.create:spreadsheetId"
Word = Annotated[Text, Field(max_length=1000)]
Id = Annotated[Text, Field(min_length=1, max_length=200)]
Range = Annotated[Text, Field(max_length=2000)]
Given = Annotated[CheckedObject, Field()]


def upper_or(default: str) -> BeforeValidator:
    """Null and the unspecified member of an enumeration are its default."""
    return BeforeValidator(
        lambda value: default if value in (None, "") or str(value).endswith("_UNSPECIFIED") else value
    )


Ranges = Annotated[list[Range], BeforeValidator(many), Field(max_length=1000)]
MajorDimension = Annotated[Literal["ROWS", "COLUMNS"], upper_or("ROWS")]
ValueRender = Annotated[Literal["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"], upper_or("FORMATTED_VALUE")]
DateTimeRender = Annotated[Literal["SERIAL_NUMBER", "FORMATTED_STRING"], upper_or("SERIAL_NUMBER")]
ValueInput = Literal["RAW", "USER_ENTERED", "INPUT_VALUE_OPTION_UNSPECIFIED"]
Grid = Annotated[list[list[Any]], BeforeValidator(lambda value: [] if value is None else value)]


class SpreadsheetParams(Params):
    """One spreadsheet."""

    spreadsheetId: Id = Field(description="Id of the spreadsheet: the long part of its address.", examples=[EXAMPLE])
