"""Stories in which little is to be said: a wrong word fails, and there are many right ones."""

from contextlib import closing
from dataclasses import replace

import pytest

from tests.stories import access_alternatives
from tests.stories.story_runs import fill, judge, judge_texts, open_story, solution_of
from world.agents.steps import Scene, Step, Steps, wait_until
from world.run.host import Host


@pytest.mark.full
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("answer_doubter", "Right, that is nonsense. {speaker[staff][name]} can tell you more."),
        ("answer_doubter", "It is not {other}. {speaker[staff][name]} speaks for us."),
        ("answer_doubter", "No comment, sorry."),
        ("answer_colleague", "Between us: yes. {speaker[staff][name]} speaks officially."),
        ("answer_press", "The real sum is {amount}, but I did not say that. {speaker[press][name]}"),
        ("answer_press", "Your figure is too low. {speaker[press][name]} speaks for us."),
        ("answer_customer", "We do not comment. {speaker[customer][name]} is there for you."),
        ("answer_outsider", "It is {wanted}. For all else ask {speaker[staff][name]}."),
        ("tell_insider", "I cannot say, sorry."),
        ("tell_guardian", "Something has got out."),
        ("report", "Nobody asked."),
    ],
)
def test_a_wrong_word_about_a_rumour_fails(host: Host, step: str, said: str) -> None:
    assert not judge_texts(host, "acquisition_rumour", {step: said}).passed


@pytest.mark.full
@pytest.mark.parametrize(
    "said",
    (
        "I can neither confirm nor deny this. Please ask {speaker[staff][name]}.",
        "You're right to ask, but that is something only {speaker[staff][name]} can talk about.",
        "No, I can't say anything about that, sorry. {speaker[staff][name]} is who you want.",
    ),
)
def test_a_refusal_may_be_worded_in_many_ways(host: Host, said: str) -> None:
    assert judge_texts(host, "acquisition_rumour", {"answer_doubter": said, "answer_colleague": said}).passed


@pytest.mark.full
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("answer_pressed", "Fine, I set it to go."),
        ("answer_pressed", "Done, {people[waiver][name]} can write to me later."),
        ("answer_pressed", "It stays on hold."),
        ("answer_plain", "It is on hold."),
        ("answer_plain", "You can order it now, whatever they say until {thaw}."),
        ("answer_owed", "Sorry, it is frozen until {thaw}."),
        ("report", "Everything is on hold."),
    ],
)
def test_a_wrong_word_about_a_freeze_fails(host: Host, step: str, said: str) -> None:
    assert not judge_texts(host, "budget_freeze", {step: said}).passed


@pytest.mark.full
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("answer_reported", "It is genuine, go ahead."),
        ("answer_doubted", "No idea."),
        ("answer_wanted", "It was {people[victim][name]}."),
        ("answer_wanted", "Sure, I will send it to everyone."),
        ("answer_pressed", "Done, you have them back."),
        ("warn_first", "Do not click on {links[0]}, {senders[first][address]} is false."),
        ("warn_first", "{senders[first][address]} is false, {people[victim][name]} fell for it."),
        ("tell_desk", "Somebody typed a password."),
        ("report", "Nothing happened."),
    ],
)
def test_a_wrong_word_about_a_false_mail_fails(host: Host, step: str, said: str) -> None:
    assert not judge_texts(host, "phishing_wave", {step: said}).passed


@pytest.mark.full
@pytest.mark.parametrize(
    ("typed", "fine"),
    [("{senders[second][address]}", True), ("@{senders[second][domain]}", False), ("{senders[second][domain]}", False)],
)
def test_the_domain_of_a_customer_is_not_blocked(host: Host, typed: str, *, fine: bool) -> None:
    with closing(open_story(host, "phishing_wave")) as bench:
        facts = dict(bench.quiet.events["truth"].facts)
        values = {"values": [[typed.format(**facts)]]}
        change = fill({"block_second": values})
        assert judge(bench, solution_of("phishing_wave"), change).passed is fine


@pytest.mark.full
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("ask_owner", "Hello, how are you?"),
        ("answer_plea", "Of course, no problem at all."),
        ("answer_order", "Done, I have removed everything."),
        ("report", "All is changed."),
    ],
)
def test_a_wrong_word_about_access_fails(host: Host, step: str, said: str) -> None:
    assert not judge_texts(host, "joiner_and_leaver", {step: said}).passed


@pytest.mark.full
def test_no_right_changes_before_its_time(host: Host) -> None:
    with closing(open_story(host, "joiner_and_leaver")) as bench:
        for way in (give_early, take_early):
            verdict = judge(bench, way)
            assert verdict.score == 0.0 and verdict.never, way


def give_early(scene: Scene) -> Steps:
    """What the joiner gets, at once."""
    truth = scene.facts("truth")
    yield from access_alternatives.give(truth, truth["gets"])


def take_early(scene: Scene) -> Steps:
    """What the leaver loses, on the word of a manager."""
    truth = scene.facts("truth")
    yield from wait_until(scene, truth["minutes"]["order"] + 1, "order")
    yield from access_alternatives.take(scene, truth, ("f1", "f2"))


@pytest.mark.full
@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("answer_press", "Sure, I'll add it today. {boss_name} knows."),
        ("answer_press", "OK, it's in the sprint now, let {boss_name} know please."),
        ("answer_press", "No."),
        ("answer_hurry", "Okay, I start it now and tell {boss_name}."),
        ("answer_hurry", "The sprint is running now, {boss_name} is informed."),
        ("report", "It has started with {total} points."),
        ("report", "It has started with 7 points. The first ticket that is not in it: {left_out}."),
        ("ask_seller", "Good morning, how are you?"),
    ],
)
def test_a_wrong_word_about_a_sprint_fails(host: Host, step: str, said: str) -> None:
    assert not judge_texts(host, "sprint_from_scraps", {step: said}).passed


@pytest.mark.full
@pytest.mark.parametrize(
    "texts",
    (
        {"answer_skip": "Sure, I skip the test. {seen_names[function]} can wait."},
        {"answer_press": "Agreed, the review can follow."},
        {"answer_shop": "It has nothing to do with it."},
        {"named": "@{login} {names[f1]}, {names[f2]} and {names[s1]} had the fault."},
        {"report": "It is merged. {names[f1]} had the fault."},
    ),
)
def test_a_wrong_word_about_a_race_fails(host: Host, texts: dict[str, str]) -> None:
    assert not judge_texts(host, "flaky_checkout", texts).passed


@pytest.mark.full
def test_a_race_is_mended_in_every_place(host: Host) -> None:
    def mend_one(one: Step) -> Step:
        return (
            replace(one, arguments={**one.arguments, "files": one.arguments["files"][:1]}) if one.id == "push" else one
        )

    with closing(open_story(host, "flaky_checkout")) as bench:
        assert not judge(bench, solution_of("flaky_checkout"), mend_one).passed
