"""HTTP archives (HAR 1.2) of runs at the REST door or in a browser: one page a run, one entry a request."""

import base64
from collections.abc import Generator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import parse_qsl

from world.core.json_types import is_object
from world.run.run_folder import Contents
from world.run.trajectory import CONTENT_FOLDER
from world.run.trajectory_reader import TrajectoryError, read_steps
from world.studio.exports.row_file import RowFile
from world.studio.exports.selection import RunSource, StoredRun
from world.studio.exports.turns import read_sound_steps, restore_texts

ADDRESS = "http://127.0.0.1"  # the port of a run is not kept
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNKNOWN = -1  # of sizes and times, as HAR has it
SPENT = {"send": 0, "wait": 0, "receive": 0}


class HarPage(TypedDict):
    """A run in an archive."""

    id: str
    title: str
    startedDateTime: str
    pageTimings: Mapping[str, Any]


class NameValue(TypedDict):
    """A parameter of a query."""

    name: str
    value: str


def export_archive(source: RunSource, path: Path) -> int:
    """Write an archive of all runs and return how many requests it has. Raises OSError, TrajectoryError."""
    runs = [run for run in source.list_runs(ended=False) if check_http(source, run)]
    with RowFile(path) as file:
        file.write(b'{"log":{"version":"1.2","creator":{"name":"firmament","version":"1"},"pages":')
        file.write_list([describe_page(run) for run in runs])
        file.write(b',"entries":[')
        for run in runs:
            write_entries(file, source, run)
        file.write(b"]}}\n")
        return file.rows


def check_http(source: RunSource, run: StoredRun) -> bool:
    """Whether a run begins with a request over HTTP; one that does not is left out."""
    try:
        describe_page(run)
        first = next(read_steps(run.folder), None)
        request = first.row.get("request") if first is not None else None
    except TrajectoryError as error:
        source.skip(run.name, str(error))
        return False
    if is_object(request) and "method" in request:
        return True
    source.skip(run.name, "has no request over HTTP")
    return False


def write_entries(file: RowFile, source: RunSource, run: StoredRun) -> None:
    """Write the entries of one run; what is broken ends it."""
    try:
        for entry in list_entries(run):
            if file.rows:
                file.write(b",")
            with file.row():
                file.write_value(entry)
    except TrajectoryError as error:
        source.skip(run.name, str(error))


def list_entries(run: StoredRun) -> Generator[dict[str, Any]]:
    """The requests of a run in order. Raises TrajectoryError."""
    contents = Contents(run.folder / CONTENT_FOLDER)
    for line in read_sound_steps(run.folder):
        request, response = line.row.get("request"), line.row.get("response")
        if is_object(request) and "method" in request and is_object(response):
            yield build_entry(run, restore_texts(run.folder, contents, line.row))


def build_entry(run: StoredRun, row: Mapping[str, Any]) -> dict[str, Any]:
    """One request and its answer; the moment and the time it took are the world's."""
    request, response = row["request"], row["response"]
    try:
        took_ms = (int(row["ended_at"]) - int(row["at"])) / 1000
        return {
            "pageref": run.name,
            "startedDateTime": render_moment(int(row["at"])),
            "time": took_ms,
            "request": build_request(request),
            "response": build_response(response),
            "cache": {},
            "timings": SPENT | {"wait": took_ms},
            "comment": f"step {row['step']}: {row['operation']} {row['status']}",
        }
    except (KeyError, TypeError, ValueError) as error:
        raise TrajectoryError(f"{run.folder}: step {row['step']} has a broken request: {error!r}") from None


def build_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request as an archive has it; headers are not kept."""
    query = str(request["query"])
    made: dict[str, Any] = {
        "method": request["method"],
        "url": f"{ADDRESS}{request['path']}{'?' if query else ''}{query}",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [],
        "queryString": list_parameters(query),
        "headersSize": UNKNOWN,
        "bodySize": len(to_bytes(request["body"])),
    }
    if request["body"]:
        made["postData"] = {"mimeType": request["type"], "params": [], "text": to_text(request["body"])}
    return made


def build_response(response: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as an archive has it; a body that is no text is base64."""
    body = response["body"]
    content = {"size": len(to_bytes(body)), "mimeType": response["type"], "text": to_text(body)}
    if isinstance(body, bytes):
        content["encoding"] = "base64"
    return {
        "status": int(response["status"]),
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [{"name": "content-type", "value": response["type"]}] if response["type"] else [],
        "content": content,
        "redirectURL": "",
        "headersSize": UNKNOWN,
        "bodySize": len(to_bytes(body)),
    }


def list_parameters(query: str) -> list[NameValue]:
    """The parameters of a query in order."""
    return [{"name": name, "value": value} for name, value in parse_qsl(query, keep_blank_values=True)]


def describe_page(run: StoredRun) -> HarPage:
    """A run as a page of an archive."""
    return {
        "id": run.name,
        "title": f"{run.config.scenario} {run.config.agent}",
        "startedDateTime": render_moment(run.header.start),
        "pageTimings": {},
    }


def render_moment(at: int) -> str:
    """A moment in microseconds since the epoch as ISO 8601. Raises TrajectoryError for one that no calendar has."""
    try:
        return (EPOCH + timedelta(microseconds=at)).isoformat()
    except OverflowError:
        raise TrajectoryError(f"{at} us is no moment of the calendar") from None


def to_bytes(body: str | bytes) -> bytes:
    """The bytes of a body."""
    return body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")


def to_text(body: str | bytes) -> str:
    """A body as text: base64 of one that is none."""
    return base64.b64encode(body).decode() if isinstance(body, bytes) else body
