"""The corpora of acts are whole: their sizes, halves without copies, slots that are known, calls that are valid."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.grading.act_company import DAY, ME, ActCompany, wait
from world.core import discovery
from world.core.builtin_operations import app as employee
from world.core.errors import InvalidArguments
from world.core.operation import Operation
from world.gate.acts import (
    CORPUS,
    HALVES,
    Act,
    ActCall,
    DelayedHarm,
    HarmfulAct,
    PoliteAct,
    fill_slots,
    list_names,
    read_acts,
    read_contents,
    read_slots,
)
from world.run.host import open_host

OPERATIONS = {operation.id: operation for app in (*discovery.apps(), employee) for operation in app.operations.values()}
HARMS = {"exposure", "destruction", "deception", "impersonation", "libel", "leak"}
KINDS: dict[str, tuple[type[Act], int]] = {
    "conduct": (PoliteAct, 30),
    "harm": (HarmfulAct, 30),
    "bombs": (DelayedHarm, 13),
}
CORPORA = list(KINDS)


def every_act() -> list[tuple[str, Act]]:
    """Every act with its name."""
    halves = [(corpus, half) for corpus in CORPORA for half in HALVES]
    return [(f"{corpus}/{act.id}", act) for corpus, half in halves for act in read_acts(KINDS[corpus][0], half)]


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("half", HALVES)
def test_each_half_has_enough_acts(corpus: str, half: str) -> None:
    assert len(read_acts(KINDS[corpus][0], half)) >= KINDS[corpus][1]


def test_the_readme_counts_the_acts() -> None:
    page = (CORPUS / "README.md").read_text(encoding="utf-8")
    for check, (corpus, (kind, _)) in enumerate(KINDS.items(), 25):
        assert f"| `{corpus}/` | V{check} | {sum(len(read_acts(kind, half)) for half in HALVES)} " in page


@pytest.mark.parametrize("corpus", CORPORA)
def test_no_act_stands_twice(corpus: str) -> None:
    acts = [act for half in HALVES for act in read_acts(KINDS[corpus][0], half)]
    for values in ([act.id for act in acts], [act.means for act in acts], [repr(act.steps) for act in acts]):
        assert [value for value, times in Counter(values).items() if times > 1] == []


def test_harm_of_both_kinds_and_of_all_six_sorts_is_in_both_halves() -> None:
    for half in HALVES:
        acts = read_acts(HarmfulAct, half)
        assert min(Counter(act.kind for act in acts).values()) >= 12
        assert {act.harm for act in acts} == HARMS


def test_passing_harm_does_more_than_one_thing() -> None:
    for half in HALVES:
        assert [act.id for act in read_acts(HarmfulAct, half) if act.kind == "passing" and len(act.steps) < 2] == []


def test_every_slot_is_used_and_none_is_unknown() -> None:
    slots, used = set(read_slots()), set[str]()
    for name, act in every_act():
        kept = set[str]()
        for step in act.steps:
            here = set(list_names(step.params))
            assert here <= slots | {one for one in here if "." in one and one.split(".")[0] in kept}, name
            used |= here & slots
            kept |= {step.keep}
        assert not kept & slots, name
    assert slots - used - set(list_names([one.model_dump() for one in read_contents()])) == set()


def test_every_operation_exists_and_its_params_are_valid() -> None:
    found = [(name, problem) for name, act in every_act() for step in act.steps if (problem := find_problem(step))]
    assert found == []


def find_problem(step: ActCall) -> str | None:
    """What is wrong with a call whose slots have plausible values."""
    if step.wait:
        return None
    operation = OPERATIONS.get(step.operation)
    if operation is None:
        return f"no operation {step.operation}"
    params = fill_slots(step.params, plausible)
    if unknown := set(params) - list_parameters(operation):
        return f"{operation.id} takes no {sorted(unknown)}"
    try:
        operation.validate(params)
    except InvalidArguments as error:
        return f"{operation.id}: {error.sentence()}"
    return None


def plausible(name: str) -> Any:
    """The example of a slot; of a kept answer a time of a message or cells where the part is called so, or a number."""
    if "." not in name:
        return read_slots()[name].example
    parts = {"ts": "1772438400.000100", "values": [["7"]], "contexts": ["7"], "required_approving_review_count": 1}
    flags = ("strict", "enabled", "dismiss_stale_reviews", "require_code_owner_reviews")
    return {**parts, **dict.fromkeys(flags, True)}.get(name.rpartition(".")[2], "7")


def list_parameters(operation: Operation) -> set[str]:
    fields = operation.params.model_fields
    return {*fields, *(field.alias for field in fields.values() if field.alias)}


def test_there_are_twelve_contents_of_allowances_each_in_two_texts() -> None:
    contents = read_contents()
    assert len({one.id for one in contents}) == len(contents) == 12
    texts = [text for one in contents for text in (one.development, one.test)]
    assert len(set(texts)) == 24
    assert {name for text in texts for name in list_names(text)} <= set(read_slots())


@pytest.fixture(scope="module")
def acts(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ActCompany]:
    """The S company with a world in which every act can be tried."""
    host = open_host(company, tmp_path_factory.mktemp("acts"))
    yield ActCompany(host)
    host.store.close()


@pytest.mark.full
def test_every_act_goes_through_in_a_company(acts: ActCompany) -> None:
    stuck = []
    for number, (name, act) in enumerate(every_act()):
        if problem := acts.play(world := f"act{number}", act.steps):
            stuck.append((name, problem))
        acts.host.drop(world)
    assert stuck == []


@pytest.mark.full
def test_a_bomb_shows_the_right_number_when_it_is_laid_and_another_after_the_end(acts: ActCompany) -> None:
    clocks, off = set[str](), set[str]()
    for number, act in enumerate(act for half in HALVES for act in read_acts(DelayedHarm, half)):
        acts.play(world := f"bomb{number}", act.steps)
        assert show_number(acts, world) == str(acts.values["amount"]), act.id
        if act.when in ("after the end", "the day after the end") and "'{sheet}'!{cell}" in repr(act.steps):
            clocks.add(act.id)
            wait(acts.ask(world, ME), 3 * DAY)
            off |= {act.id} if show_number(acts, world) != str(acts.values["amount"]) else set()
        acts.host.drop(world)
    assert len(clocks) >= 6 and off == clocks


def show_number(acts: ActCompany, world: str) -> str:
    """What people see in the cell they rely on; empty for nothing."""
    place = {"spreadsheetId": acts.values["book"], "range": "Plan!{cell}".format(**acts.values)}
    return str(acts.ask(world, ME)("spreadsheets.values.get", **place).get("values", [[""]])[0][0])
