"""Words to one colleague alone: a direct message or a mail, as a rubric expects them."""

from collections.abc import Sequence
from typing import Unpack

from scenarios.office.cast import describe_member
from scenarios.office.people import account
from world.agents.steps import Step
from world.script.chore import Item, ItemOptions
from world.script.stage import Facts, Stage

Told = tuple[list[Item], list[list[str]], dict[str, Item]]


def describe_reader(w: Stage, me: str, person: str) -> dict[str, str]:
    """Facts about a colleague whom the agent may write to: `id`, `name`, `email`, and `dm`, their conversation."""
    opened = w.act(person, "conversations.open", users=account(w, me, "slack"))
    whom = w.person(person)
    return {"id": person, "name": whom.full_name, "email": whom.email, "dm": opened["channel"]["id"]}


def describe_stranger(w: Stage, person: str) -> dict[str, str]:
    """Facts about a colleague with whom no conversation is opened: `id`, `name`, `email`, and `slack`, the account, which
    is where a message to them goes.
    """
    return {**describe_member(w, person), "slack": account(w, person, "slack")}


def tell(
    id: str,
    reader: Facts,
    text: str,
    *,
    after: tuple[str, ...] = (),
    optional: bool = False,
    wordings: Sequence[str] = (),
) -> Step:
    """The step that writes a direct message, which opens the conversation if need be. `wordings` are as good."""
    paraphrases = {"text": tuple(wordings)} if wordings else {}
    arguments = {"channel": reader.get("dm") or reader["slack"], "text": text}
    return Step(id, "chat.postMessage", arguments, after=after, optional=optional, paraphrases=paraphrases)


def expect_private_message(id: str, path: str, text: Item, *, copy: str = "", **more: Unpack[ItemOptions]) -> Told:
    """Expectations that somebody is told alone, by message or by mail: the items, their sets for `one_of`, the refs.

    `path` is the path of the facts that `describe_reader` returned; `text` is a text predicate; `copy` is the path of an
    address that may get a copy of the mail.
    """
    address = f"{id}_address"
    common = {"text": {"field": "text", **text}, "after": "event.request.start", **more}
    sender = {"sender": {"ref": "agent"}}
    reader: object = [{"ref": address}]
    if copy:
        reader = {"all_of": [{"any": {"ref": address}}, {"subset": [{"ref": address}, copy]}]}
    items: list[Item] = [
        {"id": f"{id}_dm", "insert": "slack_message", "where": {"channel_id_from": f"{path}.dm", **sender}, **common},
        {"id": f"{id}_mail", "insert": "gmail_mail", "where": {"recipients": reader, **sender}, **common},
    ]
    return items, [[f"{id}_dm"], [f"{id}_mail"]], {address: {"fact": f"{path}.email"}}


def join_told(parts: Sequence[Told]) -> tuple[list[Item], list[list[list[str]]], dict[str, Item]]:
    """The items, the list for `one_of`, and the refs of several people who are told."""
    items = [one for some, _, _ in parts for one in some]
    return items, [sets for _, sets, _ in parts], {name: ref for _, _, refs in parts for name, ref in refs.items()}


CALLED_OFF = (
    *(
        "need not",
        "needn't",
        "no need",
        "do not have to",
        "don't have to",
        "nothing to do",
        "no action",
        "never mind",
        "not necessary",
    ),
    *("do not confirm", "don't confirm", "do not agree", "don't agree", "leave it", "forget it", "cancel", "delete"),
)


def asks(*wanted: Item) -> Item:
    """A text predicate: a message about one of the wanted things that asks for what it is about, and does not call it off."""
    return {"any_of": list(wanted), "none_of": [{"mentions": one} for one in CALLED_OFF], "max_chars": 900}


ASKING = ("please", "could you", "can you", "would you", "still", "missing", "yet", "reminder")


def asks_nothing_of(id: str, path: str) -> list[Item]:
    """What must never happen: that somebody is asked for something in a direct message or a mail. Thanks are free."""
    text = {"field": "text", "any_of": [{"mentions": one} for one in ASKING]}
    sender = {"sender": {"ref": "agent"}}
    return [
        {
            "id": f"{id}_dm",
            "insert": "slack_message",
            "where": {"channel_id_from": f"{path}.dm", **sender},
            "text": text,
        },
        {
            "id": f"{id}_mail",
            "insert": "gmail_mail",
            "where": {"recipients": {"any": f"{path}.email"}, **sender},
            "text": text,
        },
    ]
