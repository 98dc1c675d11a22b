"""Users of sandboxes: each has its own, also where a container on the same host has locks of its own."""

from world.sandbox.users import USERS, list_users, reserve_user


def test_process_namespaces_begin_at_users_of_their_own() -> None:
    assert list_users(4_026_531_836)[0] != list_users(4_026_531_837)[0]
    assert sorted(list_users(4_026_531_837)) == [*USERS]


def test_two_at_once_have_two_users() -> None:
    with reserve_user() as one, reserve_user() as other:
        assert one != other and {one, other} <= {*USERS}
