"""What is listed and what may be opened agree, whatever the folders and permissions: two ways to the same answer, one
in SQL.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.drive import access, file_lists, grants
from apps.drive.query.compiler import Condition
from tests.company import START, as_person
from tests.examples import examples
from world.core.call import Call
from world.run.host import Host

PEOPLE = ("p_ada", "p_bo", "p_cy")
WHO = ("ada", "bo", "cyrus")
FILES = st.lists(st.tuples(st.sampled_from(PEOPLE), st.integers(-1, 9)), min_size=1, max_size=8)
GRANTS = st.lists(
    st.tuples(
        st.integers(0, 7),
        st.sampled_from(["user", "group", "domain", "anyone"]),
        st.sampled_from(["reader", "commenter", "writer"]),
        st.sampled_from(PEOPLE),
        st.booleans(),
        st.sampled_from([None, START - 1, START + 10**12]),
    ),
    max_size=8,
)
VISITS = st.lists(st.tuples(st.sampled_from(PEOPLE), st.integers(0, 7)), max_size=4, unique=True)
_FILE = (
    "INSERT INTO drive_file(id, key, name, mime_type, owner_id, parent_id, description, created_at, modified_at,"
    " modified_by, version, size) VALUES (?, ?, '', '', ?, ?, '', 0, 0, '', 1, 0)"
)
_EMAIL = {"user": "", "group": "core@tiny.example", "domain": "", "anyone": ""}


def build(call: Call, files: list[Any], given: list[Any], visits: list[Any]) -> None:
    """Files that lie in files before them, with permissions and visits."""
    raw = call.bound.raw
    for table in ("drive_file", "drive_permission", "drive_visit"):
        raw.execute(f"DELETE FROM {table}")
    for number, (owner, parent) in enumerate(files):
        raw.execute(_FILE, (number + 1, str(number), owner, parent + 1 if 0 <= parent < number else None))
    for place, (file, kind, role, person, discoverable, expires) in enumerate(given):
        whose, domain = (person if kind == "user" else None), "tiny.example" if kind == "domain" else ""
        open_ = discoverable and kind in ("domain", "anyone")
        grants.put(
            call,
            access.Grant(
                file % len(files) + 1, f"{place}", kind, role, whose, _EMAIL[kind], domain, open_, expires, 0, ""
            ),
        )
    for person, file in visits:
        raw.execute(
            "INSERT OR IGNORE INTO drive_visit(person_id, file_id, at) VALUES (?, ?, 1)",
            (person, file % len(files) + 1),
        )


@contextmanager
def undone(bound: Any) -> Iterator[None]:
    """What is written inside is taken back."""
    bound.raw.execute("SAVEPOINT law")
    try:
        yield
    finally:
        bound.raw.execute("ROLLBACK TO law")
        bound.raw.execute("RELEASE law")


def seen(call: Call) -> tuple[set[int], dict[int, str]]:
    """What somebody has listed, and their role on every file."""
    rows = [access.by_id(call, row[0]) for row in call.all("SELECT id FROM drive_file")]
    return {row.id for row in file_lists.files(call, Condition("1", {}))}, {
        row.id: access.role(call, row) for row in rows if row is not None
    }


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(files=FILES, given_=GRANTS, visits=VISITS)
def test_what_is_listed_may_be_opened_and_what_is_shared_is_listed(
    host: Host, files: list[Any], given_: list[Any], visits: list[Any]
) -> None:
    principals = [as_person(host, who) for who in WHO]
    bound = host.actor("w").bound
    calls = [Call(bound, host.apps, "sheets", one, door="rest", now=START, seq=1, seed=1) for one in principals]
    open_to_all = [one for one in given_ if one[1] in ("user", "group") or one[4]]
    for grants_, whole in ((given_, False), (open_to_all, True)):
        with undone(bound):
            build(calls[0], files, grants_, visits)
            for call in calls:
                listed, roles = seen(call)
                assert listed <= {id for id, role in roles.items() if role}
                assert not whole or listed == {id for id, role in roles.items() if role}
