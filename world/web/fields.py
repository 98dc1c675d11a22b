"""Forms as arguments: dotted names nest, repeated names are lists, `name:json` holds JSON, files are bytes."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin

import orjson
from pydantic import BeforeValidator
from starlette.datastructures import FormData, UploadFile

from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject, is_array, is_dict
from world.core.params import MAX_DEPTH, Arguments, Params

MAX_FIELDS = 2_000
MAX_FILES = 20
MAX_FILE_BYTES = 26_214_400  # 25 MB, the most that an app of ours takes: the files of one mail


@dataclass(slots=True)
class Submission:
    """Content of a submitted form: `arguments` for the operation, `control` for the door (names with `_` first).

    `typed` is to be shown again; of a file it is the name. `blank`: fields for JSON that were left empty; `null` can be
    typed into one, and is something else.
    """

    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    blank: set[str] = field(default_factory=set[str])
    control: dict[str, str] = field(default_factory=dict[str, str])
    typed: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class FormArguments(dict[str, Any]):
    """The arguments of an action; one that the form does not have is refused where it is asked for."""

    def __missing__(self, name: str) -> Any:
        raise InvalidArguments([(name, "is missing")])


def read_object(arguments: Arguments, name: str) -> dict[str, Any]:
    """A copy of the object of a field; an empty one when there is none. Raises InvalidArguments for anything else."""
    value: object = arguments.get(name) or dict[str, Any]()
    if not is_dict(value):
        raise InvalidArguments([(name, "is not an object")])
    return dict(value)


def read_files(value: object) -> list[dict[str, Any]]:
    """The uploaded files among the values of a field: each has a name, bytes and a media type."""
    return [
        one for one in (value if is_array(value) else [value]) if is_dict(one) and isinstance(one.get("data"), bytes)
    ]


async def decode(form: FormData) -> Submission:
    """Read a parsed form. Raises InvalidArguments for broken JSON or clashing names."""
    sent = Submission()
    values: dict[str, list[Any]] = {}
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            if value.filename:
                sent.typed.setdefault(name, []).append(value.filename)
                values.setdefault(name, []).append(await _upload(name, value))
        elif name.startswith("_"):
            sent.control[name] = value
        else:
            sent.typed.setdefault(name, []).append(value)
            values.setdefault(name, []).append(_value(name, value.replace("\r\n", "\n")))
            if name.endswith(":json") and not value.strip():
                sent.blank.add(name.removesuffix(":json"))
    for name, found in values.items():
        _put_value(sent.arguments, name.removesuffix(":json").split("."), found[0] if len(found) == 1 else found, name)
    return sent


async def _upload(name: str, upload: UploadFile) -> dict[str, Any]:
    data = await upload.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise InvalidArguments([(name, f"larger than {MAX_FILE_BYTES:,} bytes")])
    return {"filename": upload.filename, "data": data, "mimetype": upload.content_type or "application/octet-stream"}


def _value(name: str, text: str) -> Any:
    if not name.endswith(":json"):
        return text
    try:
        return orjson.loads(text) if text.strip() else None
    except orjson.JSONDecodeError:
        raise InvalidArguments([(name.removesuffix(":json"), "is not JSON")]) from None


def _put_value(arguments: dict[str, Any], path: list[str], value: object, name: str) -> None:
    if len(path) > MAX_DEPTH:
        raise InvalidArguments([(path[0], f"nested deeper than {MAX_DEPTH}")])
    inner: JsonObject = arguments
    for part in path[:-1]:
        child = inner.setdefault(part, {})
        if not is_dict(child):
            raise InvalidArguments([(name, "is given twice")])
        inner = child
    if path[-1] in inner:
        raise InvalidArguments([(name, "is given twice")])
    inner[path[-1]] = value


def shape(arguments: dict[str, Any], params: type[Params], blank: Collection[str] = ()) -> dict[str, Any]:
    """Fit plain form values to the model: one value of a list field is a list, an empty optional field is absent, as
    are those in `blank`.
    """
    shaped: dict[str, Any] = {}
    for name, value in arguments.items():
        listed = _takes_list(params, name)
        if ((value is None and name in blank) or (value == "" and not listed)) and _may_be_left_out(params, name):
            continue
        if listed and is_array(value):
            shaped[name] = [item for item in value if item != ""]
        elif listed and value is not None:
            shaped[name] = [] if value == "" else [value]
        else:
            shaped[name] = value
    return shaped


def _field(params: type[Params], name: str) -> Any:
    found = params.model_fields.get(name)
    return found or next((f for f in params.model_fields.values() if f.alias == name), None)


def _may_be_left_out(params: type[Params], name: str) -> bool:
    found = _field(params, name)
    if found is None or found.is_required():
        return False
    kinds = kinds_of(found.annotation)
    return type(None) in kinds or str not in kinds


def _takes_list(params: type[Params], name: str) -> bool:
    found = _field(params, name)
    if found is None or any(isinstance(item, BeforeValidator) for item in (*found.metadata, *_inner(found.annotation))):
        return False  # the model reads a plain text itself
    kinds = kinds_of(found.annotation)
    return list in kinds and str not in kinds


def _inner(annotation: object) -> Iterable[Any]:
    """Yield the annotations on the alternatives of a union."""
    for part in get_args(annotation):
        yield from get_args(part)[1:] if get_origin(part) is Annotated else ()


def kinds_of(annotation: object) -> list[Any]:
    """The plain types an annotation allows: `list[str] | None` -> list, NoneType."""
    origin = get_origin(annotation)
    if origin is None:
        return [annotation]
    if origin in (list, dict, tuple, set):
        return [origin]
    return list(_flat(get_args(annotation)))


def _flat(arguments: Iterable[Any]) -> Iterable[Any]:
    for argument in arguments:
        yield from kinds_of(argument) if get_origin(argument) is not None or isinstance(argument, type) else [argument]
