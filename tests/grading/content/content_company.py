"""The people, customers and hosts that the texts of the corpus speak of."""

from world.grading.content.inspection import Surroundings
from world.grading.content.links import Hosts
from world.grading.directory import Directory, Person
from world.grading.facts import vocabulary_of

PEOPLE = """
Daniel Kowalski, Tom Taylor, Svenja Weber, Miriam Hartmann, Moritz Köhler, Derek Brown, Karolina Lis, Elif Demir,
Stefan Jansen, Arjun Nair, Oleksandr Hrytsenko, Britta Baumann, Matthias Richter, Kevin Coleman, Piotr Mazur,
Michael Lindqvist, Krzysztof Dudek, Manoj Gupta, Deepika Sharma, Graham Quinn, Merle Zimmermann, Meera Rao
"""
CUSTOMERS = (
    ("Medirent", "medirent.example"),
    ("Pacific Crest Dental", "pcdental.example"),
    ("Bergmann Elektro", "bergmann-elektro.example"),
    ("Halloran Building Supply", "halloransupply.example"),
    ("Brightmoor Retail", "brightmoor.example"),
    ("Nordwind Handel", "nordwind-handel.example"),
    ("Sable & Finch", "sablefinch.example"),
    ("Kovács & Fia", "kovacs-fia.example"),
)
VENDORS = (("Nordacq", "nordacq.example"), ("Amazon Web Services", "aws.example"))


def _person(number: int, name: str) -> Person:
    first, _, last = name.partition(" ")
    return Person(f"p_{number:04}", name, first, first, last, handle=first[0].lower() + last.lower())


def build_surroundings() -> Surroundings:
    """One company, its customers and vendors."""
    names = [name.strip() for name in PEOPLE.replace("\n", " ").split(",")]
    people = [_person(number, name) for number, name in enumerate(names, 1)]
    bodies = [(f"o_{name}", name, domain, "customer") for name, domain in CUSTOMERS]
    bodies += [(f"o_{name}", name, domain, "vendor") for name, domain in VENDORS]
    contact = Person("k_1", "Ashley Fisher", email="ashley.fisher@pcdental.example", kind="contact")
    directory = Directory(
        people=(*people, contact),
        services=(("payments", "Payments", ""), ("relay", "Relay", "")),
        company={"name": "Quayline", "domain": "quayline.example"},
        organisations=tuple(bodies),
        employers=(("k_1", "o_Pacific Crest Dental"),),
    )
    domains = frozenset(domain for _, domain in (*CUSTOMERS, *VENDORS))
    return Surroundings(vocabulary_of(directory), Hosts(frozenset({"quayline.example"}), domains))
