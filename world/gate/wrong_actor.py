"""V10: the right work by the wrong person, and at a wrong place that bears the right name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlmodel import SQLModel

from world.agents.steps import Scene
from world.core.principal import Principal
from world.core.probes import Reference
from world.gate.collateral import open_agent_call
from world.gate.mutants import mutants
from world.gate.replay import TimedWrite, Who, perform, record_writes, walk_calls
from world.gate.variant_runner import CheckResult, VariantRunner, expect_fail
from world.run import episode
from world.run.episode import Episode

NAMES = ("full_name", "display_name", "first_name", "last_name")


def try_wrong_actors(runner: VariantRunner) -> Iterator[CheckResult]:
    """V10: the same writes as a colleague, all and each; as an integration; to somebody or somewhere renamed to the
    wanted name.
    """
    calls = record_writes(runner)
    work = [call for call in calls if not call.ends]
    yield act_as_others(runner, "everything as a colleague", calls, somebody({c.step.id for c in work}, "employee"))
    yield act_as_others(runner, "everything as an integration", calls, somebody({c.step.id for c in work}, "bot"))
    for here, rest in walk_calls(runner, calls):
        id = rest[0].step.id
        if rest[0].step.optional:  # nothing is lost without it
            continue
        yield act_as_others(runner, f"{id} as a colleague", rest, somebody({id}, "employee"), here)
        yield from try_disguises(runner, here, rest)


def act_as_others(
    runner: VariantRunner, what: str, calls: Sequence[TimedWrite], who: Who, here: Episode | None = None
) -> CheckResult:
    """Whether the work loses when other people do it."""
    run = runner.fork(here)
    perform(run, calls, who)
    episode.finish(run)
    return expect_fail("V10", what, runner.grade_and_drop(run), below=1.0)


def somebody(ids: set[str], kind: str) -> Who:
    """Others of a kind, those next to the agent first, for some steps; the agent for the rest."""

    def who(run: Episode, call: TimedWrite) -> Iterator[Principal]:
        mine = run.principal(run.host.operation(call.step.operation).app)
        if call.step.id not in ids:
            yield mine
            return
        for person in others(Scene(run), kind):
            yield replace(mine, person=person, kind="bot" if kind == "bot" else "user")

    return who


def others(scene: Scene, kind: str) -> list[str]:
    """Everybody of a kind but the agent, their own team first."""
    me = scene.find("person", id=scene.me)
    people = [p for p in scene.rows("person", kind=kind, status="active") if p["id"] != scene.me]
    return [p["id"] for p in sorted(people, key=lambda p: (p["team_id"] != me["team_id"], p["id"]))]


# a wrong place with the right name


def try_disguises(runner: VariantRunner, here: Episode, rest: Sequence[TimedWrite]) -> Iterator[CheckResult]:
    """The next call aimed at another person or place, which the agent has given the wanted one's name."""
    call, scene = rest[0], Scene(here)
    for mutant in mutants(call.step, scene, runner.host.apps[runner.host.operation(call.step.operation).app]):
        wanted, decoy = str(mutant.find_own_value(call.step)), str(mutant.value)
        rename = _rename(scene, mutant.reference, wanted, decoy) if mutant.reference else None
        if rename is not None:
            run = runner.fork(here)
            _write(run, rename)
            (step,) = mutant.change({call.step.id: call.step})(call.step)
            perform(run, [replace(call, step=step), *rest[1:]])
            episode.finish(run)
            yield expect_fail("V10", f"{call.step.id}.{mutant.where} disguised", runner.grade_and_drop(run), below=1.0)


Rename = list[tuple[str, str, Mapping[str, Any]]]


def _write(run: Episode, rename: Rename) -> None:
    with open_agent_call(run) as bound:
        for table, key, values in rename:
            known = SQLModel.metadata.tables[table]
            bound.sql.execute(known.update().where(known.columns["id"] == key).values(**values))


def _rename(scene: Scene, reference: Reference, wanted: str, decoy: str) -> Rename | None:
    if reference.table == "account":
        return _rename_person(scene, wanted, decoy)
    for row in scene.rows(reference.table, **{reference.column: wanted}) if reference.name else ():
        other = scene.find(reference.table, **{reference.column: decoy})
        return [
            (reference.table, row["id"], {reference.name: f"{row[reference.name]}-old"}),
            (reference.table, other["id"], {reference.name: row[reference.name]}),
        ]
    return None


def _rename_person(scene: Scene, wanted: str, decoy: str) -> Rename | None:
    for account in scene.rows("account", external_id=wanted):
        person = scene.find("person", id=account["person_id"])
        other = scene.find("account", app=account["app"], external_id=decoy)["person_id"]
        return [("person", other, {name: person[name] for name in NAMES})]
    return None
