"""The account of one outcome: why items are missing and changes charged, told once the best outcome is known."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from world.core.yaml_document import Place
from world.grading.claim_assignment import Charge, ClaimAssignment, FitCache
from world.grading.effects import Effect
from world.grading.grading_context import GradingContext
from world.grading.items import Allowance, Claim, Item, Misfit
from world.grading.predicates import Finding
from world.grading.reasons.clause import Detail, Miss, plain_miss
from world.grading.reasons.excerpt import shorten
from world.grading.reasons.witness import MOST, Witness
from world.grading.verdict import ItemResult, Reason, UnclaimedChange

_PAST = {"insert": "inserted", "update": "updated", "delete": "deleted"}
LAST = "the last change of what it is about"
SAID = 3  # clauses that a verdict's line names


@dataclass(frozen=True)
class Account:
    """One outcome, with the data needed to explain it."""

    context: GradingContext
    fits: FitCache
    findings: Mapping[str, Finding]
    witness: Witness
    claimed: ClaimAssignment
    items: Sequence[Item]

    def explain_item(self, result: ItemResult) -> ItemResult:
        """A result with why it is not met, where it is not."""
        if result.met == 1 or result.reasons:
            return result
        item = next((item for item in self.items if item.id == result.id), None)
        if item is not None:
            return self._explain_unmet(result, item)
        number = next((at for at, one in enumerate(self.context.rubric.python) if one.id == result.id), None)
        return result if number is None else replace(result, reasons=self._unproven(number, result))

    def _explain_unmet(self, result: ItemResult, item: Item) -> ItemResult:
        """Explain an unmet item by the misses of the nearest row, or by the row that is not there."""
        effect, misses, _ = self._nearest_effect(item, guard=result.kind == "guard")
        if effect is None:
            return replace(result, reasons=self.witness.of_none([item.absent(self.context.scope)], item.place))
        why = f"{result.why}; nearest {effect.name}: {_say(misses)}"
        details = [miss.detail() for miss in misses[:MOST]] or [item.absent(self.context.scope)]
        return replace(result, why=why, reasons=self.witness.of_effect(details, item.place, effect))

    def measure_distance(self, results: Sequence[ItemResult]) -> tuple[int, int]:
        """How far the run is from its items: unmet ones for which it has no row in the right place, and failed clauses."""
        unmet = [item for item in self.items for one in results if one.id == item.id and one.met < 1]
        near = [self._nearest_effect(item, guard=False) for item in unmet]
        return sum(not there for _, _, there in near), sum(len(misses) for _, misses, _ in near)

    def _nearest_effect(self, item: Item, *, guard: bool) -> tuple[Effect | None, list[Miss], bool]:
        """The free row of which the fewest clauses fail, these clauses, and whether it is the row that is meant, not
        another one; of a guard it may be the world's.
        """
        held = {effect.number for effects in self.claimed.rows.values() for effect in effects}
        best: tuple[tuple[bool, int], Effect, list[Miss]] | None = None
        for effect in self.context.effects:
            if effect.number in held or not item.concerns(effect) or (effect.origin == "world" and not guard):
                continue
            misfit = self.fits.compare(item, effect)
            if best is None or misfit.distance < best[0]:
                best = misfit.distance, effect, misfit.misses
        return (None, [], False) if best is None else (*best[1:], not best[0][0])

    def _unproven(self, number: int, result: ItemResult) -> list[Reason]:
        """List the reasons of an unmet predicate: what it says of itself and of the run.

        The step is that of a row it names, or of the last change that it may be about.
        """
        item = self.context.rubric.python[number]
        function = self.context.rubric.predicates.functions[item.call.removeprefix("predicates.")]
        asks = shorten(inspect.getdoc(function) or item.call)
        detail = Detail(("call",), f"{item.call}: {asks}", asks, result.why or "not so")
        named = {(table, str(tuple(pk))) for table, pk in self.findings[item.id].rows}
        mine = [one for one in self.context.effects if one.origin != "world" and one.table in item.claims]
        proven = [one for one in mine if (one.table, str(one.pk)) in named]
        place: Place = ("python", number)
        if not mine:
            return self.witness.of_none([detail], place)
        found = self.witness.of_effect([detail], place, (proven or mine)[-1])
        return found if proven else [replace(one, origin=LAST) for one in found]

    def explain_charges(self) -> list[UnclaimedChange]:
        """Every change that nothing holds, with the item or allowance it comes nearest to and why it is not that."""
        return [*map(self._explain_charge, self.claimed.charges), *map(self._other, self.claimed.others)]

    def _explain_charge(self, charge: Charge) -> UnclaimedChange:
        effect = charge.effect
        claim, misses = self._nearest_claim(effect)
        place = () if claim is None else claim.place
        why = [charge.why] if charge.why else []
        wrong = [*self.context.scope.readings.deceptions(effect), *filter(None, [self.fits.harm(effect)])][:1]
        why += [one for one in wrong if one not in (charge.why, _say(misses))]
        return UnclaimedChange(
            effect.kind,
            effect.name,
            effect.journal,
            "" if claim is None else claim.id,
            "; ".join([*why, _say(misses)]),
            claim.id if claim is not None and self._is_unmet(claim, effect) else "",
            charge.degree,
            self.witness.of_effect([miss.detail() for miss in misses[:MOST]], place, effect),
        )

    def _is_unmet(self, claim: Claim, effect: Effect) -> bool:
        held = len(self.claimed.rows.get(claim.id, ()))
        return isinstance(claim, Item) and claim.kind == effect.kind and held < claim.required

    def _nearest_claim(self, effect: Effect) -> tuple[Claim | None, list[Miss]]:
        """The claim of which the fewest clauses fail, one about this very row if there is one."""
        best: tuple[tuple[bool, bool, int], Claim, list[Miss]] | None = None
        for claim in (*self.items, *self.context.rubric.allowances):
            if claim.table.name != effect.table:
                continue
            same = claim.kind == effect.kind
            misfit = self.fits.compare(claim, effect) if same else Misfit(True, [_other_kind(effect, claim)])
            rank = (not same, *misfit.distance)
            if best is None or rank < best[0]:
                best = (rank, claim, misfit.misses or [_one_too_many(claim)])
        return (None, [_explain_unknown(effect)]) if best is None else best[1:]

    def _other(self, one: UnclaimedChange) -> UnclaimedChange:
        detail = Detail((), one.why, "no such change", one.row)
        if one.change == "answer":
            return replace(one, reasons=self.witness.of_answer([detail], ("answer",)))
        return replace(one, reasons=self.witness.of_journal([detail], (), one.journal))


def _say(misses: Sequence[Miss]) -> str:
    return "; ".join(miss.said for miss in misses[:SAID])


def _explain_unknown(effect: Effect) -> Miss:
    why = f"nothing expects or allows a change of {effect.table}"
    return plain_miss(why, "", lambda: "no such change", effect.name)


def _other_kind(effect: Effect, claim: Claim) -> Miss:
    said = f"a row was {_PAST[effect.kind]}, not {_PAST[claim.kind]}"
    return plain_miss(said, claim.kind, lambda: f"a row {_PAST[claim.kind]}", f"a row {_PAST[effect.kind]}")


def _one_too_many(claim: Claim) -> Miss:
    key, most = ("max", claim.max) if isinstance(claim, Allowance) else ("count", _count(claim))
    return plain_miss("one row too many", key, lambda: f"at most {most}", "one more")


def _count(claim: Claim) -> int:
    return claim.required + claim.optional if isinstance(claim, Item) else 1
