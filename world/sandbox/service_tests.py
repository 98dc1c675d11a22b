"""Hidden tests against a service: each in a sandbox of its own, with nothing between them but a loopback connection."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from world.core.clock import wall_seconds
from world.sandbox.ladder import Kind, RunSandboxes, require
from world.sandbox.launcher import Job, find_refusal
from world.sandbox.model import Limits, Outcome, Step, StepResult, conclude
from world.sandbox.normalise import scrub
from world.sandbox.process import RunningSandbox, watch
from world.sandbox.step_runner import result_of, unpack_files

PORT = 8000
_SCRIPT, _HARNESS, _ASKED = "/run/step", "/run/harness.py", "/run/asked.json"
_SERVICE, _TESTS = 0, 1


def drive(
    files: Mapping[str, bytes],
    serve: Step,
    tests: Mapping[str, bytes],
    ids: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    kind: Kind | None = None,
) -> Outcome:
    """Start the service, then the listed unittest ids in another sandbox; green only if each is reported passed. Raises
    Unavailable.

    The service is to listen on 127.0.0.1:$PORT; the tests find it at $SERVICE_URL. Steps of the outcome: the service,
    then a step for each id.
    """
    bounds = limits or Limits()
    deadline = wall_seconds() + bounds.wall_s
    with require(kind).room(bounds, disks=2) as made:
        broken = unpack_files(made, _SERVICE, files, (), deadline) or unpack_files(made, _TESTS, tests, (), deadline)
        job = _service(made, serve, env or {})
        if broken is None and isinstance(job, Job):
            return _run_tests(made, serve.name, job, ids, deadline)
        first = broken or job
        assert isinstance(first, StepResult)
        return conclude((first, *(StepResult(one, None, "", "skipped") for one in ids)))


def _service(made: RunSandboxes, serve: Step, env: Mapping[str, str]) -> Job | StepResult:
    both = {**env, **serve.env, "PORT": str(PORT)}
    why = find_refusal(both, serve.directory)
    if why is not None:
        return StepResult(serve.name, 1, f"{why}\n", "failure")
    script = {_SCRIPT: serve.script.encode("utf-8", "replace")}
    return Job((*made.host.shell, _SCRIPT), _SERVICE, serve.directory, both, texts=script, shares_network=True)


def _build_test_job(limits: Limits, ids: Sequence[str]) -> Job:
    asked = json.dumps({"ids": list(ids), "port": PORT, "start_s": limits.start_s}).encode()
    harness = Path(__file__).with_name("harness.py").read_bytes()
    return Job(
        ("/opt/bin/python3", _HARNESS, _ASKED),
        _TESTS,
        env={"SERVICE_URL": f"http://127.0.0.1:{PORT}"},
        texts={_HARNESS: harness, _ASKED: asked},
        shares_network=True,
        reports=True,
    )


def _run_tests(made: RunSandboxes, name: str, job: Job, ids: Sequence[str], deadline: float) -> Outcome:
    memory = made.limits.memory_mb << 20
    with made.launch(job) as service, made.launch(_build_test_job(made.limits, ids)) as asking:
        reports = asking.captures[1]
        watch([service, asking], lambda: asking.over() or (service.over() and not reports.data), deadline, memory)
        served = _get_service_result(made.limits, name, service)
        asking.end()
        return _verdict(made.limits, served, asking, ids)


def _get_service_result(limits: Limits, name: str, service: RunningSandbox) -> StepResult:
    """Return the service's result; one that is still up when the tests are over has succeeded."""
    up = not service.over()
    service.end()
    result = result_of(limits, name, service)
    return StepResult(name, None, result.output, "success") if up and result.outcome == "failure" else result


def _verdict(limits: Limits, served: StepResult, asking: RunningSandbox, ids: Sequence[str]) -> Outcome:
    """Return the verdict on the tests.

    Only what the tests' own process reported counts; a test that it did not report did not pass.
    """
    said = result_of(limits, "tests", asking)
    how = said.outcome if said.outcome in ("timed_out", "cut off") else "failure"
    reports = _reports(asking.captures[1].text())
    unlisted = [one for one in reports if one not in ids]
    steps: list[StepResult] = []
    for one in (*ids, *unlisted):
        found = reports.get(one)
        if found is None:
            steps.append(StepResult(one, None, f"not reported\n{said.output}", how))
        else:
            passed = all(outcome == "passed" for outcome, _ in found)
            text = scrub("".join(text for _, text in found).encode("utf-8", "replace"))
            steps.append(StepResult(one, 0 if passed else 1, text, "success" if passed else "failure"))
    return Outcome((served, *steps), conclude(tuple(steps)).conclusion if ids else "failure")


def _reports(data: bytes) -> dict[str, list[tuple[str, str]]]:
    """The reported (outcome, text) of each id; a last line cut short is none."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in data.split(b"\n")[1:-1]:
        with suppress(ValueError, KeyError, TypeError):
            one = json.loads(line)
            found.setdefault(one["id"], []).append((one["outcome"], str(one["text"])))
    return found
