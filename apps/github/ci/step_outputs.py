"""Values that a step leaves to later steps: variables, program folders, outputs and summaries, in files on disk.

They are read inside the sandbox, by a line before the next script: to the host they are as unknown as any other file of
the job. Source: docs.github.com/actions/reference/workflows-and-actions/workflow-commands#environment-files
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from apps.github.ci.job_plan import PLACES, StepPlan, place_of
from world.sandbox import Step
from world.sandbox.model import When

SUMMARY, MOST_SUMMARY = "Job summary", 192 * 1024
# Runs inside: argv[1] says which steps went before, which of their outputs stand where, and what is to be filled in;
# argv[2] is the folder for temporary files, in plain text because a sandbox may have another name for it
_READ = r"""
import json, os, re, shlex, sys

def at(path):
    return sys.argv[2] + path.removeprefix("/tmp")

def pairs(path):
    try:
        with open(at(path), encoding="utf-8", errors="replace") as file:
            lines = iter(file.read().split("\n"))
    except OSError:
        return
    for line in lines:
        equals, here = line.find("="), line.find("<<")
        if equals > 0 and (here < 0 or equals < here):
            yield line[:equals], line[equals + 1:]
        elif here > 0 and line[here + 2:]:
            name, end, value = line[:here], line[here + 2:], []
            for more in lines:
                if more == end:
                    break
                value.append(more)
            else:
                raise ValueError("Invalid value. Matching delimiter not found '%s'" % end)
            yield name, "\n".join(value)
        elif line:
            raise ValueError("Invalid format '%s'" % line)

def outputs(path):
    try:
        return dict(pairs(path))
    except ValueError:
        return {}

asked = json.loads(bytes.fromhex(sys.argv[1]))
said = []
try:
    for path in asked["check"]:
        list(pairs(path))
    for one in asked["before"]:
        for name, value in pairs(one["env"]):
            if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and not re.match("GITHUB_|RUNNER_|NODE_OPTIONS$", name) and name not in asked["own"]:
                said.append("export %s=%s" % (name, shlex.quote(value)))
        try:
            with open(at(one["path"]), encoding="utf-8", errors="replace") as file:
                said += ['export PATH=%s:"$PATH"' % shlex.quote(line) for line in file.read().split("\n") if line]
        except OSError:
            pass
except ValueError as error:
    told = ("##[error]Unable to process file command successfully.", "##[error]%s" % error)
    said = [*("echo %s" % shlex.quote(line) for line in told), "exit 1"]
else:
    known = {id: outputs(path) for id, path in asked["outputs"].items()}
    fill = lambda text: re.sub(asked["late"], lambda hole: known.get(hole[1], {}).get(hole[2], ""), text)
    said += ["export %s=%s" % (name, shlex.quote(fill(text))) for name, text in asked["env"].items()]
    if asked["script"] is not None:
        with open(at(asked["to"]), "w", encoding="utf-8") as file:
            file.write(fill(asked["script"]))
        said.append(". %s" % at(asked["to"]))
print("\n".join(said))
"""
LATE = re.compile(r"\$\{\{ steps\.([\w-]+)\.outputs\.([\w-]+) \}\}")
_PYTHON = f"/usr/bin/python3 -I -c \"exec(bytes.fromhex('{_READ.encode().hex()}'))\""


def steps_of(scripts: Sequence[StepPlan]) -> Iterator[Step]:
    """Yield the sandbox steps of a job, each after the values of earlier ones; the last prints summaries, if any."""
    for number, one in enumerate(scripts):
        when: When = "always" if one.when == "always" else "failure" if one.when == "failure" else "success"
        places = {name: place_of(place, number) for name, place in PLACES.items()}
        yield Step(one.name, _script(scripts, number), {**(one.env or {}), **places}, one.directory, when)
    if any("GITHUB_STEP_SUMMARY" in one.script for one in scripts):
        files = " ".join(place_of("summary", number) for number in range(len(scripts)))
        yield Step(SUMMARY, f"cat {files} 2>/dev/null | head -c {MOST_SUMMARY} || true", when="always")


def _script(scripts: Sequence[StepPlan], number: int) -> str:
    """Return a script behind the code that prepares it, on the same line, so that line numbers in errors stay right."""
    one, here = scripts[number], {kind: place_of(kind, number) for kind in PLACES.values()}
    late = {name: text for name, text in (one.env or {}).items() if LATE.search(text)}
    filled = one.script if LATE.search(one.script) else None
    before = [{kind: place_of(kind, earlier) for kind in ("env", "path")} for earlier in range(number)]
    asked = {
        "check": [],
        "before": before,
        "outputs": {step.id: place_of("output", at) for at, step in enumerate(scripts[:number]) if step.id},
        "env": late,
        "own": list(one.env or {}),
        "script": filled,
        "to": place_of("script", number),
        "late": LATE.pattern,
    }
    made = "true 2>/dev/null " + " ".join(f">{place}" for place in here.values()) + " || true; "
    return (
        made
        + _render_handover(asked, always=filled is not None or bool(late))
        + _fail_unreadable(here)
        + (one.script if filled is None else "")
    )


def _render_handover(asked: Mapping[str, Any], *, always: bool) -> str:
    """Render the call that takes over the values of earlier steps; empty if none is needed."""
    if not asked["before"] and not always:
        return ""
    taken = f'eval "$({_PYTHON} {orjson.dumps(asked).hex()} /tmp)"'
    left = " || ".join(f"[ -s {place} ]" for one in asked["before"] for place in one.values())
    return f"{taken}; " if always else f"if {left}; then {taken}; fi; "


def _fail_unreadable(here: Mapping[str, str]) -> str:
    """Fail a step that leaves unreadable values."""
    written = [here["env"], here["output"]]
    nothing = {"before": [], "outputs": {}, "env": {}, "own": [], "script": None, "to": "", "late": LATE.pattern}
    read = f"{_PYTHON} {orjson.dumps({**nothing, 'check': written}).hex()} /tmp"
    there = " || ".join(f"[ -s {place} ]" for place in written)
    checking = f'_code=$?; if [ $_code = 0 ]; then if {there}; then eval "$({read})"; fi; fi; exit $_code'
    return f"trap {shlex.quote(checking)} EXIT; "
