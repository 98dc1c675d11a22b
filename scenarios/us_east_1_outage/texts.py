"""Texts of alerts, mails and messages."""

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
