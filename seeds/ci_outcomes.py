"""Records what CI says of the repositories' trees: `python -m seeds.ci_outcomes`, where the sandbox works."""

import json
import tempfile
from pathlib import Path

from sqlalchemy import Connection, text

from apps.github import app as github
from apps.github.ci import run_lifecycle
from seeds import ci_history
from seeds.build import build_story, rows
from seeds.spec import Spec
from world.core import discovery, image_builder

PLACE = Path(__file__).parent / "repos" / "verdicts.json"
DRAWS = (0, 1)  # values a flaky test may read; any seed of a company draws one of them


def main() -> None:
    """Play the history with the sandbox, once for each draw, and write the verdicts down."""
    found: dict[tuple[str, str], dict[str, object]] = {}
    for draw in DRAWS:
        run_lifecycle.flaky_seed = lambda *_, draw=draw: draw
        found |= _read_outcomes(Spec(size="XS", seed=1))
    PLACE.write_text(_text([found[key] for key in sorted(found)]), encoding="utf-8")
    print(f"{len(found)} verdicts in {PLACE}")


def _read_outcomes(spec: Spec) -> dict[tuple[str, str], dict[str, object]]:
    found: dict[tuple[str, str], dict[str, object]] = {}
    sink = rows(build_story(spec))

    def load(connection: Connection) -> None:
        sink.flush(connection)
        ci_history.play(connection, spec, record=True)
        for tree, suite, conclusion, steps in connection.execute(
            text("SELECT tree_sha, suite, conclusion, steps FROM github_verdict")
        ):
            found[tree, suite] = {
                "tree_sha": tree,
                "suite": suite,
                "conclusion": conclusion,
                "steps": json.loads(steps),
            }

    with tempfile.TemporaryDirectory() as folder:
        image_builder.build(
            Path(folder), list({app.name: app for app in (*discovery.apps(), github)}.values()), load, now=spec.start
        )
    return found


def _text(verdicts: list[dict[str, object]]) -> str:
    """The verdicts with every line of output once."""
    lines: dict[str, int] = {}
    for row in verdicts:
        for step in row["steps"]:  # type: ignore[attr-defined]
            step["output"] = [lines.setdefault(line, len(lines)) for line in step["output"].split("\n")]
    return json.dumps({"lines": list(lines), "rows": verdicts}, indent=0, separators=(",", ":"), sort_keys=True) + "\n"


if __name__ == "__main__":
    main()
