"""An agent that works on pages in BrowserGym's environment. Prints a report."""

import json
import os

import gymnasium
import playwright.sync_api

from world.adapters.browsergym_tasks import register_company
from world.client import Fleet

LOOK = "page.goto(page.url.split('/login')[0].rstrip('/') + '/slack/')"
FINISH = """
form = page.locator('form[data-operation="world.finish"]')
form.evaluate('form => form.requestSubmit()')
page.wait_for_url('**/finished')
"""
launch = playwright.sync_api.BrowserType.launch


def launch_installed(self, **options):
    """BrowserGym opens a second browser for its chat and takes no path for it."""
    options["args"] = [*options.get("args", ()), "--no-sandbox"]
    return launch(self, executable_path=os.environ["FIRM_CHROMIUM"], **options)


playwright.sync_api.BrowserType.launch = launch_installed
address = {"socket": os.environ["FIRM_CONTROL"], "secret": os.environ["FIRM_SECRET"]}
(name,) = register_company(address, ["flapping_alert"])
env = gymnasium.make(name, action_mapping=None)
seen, info = env.reset(seed=1)
steps = [env.step(action) for action in (LOOK, FINISH)]
other = env.reset(seed=2)[1]
said = env.step("send_message_to_user('It was the disk.')")
env.close()
with Fleet(**address) as fleet:
    left = fleet.client.worlds()
print(
    json.dumps(
        {
            "id": name,
            "goal": seen["goal"][:7],
            "signed_in": "login" not in seen["url"],
            "errors": [step[0]["last_action_error"] for step in steps],
            "text": "alerts" in json.dumps(steps[0][0]["axtree_object"]),
            "rewards": [step[1] for step in steps],
            "ended": [step[2] for step in steps],
            "verdict": steps[1][4]["task_info"]["verdict"]["score"],
            "another": other["task_info"]["world"] != info["task_info"]["world"],
            "report": [said[1], said[2]],
            "left": left,
        }
    )
)
