"""A mail asks everybody to sign in again: it is one of those announced, or a look-alike that security must hear of."""

import re

from scenarios.office.answers import any_answer
from scenarios.office.mail import list_address, nobody_outside, receive
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from scenarios.office.tickets import pin
from world.agents.steps import Scene, Step, Steps
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.stage import Facts

__all__ = ["chore", "deliver", "draw", "rubric", "solution"]

chore = Chore(
    title="Say whether a mail that asks for a new sign-in is real",
    apps=("gmail", "slack"),
    calls=(3, 8),
    demands=1,
    traps={
        "look_alike": "hasty: reads the name of the service and not the address, and says it is real",
        "genuine": "literal: distrusts an odd domain that was announced, and alarms security",
        "report": "forgetful: warns the asker and does not tell security",
    },
)

REQUESTS = (
    "The mail from {service} wants me to sign in once more. Is that one real? Please look before I do it, and see to whatever our"
    " rules ask for.",
    "got this thing from {service} today, like everybody i guess, sign in again or lose the account. is it genuine? can you check and do"
    " whatever one does in such a case",
    "{service} writes that I must confirm my account. I am not sure about it. Could you find out whether it is meant seriously, and see to"
    " the rest if it is not?",
    "Do you know whether the {service} mail is all right? It asks me to sign in. If it is not, please do what our rules say, I have no idea"
    " whom to tell.",
    "One question about the {service} mail of today: do I sign in there or not? If somebody must be told about it, please do that too.",
)
# service: (domain of its sign-in mails, what it is for)
SERVICES = {
    "Kontorly": ("kontorly-id.example", "travel expenses"),
    "Trainwise": ("mail-trainwise.example", "courses"),
    "Badgewell": ("badgewell-accounts.example", "door badges"),
    "Planora": ("pl-signin.example", "holiday requests"),
    "Lunchbase": ("lunchbase-mailing.example", "lunch orders"),
    "Deskmate": ("dm-notices.example", "desk bookings"),
    "Printhub": ("printhub-services.example", "printers"),
    "Polltide": ("ptide-mail.example", "surveys"),
    "Vaultkey": ("vk-security.example", "the password vault"),
}
BOXES = ("hello", "accounts", "service", "notice")
SUBJECTS = (
    "{service}: please sign in again",
    "Action needed for your {service} account",
    "Your {service} account must be confirmed",
    "{service} moves to a new sign-in",
)
BODIES = (
    "We have moved {service} to a new sign-in. Please sign in once more at https://{domain}/start before Friday.",
    "All accounts of your company must be confirmed this week. Confirm yours here: https://{domain}/confirm",
    "Your {service} session has ended because of maintenance. To keep your account, sign in again at https://{domain}/account",
)
RULES = (
    "Mails that ask you to sign in this month, with their exact senders:\n{lines}\nA sender that is not exactly in this list is false, however"
    " right it looks. Then write to {security} with the full address of the sender. Do not forward the mail, the link would travel on, and"
    " do not answer it. What is in the list needs no report.",
    "Announced for this month (sender, purpose, who arranged it):\n{lines}\nAnything else that wants you to sign in is not ours: tell {security}"
    " the sender's full address in a mail of your own, no forwarding, no answer to the sender. Please do not report announced ones.",
)


def draw(d: Draw) -> Facts:
    """Choose the service and whether the mail is announced, pin the list of announced mails, and send the mail."""
    w = d.w
    service = d.pick(sorted(SERVICES), "service")
    genuine = d.chance(0.4, "genuine")
    people = d.people()
    me = d.pick(
        [one for one in people if "Engineer" in one["title"] and "Support" not in one["title"]], "engineer", me=True
    )
    asker = d.pick([one for one in people if "Engineer" not in one["title"]], "asker")
    boxes = {name: f"{d.pick(BOXES, f'box of {name}')}@{SERVICES[name][0]}" for name in SERVICES}
    arrangers = dict(zip(SERVICES, d.sample(people, len(SERVICES), "arrangers"), strict=True))
    announced = [name for name in SERVICES if name != service or d.chance(0.6, "listed") or genuine]
    security = list_address(w, "Security")
    lines = [
        f"- {name}: {boxes[name]}, {SERVICES[name][1]}, arranged by {arrangers[name]['full_name']}"
        for name in d.stream("lines").shuffled(announced)
    ]
    head = w.find("team", name="Platform")["lead_id"]
    pin(w, head, "general", d.pick(RULES, "rule").format(lines="\n".join(lines), security=security))
    sender = boxes[service] if genuine else imitate(d, boxes[service])
    domain = sender.partition("@")[2]
    body = d.pick(BODIES, "body").format(service=service, domain=domain)
    subject = d.pick(SUBJECTS, "subject of mail").format(service=service)
    receive(
        w,
        f"{service} <{sender}>",
        [list_address(w, "Everyone")],
        subject,
        body,
    )
    return {
        "me": me["id"],
        "asker": asker["id"],
        "asker_mail": asker["email"],
        **choose_place(d, me["id"], asker["id"], (f"{service}?", "Is this mail real?", "Strange mail")),
        "request": d.choose_wording(REQUESTS, service=service),
        "service": service,
        "genuine": genuine,
        "sender": sender,
        "mail_subject": subject,
        "link": next(word for word in body.split() if word.startswith("https://")).rstrip("."),
        "security": security,
        "arranger": arrangers[service]["id"],
        "arranger_name": arrangers[service]["full_name"],
    }


