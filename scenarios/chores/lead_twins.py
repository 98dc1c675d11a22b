"""Some leads are in the list twice: one row of each stays, with everything that only the other one has."""

from collections.abc import Mapping

from scenarios.office.books import BOOK, cell, make_book, word, write
from scenarios.office.people import list_titled
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.rng import Stream
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Merge leads that are in the list twice",
    apps=("sheets",),
    calls=(7, 18),
    split="test",
    traps={
        "name": "hasty: merges two firms of one name in two countries",
        "spelling": "literal: finds only rows that are written alike",
        "flag": "forgetful: loses the wish not to be contacted, or the phone number",
    },
)

REQUESTS = (
    "There are doubles in {book}. Could you merge them the way the second tab says? Nothing we know about a firm may get lost. I need the"
    " number of firms that were in there twice.",
    "can you clean {book} of double firms please? rules are in the file. tell me how many you found",
    "Sales keeps writing to the same people twice. Please go through {book}, merge the doubles by our rules and let me know how many there"
    " were.",
    "Would you tidy {book}? Some firms were entered by two of us. One row each, as described there; how many did you merge?",
    "I want to send the spring mailing to {book}, so the twins have to go first. Do it as the notes in it say, please, and report the"
    " number of pairs.",
)
FIRMS = (
    ("Nordwind", "nordwind"),
    ("Salt & Pine", "saltpine"),
    ("Kestrel Outdoor", "kestreloutdoor"),
    ("Villa Verde", "villaverde"),
    ("Bluebird Toys", "bluebirdtoys"),
    ("Hafenkontor", "hafenkontor"),
    ("Lumen Optics", "lumenoptics"),
    ("Casa Moreno", "casamoreno"),
    ("Tulip Trading", "tuliptrading"),
    ("Ostsee Textil", "ostseetextil"),
    ("Red Barn Foods", "redbarnfoods"),
    ("Atlas Bikes", "atlasbikes"),
    ("Polar Tea", "polartea"),
    ("Mistral Home", "mistralhome"),
    ("Juniper Books", "juniperbooks"),
    ("Cobalt Tools", "cobalttools"),
)
COUNTRIES = ("Germany", "Austria", "France", "Poland", "Spain", "Ireland")
FORMS = ("{name} GmbH", "{name} Ltd", "{name} Group", "{name} Handel", "The {name} Company")
OTHERWISE = (
    str.upper,
    str.lower,
    lambda name: name.replace(" ", ""),
    lambda name: f"{name} (new)",
    lambda name: f"{name} shop",
)
BOOKS = ("Leads {year}", "Leads spring {year}", "Interested firms {year}", "Prospects {year}", "Fair contacts {year}")
RULES = (
    ("Two rows are one firm if the web domain of their mail addresses is the same, however the name is written.",),
    ("The upper row stays. The lower one gets the word double in the column State, nothing else in it changes.",),
    ("What only the lower row has, a phone number or a yes in No contact, is copied to the upper one.",),
    ("Firms of one name with different domains are different firms.",),
)
COUNTED = {
    "twice": ["twice", "double", "doubles", "doubled", "pairs", "merged", "twins", "duplicates"],
    "others": ["left", "remain", "rows", "others", "single", "once", "countries", "country", "branch"],
}
PEOPLE = ("Anna", "Jonas", "Marta", "Luis", "Claire", "Piotr", "Niamh", "Sven", "Ines", "Tom", "Eva", "Marco")


def draw(d: Draw) -> Facts:
    """Make a list with three or four firms twice, and two firms of one name."""
    asker = d.pick(list_titled(d, "Head of", "Customer Success", "Chief", "Product Manager"), "asker")
    me, owner = d.sample([one["id"] for one in d.people() if one["id"] != asker], 2, "people", me=0)
    rows = draw_rows(d)
    title = d.pick(BOOKS, "title").format(year=d.stream("year").choice((2025, 2026)))
    head = ["Firm", "Country", "Contact", "Mail", "Phone", "No contact", "State"]
    book = make_book(d.w, owner, title, {"Leads": [head, *map(list_row, rows)], "Rules": RULES}, [me, asker])
    firms: dict[str, list[int]] = {}
    for number, one in enumerate(rows, 1):
        firms.setdefault(one["domain"], []).append(number)
    pairs = [places for places in firms.values() if len(places) > 1]
    copied: dict[str, Facts] = {}
    for upper, lower in pairs:
        for col, what in ((4, "phone"), (5, "stop")):
            if rows[lower - 1][what] and not rows[upper - 1][what]:
                copied[f"c{upper}_{col}"] = {"row": upper, "col": col, "value": rows[lower - 1][what]}
    return {
        "me": me,
        "asker": asker,
        **choose_place(d, me, asker, ("Double leads", "The list", "Spring mailing", "Twins")),
        "request": d.choose_wording(REQUESTS, book=f'"{title}"'),
        "book": book,
        "doubles": {f"d{lower}": {"row": lower, "firm": rows[lower - 1]["firm"]} for _, lower in pairs},
        "copied": copied,
        "count": len(pairs),
    }


