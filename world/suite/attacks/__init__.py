"""The attack suite: scripted agents that look for reward without work, through the agents' plane only."""

from world.suite.attacks import bulk, idle, injections, names, people, probes, sessions, solution, text_attacks
from world.suite.attacks.attack_context import Attack, AttackContext

MODULES = (idle, text_attacks, bulk, solution, names, people, probes, injections, sessions)
ATTACKS: dict[str, Attack] = {
    attack.id: attack
    for attack in sorted((one for module in MODULES for one in module.ATTACKS), key=lambda one: int(one.id[1:]))
}

__all__ = ["ATTACKS", "Attack", "AttackContext"]
