"""T16: whatever is sought, the cost of the answer or of its refusal stays bounded."""

import pytest

from tests.security.searched_world import JQL, Place, repeated, steps
from world.core.errors import InvalidArguments

LONG_SLACK = {
    "words": "w{} ",
    "not": "-w{} ",
    "phrases": '"a b{}" ',
    "prefixes": "p{}* ",
    "from": "from:@u{} ",
    "not from": "-from:me ",
    "with": "with:me ",
    "not with": "-with:me ",
    "to": "to:me ",
    "not to": "-to:me ",
    "on": "on:2026-01-0{} ",
    "has": "has::x{}: ",
    "mine": "hasmy::a{}: ",
    "saved": "is:saved ",
    "in": "in:c{} ",
    "quotes": '"',
    "colons": ":",
    "stars": "*",
    "dashes": "-",
    "hearts": "💥",
}
LONG_JQL = {
    "or": "votes = {} or ",
    "and": "votes != {} and ",
    "mixed": "votes = 1 or votes = {} and ",
    "texts": "text ~ w{} or ",
    "comments": "comment !~ w{} and ",
    "was": "status was Done or ",
    "changed": "status changed by currentUser() and ",
    "linked": 'issue in linkedIssues("SHOP-{}") or ',
    "not": "not ",
    "open": "(",
    "closed": ")",
    "bang": "!",
    "quotes": "'",
    "equals": "=",
    "escapes": "\\u0061",
    "watchers": "watcher = currentUser() and ",
}
LONG_MAIL = {
    "words": "w{} ",
    "not": "-w{} ",
    "or": "w{} OR ",
    "phrases": '"a b{}" ',
    "from": "from:u{} ",
    "not from": "-from:me ",
    "to": "to:me ",
    "bcc": "bcc:x{} ",
    "labels": "label:l{} ",
    "has": "has:attachment ",
    "sizes": "larger:{} ",
    "near": "a AROUND 3 b ",
    "dates": "older_than:{}d ",
    "open": "(",
    "closed": ")",
    "quotes": '"',
    "colons": ":",
    "dashes": "-",
    "hearts": "💥",
    "groups": "(a b) ",
    "lists": "list:x{} ",
    "files": "filename:f{} ",
}
LISTS = {
    "labels": 'labels in ({})|"l{}"',
    "ids": "id in ({})|{}",
    "keys": "key in ({})|SHOP-{}",
    "words": 'text ~ "{}"|w{} ',
    "optional": 'summary ~ "{}"|w{} OR ',
    "order": "project = SHOP order by {}|created{}",
    "groups": "assignee in ({})|'u{}'",
}


def listed(form: str, size: int) -> str:
    around, unit = form.split("|")
    joined = repeated(unit if unit.endswith(" ") else f"{unit},", size - len(around))
    return around.replace("{}", joined.rstrip(","))


@pytest.mark.parametrize("unit", LONG_SLACK.values(), ids=LONG_SLACK)
def test_a_query_of_the_greatest_length_is_answered_at_a_bounded_cost(place: Place, unit: str) -> None:
    half, whole = (
        steps(place, lambda size=size: place.look("search.all", query=repeated(unit, size))) for size in (1000, 2000)
    )
    assert whole < 1_000_000 and whole < 4 * half + 20_000, (half, whole)


@pytest.mark.parametrize("unit", LONG_MAIL.values(), ids=LONG_MAIL)
def test_a_search_of_mail_of_any_length_is_answered_or_refused_at_a_bounded_cost(place: Place, unit: str) -> None:
    half, whole = (
        steps(place, lambda size=size: place.look("users.messages.list", q=repeated(unit, size))) for size in (450, 900)
    )
    assert whole < 1_000_000 and whole < 4 * half + 30_000, (half, whole)


@pytest.mark.parametrize("text", [*LONG_JQL.values(), *LISTS.values()], ids=[*LONG_JQL, *LISTS])
def test_jql_of_any_length_is_answered_or_refused_at_a_bounded_cost(place: Place, text: str) -> None:
    def ask(size: int) -> object:
        return place.look(JQL, jql=listed(text, size) if "|" in text else repeated(text, size) + "votes = 1")

    half, whole = (steps(place, lambda size=size: ask(size)) for size in (6_000, 12_000))
    assert whole < 3_000_000 and whole < 4 * half + 50_000, (half, whole)


@pytest.mark.parametrize("unit", ["a", "(", "not ", "-a ", '"', "votes = 1 or ", "with:me "])
def test_a_megabyte_of_query_is_refused_before_it_is_read(place: Place, unit: str) -> None:
    text = repeated(unit, 1_000_000)
    for operation, name in (
        ("users.messages.list", "q"),
        ("mail.threads", "q"),
        ("search.all", "query"),
        ("search.messages", "query"),
        (JQL, "jql"),
        ("searchForIssuesUsingJql", "jql"),
        ("countIssues", "jql"),
    ):

        def ask(operation: str = operation, name: str = name) -> None:
            with pytest.raises(InvalidArguments):
                place.host.peek(place.me, "rest", operation, {name: text})

        assert steps(place, ask) < 1_500_000, "more than reading it once"
