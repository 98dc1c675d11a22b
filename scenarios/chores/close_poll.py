"""A poll is over: only answers in time, of people who may vote, are counted, and the winner is noted, if there is one."""

from collections.abc import Sequence

from scenarios.office.books import BOOK, cell, local_time, make_book, word, write
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps
from world.core.clock import HOUR, MINUTE
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Count a poll and note what won",
    apps=("sheets", "slack"),
    calls=(3, 12),
    traps={
        "late": "hasty: counts answers that came after the end",
        "guest": "hasty: counts people who may not vote",
        "tie": "literal: notes a winner where two options lead",
        "twice": "forgetful: counts two answers of one person",
    },
)

REQUESTS = (
    "The poll about the {topic} is over, could you count it? The answers are in {book}, with how we do it. Please note the outcome there"
    " and tell me who won with how many votes.",
    "can you close the {topic} poll please, it's in {book}. rules are on the first tab, the result goes into the decisions. let me know"
    " what it is and the number of votes it got",
    "Everybody keeps asking me about the {topic}. Please evaluate the poll in {book} by the rules in it, enter the decision, and write me"
    " the result including the number of votes.",
    "Time to settle the {topic}. {book} has all the answers. Would you count them properly, put the decision down where it belongs and"
    " report the votes to me?",
    "Small favour: {book}, poll on the {topic}, has ended. Count, note, tell me the result and how many voted for it. Read the rules"
    " before, some answers do not count.",
    "I don't trust the chart in my head :) please count the {topic} poll in {book} and fill in the decision. And drop me a line with what"
    " came out, with the votes.",
)
TOPICS = (
    ("team day", ("Spreewald", "Escape room", "Cooking class", "Bowling")),
    ("new coffee machine", ("Jura", "DeLonghi", "Melitta", "Moccamaster")),
    ("name of the meeting room", ("Kiwi", "Mango", "Papaya", "Quince")),
    ("retro tool", ("Miro", "Mural", "Parabol", "EasyRetro")),
    ("summer gift", ("Umbrella", "Backpack", "Thermos", "Beach towel")),
    ("lunch caterer", ("Rossi", "Tandoori Haus", "Green Bowl", "Smorrebrod")),
    ("hackathon theme", ("Latency", "Accessibility", "Reporting", "Onboarding")),
    ("book club's next book", ("Accelerate", "Dune", "Sapiens", "Piranesi")),
    ("day of the all-hands", ("Monday", "Tuesday", "Wednesday", "Thursday")),
    ("charity run", ("Potsdam", "Tempelhof", "Wannsee", "Grunewald")),
)
BOOKS = ("Poll: {topic}", "Vote on the {topic}", "{topic} (answers)", "Survey {topic}", "Who wants what: {topic}")
ROOMS = ("engineering", "product", "support", "customers", "berlin-office", "nyc")


def draw(d: Draw) -> Facts:
    """Make a poll whose outcome changes with every answer that does not count."""
    w = d.w
    people = d.people()
    room = d.pick([one for one in ROOMS if 5 <= len(members(d, one)) <= len(people) - 4], "electorate")
    inside = members(d, room)
    asker, me = d.sample(people, 2, "people", me=1)
    topic, options = d.pick(TOPICS, "topic")
    first, second, *others = d.stream("options").shuffled(options)
    tie, last = not d.chance(2 / 3, "winner"), d.chance(1 / 2, "last")
    end = w.now - d.stream("end").integer(14, 30) * HOUR
    answers = draw_answers(d, inside, (first, second, others[0]), end, tie=tie, last=last)
    title = d.pick(BOOKS, "title").format(topic=topic)
    zone = asker["tz"]
    listed = [[local_time(at, zone), who, what] for at, who, what in answers]
    rule = (
        "Whoever answers twice: the last answer in time counts."
        if last
        else "Whoever answers twice: the first answer counts."
    )
    tabs = {
        "About": [
            [f"Poll on the {topic}"],
            [f"It ends on {local_time(end, zone)}. Later answers do not count."],
            [f"Members of #{room} vote. Others may watch."],
            [rule],
            ["If two options lead, nothing is noted: whoever asked decides."],
        ],
        "Answers": [["Time", "Who", "Choice"], *listed],
        "Decisions": [["Topic", "Decision", "Votes"], *draw_past(d, topic), [topic]],
    }
    votes = tally(answers, {one["full_name"] for one in inside}, end, last=last)
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], ("Poll", "Result of the poll", f"The {topic}")),
        "request": d.choose_wording(REQUESTS, topic=topic, book=f'"{title}"'),
        "book": make_book(w, asker["id"], title, tabs, [me["id"]]),
        "row": 4,
        "tie": tie,
        "winner": first,
        "second": second,
        "others": [one for one in options if one != first],
        "votes": votes[first],
        "room": room,
        "rule": rule,
    }


def members(d: Draw, room: str) -> list[Facts]:
    """Colleagues in a channel who are not away."""
    channel = d.w.find("slack_channel", name=room)["id"]
    inside = {one["person_id"] for one in d.w.rows("slack_member", channel_id=channel)}
    return [one for one in d.people() if one["id"] in inside]


def draw_past(d: Draw, topic: str) -> list[list[object]]:
    """Three decisions of earlier polls."""
    rng = d.stream("past")
    earlier = rng.shuffled([one for one in TOPICS if one[0] != topic])[:3]
    return [[name, rng.choice(options), rng.integer(5, 14)] for name, options in earlier]


