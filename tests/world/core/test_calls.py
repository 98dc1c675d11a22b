"""What an operation is handed: rows, links, memory, events, rights and the directory, as it sees them during a call."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlmodel import Field, SQLModel, select

from tests.company import START, as_person, closed, image, person
from world.core import event_queue
from world.core.app import App, Facts
from world.core.call import Call
from world.core.clock import DAY, MINUTE, SECOND
from world.core.directory import Absence, Account, Alias, Person, Shift
from world.core.errors import OperationError
from world.core.params import NoParams
from world.core.principal import Principal, system
from world.core.settings import Settings
from world.run.host import Host

Act = Callable[[Call], Any]
acts: list[Act] = []


class Leaf(SQLModel, table=True):
    """A row of the test app."""

    __tablename__ = "oak_leaf"
    id: int = Field(primary_key=True)
    text: str = ""


oak, elm = App("oak", "Oak", units=100), App("elm", "Elm", site="https://{slack_domain}.elm.example")


@oak.operation("oak.do", writes=True, source="own choice")
def act(call: Call, params: NoParams) -> Any:
    """Do what the test says."""
    return acts.pop()(call)


@oak.operation("oak.search", source="own choice", units=30)
def search(call: Call, params: NoParams) -> None:
    """Search."""


@oak.operation("oak.fail", source="own choice", units=20)
def fail(call: Call, params: NoParams) -> None:
    """Fail."""
    raise OperationError("no_luck")


@oak.rule("may_see")
def may_see(call: Call, subject: str) -> str | None:
    return None if subject == call.person else "not_yours"


@elm.on("oak.shaken")
def hear(call: Call, facts: Facts) -> None:
    call.session.add(Leaf(id=100, text=f"{facts['who']} heard by {call.person}"))


def extra_rows() -> list[SQLModel]:
    return [
        person("p_aaa", "Ada Novak", "ada2", "Engineer", None),
        Alias(id=2, person_id="p_cy", kind="email", value="b.lindqvist@tiny.example"),
        Alias(id=3, person_id="p_gone", kind="email", value="old.gus@tiny.example"),
        Alias(id=4, person_id="p_cy", kind="nick", value="doc@tiny.example"),
        Absence(id=1, person_id="p_dee", start_at=START - DAY, end_at=START + DAY, kind="holiday"),
        Absence(id=2, person_id="p_dee", start_at=START + DAY - MINUTE, end_at=START + 2 * DAY, kind="sick"),
        Shift(id=2, schedule_id="core", person_id="p_cy", start_at=START - 1, end_at=START + DAY),
    ]


@pytest.fixture(scope="module")
def firm_image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(tmp_path_factory.mktemp("oak"), [oak, elm], extra_rows)


@pytest.fixture
def firm(firm_image: Path, tmp_path: Path) -> Iterator[Host]:
    made = closed(firm_image, tmp_path, oak, elm)
    made.create("w", Settings(seed=7))
    yield made
    acts.clear()
    made.store.close()


def during(firm: Host, do: Act, who: str = "ada", door: str = "rest", base_url: str = "") -> Any:
    """What a function answers inside a call."""
    acts.append(do)
    caller = who if isinstance(who, Principal) else as_person(firm, who)
    return firm.call(caller, door, "oak.do", {}, base_url)


def test_rows_are_read_and_written_in_one_transaction(firm: Host) -> None:
    def write(call: Call) -> Any:
        call.session.add(Leaf(id=1, text="one"))
        seen = call.scalar("SELECT text FROM oak_leaf WHERE id = :id", {"id": 1})
        call.execute(sqlalchemy.insert(Leaf).values(id=2, text="two"))
        call.session.add(Leaf(id=3, text="three"))
        return seen, call.session is call.session, call.directory is call.directory, call.ids is call.ids

    assert during(firm, write) == ("one", True, True, True)
    ask = select(Leaf.id, Leaf.text).order_by(Leaf.id)
    assert during(firm, lambda call: call.all(ask)) == [(1, "one"), (2, "two"), (3, "three")]
    assert during(firm, lambda call: call.first(ask)) == (1, "one") and during(firm, lambda call: call.scalar(ask)) == 1
    sql = "SELECT id, text FROM oak_leaf WHERE id >= :least ORDER BY id"
    assert during(firm, lambda call: call.all(sql, {"least": 2})) == [(2, "two"), (3, "three")]
    assert during(firm, lambda call: call.first(sql, {"least": 2})) == (2, "two")
    none = (call_none for call_none in (sql, ask.where(Leaf.id > 8)))
    for statement in none:
        for read in (Call.first, Call.scalar):
            assert during(firm, lambda call, read=read, ask=statement: read(call, ask, {"least": 9})) is None


def test_a_row_is_found_by_its_key_and_read_once(firm: Host) -> None:
    def look(call: Call) -> Any:
        call.session.add(Leaf(id=7, text="seven"))
        found = call.session.get(Leaf, 7)
        return (
            found is not None and found.text,
            call.session.get(Leaf, (7,)) is found,
            call.session.get(Leaf, 8),
            call.session.get(Account, ("elm", "p_nobody")),
            call.directory.person("p_ada") is call.session.get(Person, "p_ada"),
        )

    assert during(firm, look) == ("seven", True, None, None, True)
    with pytest.raises(sqlalchemy.exc.InvalidRequestError):
        during(firm, lambda call: call.session.get(Account, "elm"))


def test_what_a_call_sees_of_itself(firm: Host) -> None:
    seen = during(firm, lambda call: (call.person, call.door, call.now, call.seq, call.me.full_name, call.ids.hex(4)))
    assert seen[:5] == ("p_ada", "rest", START, 2, "Ada Novak"), "the start of the world is the first call"
    again = during(firm, lambda call: (call.now, call.seq, call.ids.hex(4), call.rng.stream("x").bits()))
    assert again[:2] == (START + 3 * SECOND, 3) and again[2] != seen[5]
    with pytest.raises(OperationError, match="account_inactive"):
        during(
            firm,
            lambda call: (
                Call(call.bound, call.apps, "oak", Principal("w", "p_nobody"), door="rest", now=1, seq=1, seed=1).me
            ),
        )
    made = during(
        firm, lambda call: Call(call.bound, call.apps, "oak", call.principal, door="rest", now=1, seq=1, seed=1)
    )
    assert made.recall("key", lambda: {"said": "x"}) == {"said": "x"}, "without a sandbox whoever asks is asked"


def test_links_lead_to_the_vendors_pages_or_to_where_the_call_came_from(firm: Host) -> None:
    def links(call: Call) -> list[str]:
        return [
            call.public_link("/p"),
            call.public_link("/p", "elm"),
            call.get_kept_link("/p"),
            call.get_kept_link("/p", "elm"),
            call.public_link("/p", "nowhere"),
        ]

    base = "http://here"
    plain = [f"{base}/p", "https://tiny.elm.example/p", f"{base}/p", "https://tiny.elm.example/p", f"{base}/p"]
    assert during(firm, links, base_url=base) == plain
    oak.site_at = lambda address: "https://customer.example" if address == base else ""
    try:
        assert during(firm, links, base_url=base) == ["https://customer.example/p", *plain[1:]]
        assert during(firm, links, base_url=base, door="page") == plain
        assert during(firm, links, base_url="http://x") == [one.replace(base, "http://x") for one in plain]
        assert during(firm, lambda call: call.public_link("/p", "oak"), base_url=base) == "https://customer.example/p"
    finally:
        oak.site_at = None


def test_a_rule_refuses_people_and_never_the_world(firm: Host) -> None:
    during(firm, lambda call: call.authorise("may_see", "p_ada"))
    with pytest.raises(OperationError, match="not_yours"):
        during(firm, lambda call: call.authorise("may_see", "p_bo"))
    with pytest.raises(LookupError, match="oak has no rule 'may_fly'"):
        during(firm, lambda call: call.authorise("may_fly", "p_ada"))

    def as_world(call: Call) -> None:
        made = Call(call.bound, call.apps, "oak", system("w", "oak"), door="world", now=1, seq=1, seed=1)
        made.authorise("may_see", "p_bo")

    during(firm, as_world)


def test_events_are_queued_in_order_of_time_and_may_be_withdrawn(firm: Host) -> None:
    bound = firm.actors["w"].bound
    late, soon, gone = during(
        firm,
        lambda call: [call.later("oak.x", call.now + delay, n=delay) for delay in (3 * DAY, 2 * DAY, DAY)],
    )
    due = event_queue.list_due_events(bound, START + 3 * DAY)
    assert [(one.seq, one.due, one.facts) for one in due] == [
        (gone, START + DAY, {"topic": "oak.x", "n": DAY}),
        (soon, START + 2 * DAY, {"topic": "oak.x", "n": 2 * DAY}),
        (late, START + 3 * DAY, {"topic": "oak.x", "n": 3 * DAY}),
    ]
    assert {(one.number, one.name, one.cause, one.priority) for one in due} == {(-1, "event:-1", 2, 0)}
    assert [during(firm, lambda call: call.cancel(gone)) for _ in range(2)] == [True, False]
    assert event_queue.list_due_events(bound, START + 2 * DAY - 1) == []
    found = event_queue.find_due_event(bound, START + 2 * DAY)
    assert found is not None and found.seq == soon
    assert event_queue.find_due_event(bound, START + 2 * DAY - 1) is None


def test_events_of_one_time_come_by_priority_then_as_they_were_queued(firm: Host) -> None:
    bound = firm.actors["w"].bound

    def queue(call: Call) -> list[int]:
        late = [event_queue.push(bound, due=START + DAY, number=5, cause=None, priority=p) for p in (1, 0, 0)]
        return [*late, event_queue.push(bound, due=START + DAY, number=6, cause=2, facts={"b": 1, "a": [2]})]

    first, second, third, other = during(firm, queue)
    due = event_queue.list_due_events(bound, START + DAY)
    assert [one.seq for one in due] == [second, third, other, first]
    assert [(one.facts, one.cause, one.name) for one in due[1:3]] == [
        ({}, None, "event:5"),
        ({"b": 1, "a": [2]}, 2, "event:6"),
    ]
    assert during(firm, lambda call: [event_queue.withdraw_number(bound, n) for n in (5, 5, 6)]) == [3, 0, 1]


def test_what_is_published_reaches_other_apps_and_is_queued_for_listeners_only(firm: Host) -> None:
    def publish(call: Call) -> list[bool]:
        call.publish("oak.shaken", who=call.person)
        call.publish("oak.unheard", who=call.person)
        return [call.has_listeners(topic) for topic in ("oak.shaken", "oak.unheard")]

    assert during(firm, publish) == [True, False]
    assert [one.name for one in event_queue.list_due_events(firm.actors["w"].bound, START + DAY)] == [
        "published:oak.shaken"
    ]
    heard = during(firm, lambda call: call.all("SELECT text FROM oak_leaf"))
    assert heard == [("p_ada heard by system:elm",)]
    with pytest.raises(LookupError, match="only a subscriber"):
        during(firm, lambda call: call.act("p_bo", "oak.search"))


def test_the_kernels_memory_keeps_the_last_value(firm: Host) -> None:
    assert during(firm, lambda call: call.state("k")) is None
    for value in ({"b": 1, "a": [None]}, "x", 0):
        during(firm, lambda call, value=value: call.remember("k", value))
        assert during(firm, lambda call: call.state("k")) == value
    during(firm, lambda call: call.remember("k", {"b": 1, "a": 2}))
    assert during(firm, lambda call: call.scalar("SELECT value FROM _state WHERE key = 'k'")) == '{"a":2,"b":1}'


def test_units_are_counted_for_one_person_in_a_window_up_to_now(firm: Host) -> None:
    def count(window_s: int, who: str = "ada") -> tuple[int, int]:
        return during(firm, lambda call: call.count_units("oak", window_s), who)

    assert count(60) == (0, START)
    for id in ("oak.search", "oak.fail", "oak.search"):
        try:
            firm.call(as_person(firm), "rest", id, {})
        except OperationError as refusal:
            assert refusal.code == "no_luck"
    # The count cost three seconds, each of the calls one: they began at 3, 4 and 5
    assert count(60) == (80, START + 3 * SECOND)
    assert count(60, "bo") == (0, START + 9 * SECOND)
    assert count(9) == (50, START + 4 * SECOND), "what happened nine seconds ago to the microsecond is over"
    assert count(10) == (0, START + 15 * SECOND)


DIRECTORY: list[tuple[str, tuple[object, ...], object]] = [
    ("person", ("p_gone",), "p_gone"),
    ("person", ("p_nobody",), None),
    ("people", (), ["p_aaa", "p_ada", "p_bo", "p_cy", "p_dee", "p_eve"]),
    ("by_email", (" ADA@tiny.example ",), "p_ada"),
    ("by_email", ("b.lindqvist@tiny.example",), "p_bo"),
    ("by_email", ("doc@tiny.example",), None),
    ("by_email", ("nobody@tiny.example",), None),
    ("owner", (" ADA@tiny.example",), ("p_ada", "active")),
    ("owner", ("b.lindqvist@tiny.example",), ("p_bo", "active")),
    ("owner", ("old.gus@tiny.example",), ("p_gone", "left")),
    ("owner", ("doc@tiny.example",), None),
    ("full_name", ("p_bo",), "Bo Lindqvist"),
    ("full_name", ("p_nobody",), ""),
    ("zone", ("p_bo",), "Europe/Berlin"),
    ("zone", ("p_nobody",), "UTC"),
    ("by_handle", (" Cyrus ",), "p_cy"),
    ("by_handle", ("nobody",), None),
    ("account", ("slack", "p_bo"), "U0BO"),
    ("account", ("github", "p_bo"), None),
    ("is_away", ("p_dee",), True),
    ("is_away", ("p_ada",), False),
    ("on_call", ("core",), "p_bo"),
    ("on_call", ("core", START - 1), "p_bo"),
    ("on_call", ("core", START - 2), None),
    ("on_call", ("core", START + 10**12 - 1), "p_bo"),
    ("on_call", ("core", START + 10**12), None),
    ("on_call", ("other",), None),
    ("absent", ("p_dee",), 1),
    ("absent", ("p_dee", START - DAY), 1),
    ("absent", ("p_dee", START - DAY - 1), None),
    ("absent", ("p_dee", START + DAY - 1), 1),
    ("absent", ("p_dee", START + DAY), 2),
    ("absent", ("p_dee", START + 2 * DAY), None),
    ("absent", ("p_ada",), None),
]


@pytest.fixture(scope="module")
def read_only(firm_image: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    made = closed(firm_image, tmp_path_factory.mktemp("worlds"), oak, elm)
    made.create("w", Settings(write_s=0, limits="off"))
    yield made
    made.store.close()


@pytest.mark.parametrize(("what", "arguments", "found"), DIRECTORY)
def test_the_directory_answers_for_now_or_for_a_time(
    read_only: Host, what: str, arguments: tuple[object, ...], found: object
) -> None:
    def ask(call: Call) -> object:
        made = getattr(call.directory, what)(*arguments)
        return [one.id for one in made] if isinstance(made, list) else getattr(made, "id", made)

    assert during(read_only, ask) == found


def test_the_directory_lists_leavers_and_bots_when_asked_to(read_only: Host) -> None:
    def list_people(**more: Any) -> list[str]:
        return during(read_only, lambda call: [one.id for one in call.directory.people(**more)])

    assert list_people(active=False)[-1] == "p_gone" and list_people(kinds=["bot"]) == ["p_bot"]
    assert len(list_people(kinds=["bot", "employee"])) == 7
    accounts = during(read_only, lambda call: call.directory.accounts("jira"))
    assert len(accounts) == 7 and accounts["p_ada"] == "5fADA"
    assert during(read_only, lambda call: call.directory.company().name) == "Tiny"