def draw_rows(d: Draw) -> list[Facts]:
    """The rows of the list, in a random order; of each pair one row has a phone number or the wish."""
    rng = d.stream("rows")
    firms = d.sample(FIRMS, 11, "firms")
    pairs = 3 + (rng.random() < 0.5)
    upper, lower = [], []
    for number, (name, domain) in enumerate(firms):
        country = rng.choice(COUNTRIES)
        form = rng.choice(FORMS).format(name=name)
        one = {"firm": form, "country": country, "domain": f"{domain}.example", "phone": phone(rng), "stop": ""}
        if number < pairs:
            other = {**one, "firm": rng.choice(OTHERWISE)(name), "phone": ""}
            given = ("stop", "phone", "none", "stop")[number]
            if given == "phone":
                one["phone"], other["phone"] = "", phone(rng)
            other["stop"] = "yes" if given == "stop" else ""
            lower.append(other)
        elif number == pairs:
            country = rng.choice([one for one in COUNTRIES if one != country])
            lower.append(
                {**one, "country": country, "domain": f"{domain}-{country[:2].lower()}.example", "stop": "yes"}
            )
        else:
            one["stop"] = "yes" if rng.random() < 0.2 else ""
        upper.append(one)
    contacts = rng.shuffled(PEOPLE)
    listed = [*rng.shuffled(upper), *rng.shuffled(lower)]
    return [{**one, "contact": contacts[at % len(contacts)]} for at, one in enumerate(listed)]


def phone(rng: Stream) -> str:
    """A phone number, as it is typed."""
    return f"0{rng.integer(30, 89)} {rng.integer(200, 999)} {rng.integer(10, 99)}"


def list_row(one: Mapping[str, str]) -> list[object]:
    """The row of a lead. A number is typed as a text, so that its first digit stays."""
    mail = f"{one['contact'].lower()}@{one['domain']}"
    shown = f"'{one['phone']}" if one["phone"] else ""
    return [one["firm"], one["country"], one["contact"], mail, shown, one["stop"]]


def solution(scene: Scene) -> Steps:
    """Mark the lower rows, copy what only they have, answer."""
    truth = scene.facts("truth")
    for name, one in truth["doubles"].items():
        yield write(name, truth["book"], f"Leads!G{one['row'] + 1}", "double")
    for name, one in truth["copied"].items():
        value = f"'{one['value']}" if one["col"] == 4 else one["value"]
        yield write(name, truth["book"], f"Leads!{'ABCDEFG'[one['col']]}{one['row'] + 1}", value)
    count = truth["count"]
    yield reply(scene, f"{count} firms were in there twice.", wordings=(f"I merged {count} pairs, the rest is clean.",))
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """Each lower row is marked, what only it had is in the upper one, and the number is told."""
    marked = [
        cell(f"marked_{name}", "Leads", f"event.truth.doubles.{name}.row", 6, word("double"), empty=True, weight=2)
        for name in truth["doubles"]
    ]
    copied = [
        cell(f"copied_{name}", "Leads", f"event.truth.copied.{name}.row", one["col"], find_wanted(one), empty=True)
        for name, one in truth["copied"].items()
    ]
    answer = expect_reply(
        truth, {"facts": {"must": [{"count": "event.truth.count", "called": "twice"}], "labels": COUNTED}}
    )
    return make_rubric([*marked, *copied, answer], refs={"book": BOOK})


def find_wanted(one: Facts) -> Item:
    """What a copied cell holds: the wish, or the digits of a number as a text, however they are set apart."""
    if one["col"] == 5:
        return word(one["value"])
    digits = r"[\s/().-]*".join(one["value"].replace(" ", ""))
    return {"input": {"matches": rf"'?[\s(]*{digits}\s*"}}
