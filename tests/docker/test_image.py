"""The image's files: linted, and what they promise about users, secrets, versions and who reaches whom."""

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
DOCKERFILE = DOCKER / "Dockerfile"
COMPOSE = sorted(DOCKER.glob("compose*.yaml"))
BIN = Path(sys.executable).parent
CONTROL = ("/data/run", "/data/secrets")
OURS = ("world", "steward", "grader")


def instructions(text: str) -> list[tuple[str, str]]:
    """(instruction, arguments) in order, continued lines joined."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", kept)
    return [(one[0], one[1]) for line in joined.splitlines() if line.strip() and (one := line.strip().split(None, 1))]


def stages() -> dict[str, list[tuple[str, str]]]:
    """The instructions of each stage, by its name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for word, arguments in instructions(DOCKERFILE.read_text(encoding="utf-8")):
        if word == "FROM":
            found[arguments.split()[-1]] = []
        found[next(reversed(found))].append((word, arguments))
    return found


def values(stage: str, word: str) -> list[str]:
    return [arguments for found, arguments in stages()[stage] if found == word]


def compose(*names: str) -> dict[str, Any]:
    """A compose file with others laid over it, merged as the specification says: mappings by key, lists appended."""
    merged: dict[str, Any] = {}
    for name in names:
        merged = laid_over(merged, yaml.safe_load((DOCKER / name).read_text(encoding="utf-8")))
    return merged


def laid_over(below: Any, above: Any) -> Any:
    if isinstance(below, list) and isinstance(above, list):
        return below + [one for one in above if one not in below]
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{name: laid_over(below.get(name), value) for name, value in above.items()}}


def mounts(service: dict[str, Any]) -> dict[str, str]:
    """Where a service has which volume."""
    return {one.split(":")[1]: one.split(":")[0] for one in service.get("volumes", ())}


def checked(found: dict[str, Any]) -> None:
    """Raises ValueError where it is not what the Compose specification allows."""
    PyCompose.from_yaml(yaml.safe_dump(found)).validate()


