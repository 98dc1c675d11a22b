"""REST requests made from declared operations and changed in their structure."""

import random
from typing import Any

from tests.campaign.callers import Callers, find_examples, list_operations, open_plane
from tests.campaign.mutation import Mutator
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of
from world.bench.local_plane import Answer
from world.bench.wire_bytes import FORM, JSON, encode_address, encode_body
from world.core.operation import Operation
from world.core.request_builder import Wire
from world.web.rest_door import find_rest_door

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "LINK")
ODD_VERB = 0.04  # of the requests have another verb than declared
ODD_BODY = 0.04  # have a body that is no JSON or of another kind
BODIES = (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a":' * 3_000, b"[" * 50_000, b'{"a":1e999}', b"0" * 100_000)
KINDS = (
    JSON,
    FORM,
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "multipart/form-data; boundary=b",
    "",
    "x/y; a=",
)


class Requests:
    """Makes requests of operations."""

    def __init__(self, callers: Callers, chance: random.Random) -> None:
        self.callers, self.chance, self.mutator = callers, chance, Mutator(chance)
        self.examples = find_examples(callers.host)
        self.operations = list_operations(callers.host, with_rest=True)

    def send(self) -> tuple[str, str, Answer] | None:
        """One request: what it was, what was sent, and what came back; None where an example has no such request."""
        operation = self.chance.choice(self.operations)
        example = self.chance.choice(self.examples[operation.id])
        arguments = self.mutator.mutate(example, list(operation.params.model_fields))
        wire = build_wire(operation, arguments, example)
        if wire is None:
            return None
        method = self.chance.choice(VERBS) if self.chance.random() < ODD_VERB else wire.method
        body, kind = encode_body(wire)
        if self.chance.random() < ODD_BODY:
            body, kind = self.chance.choice(BODIES), self.chance.choice(KINDS)
        address = encode_address(wire)
        headers = {name: str(value) for name, value in wire.headers.items() if name.lower() != "content-type"}
        answer = self.callers.of(operation.app).send(method, address, body, str(kind) if kind else None, **headers)
        return f"{method} {operation.app} {operation.id} {address[:200]} {body[:300]!r}", f"{address} {body!r}", answer


def build_wire(operation: Operation, arguments: dict[str, Any], example: dict[str, Any]) -> Wire | None:
    """The request for the arguments; for the example where theirs cannot be written, None where neither can."""
    rest = find_rest_door(operation.app)
    assert rest is not None
    for given in (arguments, example):
        try:
            return rest.wire(operation.id, given)
        except (LookupError, ValueError, TypeError, AttributeError, RecursionError):
            continue
    return None


def run(ground: Ground) -> Figures:
    """Requests until the share is done."""
    tally, operations = Tally(), set[str]()
    with open_plane(ground, "rest") as plane:
        callers = Callers(plane)
        requests = Requests(callers, chance_of("rest"))
        while tally.counts["requests"] < ground.share(1_000_000):
            made = requests.send()
            if made is not None:
                asked, sent, answer = made
                tally.add(answer, asked, sent)
                operations.add(asked.split(" ", 3)[2])
    return {
        **tally.figures("five_hundreds", "foreign_words", "long_holds"),
        "operations": len(operations),
        "worlds_closed": callers.closed,
    }


part = Part("rest", 1_000_000, "REST requests", ("five_hundreds", "foreign_words", "worlds_closed"), run)
