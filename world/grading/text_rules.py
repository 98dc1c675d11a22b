"""The `text` predicates of a rubric: the required and the forbidden content of a field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.part import Part
from world.core.reading.passage import Mark, Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.commitment import Disavowal, read_commitment
from world.grading.compiler import Compiler
from world.grading.corrections.detector import find_reversal
from world.grading.coverage import fuller_texts, list_hidden_texts, other_texts
from world.grading.facts import vocabulary_of
from world.grading.facts.rules import compile_facts
from world.grading.follow_ups import find_sweeping, list_corrections, list_following
from world.grading.operators import decide
from world.grading.passages import join_passages
from world.grading.reasons.clause import Detail, How, Miss, Teller, find_failed
from world.grading.reasons.excerpt import quote
from world.grading.replies import answers
from world.grading.reservations.detector import find_reservation
from world.grading.scope import Scope
from world.grading.stance.rules import compile_stance
from world.grading.tables import Row, Table
from world.grading.text import MAX_CHARS, Text, read_text
from world.grading.text_predicates.phrases import claims, mentions, quotes
from world.grading.text_predicates.predicate import (
    TextPredicate,
    all_hold,
    find_begins,
    group_predicates,
    join_predicates,
    tell_detail,
)
from world.grading.text_predicates.values import BOUNDS, TYPED, Compile

DEFAULT_CHARS, DEFAULT_ENTITIES = 2_000, 20
MAX_SHOWN = 80  # characters of a sentence in a finding
ELSEWHERE = "another part of the row"
VOUCHED = "vouched"
_HOW: Mapping[str, How] = {"all_of": "all_of", "any_of": "any_of", "none_of": "none_of"}


@dataclass(frozen=True, slots=True)
class TextRule:
    """Required content of the text in some fields of a row. `vouched`: its author must vouch for it."""

    table: Table
    fields: tuple[str, ...]
    parts: tuple[TextPredicate, ...]
    vouched: bool = False

    def read(self, row: Row, s: Scope) -> Text:
        """The normalised text of the fields, and what people read in their place."""
        parts = [read_text(self.table.cell(row, field)) for field in self.fields]
        plain = "\n".join(part.plain for part in parts)
        passages = s.readings.passages(self.table, row, self.fields)
        return Text(plain, cut=any(part.cut for part in parts), passages=passages)

    @property
    def name(self) -> str:
        """The fields."""
        return "/".join(self.fields)

    def phrase(self, tell: Teller) -> str:
        """All predicates in words."""
        return f"{self.name} {' and '.join(part.phrase(tell) for part in self.parts)}"

    def list_misses(self, row: Row, s: Scope, seen: Sequence[Part] = ()) -> list[Miss]:
        """List the predicates that a row's text does not meet; `seen` is all that people see of the row.

        Forbidden content must be in none of the parts. Where the text is only a summary, the body must have all that is
        required.
        """
        text = self.read(row, s)
        if text.cut:
            said = f"{self.name} is longer than {MAX_CHARS} characters"
            return [Miss(said, lambda: Detail(("text",), said, f"at most {MAX_CHARS} characters", quote(text.plain)))]
        void = self._find_void(text, row, s)
        if void is not None:
            return [_report_withdrawal(self.name, void)]
        found = self._list_part_misses(text, self.name, row, s)
        if (
            found
            and (added := self._list_additions(row, s))
            and not self._list_part_misses(_read_on(text, added), self.name, row, s)
        ):
            found = []  # the author said the rest in the next message
        for body in map(read_text, fuller_texts(seen, self.fields)):
            found += self._list_part_misses(body, f"what {self.name} sums up", row, s)
        return found + self._list_forbidden(row, s, seen)

    def _list_part_misses(self, text: Text, name: str, row: Row, s: Scope) -> list[Miss]:
        return [
            Miss(f"{name} {part.text}", partial(self._explain, part, text, name, row, s))
            for part in self.parts
            if not self._meets(part, text, row, s)
        ]

    def _explain(self, part: TextPredicate, text: Text, name: str, row: Row, s: Scope) -> Detail:
        whole = (part.bounds or part.forbids) and not part.test(text, row, s)
        failing = text if whole else self._strike_withdrawals(text, row, s)
        return tell_detail(*find_failed(part, lambda one: one.test(failing, row, s)), name, text, row, s)

    def _meets(self, part: TextPredicate, text: Text, row: Row, s: Scope) -> bool:
        """Whether a text meets a predicate: by what its author stands by, and in the whole by what must not stand there."""
        if (part.bounds or part.forbids) and not part.test(text, row, s):
            return False
        return part.bounds or part.test(self._strike_withdrawals(text, row, s), row, s)

    def _find_void(self, text: Text, row: Row, s: Scope) -> Disavowal | None:
        """Return the disavowal that takes the whole text back, or None."""
        if any(part.quotes for part in self.parts):
            return None
        whole = read_commitment(join_passages(text.passages), self._list_additions(row, s)).whole
        return (
            whole or self._find_sweeping(row, s) or self._find_correction(row, s) or self._find_reserved(text, row, s)
        )

    def _find_reserved(self, text: Text, row: Row, s: Scope) -> Disavowal | None:
        """The sentence, here or in what follows at once, by which the author of an answer does not vouch for it."""
        if not (text.is_own and self.vouched):
            return None
        vocabulary = vocabulary_of(s.directory)
        said = (find_reservation(one, vocabulary) for one in (*text.passages, *self._list_additions(row, s)))
        sentence = next(filter(None, said), None)
        return None if sentence is None else Disavowal(0, 0, sentence, "not vouched for")

    def _find_sweeping(self, row: Row, s: Scope) -> Disavowal | None:
        """The later sentence, wherever it stands, by which the author takes back all they said."""
        sentence = find_sweeping(row, self.table, s)
        return None if sentence is None else Disavowal(0, 0, sentence, "taken back elsewhere")

    def _find_correction(self, row: Row, s: Scope) -> Disavowal | None:
        """The later sentence to the same readers by which the author changes what they told, unless they say it again."""
        for effect, sentence in list_corrections(row, self.table, s):
            if self.vouched and find_reversal(Passage(sentence), vocabulary_of(s.directory)):
                return Disavowal(0, 0, sentence, "undone later")
            again = _leave_standing(s.list_bodies(effect), ())
            if not all(part.test(again, row, s) for part in self.parts if not part.bounds):
                return Disavowal(0, 0, sentence, "corrected later")
        return None

    def _list_additions(self, row: Row, s: Scope) -> tuple[Passage, ...]:
        """The passages that the author added at once, found once for all parts of the rule."""
        asked = (id(row), self.table.name, self.fields)
        if asked not in s.additions:
            following = list_following(row, self.table, s)
            s.additions[asked] = row, tuple(one for other in following for one in self.read(other, s).passages)
        return s.additions[asked][1]

    def _strike_withdrawals(self, text: Text, row: Row, s: Scope) -> Text:
        """A text without what its author denies or takes back, here or at once in a further message."""
        return _leave_standing(text.passages, self._list_additions(row, s)) if text.is_own else text

    def _list_forbidden(self, row: Row, s: Scope, seen: Sequence[Part]) -> list[Miss]:
        forbidding = [inner for part in self.parts for inner in part.forbids]
        if not forbidding:
            return []
        texts = [read_text(text, quoted=True) for text in self.elsewhere(seen)]
        bad = [(part, text) for part in forbidding for text in texts if not part.test(text, row, s)]
        first = {id(part): (part, text) for part, text in reversed(bad)}
        return [
            Miss(f"{ELSEWHERE} {part.text}", partial(self._explain, part, text, ELSEWHERE, row, s))
            for part, text in reversed(first.values())
        ]

    def explain_match(self, row: Row, s: Scope, seen: Sequence[Part]) -> list[Detail]:
        """Describe how a row meets the rule: the smallest clause of each predicate, and its place."""
        own = self.read(row, s)
        texts = [own, *(read_text(text, quoted=True) for text in self.elsewhere(seen))]
        text = next((one for one in texts if all(part.test(one, row, s) for part in self.parts)), own)
        return [
            tell_detail(*find_failed(part, lambda one: one.test(text, row, s), wanted=False), self.name, text, row, s)
            for part in self.parts
        ]

    def elsewhere(self, seen: Sequence[Part]) -> list[str]:
        """List the texts of the other parts of a row, and the hidden ones of its own."""
        return [*other_texts(seen, self.fields), *list_hidden_texts(seen, self.fields)] if seen else []

    def holds_anywhere(self, own: Text, row: Row, s: Scope, seen: Sequence[Part]) -> bool:
        """Whether some part of a row, or all of them together, says it all; `own` is what its fields say."""
        if all(part.test(own, row, s) for part in self.parts):
            return True
        others = [read_text(text, quoted=True) for text in self.elsewhere(seen)]
        whole = [Text("\n".join(text.plain for text in (own, *others)))] if others else []
        return any(all(part.test(text, row, s) for part in self.parts) for text in (*others, *whole))

    def holds(self, row: Row, s: Scope) -> bool:
        """Whether a row's text says it all."""
        text = self.read(row, s)
        return all(part.test(text, row, s) for part in self.parts)


