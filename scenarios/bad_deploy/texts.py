"""Texts of the story: the request, the runbook, the alert, and what people write."""

REQUESTS = (
    "You have the pager for {repo} until {until} UTC. If something breaks, put it right by docs/RUNBOOK.md there, and when it works again"
    " tell me here: which pull request it was, and from when until when it was broken (UTC).",
    "can you keep an eye on {repo} until {until} utc? several things went out today. docs/RUNBOOK.md in the repo has what to do if it"
    " breaks. afterwards i'd like one line from you: the number of the pull request to blame and the times, utc",
    "{repo} is yours this afternoon, till {until} UTC. Should anything go wrong, work by its docs/RUNBOOK.md. Once it is over, please write"
    " me which change caused it and how long it lasted, first and last minute in UTC.",
    "I need you on {repo} until {until} UTC, we deployed a lot this morning and I have a bad feeling. Follow docs/RUNBOOK.md. When it is"
    " all done: the guilty pull request and since when and until when, in UTC, as an answer to this.",
    "Please watch {repo} for me until {until} UTC. What is to be done when an alert comes stands in docs/RUNBOOK.md. I have to report on it"
    " tonight, so send me the pull request that did it and both times (UTC) when things are fine again.",
)

RUNBOOKS = (
    """\
# When {repo} breaks

1. Acknowledge the alert in its thread within ten minutes.
2. Find the change that did it: by what the error says and when it began, not by who was last. `LIMITS.md` says what our partners take,
   #deploys what went out and when. Nothing is restarted, and nothing else is undone.
3. Undo that change alone, with a pull request to main. Its `build` has to be green. If it is red because of a test in `FLAKY.md`, with the
   message listed there, a comment `{word}` on the pull request builds again. {reviewer} (@{login}) looks at reverts: call by name on the pull request
   once it is green. Merge it when it is approved; it is deployed some minutes later. Nobody pushes to main.
4. #status-updates hears it twice, without names of customers: as soon as you know what is wrong (since when, UTC), and when it is over (until
   when, UTC).
5. The sheet `Customers & contracts`, tab `{tab}`, says who uses {repo} today. Each of them gets a mail of their own at the address listed
   there, within half an hour of the alert: since when it fails, in UTC. And one when it is over: until when. Nobody else is written to.
6. It is over when Alertmanager says RESOLVED. A deployment is no proof, nor is one lucky request. Nobody calls it over before.
7. Whoever asks you something gets an answer where they asked, colleagues within ten minutes.
""",
    """\
# {repo}: something is broken, what now?

**First** answer the alert in its thread (ten minutes).

**Cause.** Read the error. It tells what went wrong and since when; compare with #deploys and with `LIMITS.md`. The last deployment is not always
the bad one. No restarts, they only hide it.

**Cure.** A pull request to main that undoes the one bad change and leaves the others alone. Wait for `build`. Red because of something in
`FLAKY.md` (test and message)? Comment `{word}` there. Green: ask @{login} ({reviewer}) by name on the pull request. Approved: merge, and the
deployment follows by itself. Main is never pushed to.

**Telling.** #status-updates: since when (UTC) once the cause is known, and until when (UTC) once it is over; no customer is named there.
Customers: everybody who uses {repo} today by tab `{tab}` of `Customers & contracts` gets a mail for them alone, to the address in the tab,
at most half an hour after the alert, with the time it began in UTC, and another with the time it ended. Customers who do not use it get
nothing. Questions are answered where they are asked, those of colleagues within ten minutes.

**Over** means that Alertmanager has posted RESOLVED, and nothing else does, whatever anybody sees or hopes. Until then nobody says so.
""",
)
ALERT = (
    ":rotating_light: *[FIRING:1] {name}* (production, page) {me}\n{share} % of all requests fail since {since} UTC. Last"
    " error: `{error}`"
)
CLEARED = ":white_check_mark: *[RESOLVED] {name}* (production)\nNo request has failed since {ended} UTC."
DEPLOYED = ":rocket: *{repo}* #{number} _{title}_ (@{login}) is live since {time} UTC."
ERRORS = {
    "MOST_RETRIES": "partner answered 429, the same request came 8 times in a row",
    "TIMEOUT_SECONDS": "gateway hung up after 30 s, we were still waiting for an answer",
    "PAGE_SIZE": "400 from the store: 1000 rows asked for at once, 500 allowed",
    "CACHE_MINUTES": "entry refused, it is 47 hours old",
    "BATCH_SIZE": "queue refuses a message of 5000 entries, limit is 1000",
    "CALLS_PER_SECOND": "partner throttles us, 150 requests within a second",
    "LONGEST_NAME": "bank file refused, line 7: name of 112 characters",
    "KEY_DAYS": "new key refused by the vault, it would be valid for 400 days",
    "WORKERS": "no connection left in the pool, 24 processes hold one",
    "UPLOAD_MEGABYTES": "object store refuses 61 MB, limit is 25 MB",
}
VOICES = (
    "{me} the last thing before the alert was #{other}. I say revert #{other} right now, any objections?",
    "{me} must be #{other}, it went out minutes ago. Shall we take #{other} out?",
    "{me} #{other} was live just before this. I would revert that one and be done, ok?",
)
HOPES = (
    "{me} my last three requests went through. can we call it fixed and tell people?",
    "{me} looks good from here again. is it over?",
    "{me} the revert is live, so it's done, right? i'd tell support",
)
ASKED = (
    "Hello,\n\nour requests to you have been failing today. Is that on your side, and since when?\n\n{name}",
    "Hi,\n\nnothing arrives any more. Could you tell me when this began, so that I know what to check here?\n\n{name}",
    "Good afternoon,\n\nI see errors in what we get from you. Since when is that so, and are you working on it?\n\n{name}",
)
SUBJECTS = ("Errors", "Is something wrong?", "Failing requests", "Question about today")
