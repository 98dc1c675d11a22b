"""JSON values by name."""

from pydantic import JsonValue

JsonObject = dict[str, JsonValue]