def _read_on(text: Text, added: Sequence[Passage]) -> Text:
    """A text together with what its author added at once."""
    return Text("\n".join([text.plain, *(one.text for one in added)]), passages=(*text.passages, *added))


@lru_cache(maxsize=2048)
def _leave_standing(passages: tuple[Passage, ...], added: tuple[Passage, ...]) -> Text:
    text = join_passages(passages)
    reading = read_commitment(text, added)
    voids = [Mark(one.start, one.end, "struck") for one in reading.voids if not one.asked]
    standing = Passage(text.text, (*text.marks, *voids)).without("struck", "quoted", "hidden")
    return Text(standing, passages=passages)


def _report_withdrawal(name: str, void: Disavowal) -> Miss:
    said = f"the author does not stand by {name}, {void.reason}: {void.sentence[:MAX_SHOWN]!r}"
    return Miss(said, lambda: Detail(("text",), said, f"the author stands by {name}", quote(void.sentence)))


def compile_text(raw: object, table: Table, place: Place, c: Compiler, *, bounded: bool = True) -> TextRule:
    """The rule of a `text` mapping; `mentions` without a bound gets the default bounds if it is to be `bounded`."""
    if not is_object(raw) or "field" not in raw:
        raise c.error(place, "text takes a mapping with `field` and at least one predicate")
    fields = raw["field"] if is_array(raw["field"]) else [raw["field"]]
    columns = [c.column(table, str(name), (*place, "field")) for name in fields]
    if any(column.name not in table.columns for column in columns):
        raise c.error((*place, "field"), "a text field is a column of the table itself")
    spec = {key: value for key, value in raw.items() if key not in ("field", VOUCHED)}
    if raw.get(VOUCHED, True) is not True:
        raise c.error((*place, VOUCHED), "vouched is true, or left out")
    if not spec and VOUCHED not in raw:
        raise c.error(place, f"no predicate; known: {', '.join((*PREDICATES, VOUCHED))}")
    if bounded and _mentions(spec) and not {"max_chars", "max_entities"} & set(spec):
        spec |= {"max_chars": DEFAULT_CHARS, "max_entities": DEFAULT_ENTITIES}
    names = tuple(column.name for column in columns)
    parts = _compile(spec, place, c, names, table) if spec else []
    return TextRule(table, names, tuple(parts), VOUCHED in raw)


