"""GraphQL queries grown from the published schema, sound and broken."""

import json
import random

from graphql import (
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
)

from apps.github.graphql.document import schema
from tests.campaign.callers import Callers, open_plane
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of

VALUES = (
    "1",
    "-1",
    "0",
    "99999999999999999999",
    '"x"',
    '""',
    "true",
    "null",
    "[]",
    "[1, null]",
    "{}",
    "{a: 1}",
    "OPEN",
    "$v",
    '"\\ud800"',
    "1.5e300",
)
DAMAGE = (
    "{",
    "}",
    "(",
    ")",
    "...",
    "@include(if: true)",
    "@skip(if: $v)",
    '"',
    "\\",
    "\x00",
    "\N{PILE OF POO}",
    "fragment",
    "on",
    "#",
    "!",
)


class Grower:
    """Grows queries by chance."""

    def __init__(self, known: GraphQLSchema, chance: random.Random) -> None:
        self.known, self.chance = known, chance

    def grow(self) -> str:
        """A query or a mutation; of every four one is damaged."""
        roots = [self.known.query_type] * 3 + [self.known.mutation_type]
        root = self.chance.choice(roots)
        assert root is not None
        word = "mutation" if root is self.known.mutation_type else "query"
        text = f"{word}($v: String) " + self.select(root, self.chance.randrange(1, 6))
        if self.chance.random() < 0.25:
            at = self.chance.randrange(len(text))
            text = text[:at] + self.chance.choice(DAMAGE) + text[at + self.chance.randrange(3) :]
        return text

    def select(self, kind: GraphQLOutputType, depth: int) -> str:
        """A selection of a type."""
        named = get_named_type(kind)
        if isinstance(named, GraphQLUnionType):
            one = self.chance.choice(named.types)
            return f"{{ __typename ... on {one.name} {self.select(one, depth - 1)} }}"
        if not isinstance(named, (GraphQLObjectType, GraphQLInterfaceType)):
            return ""
        if depth <= 0:
            return "{ __typename }"
        names = self.chance.sample(sorted(named.fields), min(len(named.fields), self.chance.randrange(1, 4)))
        return "{ " + " ".join(self.field(named, name, depth) for name in names) + " }"

    def field(self, kind: GraphQLObjectType | GraphQLInterfaceType, name: str, depth: int) -> str:
        """A field with some of its arguments."""
        found = kind.fields[name]
        given = [one for one in sorted(found.args) if self.chance.random() < 0.6]
        arguments = ", ".join(f"{one}: {self.value(one)}" for one in given)
        alias = self.chance.choice(("", "", "", f"a{self.chance.randrange(5)}: "))
        return f"{alias}{name}{f'({arguments})' if arguments else ''} {self.select(found.type, depth - 1)}"

    def value(self, name: str) -> str:
        """A value for an argument, fitting for some names."""
        fitting = {
            "owner": '"quayline"',
            "name": '"payments"',
            "first": "5",
            "last": "3",
            "number": "1",
            "login": '"quayline"',
        }
        return fitting[name] if name in fitting and self.chance.random() < 0.7 else self.chance.choice(VALUES)


def run(ground: Ground) -> Figures:
    """Queries until the share is done."""
    tally, chance = Tally(), chance_of("graphql")
    grower = Grower(schema(), chance)
    with open_plane(ground, "graphql") as plane:
        callers = Callers(plane)
        for _ in range(ground.share(100_000)):
            query = grower.grow()
            body = json.dumps({"query": query, "variables": {"v": chance.choice(("x", None, 1, [], {}))}})
            tally.add(
                callers.of("github").post("/api/graphql", body.encode("utf-8", "surrogatepass")), query[:400], query
            )
    return {**tally.figures("five_hundreds", "foreign_words", "long_holds"), "worlds_closed": callers.closed}


part = Part("graphql", 100_000, "GraphQL queries", ("five_hundreds", "foreign_words", "worlds_closed"), run)
