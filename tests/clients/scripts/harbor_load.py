"""Harbor's own reader over a folder of tasks. Prints a report."""

import json
import os
from pathlib import Path

from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_task_verifier_mode, resolve_verifier_environment_definition

(folder,) = Path(os.environ["FIRM_TASKS"]).iterdir()
task = Task(folder)
verifier = resolve_verifier_environment_definition(task.config, task.paths)
print(
    json.dumps(
        {
            "valid": Task.is_valid_dir(folder),
            "name": task.name,
            "instruction": task.instruction.split()[:2],
            "metadata": task.config.metadata["scenario"],
            "mode": resolve_task_verifier_mode(task.config).value,
            "own_tests": verifier.bundled_tests,
            "collected": [[one.service, one.command] for one in task.config.verifier.collect],
            "artifacts": [[one.service, one.source] for one in task.config.artifacts],
            "solution": task.paths.discovered_solve_path.name,
            "unknown": sorted(set(task.config.model_extra or {})),
        }
    )
)