def _mentions(raw: object) -> bool:
    if is_object(raw):
        stated = isinstance(raw.get("facts"), Mapping) and "must" in raw["facts"]
        return (
            stated
            or "mentions" in raw
            or any(_mentions(value) for key, value in raw.items() if key in ("all_of", "any_of"))
        )
    return is_array(raw) and any(_mentions(item) for item in raw)


def _compile(raw: object, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> list[TextPredicate]:
    if not is_object(raw) or not raw:
        raise c.error(place, f"takes a mapping with one of {', '.join(PREDICATES)}")
    parts: list[TextPredicate] = []
    for key, value in raw.items():
        here = (*place, key)
        if (how := _HOW.get(key)) is not None:
            parts.append(_build_combination(how, value, here, c, fields, table))
        elif key == "quotes":
            parts.append(replace(quotes(value, here, c, fields, table), place=here))
        elif key == "facts":
            parts += compile_facts(value, here, c, fields, table)
        elif key == "stance":
            parts += [compile_stance(one, here, c, fields, table) for one in _as_list(value)]
        elif key in PREDICATES:
            parts.append(replace(PREDICATES[key](value, here, c), place=here))
        else:
            raise c.error(
                here,
                describe_unknown("text predicate", key, [*PREDICATES, "quotes", "facts", "stance", *_HOW]),
            )
    return parts


def _as_list(value: object) -> list[Any]:
    return value if is_array(value) else [value]


def _build_combination(
    how: How, raw: object, place: Place, c: Compiler, fields: tuple[str, ...], table: Table
) -> TextPredicate:
    if not is_array(raw) or not raw:
        raise c.error(place, f"{how} takes a list of at least one predicate")
    groups = [_compile(item, (*place, index), c, fields, table) for index, item in enumerate(raw)]
    tests = [all_hold(group) for group in groups]
    begins = find_begins(groups)

    def test(text: Text, row: Row, s: Scope) -> bool:
        if begins is not None and text.places.keys().isdisjoint(begins):
            return how == "none_of"
        return decide(how, tests, lambda one: one(text, row, s))

    inner = tuple(part for group in groups for single in group for part in single.forbids) if how == "all_of" else ()
    parts = tuple(group_predicates(group, (*place, index)) for index, group in enumerate(groups))
    made = TextPredicate(test, join_predicates(how, parts), forbids=inner, how=how, parts=parts, place=place)
    return replace(made, forbids=(made,)) if how == "none_of" else made


PREDICATES: Mapping[str, Compile] = {"mentions": mentions, "claims": claims, "answers": answers, **TYPED, **BOUNDS}
