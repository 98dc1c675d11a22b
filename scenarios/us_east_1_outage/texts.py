"""Texts of alerts, mails and messages."""

RUNBOOK = """\
*Incidents, how we run them* (pinned here)
1. A page is acknowledged in the thread of its alert, within ten minutes.
2. One INC issue for one incident: take it over, priority Highest. Every other report of the same thing is resolved as Duplicate and \
linked to it.
3. #status-updates tells the company how we are: when customers are affected (within 15 minutes of the page), when it gets worse again, \
when we come back after a silence, as when Slack itself was away (20 minutes each), and when it is over. No names of customers there. \
It is over when all of our own alerts have cleared, and nobody calls it over before, whatever a colleague or a vendor's page says.
4. Whoever asks in #support-escalations or here gets an answer in the thread they asked in: what state we are in, and when they hear from \
us next if they want a time. One customer's business is not told to another. No cure before we know the cause.
5. If Slack is away, the INC issue is the record (comments), and mail is answered by mail. We go on here when it is back.
6. Money: find out whether anything moved twice. Platform on call watches the retry worker, ask them. What must be reconciled becomes a \
Bug in SHOP that names the batch, with the label `postmortem`, assigned to the Engineering Manager Payments, and linked to the INC issue \
(relates to).
7. Customers: the tab `Incident contacts` of the sheet `Customers & contracts` says who runs in which region, and who is written to. Those of \
the failing region each get a mail of their own, at the address listed there, within half an hour of the page, and one when it is over. \
The sheet is kept while we work: look again when it gets worse, whoever is new there gets a mail within half an hour. Nobody else is \
written to. A customer of the list who writes to us is answered in their thread within half an hour. If one writes who is not to be \
written to, leave the answer to their account owner: tell them by mail who wrote, and how we are.
8. Card traffic moves to another region when whoever has the command says so. One pull request in `payments`, as its runbook wants it, from \
a branch of its own, with the key of the INC issue in the title. Checks green, platform has approved of the last commit; what a reviewer \
asks for is done, and they are called again by name on the pull request when its checks are green. Merge it while the incident runs, and \
note its number on the INC issue. Nothing else changes there, and nothing moves back the same day.
9. The root cause goes on the INC issue as a comment. The issue is resolved (Done) when our alerts have cleared."""


ALERT = (
    ":rotating_light: *[FIRING:1] PaymentsAuthorisationErrors* (payments, us-east-1, page)\n"
    "5xx share of authorisations {share} % over 5 m (threshold 2 %). Runbook: INC, #status-updates, platform on call."
)


SECOND_ALERT = (
    ":rotating_light: *[FIRING:1] IdempotencyStoreTimeouts* (payments, us-east-1, page)\np99 of conditional writes"
    " {p99} ms, {timeouts} timeouts in 5 m. Connections to the table endpoint are not established."
)


RELIEF = (
    ":white_check_mark: *[RESOLVED] PaymentsAuthorisationErrors* (payments, us-east-1)\n"
    "5xx share {share} % for 5 m. Still firing: IdempotencyStoreTimeouts."
)


WAVE = (
    ":rotating_light: *[FIRING:1] CaptureBacklog* (payments, us-east-1, page)\n{waiting} captures wait, the oldest for"
    " {minutes} m: they time out on the idempotency table. 5xx share of authorisations {share} % again."
)


PAGER = (
    "Incident #{number}: {alert}\nStatus: Triggered\nUrgency: High\nService: payments (us-east-1)\nAssigned to:"
    " {name}\nEscalation policy: Payments, then Engineering Manager Payments\n\nAcknowledge in the thread of the alert."
)


ASKED = (
    "Hello,\n\nyour support gave me your address. Since this afternoon our buyers see an error when they pay, and I"
    " have our board on the phone. Is it you or is it us, and what do I tell them?\n\n{name}"
)


MUTED = (
    "Hello,\n\nour shop reports failed payments. I was told that you are the engineer in charge. Please answer me"
    " directly, I need this in writing today.\n\n{name}"
)


BY_MAIL = (
    "Hi,\n\nSlack does not load for anybody here. Let us go on by mail until it is back: where do we stand, and is"
    " payments still affected?\n\n{name}"
)


VENDOR = (
    "Hello,\n\nthis is an automated message about an event that affects your account.\n\nEvent:"
    " AWS_DYNAMODB_OPERATIONAL_ISSUE_{number}\nRegion: us-east-1\nService: DynamoDB\nDetected: 69 minutes before the"
    " first public note\n\nThe issue has been resolved and the service is operating normally. We apologise for the"
    " delay of this notice.\n\nAmazon Web Services"
)


CLEARED = (
    ":white_check_mark: *[RESOLVED] PaymentsAuthorisationErrors, IdempotencyStoreTimeouts, CaptureBacklog* (payments,"
    " us-east-1)\n5xx share 0.1 % for 10 m. All authorisations since {clock} UTC answered, no capture waits."
)


DECIDED = {
    "easy": (
        "{oncall} I have the command. This takes AWS hours, so card traffic moves to eu-west-1. The runbook is"
        " docs/runbooks/failover.md in quayline/payments: one pull request for config/regions.toml (active, mode, both"
        " weights, home and replica of the keys, ticket and reason, 4 tasks and max_rps 180 for eu-west-1, the next"
        " version) and an entry on top of config/CHANGES.md. You open it, {reviewer} reviews it."
    ),
    "medium": (
        "{oncall} I have the command. This takes AWS hours, so card traffic moves to eu-west-1, by"
        " docs/runbooks/failover.md in quayline/payments. You open the pull request, {reviewer} reviews it. The ticket"
        " in it is our INC issue."
    ),
    "hard": (
        "{oncall} I have the command. This takes AWS hours, so card traffic moves to eu-west-1, by the book. You open"
        " the pull request, platform reviews it. The ticket in it is our INC issue."
    ),
}


MOVED = {
    "easy": (
        'I have corrected the tab "Incident contacts": {name} runs in us-east-1 since last week, the row said'
        " eu-west-1. Please tell them too."
    ),
    "medium": (
        'There was a wrong region in the tab "Incident contacts", I have just corrected it. Please have another look.'
    ),
}


FIRST_QUESTION = "{oncall} {name} is on the phone: are their payments failing because of us, and what may I tell them?"


SECOND_QUESTION = (
    "{oncall} {name} asks whether orders placed in the last hour are lost. Can you say anything I can pass on?"
)
