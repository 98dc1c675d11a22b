"""V13: calls that do not depend on each other may be done in any order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from world.core.rng import Stream
from world.gate.replay import TimedWrite, perform, record_writes
from world.gate.variant_runner import CheckResult, VariantRunner, expect_pass
from world.run import episode

MOST, LEAST = 24, 2  # orders tried of the calls between two waits; the quick gate tries as few as the least


def permute_calls(runner: VariantRunner) -> Iterator[CheckResult]:
    """V13: every order of the calls between two waits that keeps each after what it names in `after`; a sample of many."""
    most = max(LEAST, MOST // runner.stride)
    blocks = [list(block) for _, block in groupby(record_writes(runner), key=lambda call: (call.block, call.ends))]
    yield try_order(runner, "as recorded", blocks)
    draws = Stream("gate orders", runner.seed)
    for number, block in enumerate(blocks):
        for order in islice(orders(block, draws, most), 1, None):
            what = " < ".join(call.step.id for call in order)
            yield try_order(runner, what, [*blocks[:number], in_turn(block, order), *blocks[number + 1 :]])
    turned = [in_turn(block, backwards(block)) for block in blocks]
    if turned != blocks:
        yield try_order(runner, "all of it turned round", turned)


def try_order(runner: VariantRunner, what: str, blocks: Iterable[Sequence[TimedWrite]]) -> CheckResult:
    """Whether the calls earn full marks in this order, none of them refused."""
    run = runner.fork()
    played = perform(run, [call for block in blocks for call in block])
    episode.finish(run)
    refused = [f"{p.step.id} refused: {p.refusal}; name what it needs in `after`" for p in played if p.refusal]
    finding = expect_pass("V13", what, runner.grade_and_drop(run))
    return CheckResult(
        "V13", what, finding.ok and not refused, "; ".join(why for why in (*refused, finding.why) if why)
    )


def in_turn(block: Sequence[TimedWrite], order: Sequence[TimedWrite]) -> list[TimedWrite]:
    """The calls in this order, at the times of the block."""
    return [replace(call, at=place.at) for place, call in zip(block, order, strict=True)]


def orders(block: Sequence[TimedWrite], draws: Stream, most: int = MOST) -> Iterator[list[TimedWrite]]:
    """The order as it is, then the others: all of them, or as many drawn by lot."""
    every = list(islice(linear(list(block)), most + 1))
    if len(every) <= most:
        yield from every
    else:
        yield list(block)
        yield from (draw_order(block, draws) for _ in range(most - 1))


def linear(left: list[TimedWrite]) -> Iterator[list[TimedWrite]]:
    """Every order that keeps dependencies, the given one first."""
    if not left:
        yield []
    for call in ready(left):
        for rest in linear([other for other in left if other is not call]):
            yield [call, *rest]


def draw_order(block: Sequence[TimedWrite], draws: Stream) -> list[TimedWrite]:
    """One order that keeps dependencies, by lot."""
    left, order = list(block), list[TimedWrite]()
    while left:
        order.append(draws.choice(ready(left)))
        left.remove(order[-1])
    return order


def backwards(block: Sequence[TimedWrite]) -> list[TimedWrite]:
    """The order that always takes the last call that may come."""
    left, order = list(block), list[TimedWrite]()
    while left:
        order.append(ready(left)[-1])
        left.remove(order[-1])
    return order


def ready(left: Sequence[TimedWrite]) -> list[TimedWrite]:
    """The calls that need none of the others first."""
    ids = {call.step.id for call in left}
    return [call for call in left if not ids.intersection(call.step.after)]
