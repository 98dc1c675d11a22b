"""Customary acts, in any words: an acknowledgement is a reply in the thread, or a reaction to the message.

Apps say which of their rows do an act (`Conduct.acts`); an expectation with `act` is met by any of them.
"""

from collections.abc import Mapping
from typing import Any

from world.core.json_types import is_object
from world.core.yaml_document import Place, describe_unknown
from world.grading.compiler import Compiler
from world.grading.schema import Expect
from world.grading.tables import Table

OF = "{of}"


def spell_out(spec: Expect, place: Place, c: Compiler) -> list[Expect]:
    """Return the expectations of which any one fulfils an act; one without an act stands for itself."""
    if spec.act is None:
        return [spec]
    app, (act, of) = spec.act.app, spec.act.act_and_event
    tables = [table for table in c.tables.values() if table.app == app]
    if not tables:
        raise c.error((*place, "act", "in"), describe_unknown("app", app, {table.app for table in c.tables.values()}))
    ways = [table for table in tables if act in table.conduct.acts and (table.conduct.place or spec.text is None)]
    if not ways:
        known = {name for table in tables for name in table.conduct.acts}
        raise c.error((*place, "act"), describe_unknown(f"act of {app}", act, known))
    return [_way(spec, table, table.conduct.acts[act], of, number) for number, table in enumerate(ways)]


def _way(spec: Expect, table: Table, where: Mapping[str, Any], of: str, number: int) -> Expect:
    text = None if spec.text is None else {"field": table.conduct.words[0], **spec.text}
    return spec.model_copy(
        update={
            "id": spec.id if number == 0 else f"{spec.id}_by_{table.name}",
            "act": None,
            "insert": table.name,
            "where": {**_fill(where, of), **spec.where},
            "text": text,
            "after": f"{of}.start" if spec.after is None else spec.after,
        }
    )


def _fill(value: object, of: str) -> Any:
    if is_object(value):
        return {key: _fill(one, of) for key, one in value.items()}
    return value.replace(OF, of) if isinstance(value, str) else value
