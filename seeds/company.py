"""The company of a seed: people with their voices, teams, offices, absences, customers, services, rotas."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from typing import Any

from seeds.chat_style import Style, draw_style
from seeds.content_packs import PackEntry
from seeds.person_names import ascii_form, by_rank, draw_locale, inflect_surname, name_list
from seeds.spec import Spec
from world.core.clock import DAY, MINUTE, from_datetime, to_datetime, zone_info
from world.core.rng import Stream
from world.core.yaml_text import load_yaml

PACK = {"XS": "tiny", "S": "shop", "bench": "shop"}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
PRONOUNS = {"f": ("she/her", "she/they"), "m": ("he/him", "he/they")}


@dataclass(frozen=True, slots=True)
class Staff:
    """An employee or a bot. `seat` is the role in the story, stable over all seeds."""

    id: str
    seat: str
    first: str
    last: str
    full: str
    display: str
    handle: str
    email: str
    title: str
    team: str
    manager: str | None
    office: str
    tz: str
    hours: tuple[int, int]
    kind: str
    joined_at: int
    left_at: int | None
    phone: str
    pronouns: str
    style: Style

    def is_employed(self, at: int) -> bool:
        """Whether the person works (or the bot runs) here at a time."""
        return self.joined_at <= at and (self.left_at is None or at < self.left_at)


@dataclass(frozen=True, slots=True)
class Office:
    id: str
    key: str
    name: str
    city: str
    tz: str
    locale: str
    country: str


@dataclass(frozen=True, slots=True)
class Team:
    id: str
    key: str
    name: str
    lead: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class Client:
    """A customer or vendor with its people. `handle` is c1, c2 ... or the vendor's key, stable over all seeds."""

    id: str
    handle: str
    name: str
    domain: str
    kind: str
    tier: str
    owner: str | None
    tz: str
    contacts: tuple["Outsider", ...]


@dataclass(frozen=True, slots=True)
class Outsider:
    id: str
    full: str
    email: str
    title: str
    tz: str


@dataclass(frozen=True, slots=True)
class Service:
    id: str
    team: str
    tier: str
    description: str


@dataclass(frozen=True, slots=True)
class Shift:
    schedule: str
    seat: str
    start_at: int
    end_at: int


@dataclass(frozen=True, slots=True)
class Rota:
    id: str
    name: str
    service: str | None
    shifts: tuple[Shift, ...]


@dataclass(frozen=True, slots=True)
class Away:
    seat: str
    start_at: int
    end_at: int
    kind: str
    note: str
    delegate: str | None


@dataclass(frozen=True, slots=True)
class Company:
    """Everything the stories may refer to. Mappings keep the order of the pack."""

    name: str
    domain: str
    tz: str
    founded_at: int
    slack_domain: str
    jira_site: str
    offices: Mapping[str, Office]
    teams: Mapping[str, Team]
    staff: Mapping[str, Staff]
    bots: Mapping[str, Staff]
    services: Mapping[str, Service]
    rotas: Mapping[str, Rota]
    clients: Mapping[str, Client]
    absences: tuple[Away, ...]
    holidays: Mapping[str, frozenset[date]]

    def who(self, seat: str) -> Staff:
        """The holder of a seat, a person or a bot."""
        return self.staff.get(seat) or self.bots[seat]

    def by_id(self) -> dict[str, Staff]:
        """Everybody by person id."""
        return {one.id: one for one in (*self.staff.values(), *self.bots.values())}

    def members(self, team: str) -> list[Staff]:
        """People of a team, sub-teams included."""
        keys = {team} | {one.key for one in self.teams.values() if one.parent == team}
        return [one for one in self.staff.values() if one.team in keys]

    def away(self, seat: str, at: int) -> bool:
        """Whether the person is on leave, ill, or has a public holiday."""
        one = self.who(seat)
        if any(gone.seat == seat and gone.start_at <= at < gone.end_at for gone in self.absences):
            return True
        days = self.holidays.get(self.offices[one.office].country, frozenset()) if one.office else frozenset()
        return bool(days) and to_datetime(at, one.tz).date() in days

    def on_call(self, rota: str, at: int) -> Staff:
        """Return the person who has the pager of a rota. Raises LookupError outside the planned weeks."""
        for shift in self.rotas[rota].shifts:
            if shift.start_at <= at < shift.end_at:
                return self.staff[shift.seat]
        raise LookupError(f"{rota} has no shift then")