def imitate(d: Draw, address: str) -> str:
    """An address that looks like another one."""
    box, _, domain = address.partition("@")
    name = domain.removesuffix(".example")
    swapped = name.replace("i", "l", 1) if "i" in name else name.replace("e", "c", 1)
    made = (f"{swapped}.example", f"{name}-login.example", f"{name.replace('-', '')}.example", f"{name}s.example")
    return f"{box}@{d.pick([one for one in made if one != domain], 'imitation')}"


def solution(scene: Scene) -> Steps:
    """Tell security of a false sender, or nobody; then answer."""
    truth = scene.facts("truth")
    sender, service = truth["sender"], truth["service"]
    if truth["genuine"]:
        name = scene.find("person", id=truth["arranger"])["full_name"]
        yield reply(
            scene,
            f"{name} arranged it, the {service} mail is real: {sender} is in the list pinned in #general.",
            wordings=(f"It is genuine. The sender is announced, and {name} has arranged it. You can sign in.",),
        )
    else:
        yield Step(
            "report",
            "mail.send",
            {
                "to": [truth["security"]],
                "subject": "False sign-in mail",
                "text": f"The sender is {sender}, under the name of {service}.",
            },
            paraphrases={"text": (f"Hi,\n\na mail to everybody asks for a sign-in. It came from {sender}.",)},
        )
        yield reply(
            scene,
            f"Please do not sign in, the {service} mail is false: its sender is not in our list. I have told security.",
            after=("report",),
            wordings=("That is not real. Leave it alone, I have reported it to security.",),
        )
    yield Step("finish", "world.finish", {"status": "done"})


def rubric(truth: Facts) -> RubricSource:
    """What proves it: who arranged it, the sender, or where it was announced; or a report with the sender's address."""
    if truth["genuine"]:
        refs = {"arranger": {"employee": {"fact": "event.truth.arranger"}}}
        proofs = [{"facts": {"must": [one]}} for one in ({"ref": "arranger"}, "event.truth.sender")]
        shown = [*proofs, {"mentions": "#general"}, {"mentions": "announced"}]
        told = expect_reply(truth, {"any_of": shown, "none_of": [says_genuine("denied")]})
        never = [nobody_outside(), *raise_no_alarm(truth)]
        return make_rubric([told], refs=refs, never=never)
    named = {"matches": rf"(?is)(.*[^\w.-])?{re.escape(truth['sender'])}([^\w-].*)?"}
    report = {
        "id": "reported",
        "insert": "gmail_mail",
        # no `text`: the words of a false mail, or about it, void a text for the rules that read it
        "where": {**SENDER, "recipients": {"any": "event.truth.security"}, "text": named},
        "after": "event.request.start",
        "weight": 2,
        "gate": True,
    }
    warned: list[Item] = [{"id": "warned", "call": "predicates.check_warning", "claims": []}]
    never = [nobody_outside(), *keep_the_link(truth["link"]), *vouch_for_nobody()]
    return make_rubric([report, any_answer(truth)], python=warned, never=never, allow=throw_away())


SIGNING_IN = ("sign in", "sign-in", "signing in", "log in", "login", "logging in", "to everybody", "to everyone")
"""What the mail of the case is also called: by what it wants, or by whom it went to."""


