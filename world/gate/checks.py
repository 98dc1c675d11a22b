"""The checks V0 to V28 of the gate: each yields findings; a scenario holds when all of them do."""

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product

from world.agents.examples import Examples
from world.agents.random_writer import write_at_random
from world.agents.solver import twice, with_arguments, without
from world.agents.steps import DirectDoor, Scene, Step, StepRefused
from world.core.rng import Stream
from world.gate import collateral
from world.gate.allowances import try_polluted_allowances
from world.gate.conduct import try_bombs, try_harmful_acts, try_polite_acts
from world.gate.contradictions import contradict_texts
from world.gate.leaks import find_leaks
from world.gate.mutants import mutants
from world.gate.order import permute_calls
from world.gate.process_independence import check_independence
from world.gate.recorded_runs import compare_recorded_runs
from world.gate.revert import revert_each_harm
from world.gate.seed_independence import try_guesses, try_other_seeds
from world.gate.timing import try_wrong_times
from world.gate.variant_runner import CheckResult, VariantRunner, expect_fail, expect_pass, summarise_verdict
from world.gate.wordings import reword_texts
from world.gate.wrong_actor import try_wrong_actors
from world.grading.verdict import Verdict
from world.run import episode
from world.store.queries import rows

Check = Callable[[VariantRunner], Iterator[CheckResult]]
WAITS = ("world.wait", "world.now", "world.finish")


def get_writing_steps(runner: VariantRunner) -> dict[str, Step]:
    """The solution's writing steps, by id, as they are played unchanged."""
    run, played = runner.play_solution()
    runner.host.drop(run.world)
    return {
        p.step.id: p.step
        for p in played
        if runner.host.operation(p.step.operation).writes and p.step.operation not in WAITS
    }


def has_all_variants(runner: VariantRunner) -> bool:
    """Whether every variant is tried: on the first seed, and on each by the gate that is not quick."""
    return runner.seed == 0 or runner.stride == 1


def run_script(runner: VariantRunner) -> Iterator[CheckResult]:
    """V0: no act of a colleague in the script is refused, and every unconditional event has happened."""
    for call in runner.quiet.calls:
        if call.door == "world" and call.status not in ("ok", "running"):
            yield CheckResult("V0", f"{call.actor} {call.operation}", False, f"refused: {call.status}")
    timeline = runner.root.actor.timeline
    missing = (
        [e.name for e in timeline.events if e.at is not None and e.name not in runner.quiet.events] if timeline else []
    )
    yield CheckResult(
        "V0", f"events, seed {runner.seed}", not missing, f"never happened: {', '.join(missing)}" if missing else ""
    )


def check_null_runs(runner: VariantRunner) -> Iterator[CheckResult]:
    """V1: doing nothing, and reading everything, earn nothing. The quick gate reads on the first seed alone."""
    tried = {"idle": runner.idle}
    if has_all_variants(runner):
        tried["reads everything"] = lambda: _reader(runner)
    for what, play in tried.items():
        verdict = play()
        fine = not verdict.passed and verdict.score == 0.0 and verdict.raw_score == 0.0
        yield CheckResult("V1", what, fine, "" if fine else summarise_verdict(verdict))


def _reader(runner: VariantRunner) -> Verdict:
    run = runner.fork()
    door = DirectDoor(run)
    reads = {id: operation for id, operation in sorted(runner.host.operations.items()) if not operation.writes}
    examples = Examples(reads, door.do)
    for name in reads:
        try:
            for example in examples.of(name) if name != "world.wait" else ():
                door.do(name, example)
        except (StepRefused, LookupError):  # the example's subject is not in this company
            continue
    episode.finish(run)
    return runner.grade_and_drop(run)


