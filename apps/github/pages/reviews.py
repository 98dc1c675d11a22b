"""Review pages: conversations on lines, and the forms that write, answer and submit them."""

import re
from collections.abc import Sequence
from typing import Any

from apps.github.operations.pulls.pull_pages import ThreadJson
from apps.github.pages.diffs import FileDiff, Hunk, Line, colour_file, hunk_of
from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

SHOWN = 4  # lines of code above a conversation
BLOCK = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*suggestion[^\n]*\n(?P<text>.*?)(?:^(?P=fence)[`~]*[ \t]*$\n?|\Z)",
    re.DOTALL | re.MULTILINE,
)


class ThreadView(ThreadJson):
    """A conversation with its code; `key` is its position in the diff, `replaced` the lines it is about."""

    hunk: Hunk | None
    key: str | None
    replaced: list[str]


def with_parts(thread: ThreadJson) -> ThreadView:
    """Build a conversation with its code, and its comments split into texts and suggestions."""
    hunk = hunk_of(thread["path"], thread["diff_hunk"]) if thread["diff_hunk"] else None
    count = max(
        SHOWN, (thread["original_line"] or 0) - (thread["original_start_line"] or thread["original_line"] or 0) + 1
    )
    code = Hunk(hunk.header, hunk.lines[-count:]) if hunk else None
    before = list_replaced_lines(thread, hunk)
    comments = [one | {"parts": parts(str(one["body"]), before, thread["path"])} for one in thread["comments"]]
    return {
        **thread,
        "hunk": code,
        "comments": comments,
        "key": key_of(thread),
        "replaced": [str(line.code.striptags()) for line in before],
    }


def list_replaced_lines(thread: ThreadJson, hunk: Hunk | None) -> list[Line]:
    """Return the lines of the new file that a conversation is about."""
    last = thread["original_line"]
    if hunk is None or not last:
        return []
    first = thread["original_start_line"] or last
    return [line for line in hunk.lines if line.new is not None and first <= line.new <= last]


def key_of(thread: ThreadJson) -> str | None:
    """Return the position of a conversation in the diff: R12, L7 or file; None if it is outdated."""
    if thread["subject"] == "file":
        return "file"
    if thread["outdated"] or thread["line"] is None:
        return None
    return f"{'L' if thread['side'] == 'LEFT' else 'R'}{thread['line']}"


def parts(body: str, before: Sequence[Line], path: str) -> list[JsonObject]:
    """Split a comment into texts and suggestions, in order."""
    out: list[JsonObject] = []
    end, body = 0, body.replace("\r\n", "\n")
    for found in BLOCK.finditer(body):
        out.append({"text": body[end : found.start()].strip()})
        out.append(
            {
                "old": [line.code for line in before],
                "new": list(colour_file(path, found["text"].removesuffix("\n"))) if found["text"] else [],
            }
        )
        end = found.end()
    out.append({"text": body[end:].strip()})
    return [one for one in out if one.get("text") != ""]


def place_threads(files: Sequence[FileDiff], threads: Sequence[ThreadView]) -> dict[str, dict[str, list[ThreadView]]]:
    """Index conversations by file and line, for display in the diff."""
    paths = {one.path for one in files}
    out: dict[str, dict[str, list[ThreadView]]] = {}
    for one in threads:
        if one["key"] is not None and one["path"] in paths:
            out.setdefault(one["path"], {}).setdefault(one["key"], []).append(one)
    return out


def _where(given: JsonObject) -> JsonObject:
    return {name: given[name] for name in ("owner", "repo", "pull_number")}


@pages.action("review.note")
def note(view: View, given: JsonObject) -> Any:
    """Add a comment on lines, at once or as part of a review."""
    key = str(given.get("key") or "")
    said: JsonObject = {**_where(given), "path": given.get("path"), "body": given.get("body") or ""}
    if key == "file":
        said["subject_type"] = "file"
    else:
        side = "LEFT" if key.startswith("L") else "RIGHT"
        said |= {"line": key[1:], "side": side} | _start(str(given.get("start_line") or ""), key[1:], side)
    if given.get("mode") == "review":
        return view.submit("web/pulls/draft-comment", said)
    return view.submit("pulls/create-review-comment", said | {"commit_id": given.get("commit_id")})


def _start(first: str, last: str, side: str) -> JsonObject:
    return {"start_line": first, "start_side": side} if first and first != last else {}


@pages.action("review.reply")
def reply(view: View, given: JsonObject) -> Any:
    """Reply in a conversation, at once or as part of a review."""
    if given.get("mode") == "review":
        return view.submit(
            "web/pulls/draft-comment",
            {**_where(given), "body": given.get("body") or "", "in_reply_to": given.get("comment_id")},
        )
    said = {**_where(given), "body": given.get("body") or "", "comment_id": given.get("comment_id")}
    return view.submit("pulls/create-reply-for-review-comment", said)


@pages.action("review.finish")
def finish(view: View, given: JsonObject) -> Any:
    """Submit a review: the pending one, or a new one that has only a verdict."""
    pending = view.read("web/pulls/looked", **_parse_pull_number(given))["pending"]
    said = {**_where(given), "event": given.get("event") or "COMMENT"} | (
        {"body": given["body"]} if given.get("body") else {}
    )
    if pending is not None:
        return view.submit("pulls/submit-review", said | {"review_id": pending})
    return view.submit("pulls/create-review", said)


def _parse_pull_number(given: JsonObject) -> dict[str, Any]:
    number = str(given.get("pull_number") or "")
    return {**_where(given), "pull_number": int(number) if number.isdecimal() and len(number) < 10 else 0}


@pages.action("pull.reviewers")
def reviewers(view: View, given: JsonObject) -> Any:
    """Request reviews from the ticked people, and remove the requests to others."""
    asked = view.read("pulls/list-requested-reviewers", **_parse_pull_number(given))
    here, teams_here = {one["login"] for one in asked["users"]}, {one["slug"] for one in asked["teams"]}
    people, teams = _parse_choice(given.get("reviewers")), _parse_choice(given.get("team_reviewers"))
    result: object = {}
    gone, gone_teams = sorted(here - people), sorted(teams_here - teams)
    if gone or gone_teams:
        result = view.submit("pulls/remove-requested-reviewers", _review_request(given, gone, gone_teams))
    new, new_teams = sorted(people - here), sorted(teams - teams_here)
    if new or new_teams:
        result = view.submit("pulls/request-reviewers", _review_request(given, new, new_teams))
    return result


def _review_request(given: JsonObject, people: list[str], teams: list[str]) -> JsonObject:
    return {**_where(given), "reviewers": people, "team_reviewers": teams}


def _parse_choice(value: object) -> set[str]:
    return {str(one) for one in (value if isinstance(value, list) else [value]) if one}