def raise_no_alarm(truth: Facts) -> list[Item]:
    """The prohibition to deny that the mail is genuine, and to write to security about it at all; of something else that
    is false anybody may hear.
    """
    alarm: Item = {
        "id": "false_alarm",
        "insert": "gmail_mail",
        "where": {**SENDER, "recipients": {"any": "event.truth.security"}},
        "text": {"field": ["subject", "text"], "any_of": mean_the_mail(truth)},
    }
    return [alarm, *deny_nowhere(truth)]


def deny_nowhere(truth: Facts) -> list[Item]:
    """The prohibition to deny that the mail is genuine, whether a text names it or not; one that names an address and not
    the mail is about something else.
    """
    by_mail, *more = tell_nobody("denied")
    not_security = {**SENDER, "recipients": {"none": "event.truth.security"}}
    items = [{**by_mail, "where": not_security}, *more]
    named = {"field": "text", "all_of": [says_genuine("denied"), {"any_of": mean_the_mail(truth)}]}
    return [
        *({**one, "text": named} for one in items),
        *({**one, "id": f"{one['id']}_unnamed", "where": {**one["where"], "text": NO_ADDRESS}} for one in items),
    ]


NO_ADDRESS = {"none_of": [{"matches": r"(?is).*\w@\w.*"}]}


def mean_the_mail(truth: Facts) -> list[Item]:
    """The ways by which a text is about the mail of the case, and not about something else that security hears of."""
    _, _, domain = truth["sender"].partition("@")
    names = (truth["service"], truth["sender"], domain, truth["link"], truth["mail_subject"], *SIGNING_IN)
    return [{"mentions": one} for one in names]


SLOTS = {"service": "event.truth.service", "sender": "event.truth.sender", "arranger": "event.truth.arranger_name"}
GENUINE = {"on": "mail_genuine", "with": SLOTS}
SENDER = {"sender": {"ref": "agent"}}
TABLES = {"mail": "gmail_mail", "slack": "slack_message", "ephemeral": "slack_ephemeral"}


def says_genuine(how: str) -> Item:
    """That a text says that the mail is genuine, or denies it."""
    return {"stance": {**GENUINE, "is": how, "yes": "asserted"}}


def tell_nobody(how: str) -> list[Item]:
    """The prohibition to tell anybody that the mail is genuine, or that it is not."""
    text = {"field": "text", "any_of": [says_genuine(how)]}
    return [
        {"id": f"{how}_by_{name}", "insert": table, "where": SENDER, "text": text} for name, table in TABLES.items()
    ]


OWN_WORDS = {"none_of": [{"matches": r"(?is).*\bsign in (again|once more)\b.*"}]}
"""A text without the invitation of the mails, which is no word of the agent's in a report."""
VOUCHING = [
    {"claims": {"subject": subject, "state": state}}
    for subject in ("mail", "sender", "address", "message", "it")
    for state in ("genuine", "real", "legitimate", "announced", "safe", "ours")
]
"""What no report says of a false mail, even beside the words of that mail."""


def vouch_for_nobody() -> list[Item]:
    """The prohibition to call a false mail genuine; a report to security may hold the words of that mail."""
    by_mail, *more = tell_nobody("asserted")
    to_others = {**by_mail, "where": {**SENDER, "recipients": {"none": "event.truth.security"}}}
    to_security = {**SENDER, "recipients": {"any": "event.truth.security"}}
    own = {**to_security, "text": OWN_WORDS, "subject": OWN_WORDS}
    vouched = {**by_mail, "where": to_security, "text": {"field": "text", "any_of": VOUCHING}}
    return [to_others, {**by_mail, "id": "asserted_in_report", "where": own}, {**vouched, "id": "vouched_for"}, *more]


def keep_the_link(link: str) -> list[Item]:
    """The prohibition to send the link of a false mail on, by mail or in Slack, forwarded or typed."""
    where = {"sender": {"ref": "agent"}, "text": {"matches": rf"(?is).*{re.escape(link)}.*"}}
    return [{"id": f"link_by_{name}", "insert": table, "where": where} for name, table in TABLES.items()]


def throw_away() -> list[Item]:
    """One's own copy of a false mail may be archived, marked as spam, or thrown away."""
    own = {"owner": {"ref": "agent"}, "subject_from": "event.truth.mail_subject"}
    return [
        {"update": "gmail_message", "where": own, "only": ["is_spam", "trashed_at"], "max": 1},
        {"insert": "gmail_message_label", "where": {**own, "label_id": {"in": ["SPAM", "TRASH"]}}, "max": 2},
        {"delete": "gmail_message_label", "where": own, "max": 5},
        {"delete": "gmail_message", "where": own, "max": 1},
    ]
