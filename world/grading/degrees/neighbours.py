"""On a composed day: which breaches of a chore's `never` are the business of another chore, and so no breach."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from world.core.audience import Audience
from world.core.json_types import is_array, is_object
from world.grading.effects import Effect
from world.grading.grading_context import GradingContext
from world.grading.invariants import Hit, Rule
from world.grading.items import list_parts
from world.grading.schema import find_part

SHORTEST = 4  # letters of a name


class Neighbours:
    """The chores of one day and what each has to do with a changed row; asked once per row and chore."""

    def __init__(self, context: GradingContext, rows: Mapping[str, Sequence[Effect]]) -> None:
        """`rows` are those that each item, predicate and allowance holds."""
        self._context = context
        self._known: dict[tuple[str, int], bool] = {}
        self._holders: dict[int, set[str]] = defaultdict(set)
        for owner, effects in rows.items():
            for effect in effects:
                self._holders[effect.number].add(self._find_holder(owner))

    def drop_business(self, rule: Rule, hits: Sequence[Hit]) -> Sequence[Hit]:
        """The breaches of a rule without those that are another chore's business.

        What a rule says of a text holds wherever it is written, but for a text that names nothing of the rule's chore: a
        stance, since "fine" is said of many things, and common words such as "please" where an item of another chore
        holds the message. A run of more changes than any day needs has no business.
        """
        part = find_part(rule.id)
        if not part or len(self._context.charged) > self._context.limit:
            return hits
        if rule.reads_text and not self._is_stance(rule):
            return [hit for hit in hits if not (self._is_common(rule) and self._is_expected(part, hit))]
        return [hit for hit in hits if not self._is_business(part, hit, texts=rule.reads_text)]

    def _is_expected(self, part: str, hit: Hit) -> bool:
        """Whether another chore's item holds a message, or what sends it later, and it names nothing of the rule's chore."""
        found = self._by_call.get(hit.call, ())
        held = any(self._holders[one.number] - {"", part} for one in found)
        return held and not any(self._names_own(part, one) for one in found if one.name == hit.row)

    def _is_common(self, rule: Rule) -> bool:
        """Whether a rule forbids, in some place or to some people, words that are the same in every draw. What it names as
        free (`none_of`) does not count.
        """
        spec: object = self._context.rubric.source.data["never"][rule.place[1]]
        text, where = (spec.get(name) for name in ("text", "where")) if is_object(spec) else (None, None)
        if not is_object(text) or not is_object(where) or where.keys() <= {"sender"}:
            return False
        forbidden = {name: one for name, one in text.items() if name != "none_of"}
        return not any(one.startswith("event.") or "#" in one for one in _list_texts(forbidden))

    def _is_business(self, part: str, hit: Hit, *, texts: bool) -> bool:
        effects = [one for one in self._by_call.get(hit.call, ()) if one.name == hit.row]
        follows = self._context.follows
        if any(
            one.number in follows for one in effects
        ):  # `sent outside` follows the mail, which an earlier call wrote
            chain = self._context.scope.changes.ledger.chain(hit.call)
            wrote = (one for seq in chain for one in self._by_call.get(seq, ()))
            effects = [one for one in wrote if one.number not in follows]
        return any(self._is_another(part, one) for one in effects if not (texts and self._names_own(part, one)))

    def _is_stance(self, rule: Rule) -> bool:
        """Whether a rule forbids nothing but stances: no words, no values."""
        text: object = self._context.rubric.source.data["never"][rule.place[1]].get("text")
        ways = text.get("any_of") if is_object(text) else None
        return is_array(ways) and all(is_object(one) and set(one) == {"stance"} for one in ways)

    def _names_own(self, part: str, effect: Effect) -> bool:
        """Whether a message has a name or a value of a chore's draw, written as there."""
        words = self._context.evidence.tables[effect.table].conduct.words[:1]
        said = "\n".join(str(effect.written.get(word)) for word in words)
        named = (one for one in self._facts[part] if len(one) >= SHORTEST and one.lower() != one)
        return any(one in said for one in named)

    def _is_another(self, part: str, effect: Effect) -> bool:
        key = (part, effect.number)
        if key not in self._known:
            readers = self._context.scope.list_readers(effect)
            self._known[key] = any(self._is_of(other, effect, readers) for other in self._parts if other != part)
        return self._known[key]

    def _is_of(self, part: str, effect: Effect, readers: Audience) -> bool:
        """Whether a row is a chore's: one that it holds, one that it is about, a message in a place or to people of its."""
        if not readers.outsiders <= self._names[part]:
            return False
        if part in self._holders.get(effect.number, ()):
            return True
        table = self._context.evidence.tables[effect.table]
        if not table.conduct.place:
            own = [one for one in self._context.rubric.items if find_part(one.id) == part]
            return bool(list_parts(effect, own, self._context.scope))
        place = effect.written.get(table.conduct.place)
        inside = readers.people - effect.actors
        near = bool(inside) and not (readers.company or readers.public) and inside <= self._names[part]
        return near or (isinstance(place, str) and place.lower() in self._names[part])

    def _find_holder(self, owner: str) -> str:
        """The chore of an item by its id; that of an allowance by the facts and refs that it names."""
        if not owner.startswith("allow["):
            return find_part(owner)
        said = set(_list_texts(self._context.rubric.source.data["allow"][int(owner[6:-1])]))
        names = {part: (f"event.{part.partition('#')[0]}.", f"{part}.") for part in self._parts}
        return next((part for part, begin in names.items() if any(one.startswith(begin) for one in said)), "")

    @cached_property
    def _parts(self) -> list[str]:
        return self._context.rubric.parts

    @cached_property
    def _by_call(self) -> Mapping[int, list[Effect]]:
        found: dict[int, list[Effect]] = defaultdict(list)
        for effect in self._context.effects:
            for seq in effect.calls:
                found[seq].append(effect)
        return found

    @cached_property
    def _names(self) -> Mapping[str, frozenset[str]]:
        return {part: frozenset(map(str.lower, texts)) for part, texts in self._facts.items()}

    @cached_property
    def _facts(self) -> Mapping[str, frozenset[str]]:
        """The texts in the facts of each chore's draw and request: people, addresses, places."""
        events = self._context.evidence.events
        return {
            part: frozenset(
                text
                for name in ("truth", "request")
                if (fired := events.get(f"{part.partition('#')[0]}.{name}")) is not None
                for text in _list_texts(fired.facts)
            )
            for part in self._parts
        }


def _list_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    inner: Iterable[object] = value.values() if is_object(value) else value if is_array(value) else ()
    for one in inner:
        yield from _list_texts(one)