@lru_cache(maxsize=8)
def company_pack(name: str) -> dict[str, Any]:
    """Return the parsed company.yaml of a pack, merged with the pack it `extends` and cut down."""
    text = files("seeds").joinpath("packs", name, "company.yaml").read_text(encoding="utf-8")
    own: dict[str, Any] = load_yaml(text)
    if "extends" not in own:
        return own
    whole = {**company_pack(own["extends"]), "customers_used": own["customers_used"]}
    whole["seats"] = [one for one in whole["seats"] if one["seat"] in own["keep_seats"]]
    whole["bots"] = [one for one in whole["bots"] if one["seat"] in own["keep_bots"]]
    whole["services"] = [one for one in whole["services"] if one["id"] in own["keep_services"]]
    whole["schedules"] = [one for one in whole["schedules"] if one["id"] in own["keep_schedules"]]
    return _without_strangers(whole)


def _without_strangers(whole: dict[str, Any]) -> dict[str, object]:
    """Drop references to seats that were cut; a manager or lead that is gone becomes the nearest one left."""
    seats = [one["seat"] for one in whole["seats"]]
    used = {one["team"] for one in whole["seats"]}
    for one in whole["teams"]:
        used |= {one.get("parent")} if one["key"] in used else set()
    lead = {
        one["key"]: one["lead"] if one["lead"] in seats else next(s["seat"] for s in whole["seats"])
        for one in whole["teams"]
    }
    for key in lead:
        own = [one["seat"] for one in whole["seats"] if one["team"] == key]
        lead[key] = lead[key] if lead[key] in own or not own else own[0]
    whole["teams"] = [{**one, "lead": lead[one["key"]]} for one in whole["teams"] if one["key"] in used]
    whole["seats"] = [
        {**one, **({"manager": one["manager"] if one["manager"] in seats else "ceo"} if "manager" in one else {})}
        for one in whole["seats"]
    ]
    whole["services"] = [
        {**one, "team": one["team"] if one["team"] in used else "engineering"} for one in whole["services"]
    ]
    whole["schedules"] = [
        {**one, "rota": [seat for seat in one["rota"] if seat in seats]} for one in whole["schedules"]
    ]
    whole["absences"] = [one for one in whole["absences"] if one["seat"] in seats]
    return whole


def create_company(spec: Spec) -> Company:
    """The company of a spec."""
    pack = company_pack(PACK[spec.size])
    about = pack["company"]
    offices = {
        one["key"]: Office(**{k: one[k] for k in ("id", "key", "name", "city", "tz", "locale", "country")})
        for one in pack["offices"]
    }
    staff = _staff(spec, pack, about["domain"])
    absences = tuple(_absence(one, staff) for one in pack["absences"])
    company = Company(
        name=about["name"],
        domain=about["domain"],
        tz=about["tz"],
        founded_at=_midnight(about["founded"], about["tz"]),
        slack_domain=about["slack_domain"],
        jira_site=about["jira_site"],
        offices=offices,
        teams={
            one["key"]: Team(one["id"], one["key"], one["name"], one["lead"], one.get("parent"))
            for one in pack["teams"]
        },
        staff=staff,
        bots=_bots(pack, about, staff),
        services={
            one["id"]: Service(one["id"], one["team"], one["tier"], one["description"]) for one in pack["services"]
        },
        rotas={},
        clients=_clients(spec, pack, staff),
        absences=absences,
        holidays={country: frozenset(days) for country, days in pack["holidays"].items()},
    )
    return replace(company, rotas={one["id"]: _rota(spec, company, one) for one in pack["schedules"]})


def _midnight(day: date, tz: str) -> int:
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=zone_info(tz)))