def draw_answers(
    d: Draw, inside: Sequence[Facts], options: tuple[str, str, str], end: int, *, tie: bool, last: bool
) -> list[tuple[int, str, str]]:
    """Answers in the order in which they came. What does not count is for the second option."""
    rng = d.stream("answers")
    second = options[1]
    names = [one["full_name"] for one in rng.shuffled(inside)]
    outside = rng.shuffled([one["full_name"] for one in d.people() if one not in inside])
    wanted = rng.shuffled(share_votes(len(names) - 1, options, tie=tie))
    in_time = [(end - rng.integer(30, 2600) * MINUTE, who, what) for who, what in zip(names, wanted, strict=False)]
    changed = next(one for one in in_time if one[2] == options[0])
    more = rng.integer(3, 20) * MINUTE
    twice = (changed[0] - more if last else changed[0] + more, changed[1], second)
    late = (end + rng.integer(4, 300) * MINUTE, names[-1], second)
    guests = [(end - rng.integer(60, 2400) * MINUTE, who, second) for who in outside[: rng.integer(1, 3)]]
    return sorted([*in_time, twice, late, *guests])


def share_votes(count: int, options: tuple[str, str, str], *, tie: bool) -> list[str]:
    """So many valid votes: the first option is level with the second or one ahead, the third never leads."""
    first, second, third = options
    half = count // 2
    behind = half if tie else half - 1
    if not tie and count - half - behind >= half:  # in a small room what is left would be as many
        half, behind = half + 1, behind + 1
    return [first] * half + [second] * behind + [third] * (count - half - behind)


def tally(answers: list[tuple[int, str, str]], voters: set[str], end: int, *, last: bool) -> dict[str, int]:
    """Votes of each option by the rules."""
    valid = [one for one in answers if one[0] <= end and one[1] in voters]
    choice = {who: what for _, who, what in (valid if last else reversed(valid))}
    return {what: list(choice.values()).count(what) for what in choice.values()}


def solution(scene: Scene) -> Steps:
    """Note the winner and the votes, or say that two lead."""
    truth = scene.facts("truth")
    first, second, votes = truth["winner"], truth["second"], truth["votes"]
    if truth["tie"]:
        yield reply(
            scene,
            f"It is a tie: {first} and {second} have {votes} votes each. I have noted nothing, that is yours to decide.",
            wordings=(f"{first} and {second} both got {votes}, so there is no winner and the decision is with you.",),
        )
    else:
        yield write("noted", truth["book"], f"Decisions!B{truth['row'] + 1}", first, votes)
        yield reply(
            scene, f"{first} won with {votes} votes.", wordings=(f"Result: {first}, {votes} votes. It is noted.",)
        )
    yield Step("finish", "world.finish", {"status": "done"})


LABELS = {
    "won": (
        "won, wins, win, winner, winner is, victory, chosen, beats, beat, "
        "announce, came first, comes first, first place, best"
    ),
    "lost": (
        "lost, loses, loser, second, second place, came second, runner-up, behind, not win, not won, third, last, "
        "fewer, beaten, defeated"
    ),
    "tie": (
        "share first place, share the first place, tie, tied, a draw, draw, drew, level, equal, even, both, each, "
        "no winner, nobody won, no one won, neither won, no clear winner, share, same number, lead, leading, two "
        "lead, as many"
    ),
}
"""What the answer may call an option."""


def rubric(truth: Facts) -> RubricSource:
    """The winner with its votes, noted and told; of a tie both options, told only."""
    if truth["tie"]:
        never = [
            {
                "id": "decided",
                "write": "any",
                "table": "sheets_cell",
                "where": {"file_id": {"ref": "book"}, "sheet": "Decisions"},
            }
        ]
        return make_rubric([expect_reply(truth, {"all_of": tell_tie()})], refs={"book": BOOK}, never=never)
    noted = [
        cell("decision", "Decisions", "event.truth.row", 1, word(truth["winner"]), empty=True, weight=2),
        cell("votes", "Decisions", "event.truth.row", 2, {"input": str(truth["votes"])}, empty=True),
    ]
    return make_rubric([*noted, expect_reply(truth, {"all_of": tell_winner(truth)})], refs={"book": BOOK})


def tell_tie() -> list[Item]:
    """Text predicates: both leaders are named, none of them as the winner, with their votes."""
    labels = {**LABELS, "won": f"{LABELS['won']}, ahead"}  # of two that lead none is
    leaders = {
        "must": [{"text": f"event.truth.{one}", "called": "tie"} for one in ("winner", "second")],
        "never": [{"text": f"event.truth.{one}", "called": "won"} for one in ("winner", "others")],
        "labels": labels,
    }
    return [{"facts": {"must": [{"count": "event.truth.votes"}]}}, {"facts": leaders}]


def tell_winner(truth: Facts) -> list[Item]:
    """Text predicates: the winner is named as such, no other option is, and the votes are the winner's."""
    winner = {
        "must": [{"text": "event.truth.winner", "called": "won"}],
        "never": [{"text": "event.truth.others", "called": "won"}],
        "labels": LABELS,
    }
    first = {"count": "event.truth.votes", "called": "first"}
    options = {"first": [truth["winner"]], **{f"other_{at}": [name] for at, name in enumerate(truth["others"])}}
    return [{"facts": {"must": [first], "labels": options}}, {"facts": winner}]
