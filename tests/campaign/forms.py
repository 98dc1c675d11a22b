"""Actions of pages: forms of declared fields, each odd in some, and addresses that links do not lead to."""

from urllib.parse import quote, urlencode

from tests.campaign.callers import Callers, find_examples, open_plane
from tests.campaign.mutation import NUMBERS, TEXTS, Mutator
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of
from tests.security.inputs.test_forms import list_fields, list_forms
from world.bench.wire_bytes import encode_query

VALUES = ("[]", "{}", "true", "null", "[[]]", "[null]", "[{}]", "9" * 25, "[" * 300, '"x"', "1.5")
PLACES = (
    "/",
    "/more",
    "/search",
    "/jump",
    "/settings",
    "/issues",
    "/complete",
    "/nothing",
    "/d/x/edit",
    "/quayline/payments",
)


def run(ground: Ground) -> Figures:
    """Forms and pages until the share is done; one in five is a page with an odd query."""
    tally, chance = Tally(), chance_of("forms")
    listed = list_forms()
    fields = {form: list_fields(*form) for form in listed}
    with open_plane(ground, "forms") as plane:
        callers, examples, mutator = Callers(plane, lasts=500), find_examples(plane.host), Mutator(chance)
        operations = [one for one in sorted(plane.host.operations) if plane.host.operations[one].app != "world"]
        apps = sorted({form.app for form in listed})
        while tally.counts["requests"] < ground.share(10_000):
            kind = chance.random()
            if kind < 0.2:
                app, query = (
                    chance.choice(apps),
                    {chance.choice(("q", "find", "page", "jql", "dialog", "file", "tab")): chance.choice(TEXTS)},
                )
                address = chance.choice(PLACES) + "?" + urlencode(query, errors="replace")
                tally.add(callers.of(app).page(address), f"page {app} {address[:200]}")
            elif kind < 0.6:
                form = chance.choice(listed)
                given = {name: chance.choice(TEXTS) if chance.random() < 0.4 else "x" for name in fields[form]}
                for name in chance.sample(fields[form], min(2, len(fields[form]))):
                    if chance.random() < 0.5:
                        given.pop(name)
                        given[f"{name}:json"] = chance.choice((*VALUES, *map(str, NUMBERS)))
                body = urlencode(given, errors="replace")
                tally.add(
                    callers.of(form.app).form(quote(form.name, safe="/"), body.encode()),
                    f"form {form} {body[:300]}",
                    body,
                )
            else:
                operation = plane.host.operations[chance.choice(operations)]
                arguments = mutator.mutate(chance.choice(examples[operation.id]), list(operation.params.model_fields))
                body = encode_query(
                    {
                        name if isinstance(value, str) else f"{name}:json": value
                        for name, value in arguments.items()
                        if value is not None
                    }
                )
                answer = callers.of(operation.app).form(quote(operation.id, safe="/"), body.encode())
                tally.add(answer, f"form {operation.id} {body[:300]}", body)
    return {**tally.figures("five_hundreds", "foreign_words", "long_holds"), "worlds_closed": callers.closed}


part = Part("forms", 10_000, "page actions and pages", ("five_hundreds", "foreign_words", "worlds_closed"), run)