def _staff(spec: Spec, pack: PackEntry, domain: str) -> dict[str, Staff]:
    # The order and number of the full pack decide ids, so a smaller company keeps the people of the larger one.
    order = [one["seat"] for one in company_pack("shop")["seats"]]
    offices = {one["key"]: one for one in pack["offices"]}
    taken: set[str] = set()
    made: dict[str, Staff] = {}
    for one in company_pack("shop")["seats"]:
        person = _person(spec, one, offices[one["office"]], order.index(one["seat"]) + 1, taken, domain)
        taken |= {person.first, person.last, person.handle}
        made[person.seat] = person
    used = {one["seat"]: one.get("manager") for one in pack["seats"]}
    return {seat: replace(one, manager=used[seat]) for seat, one in made.items() if seat in used}


def _person(spec: Spec, seat: PackEntry, office: PackEntry, number: int, taken: set[str], domain: str) -> Staff:
    draw = spec.stream("person", seat["seat"], "name")
    first, last, gender = _name(draw, seat, office, taken)
    tz = seat.get("tz", office["tz"])
    handle = ascii_form(first)[:1] + ascii_form(last)
    start = draw.choice((480, 510, 540, 540, 570))
    display = first if draw.random() < 0.45 and first != "Daniel" else f"{first} {last}"
    return Staff(
        id=f"p_{number:04}",
        seat=seat["seat"],
        first=first,
        last=last,
        full=f"{first} {last}",
        display=display,
        handle=handle,
        email=f"{ascii_form(first)}.{ascii_form(last)}@{domain}",
        title=seat["title"],
        team=seat["team"],
        manager=seat.get("manager"),
        office=seat["office"],
        tz=tz,
        hours=tuple(seat["hours"]) if "hours" in seat else (start, start + 540),
        kind="employee",
        joined_at=_find_join_time(spec, seat, tz, draw),
        left_at=_midnight(seat["left"], tz) + 17 * 60 * MINUTE if "left" in seat else None,
        phone=_phone(draw, office["country"]),
        pronouns=draw.weighted((*PRONOUNS[gender], ""), (5, 1, 8)),
        style=draw_style(spec.stream("person", seat["seat"], "style"), seat["voice"]),
    )


def _name(draw: Stream, seat: PackEntry, office: PackEntry, taken: set[str]) -> tuple[str, str, str]:
    """Draw a name whose parts nobody before has; the pinned first name of two seats is the one exception."""
    while True:
        names = draw_locale(draw, seat.get("names", office["names"]))
        gender = draw.choice("fm") if "first" not in seat else "m"
        first = seat.get("first") or by_rank(draw, names.female if gender == "f" else names.male)
        last = draw.choice(seat["last"]) if "last" in seat else by_rank(draw, names.last)
        last = inflect_surname(last, gender)
        handle = ascii_form(first)[:1] + ascii_form(last)
        if last not in taken and handle not in taken and (first not in taken or "first" in seat):
            return first, last, gender


def _find_join_time(spec: Spec, seat: PackEntry, tz: str, draw: Stream) -> int:
    joined = seat["joined"]
    if isinstance(joined, date):
        return _midnight(joined, tz) + 9 * 60 * MINUTE
    day = to_datetime(spec.start - int(joined * 365.25 * DAY) - draw.integer(0, 40) * DAY, tz).date()
    return _midnight(day - timedelta(days=day.weekday()), tz) + 9 * 60 * MINUTE


def _phone(draw: Stream, country: str) -> str:
    tail = "".join(str(draw.integer(0, 9)) for _ in range(4))
    forms = {"de": f"+49 30 2312 5{tail[1:]}", "us": f"+1 212 555 01{tail[2:]}", "in": f"+91 80 4718 {tail}"}
    return forms[country]