def linted(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def test_the_dockerfile_passes_hadolint(tmp_path: Path) -> None:
    assert linted(BIN / "hadolint", "--no-color", DOCKERFILE) == ""
    (tmp_path / "Dockerfile").write_text("FROM debian:latest\nRUN sudo true\n", encoding="utf-8")
    assert "DL3007" in linted(BIN / "hadolint", "--no-color", tmp_path / "Dockerfile")


def test_the_scripts_pass_shellcheck(tmp_path: Path) -> None:
    assert linted(BIN / "shellcheck", *sorted(DOCKER.glob("*.sh"))) == ""
    (tmp_path / "bad.sh").write_text("#!/bin/sh\nrm -rf $1/*\n", encoding="utf-8")
    assert "SC2086" in linted(BIN / "shellcheck", tmp_path / "bad.sh")


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_the_compose_files_keep_to_the_specification(path: Path) -> None:
    checked(compose(*dict.fromkeys(("compose.yaml", path.name))))


def test_what_is_no_compose_file_is_refused() -> None:
    with pytest.raises(ValueError, match="elsewhere"):
        checked({"services": {"one": {"image": "one", "networks": ["elsewhere"]}}})
    with pytest.raises(ValueError, match="memlimit"):
        checked({"services": {"one": {"image": "one", "memlimit": "1g"}}})


@pytest.mark.parametrize("stage", ["agent", "firmament"])
def test_nobody_is_root_and_the_number_is_fixed(stage: str) -> None:
    assert values(stage, "USER") == ["10001:10001"]
    after = [word for word, _ in stages()[stage]][[word for word, _ in stages()[stage]].index("USER") :]
    assert not {"RUN", "COPY"} & set(after)


def test_the_image_is_the_last_stage_and_nothing_of_the_build_stays() -> None:
    assert list(stages()) == ["build", "agent", "firmament"]
    assert {values(stage, "FROM")[0].split(" AS ")[0] for stage in stages()} == {"python:3.11-slim-bookworm"}
    copied = [one for stage in ("agent", "firmament") for one in values(stage, "COPY") if "--from=build" in one]
    assert {re.sub(r"--\S+ ", "", one).split()[0] for one in copied} == {"/opt/agent", "/opt/firm", "/data/images"}


def test_nothing_comes_from_elsewhere_and_no_version_but_the_projects_own() -> None:
    text = DOCKERFILE.read_text(encoding="utf-8")
    assert {word for word, _ in instructions(text)} & {"ADD", "ARG", "ONBUILD", "SHELL"} == set()
    assert "://" not in re.sub(r"http://127\.0\.0\.1:8400/\S+", "", text)
    installed = re.findall(r"pip install ((?:--\S+ )*)(\S+)", text)
    assert [what for _, what in installed] == ["/wheels/*.whl", '"$(/opt/firm/bin/python']
    assert all("--no-cache-dir" in options for options, _ in installed)


def test_no_secret_is_written_down() -> None:
    for path in (*COMPOSE, DOCKERFILE):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(
                r"(?i)\b\w*(key|secret|token|password)\w*\s*[=:]\s*[\"']?[\w-]{8,}", line.replace("secrets:/data", "")
            ), line
    assert compose("compose.yaml")["services"]["agent"]["environment"] == [
        "OPENAI_BASE_URL",
        "OPENAI_MODEL",
        "OPENAI_API_KEY",
    ]


def test_the_agents_image_has_none_of_what_grades_it() -> None:
    copied = [re.sub(r"--\S+ ", "", one).split()[:-1] for one in values("agent", "COPY")]
    assert copied == [
        ["/opt/agent"],
        ["world/__init__.py"],
        ["world/agents/__init__.py", "world/agents/task.py", "world/agents/reference.py"],
    ]
    imported = re.findall(
        r"^from (world\S*)|^import (world\S*)", (ROOT / "world/agents/reference.py").read_text(encoding="utf-8"), re.M
    )
    assert [one[0] or one[1] for one in imported] == ["world.agents.task"]


def test_the_health_check_asks_the_agents_plane_and_the_command_exists() -> None:
    assert "http://127.0.0.1:8400/login" in values("firmament", "HEALTHCHECK")[0]
    assert values("firmament", "ENTRYPOINT") == ['["firm"]'] and entry_points(group="console_scripts", name="firm")
    assert values("firmament", "CMD") == ['["serve", "--listen", "0.0.0.0:8400"]']


@pytest.mark.parametrize("more", [[], ["compose.model.yaml"], ["compose.ci.yaml"]], ids=["plain", "model", "ci"])
def test_the_agent_reaches_the_agents_plane_only(more: list[str]) -> None:
    services = compose("compose.yaml", *more)["services"]
    agent = services["agent"]
    assert mounts(agent) == {"/task": "task"} and agent["volumes"] == ["task:/task:ro"]
    assert not {"network_mode", "ports", "pid", "ipc", "privileged", "extra_hosts", "devices", "cap_add"} & set(agent)
    for name in ("steward", "grader"):
        assert services[name]["network_mode"] == "none" and "networks" not in services[name]
    assert set(agent["networks"]) & set(services["world"]["networks"]) == {"agents"}
    assert [one for one in services["world"]["command"] if "--control" in one or "--proxy" in one] == []
    assert agent["image"] != services["world"]["image"]


def test_networks_lead_where_they_should() -> None:
    found = compose("compose.yaml")
    assert found["networks"]["agents"] == {"internal": True}
    assert found["services"]["world"]["ports"] == ["127.0.0.1:8400:8400"]
    assert {name: service.get("networks") for name, service in found["services"].items()} == {
        "world": ["agents", "desk"],
        "steward": None,
        "agent": ["agents"],
        "grader": None,
    }


def test_the_socket_and_the_secret_are_where_they_are_needed() -> None:
    services = compose("compose.yaml")["services"]
    holders = {place: {name for name, service in services.items() if place in mounts(service)} for place in CONTROL}
    assert holders == {"/data/run": {"world", "steward"}, "/data/secrets": {"world", "steward"}}
    assert "runs:/data/runs:ro" in services["grader"]["volumes"] and len(services["grader"]["volumes"]) == 1


@pytest.mark.parametrize("more", [[], ["compose.model.yaml"], ["compose.ci.yaml"]], ids=["plain", "model", "ci"])
def test_every_container_is_bounded(more: list[str]) -> None:
    for name, service in compose("compose.yaml", *more)["services"].items():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"] and service["init"] is True, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["pids_limit"] <= 512 and service["mem_limit"] == "2g", name
        assert name == "world" or service["security_opt"] == ["no-new-privileges:true"], name


def test_what_a_served_world_writes_to_has_a_place_that_can_be_written() -> None:
    source = (ROOT / "world" / "commands" / "served_world.py").read_text(encoding="utf-8")
    written = {f"/data/{name}" for name in re.findall(r'home\.folder\("(\w+)"\)', source)}
    world = compose("compose.yaml")["services"]["world"]
    places = {*mounts(world), *(one.partition(":")[0] for one in world["tmpfs"])}
    assert "/data/trajectories" in written and written <= places
    assert written <= set(" ".join(values("firmament", "RUN")).split())
