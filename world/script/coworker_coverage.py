"""Whether a colleague understands what people write: a corpus of phrasings per rule, checked by the author of a
scenario.
"""

from collections.abc import Mapping, Sequence

from world.script.coworkers import Coworker, Rule

ENOUGH = 20  # phrasings per question


def misunderstood(
    coworker: Coworker, corpus: Mapping[str, Sequence[str]], *, state: str = "", enough: int = ENOUGH
) -> list[str]:
    """Return the problems of a corpus: rule -> phrasings, `""` -> phrasings that no rule may understand.

    The list is empty when all is understood. A phrasing must reach its own rule first, among those of a state and those
    that always hold; conditions and memory aside.
    """
    rules = [*coworker.state(state).rules, *coworker.rules]
    found: list[str] = []
    for name, phrasings in corpus.items():
        if name and name not in {rule.name for rule in rules}:
            found.append(f"{name}: no such rule" + (f" in state {state!r}" if state else ""))
            continue
        different = len({" ".join(text.casefold().split()) for text in phrasings})
        if name and different < enough:
            found.append(f"{name}: {different} phrasings, {enough} are needed")
        reached = [(text, _find_rule(rules, text)) for text in phrasings]
        found += [
            f"{name or 'nothing'}: {text!r} is understood as {got or 'nothing'}" for text, got in reached if got != name
        ]
    return found


def _find_rule(rules: Sequence[Rule], text: str) -> str:
    return next((rule.name for rule in rules if rule.understands(text)), "")