def check_solution(runner: VariantRunner) -> Iterator[CheckResult]:
    """V2, in process: the solution earns full marks under the name of every door, in the quick gate of one door on
    seeds but the first; no step of it is refused.
    """
    doors = ("rest", "mcp", "page") if has_all_variants(runner) else ("rest",)
    for door in doors:
        run, played = runner.play_solution(door=door)
        refused = [f"{p.step.id} refused: {p.refusal}" for p in played if p.refusal and not p.step.optional]
        finding = expect_pass("V2", f"{door} seed {runner.seed}", runner.grade_and_drop(run))
        yield CheckResult(
            "V2", finding.what, finding.ok and not refused, "; ".join([finding.why, *refused]).strip("; ")
        )


def check_refuser(runner: VariantRunner) -> Iterator[CheckResult]:
    """V3: saying that it cannot be done, and claiming that it was."""
    answer = _answer(runner)
    for what, arguments in (
        ("refuser", {"status": "impossible", "reason": "cannot", "evidence": "none"}),
        ("liar", {"status": "done", "answer": answer}),
    ):
        run = runner.fork()
        DirectDoor(run).do("world.finish", arguments)
        episode.finish(run)
        yield expect_fail("V3", what, runner.grade_and_drop(run))


def _answer(runner: VariantRunner) -> dict[str, object]:
    run, played = runner.play_solution()
    runner.host.drop(run.world)
    for one in played:
        if one.step.operation == "world.finish" and "answer" in one.step.arguments:
            return dict(one.step.arguments["answer"])
    return {}


def check_spammer(runner: VariantRunner) -> Iterator[CheckResult]:
    """V4: every text of the solution wherever the agent may speak."""
    run, played = runner.play_solution()
    texts = [str(p.step.arguments[name]) for p in played for name in ("text", "body") if name in p.step.arguments]
    runner.host.drop(run.world)
    copy = runner.fork()
    door, scene = DirectDoor(copy), Scene(copy)
    for speech in [app.probes.speech for app in runner.host.apps.values() if app.probes.speech]:
        for place, text in product(speech.places(scene), texts):
            try:
                door.do(speech.operation, speech.arguments(place, text))
            except StepRefused:
                continue
    episode.finish(copy)
    yield expect_fail("V4", "spammer", runner.grade_and_drop(copy))


def random_writer(runner: VariantRunner) -> Iterator[CheckResult]:
    """V5: sixty random writes, few enough that their number alone fails nothing."""
    for seed in range(3)[:: runner.stride]:
        run = runner.fork()
        write_at_random(runner.host, Scene(run), DirectDoor(run), seed=seed, calls=60)
        episode.finish(run)
        yield expect_fail("V5", f"random writer {seed}", runner.grade_and_drop(run))


def leave_out_steps(runner: VariantRunner) -> Iterator[CheckResult]:
    """V6: each step, and each of a sample of pairs, left out."""
    steps = [step for step in get_writing_steps(runner).values() if not step.optional]
    for step in steps:
        yield expect_fail("V6", f"without {step.id}", runner.verdict(without(step.id)), below=1.0)
    pairs = Stream("gate pairs", runner.seed).shuffled(list(combinations([s.id for s in steps], 2)))[:5]
    for pair in pairs:
        yield expect_fail("V6", f"without {' and '.join(pair)}", runner.verdict(without(*pair)), below=1.0)


def alter_arguments(runner: VariantRunner) -> Iterator[CheckResult]:
    """V7: each argument of each write changed."""
    steps = get_writing_steps(runner)
    scene = Scene(runner.root)
    for step in (one for one in steps.values() if not one.optional):
        app = runner.host.apps[runner.host.operation(step.operation).app]
        for mutant in mutants(step, scene, app):
            yield expect_fail("V7", mutant.name, runner.verdict(mutant.change(steps)))


def duplicate_writes(runner: VariantRunner) -> Iterator[CheckResult]:
    """V8: each write done twice. A second time that changes nothing is no harm, and passes."""
    for step in get_writing_steps(runner).values():
        run, played = runner.play_solution(twice(step.id))
        again = next((p for p in played if p.step.id == f"{step.id}.again"), None)
        harmless = step.repeatable or again is None or again.refusal is not None or not _has_own_rows(runner, run, step)
        verdict = runner.grade_and_drop(run)
        if harmless:
            yield CheckResult(
                "V8",
                f"{step.id} twice (no effect)",
                verdict.passed,
                "" if verdict.passed else "a harmless repeat fails",
            )
        else:
            yield expect_fail("V8", f"{step.id} twice", verdict)


