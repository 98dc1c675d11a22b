"""What an app is made of is there once it is discovered, whichever of its modules is imported later."""

import json
import subprocess
import sys

import pytest

DECLARED = """
import importlib, json, pkgutil, sys
from world.core import discovery

PARTS = ("operations", "rules", "topics", "deliveries", "ddl", "fault_codes", "token_forms", "credentials", "predicates")

def declared():
    parts = {f"{app.name}.{part}": len(getattr(app, part)) for app in discovery.apps() for part in PARTS}
    lists = {
        f"{name}.{key}": len(value)
        for name in known
        for key, value in vars(sys.modules[name]).items()
        if key.isupper() and isinstance(value, list | dict | set)
    }
    return {**parts, **lists}

for package in discovery.app_packages():
    discovery.part(package, "rest")  # a server has an app's doors, and only they issue its further credentials
known = sorted(name for name in sys.modules if name.startswith("apps."))
before = declared()
for package in discovery.app_packages():
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
after = declared()
changed = {name: [before.get(name), after[name]] for name in after if before.get(name) != after[name]}
print(json.dumps([len(before), changed]))
"""


@pytest.mark.full
def test_no_later_import_adds_to_a_discovered_app() -> None:
    done = subprocess.run([sys.executable, "-c", DECLARED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    counted, changed = json.loads(done.stdout)
    assert counted > 60 and changed == {}
