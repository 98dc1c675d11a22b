"""Whether an author's messages assert or deny a proposition."""

from world.grading.stance.classifier import Outcome, Stance, can_decide, judge_stance, names_subject
from world.grading.stance.proposition import Proposition, list_propositions, load_proposition

__all__ = [
    "Outcome",
    "Proposition",
    "Stance",
    "can_decide",
    "judge_stance",
    "list_propositions",
    "load_proposition",
    "names_subject",
]