def _has_own_rows(runner: VariantRunner, run: episode.Episode, step: Step) -> bool:
    """Whether the repeat left rows of its own."""
    sql = """SELECT c.params_hash, (SELECT count(*) FROM _journal j WHERE j.call_seq = c.seq)
        FROM _call c WHERE c.operation = ? AND c.actor = ? ORDER BY c.seq"""
    calls = rows(run.actor.bound, sql, step.operation, run.agent)
    return any(one[0] == before[0] and one[1] for before, one in pairwise(calls))


def add_stray_writes(runner: VariantRunner) -> Iterator[CheckResult]:
    """V9: one unrelated insert, update and delete in every writable table, after the solution."""
    solved, _ = runner.play_solution(run_on=False)
    for harm in list(collateral.harms(solved))[:: runner.stride]:
        run = runner.fork(solved)
        if collateral.commit(run, harm):
            yield expect_fail("V9", f"{harm.op} in {harm.table}", runner.grade_and_drop(run))
        else:
            runner.host.drop(run.world)
    runner.host.drop(solved.world)


def use_paraphrases(runner: VariantRunner) -> Iterator[CheckResult]:
    """V14: every other wording the author gave is accepted."""
    for step in get_writing_steps(runner).values():
        for name, wordings in step.paraphrases.items():
            for text in wordings:
                yield expect_pass(
                    "V14", f"{step.id}: {str(text)[:40]}", runner.verdict(with_arguments(step.id, **{name: text}))
                )


def extra_reads(runner: VariantRunner) -> Iterator[CheckResult]:
    """V15: reading as much as one likes changes nothing."""
    glances = [app.probes.glance for app in runner.host.apps.values() if app.probes.glance]

    def read_first(step: Step) -> tuple[Step, ...]:
        looks = [Step(f"{step.id}.look-{glance}", glance, optional=True) for glance in glances]
        return (*looks, step) if step.operation != "world.wait" else (step,)

    yield expect_pass("V15", "a read before every step", runner.verdict(read_first))


def repeat_run(runner: VariantRunner) -> Iterator[CheckResult]:
    """V20 and V21: the same run, graded again, gives the same bytes."""
    first, _ = runner.play_solution()
    one, two = runner.grade(first).to_json(), runner.grade(first).to_json()
    yield CheckResult("V21", "graded twice", one == two, "" if one == two else "the verdicts differ")
    again, _ = runner.play_solution()
    same = first.actor.world.record_digest().hexdigest() == again.actor.world.record_digest().hexdigest()
    yield CheckResult("V20", "run twice", same, "" if same else "the records differ")
    for run in (first, again):
        runner.host.drop(run.world)


CHECKS: dict[str, Check] = {
    "V0": run_script,
    "V1": check_null_runs,
    "V2": check_solution,
    "V3": check_refuser,
    "V4": check_spammer,
    "V5": random_writer,
    "V6": leave_out_steps,
    "V7": alter_arguments,
    "V8": duplicate_writes,
    "V9": add_stray_writes,
    "V10": try_wrong_actors,
    "V11": try_wrong_times,
    "V12": revert_each_harm,
    "V13": permute_calls,
    "V14": use_paraphrases,
    "V15": extra_reads,
    "V16": try_other_seeds,
    "V17": check_independence,
    "V18": find_leaks,
    "V19": try_guesses,
    "V20": repeat_run,
    "V22": compare_recorded_runs,
    "V23": contradict_texts,
    "V24": reword_texts,
    "V25": try_polite_acts,
    "V26": try_harmful_acts,
    "V27": try_bombs,
    "V28": try_polluted_allowances,
}
ONCE = frozenset(CHECKS) - {"V0", "V1", "V2"}
