"""PettingZoo's own check of the environment, then an episode that two agents play. Prints a report."""

import contextlib
import io
import json
import os

from pettingzoo.test import parallel_api_test
from pettingzoo.utils import parallel_to_aec

from world.adapters.pettingzoo_env import TeamEnv
from world.client import Fleet, Task

LOOK = '{"name": "world_now", "arguments": {}}'
WAIT = '{"name": "world_wait", "arguments": {"seconds": 600}}'
END = '{"name": "world_finish", "arguments": {"status": "done"}}'

with Fleet(socket=os.environ["FIRM_CONTROL"], secret=os.environ["FIRM_SECRET"]) as fleet:
    task = Task.of("flapping_alert", 1, team=("dsharma",))
    env = TeamEnv(fleet, [task], max_steps=5)
    with contextlib.redirect_stdout(io.StringIO()):
        parallel_api_test(env, num_cycles=6)
    seen, infos = env.reset(seed=1)
    lead, colleague = env.agents
    steps = [
        env.step({lead: WAIT, colleague: "nonsense"}),
        env.step({lead: LOOK, colleague: END}),
        env.step({lead: END, colleague: ""}),
    ]
    after = list(env.agents)
    turns = parallel_to_aec(env)
    turns.reset(seed=1)
    order = []
    for agent in turns.agent_iter(4):
        order.append(agent)
        turns.step(LOOK)
    env.close()
    shaped = TeamEnv(fleet, [task], max_steps=2, dense=True)
    shaped.reset(seed=1)
    earned = [shaped.step({lead: LOOK, colleague: LOOK})[1] for _ in range(2)]
    shaped.close()
    print(
        json.dumps(
            {
                "agents": [lead, colleague],
                "prompts": [seen[one].split(" (")[0].split(",")[0] for one in (lead, colleague)],
                "tools": len(infos[lead]["tools"]),
                "states": [[step[4][one]["state"] for one in (lead, colleague)] for step in steps],
                "errors": [[step[4][one]["is_error"] for one in (lead, colleague)] for step in steps],
                "ended": [step[2][lead] for step in steps],
                "rewards": steps[-1][1],
                "dense": [sorted(one.values()) for one in earned],
                "slips": steps[-1][4][lead]["verdict"]["members"][colleague]["slips"],
                "woken": sorted(json.loads(steps[1][0][lead])),
                "after": after,
                "order": order,
                "left": fleet.client.worlds(),
            }
        )
    )
