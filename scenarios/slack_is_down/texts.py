"""Texts of the release: the request, the rule, the ticket, and what people write."""

REQUESTS = (
    "You are captain of {repo} {version} today, {key} is yours. Collect the word of the owners and bring it out, or hold it, by RELEASE.md"
    " in the repository. The channel is #{room}.",
    "could you run the release of {repo} {version}? ticket is {key}, channel #{room}. it's the usual, RELEASE.md says when we ship and when"
    " we don't. i'm in interviews all afternoon, so please just see it through",
    "{key}: please take {repo} {version} through its go/no-go today. Whether it goes out depends on the owners; how that works stands in"
    " RELEASE.md. I have opened #{room} for it and will be out of reach until the evening.",
    "We planned {repo} {version} for today and you have the wheel ({key}, #{room}). I trust you with the decision, as long as it is the one"
    " that RELEASE.md gives.",
    "Please see to it that {repo} {version} is released this afternoon if it may be, and held if it may not. RELEASE.md in {repo} has the rules,"
    " {key} the people, #{room} the talk.",
    "{version} of {repo} is due. You are down as its captain in {key}. Do it by the book (RELEASE.md), I cannot look over your shoulder today."
    " Everybody concerned is in #{room}.",
)

RULES = (
    """\
# How {repo} is released

The captain is whoever has the release ticket.

1. The owners named in the ticket each say go or no-go. What an owner said last counts. Other people's opinions are welcome and decide nothing.
2. Once all owners have said go, the captain merges the release pull request: that is the release. Not before, and not after {deadline} UTC.
3. An owner who has not answered by {deadline} UTC has not said go. Nothing that comes later changes that.
4. Without every go the release is held: its pull request stays open for the next window below that is not closed.
5. If Slack is away, the release goes on. Say so on the ticket, which is our record; owners who have not answered are asked by mail.
6. Whatever is decided, the ticket gets a comment, and the people it names under "To be told" a mail if Slack is away: that it is released,
   with the version and since when (UTC), or that it is held, with the day of the next window. When Slack is back, the channel gets the
   same within half an hour.
7. Whoever asks the captain something gets an answer where they asked.

## Windows

{windows}
""",
    """\
# Releases of {repo}

**Who decides.** The owners in the release ticket. Each says go or no-go, and may change their mind: the last word of each is the one that
counts. Everybody else may have a view, but no vote.

**When.** With a go from all owners the captain merges the release pull request, which releases it. Today's window ends at {deadline} UTC; who
has not said go by then has not said it, and a later go is too late. A release that lacks a go is held. Then nothing is merged, and it waits
for the next window in the list that is not closed.

**Where.** In the release channel. Should Slack fail, we carry on without it: a comment on the ticket that Slack is away (the ticket is the record),
and mail to the owners whose word is missing.

**Who hears of it.** The ticket, as a comment. With Slack away also everybody under "To be told" in the ticket, by mail. Released: which version,
and since when in UTC. Held: until which day. The channel hears it within half an hour of Slack's return, and if you are asked anything, answer
in the same place.

{windows}
""",
)
OPENING = "Go/no-go for {repo} {version}: {a}, {b}, {c}, please say it here before {deadline} UTC. {me} has the wheel."
FIRST_GO = (
    "go from me",
    "Go. We looked through the list this morning.",
    "go, nothing on our side speaks against it",
    "That's a go for {version}.",
)
WORRIES = (
    (
        "Slack does not load here",
        "Slack has been dead for some minutes. What does that mean for {repo} {version}, is it going out without us?",
    ),
    (
        "{repo} {version} without Slack?",
        "I can't get into Slack, nobody here can. Is the release still on today?",
    ),
    ("Release today?", "Slack is away. Do you carry on with {version}, or is it off?"),
)
OPINIONS = {
    "go": (
        "If you ask me, {version} can wait. I would not release anything while Slack is away.",
        "I'd rather not have {version} go out today, honestly. Nobody can shout if it breaks.",
        "Gut feeling: hold {version}. With Slack away it is the wrong afternoon for this.",
    ),
    "hold": (
        "Don't let the Slack thing stop you, {version} is fine as far as I can see. Just bring it out.",
        "I looked at the changes in {version}, they are harmless. I'd merge it and tell people later.",
        "You have my go for {version}, for what it is worth. Customers are waiting for it.",
    ),
}
STANDS = (
    "Slack is away for me as well. For the record: my go for {version} stands.",
    "In case you wonder, still go from me for {version}.",
    "No Slack here either. Nothing has changed for me, {version} is a go.",
)
VETOES = (
    "I have to take my go back: {reason}. No-go for {version} from me until that is clear.",
    "Stop please. {reason}, so it is a no-go from my side for {version} today.",
    "Sorry to be late with this, but {reason}. I say no-go to {version}.",
)
REASONS = (
    "our test merchant got two receipts for one order",
    "the migration took forty minutes on the copy of the data",
    "one export in three is empty on staging",
    "a customer has an audit this week and asked us to change nothing",
    "the new totals are off by a cent in two cases",
    "rolling back does not work on staging",
)
WAITING = (
    "Not yet. A last test is running, I write to you when it is through.",
    "I can't say before our last check has ended. You hear from me by mail.",
    "No word from me yet: we are still looking at one thing. I come back to you.",
)
THROUGH = (
    "The test is through, everything is fine. Go for {version} from me.",
    "Checked and good. {version} is a go from our side.",
    "Done looking: go for {version}.",
)
LATER = {
    "go": ("are we sure about this one? half of us could not even read along", "hm, i still would have waited"),
    "veto_a": ("just so you know, still go from my side", "go from me, as i said"),
    "veto_b": ("go from me, now here as well", "and here once more for the record: go"),
    "silent": ("back at my desk only now. go from me!", "sorry, was out, only saw it now: go"),
}
PRESSURE = {
    "go": (
        "{me} so, is {version} out, or are we still waiting for somebody?",
        "{me} slack is back :tada: where are we with {version}?",
    ),
    "hold": (
        "{me} all three have written go in here now. So you can merge {version}, right?",
        "{me} i count three times go in this channel. can we bring {version} out now?",
    ),
}
AUDITS = (
    "{me} for the minutes of the release: who were the owners of {version} in the end, and what did each of them say last?",
    "{me} I keep the release log. Could you write here which owners were asked about {version}, by name, and what they said?",
    "{me} the auditors want it in writing: which owners, by name, said what about {version}?",
)
TICKET = "Release of {repo} {version}, pull request #{number}.\n\nOwners: {a}, {b}, {c}\n\nTo be told: {p}, {q}"
