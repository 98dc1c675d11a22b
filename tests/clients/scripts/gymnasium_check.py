"""Gymnasium's own check of the environment, then an episode played by hand. Prints a report."""

import json
import os
import warnings

import gymnasium
from gymnasium.utils.env_checker import check_env

from world.adapters.gym import CompanyEnv
from world.client import Fleet, Task

with Fleet(socket=os.environ["FIRM_CONTROL"], secret=os.environ["FIRM_SECRET"]) as fleet:
    task = Task.of("flapping_alert", 1)
    env = CompanyEnv(fleet, [task, Task.of("flapping_alert", 2)], max_steps=3)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
    first = [env.reset(seed=seed)[0] for seed in (5, 5)]
    obs, info = env.reset(options={"task": task})
    steps = [
        env.step("nonsense"),
        env.step('{"name": "nothing"}'),
        env.step('{"name": "world_wait", "arguments": {"seconds": 60}}'),
    ]
    obs, _ = env.reset(options={"task": task})
    end = env.step('{"name": "world_finish", "arguments": {"status": "done"}}')
    dense = CompanyEnv(fleet, [task], dense=True)
    dense.reset()
    earned = dense.step('{"name": "world_now", "arguments": {}}')[1]
    refused = ""
    try:
        env.reset(options={"speed": 2})
    except ValueError as error:
        refused = str(error)
    env.close()
    dense.close()
    try:
        env.step("{}")
        needed = False
    except gymnasium.error.ResetNeeded:
        needed = True
    print(
        json.dumps(
            {
                "warnings": [str(one.message) for one in said],
                "same_seed": first[0] == first[1],
                "tools": len(info["tools"]),
                "errors": [step[4]["is_error"] for step in steps],
                "flags": [step[2:4] for step in steps],
                "verdict": end[4]["verdict"]["score"],
                "ended": end[2:4],
                "dense": earned,
                "refused": refused,
                "needed": needed,
                "left": fleet.client.worlds(),
            }
        )
    )