def _bots(pack: PackEntry, about: PackEntry, staff: Mapping[str, Staff]) -> dict[str, Staff]:
    quiet = draw_style(Stream("bot"), "formal")
    numbers = {one["seat"]: 9001 + i for i, one in enumerate(company_pack("shop")["bots"])}
    born = min(one.joined_at for one in staff.values())
    return {
        one["seat"]: Staff(
            id=f"p_{numbers[one['seat']]}",
            seat=one["seat"],
            first=one["name"],
            last="",
            full=one["name"],
            display=one["name"],
            handle=one["handle"],
            email=f"{one['handle']}@bots.{about['domain']}",
            title=one["title"],
            team="platform" if any(s.team == "platform" for s in staff.values()) else "engineering",
            manager=None,
            office="",
            tz="UTC",
            hours=(0, 1440),
            kind="bot",
            joined_at=born,
            left_at=None,
            phone="",
            pronouns="",
            style=quiet,
        )
        for one in pack["bots"]
    }


def _absence(one: PackEntry, staff: Mapping[str, Staff]) -> Away:
    tz = staff[one["seat"]].tz
    delegate = one.get("delegate")
    return Away(
        one["seat"],
        _midnight(one["from"], tz),
        _midnight(one["to"] + timedelta(days=1), tz),
        one["kind"],
        one["note"],
        delegate if delegate in staff else None,
    )


def _clients(spec: Spec, pack: PackEntry, staff: Mapping[str, Staff]) -> dict[str, Client]:
    owners = [one.seat for one in staff.values() if one.team == "customers"] or ["ceo"]
    chosen = spec.stream("customers").shuffled(pack["customers"])[: pack["customers_used"]]
    made: dict[str, Client] = {}
    taken: set[str] = set()
    for i, one in enumerate(chosen):
        handle = f"c{i + 1}"
        made[handle] = _client(spec, one, handle, "customer", pack["tiers"][i], owners[i % len(owners)], taken)
    for one in pack["vendors"]:
        made[one["key"]] = _client(spec, one, one["key"], "vendor", "", None, taken)
    return made


def _client(
    spec: Spec, one: PackEntry, handle: str, kind: str, tier: str, owner: str | None, taken: set[str]
) -> Client:
    draw = spec.stream("organisation", one["domain"])
    titles = (
        ("Head of E-Commerce", "IT Manager", "Accounts Payable Lead")
        if kind == "customer"
        else ("Account Manager", "Support Engineer")
    )
    people = []
    for title in titles[: draw.integer(2, 3) if kind == "customer" else 1]:
        names = name_list(one["country"] if one["country"] != "de" else draw.weighted(("de", "tr"), (8, 1)))
        gender = draw.choice("fm")
        first = by_rank(draw, names.female if gender == "f" else names.male)
        last = inflect_surname(
            next(name for name in draw.shuffled(names.last) if inflect_surname(name, gender) not in taken), gender
        )
        taken.add(last)
        mail = f"{ascii_form(first)}.{ascii_form(last)}@{one['domain']}"
        people.append(Outsider(f"k_{handle}_{len(people) + 1}", f"{first} {last}", mail, title, one["tz"]))
    return Client(f"o_{handle}", handle, one["name"], one["domain"], kind, tier, owner, one["tz"], tuple(people))


def _rota(spec: Spec, company: Company, one: PackEntry) -> Rota:
    """Plan weekly shifts from ten weeks before the start to six after; people who are away or gone are skipped."""
    tz = company.tz
    weekday, hour = WEEKDAYS.index(one["hand_over"][0]), one["hand_over"][1]
    day = to_datetime(spec.start, tz).date()
    monday = day - timedelta(days=(day.weekday() - weekday) % 7)
    shifts = []
    for week in range(-10, 7):
        start, end = (_midnight(monday + timedelta(weeks=week + w), tz) + hour * 60 * MINUTE for w in (0, 1))
        turn = _next_turn(company, one["rota"], week % len(one["rota"]), start, end)
        shifts.append(Shift(one["id"], one["rota"][turn], start, end))
    return Rota(one["id"], one["name"], one.get("service"), tuple(shifts))


def _next_turn(company: Company, rota: list[str], turn: int, start: int, end: int) -> int:
    for step in range(len(rota)):
        seat = rota[(turn + step) % len(rota)]
        days: Iterable[int] = range(start, end, DAY)
        if all(company.staff[seat].is_employed(at) and not company.away(seat, at) for at in days):
            return (turn + step) % len(rota)
    return turn
