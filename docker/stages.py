"""Carries out a Dockerfile's instructions in plain folders: `stages.py DOCKERFILE BASE FOLDER`, a folder for each
stage.

BASE is a Debian root that stands for every image named by FROM. Only what this Dockerfile uses is understood; anything
else ends it.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

# How a network that needs a proxy, a mirror or an authority of its own is described to pip, npm and the like.
PASSED = re.compile(
    r"PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|DEFAULT_TIMEOUT)|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|npm_config_\w+|\w+_proxy",
    re.I,
)


@dataclass
class Stage:
    """One stage: its root, and the state its instructions have set so far."""

    root: Path
    directory: str = "/"
    env: dict[str, str] = field(
        default_factory=lambda: {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
        }
    )
    facts: dict[str, str] = field(default_factory=dict)


def instructions(text: str) -> list[tuple[str, str]]:
    """(instruction, arguments) in order, continued lines joined."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", kept)
    return [
        (one[0].upper(), one[1])
        for line in joined.splitlines()
        if line.strip() and (one := line.strip().split(None, 1))
    ]


def run(stage: Stage, command: str) -> None:
    """RUN, as root, in the stage's root."""
    network = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
    env = [f"{name}={value}" for name, value in {**network, **stage.env}.items()]
    inside = f"cd {shlex.quote(stage.directory)} && {command}"
    subprocess.run(["chroot", stage.root, "env", "-i", *env, "/bin/sh", "-c", inside], check=True)


def copy(stage: Stage, arguments: str, stages: dict[str, Stage], context: Path) -> None:
    """COPY [--from=STAGE] [--chown=UID:GID] SOURCE... TARGET, folders by their content as ever."""
    words = shlex.split(arguments)
    options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
    *sources, target = [word for word in words if not word.startswith("--")]
    origin = stages[options["from"]].root if "from" in options else context
    into = stage.root / os.path.join(stage.directory, target).lstrip("/")
    for source in sources:
        found = origin / source.lstrip("/")
        place = into / found.name if target.endswith("/") and found.is_file() else into
        place.parent.mkdir(parents=True, exist_ok=True)
        if found.is_dir():
            left = shutil.ignore_patterns("__pycache__") if origin == context else None
            shutil.copytree(found, place, symlinks=True, dirs_exist_ok=True, ignore=left)
        else:
            shutil.copy2(found, place)
        if "chown" in options:
            subprocess.run(["chown", "-R", options["chown"], place], check=True)


def begin(arguments: str, base: Path, folder: Path) -> tuple[str, Stage]:
    """FROM IMAGE AS NAME: a copy of the base."""
    name = arguments.split()[-1]
    root = folder / name
    subprocess.run(["rm", "-rf", root], check=True)
    subprocess.run(["cp", "-a", base, root], check=True)
    return name, Stage(root)


def build(dockerfile: Path, base: Path, folder: Path) -> dict[str, Stage]:
    """Every stage of a Dockerfile. Raises CalledProcessError, ValueError for an instruction that is not understood."""
    stages: dict[str, Stage] = {}
    stage = Stage(base)
    for word, arguments in instructions(dockerfile.read_text(encoding="utf-8")):
        print(f"{word} {arguments}"[:160], flush=True)
        if word == "FROM":
            name, stage = begin(arguments, base, folder)
            stages[name] = stage
        elif word == "RUN":
            run(stage, arguments)
        elif word == "COPY":
            copy(stage, arguments, stages, dockerfile.parents[1])
        elif word == "WORKDIR":
            stage.directory = arguments
            (stage.root / arguments.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "ENV":
            stage.env |= dict(pair.split("=", 1) for pair in shlex.split(arguments))
        elif word in ("USER", "HEALTHCHECK", "ENTRYPOINT", "CMD", "VOLUME", "EXPOSE", "LABEL"):
            stage.facts[word] = arguments
        else:
            raise ValueError(f"{word} is not understood here")
    return stages


def main() -> None:
    """Build, then write down beside each root what the container would be started with, as shell variables."""
    dockerfile, base, folder = (Path(argument).absolute() for argument in sys.argv[1:4])
    for name, stage in build(dockerfile, base, folder).items():
        health = stage.facts.get("HEALTHCHECK", "CMD []").split("CMD", 1)[1]
        told = {
            "user": stage.facts.get("USER", ""),
            "directory": stage.directory,
            "health": shlex.join(json.loads(health)),
            "start": shlex.join(
                [*json.loads(stage.facts.get("ENTRYPOINT", "[]")), *json.loads(stage.facts.get("CMD", "[]"))]
            ),
            "environment": " ".join(
                f"--setenv {key} {shlex.quote(value)}" for key, value in stage.env.items() if key != "HOME"
            ),
        }
        lines = [f"{key}={shlex.quote(value)}" for key, value in told.items()]
        (folder / f"{name}.env").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
