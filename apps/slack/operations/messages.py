"""Sending messages: to a channel, a thread, a person, or visible to one member only."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

from pydantic import Field, JsonValue
from sqlalchemy import insert

from apps.slack import blocks as kit
from apps.slack import conversation_access, message_views
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.example_objects import A_CHANNEL, A_COLLEAGUE
from apps.slack.limits import DOCS, POST, TIER3, TIER4
from apps.slack.markdown import to_mrkdwn
from apps.slack.message_delivery import Post, deliver_message, find_already_sent, find_parent, reserve_ts
from apps.slack.models import Ephemeral
from apps.slack.operations.conversations import get_user, start_direct
from apps.slack.operations.drafts import discard_draft
from apps.slack.params import USER, Body, Ident, Json, JsonList, Line, OptionalTs
from apps.slack.profiles import Roster
from apps.slack.text import link_names, normalise
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

MAX_TEXT = 40_000  # characters; docs.slack.dev/reference/methods/chat.postMessage#truncating
MAX_ATTACHMENTS = 100  # docs.slack.dev/reference/methods/chat.postMessage
MAX_PAYLOAD = 100_000  # characters of blocks, and of attachments, as JSON
CONTENT_CODES = {  # what may be wrong with what a message says
    "no_text": "",
    "msg_too_long": "over 40,000 characters",
    "invalid_blocks": "",
    "invalid_blocks_format": "",
    "msg_blocks_too_long": "",
    "too_many_attachments": "",
    "attachment_payload_limit_exceeded": "",
    "markdown_text_conflict": "",
}
MAX_NAMES = 200  # distinct names of one message that are looked up


class Content(Params):
    """Content of a message."""

    text: Body = Field(
        default="",
        description="The message, in Slack's mrkdwn: *bold*, <@U…>, <#C…>, <https://…|text>.",
        examples=["Deploy is done."],
    )
    markdown_text: Body = Field(default="", description="The message in Markdown, instead of text.")
    blocks: JsonList = Field(default=None, description="Block Kit blocks; text then only stands in for them.")
    attachments: JsonList = Field(default=None, description="Legacy attachments.")
    link_names: bool = Field(default=False, description="Turn @handle and #channel into mentions.")
    parse: Line = Field(default="", description="full links names and addresses; none leaves the text alone.")


class MessageParams(Content):
    """A message and where it goes."""

    channel: Ident = Field(description="Channel id, #name, or a user id for a direct message.", examples=["C024BE91L"])
    thread_ts: OptionalTs = Field(default=None, description="ts of a thread's first message, to reply in the thread.")
    username: Line = Field(default="", description="Name to post under; apps only.")
    icon_emoji: Line = Field(default="", description="Emoji as picture; apps only.")
    icon_url: Line = Field(default="", description="Address of a picture; apps only.")


class PostMessage(MessageParams):
    """A message to send."""

    reply_broadcast: bool = Field(default=False, description="Also show the reply in the channel.")
    client_msg_id: Annotated[Text, Field(max_length=80)] = Field(
        default="", description="Your own id for the message: a second try with the same one does not post twice."
    )
    draft_id: Line = Field(default="", description="Id of your draft that this message sends; the draft goes.")
    mrkdwn: bool = Field(default=True, description="Accepted for compatibility.")
    unfurl_links: bool = Field(default=True, description="Accepted for compatibility.")
    unfurl_media: bool = Field(default=True, description="Accepted for compatibility.")
    metadata: Json = Field(default=None, description="Event type and payload an app keeps with the message.")


class PostEphemeral(MessageParams):
    """A message for one member."""

    user: Ident = USER


class MeMessage(Params):
    """Request fields of a /me message."""

    channel: Ident = Field(description="Channel id.", examples=["C024BE91L"])
    text: Body = Field(description="What you are doing.", examples=["is writing the report"])


class PostedMessage(TypedDict):
    """The message as stored."""

    channel: str
    ts: str
    message: JsonObject


class MeMessageAnswer(TypedDict):
    """Place of a sent message."""

    channel: str
    ts: str


class EphemeralAnswer(TypedDict):
    """An ephemeral message's stamp."""

    message_ts: str


def open_destination(call: Call, channel: str, roster: Roster) -> Room:
    """Return the conversation of an id, #name or user, opening a direct message if needed. Raises channel_not_found."""
    room = conversation_access.find_any(call, channel)
    if room is None and not channel.startswith(("U", "W", "@")):
        room = conversation_access.find_channel_named(call, channel.removeprefix("#"))
    if room is None:
        user = roster.by_handle(channel[1:]) if channel.startswith("@") else roster.find(channel)
        if user is None or user.status != "active":
            raise OperationError("channel_not_found")
        room = conversation_access.find_direct(call, [call.person, user.person_id]) or start_direct(
            call, sorted({call.person, user.person_id}), roster
        )
    call.authorise("channel.post", room)
    return room


def compose_content(call: Call, content: Content, roster: Roster) -> tuple[str, Sequence[dict[str, JsonValue]] | None]:
    """The text and blocks to store. Raises no_text, msg_too_long, invalid_blocks, msg_blocks_too_long,
    too_many_attachments.
    """
    if content.blocks:
        wrong = kit.find_problem(content.blocks)
        if wrong:
            raise OperationError("invalid_blocks", errors=[wrong], response_metadata={"messages": [f"[ERROR] {wrong}"]})
        if len(str(content.blocks)) > MAX_PAYLOAD:
            raise OperationError("msg_blocks_too_long")
    if content.attachments and len(content.attachments) > MAX_ATTACHMENTS:
        raise OperationError("too_many_attachments")
    if content.attachments and len(str(content.attachments)) > MAX_PAYLOAD:
        raise OperationError("attachment_payload_limit_exceeded")
    if content.text and content.markdown_text:
        raise OperationError("markdown_text_conflict")
    written = to_mrkdwn(content.markdown_text) if content.markdown_text else content.text
    if len(written) > MAX_TEXT:
        raise OperationError("msg_too_long")
    if not written.strip() and not content.blocks and not content.attachments:
        raise OperationError("no_text")
    stored = normalise(written, links=content.parse != "none")
    if content.link_names or content.parse == "full":
        names = _Linker(call, roster)
        stored = link_names(stored, names.user, names.channel)
    return stored or kit.blocks_to_text(content.blocks or ()), content.blocks


class _Linker:
    """Entities for names, each looked up once; those beyond a limit stay as written."""

    def __init__(self, call: Call, roster: Roster) -> None:
        self.call, self.roster = call, roster
        self.known: dict[str, str | None] = {}

    def user(self, name: str) -> str | None:
        key = f"@{name}"
        if key not in self.known and len(self.known) < MAX_NAMES:
            found = self.roster.by_handle(name)
            self.known[key] = f"<@{found.id}>" if found else None
        return self.known.get(key)

    def channel(self, name: str) -> str | None:
        key = f"#{name}"
        if key not in self.known and len(self.known) < MAX_NAMES:
            room = conversation_access.find_channel_named(self.call, name.lower())
            seen = room is not None and (room.kind == "public" or room.is_member)
            self.known[key] = f"<#{room.id}|{room.name}>" if room and seen else None
        return self.known.get(key)


def _read_guise(call: Call, params: MessageParams) -> dict[str, str | None]:
    """Read a custom name and picture, which only apps may use."""
    if call.principal.kind != "bot":
        return {}
    icon = f":{params.icon_emoji.strip(':')}:" if params.icon_emoji else params.icon_url
    named = {"username": params.username or None, "icon": icon or None}
    return {**named, "subtype": "bot_message"} if params.username else named


@app.operation(
    "chat.postMessage",
    writes=True,
    source=DOCS + "chat.postMessage",
    scope="chat:write",
    limit=POST,
    examples=[{"channel": A_CHANNEL, "text": "Deploy is done."}],
    raises={
        "channel_not_found": "",
        "not_in_channel": "",
        "is_archived": "",
        "restricted_action_read_only_channel": "",
        **CONTENT_CODES,
        "thread_not_found": "",
        "missing_scope": "",
    },
)
def post_message(call: Call, params: PostMessage) -> PostedMessage:
    """Send a message to a channel, a thread (`thread_ts`) or a person (a user id as channel).

    Time: the answer's `ts` is seconds since the epoch, UTC, 6 decimals, unique in the channel.

    Deviates: only links to the company's own code and issues are unfurled; a thread_ts that names no message is
    refused.
    """
    roster = Roster(call)
    room = open_destination(call, params.channel, roster)
    earlier = find_already_sent(call, room, call.person, params.client_msg_id)
    if earlier is not None:
        return posted_to_json(call, earlier, roster)
    text, blocks = compose_content(call, params, roster)
    post = Post(
        text,
        blocks,
        params.attachments,
        find_parent(call, room, params.thread_ts),
        params.reply_broadcast,
        params.client_msg_id or None,
        facts={"metadata": params.metadata} if params.metadata else None,
        **_read_guise(call, params),  # type: ignore[arg-type]
    )
    row = deliver_message(call, room, call.person, post, roster)
    if params.draft_id:
        discard_draft(call, params.draft_id)
    return posted_to_json(call, row, roster)


def posted_to_json(call: Call, row: message_views.Row, roster: Roster) -> PostedMessage:
    """Return the response to a sent message."""
    return {
        "channel": row.channel_id,
        "ts": row.ts,
        "message": message_views.single_message_to_json(call, row, roster, thread=False),
    }


@app.operation(
    "chat.meMessage",
    writes=True,
    source=DOCS + "chat.meMessage",
    scope="chat:write",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "text": "is looking into it"}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "is_archived",
        "restricted_action_read_only_channel",
        "no_text",
        "msg_too_long",
        "missing_scope",
    ),
)
def me_message(call: Call, params: MeMessage) -> MeMessageAnswer:
    """Say what you are doing, in the third person ("/me")."""
    roster = Roster(call)
    room = open_destination(call, params.channel, roster)
    text, _ = compose_content(call, Content(text=params.text), roster)
    row = deliver_message(call, room, call.person, Post(text, subtype="me_message"), roster)
    return {"channel": room.id, "ts": row.ts}


@app.operation(
    "chat.postEphemeral",
    writes=True,
    source=DOCS + "chat.postEphemeral",
    scope="chat:write",
    limit=TIER4,
    after=["conversations.invite"],
    examples=[{"channel": A_CHANNEL, "user": A_COLLEAGUE, "text": "Only you see this."}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "is_archived",
        "restricted_action_read_only_channel",
        "user_not_found",
        "user_not_in_channel",
        "no_text",
        "msg_too_long",
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "too_many_attachments",
        "attachment_payload_limit_exceeded",
        "thread_not_found",
        "markdown_text_conflict",
        "missing_scope",
    ),
)
def post_ephemeral(call: Call, params: PostEphemeral) -> EphemeralAnswer:
    """Show a message to one member of a channel only; it is not kept in the history."""
    roster = Roster(call)
    room = open_destination(call, params.channel, roster)
    user = get_user(roster, params.user)
    if user.person_id not in conversation_access.list_members(call, room.id):
        raise OperationError("user_not_in_channel")
    text, blocks = compose_content(call, params, roster)
    thread = find_parent(call, room, params.thread_ts)
    values = {
        "channel_id": room.id,
        "ts": reserve_ts(call, room.id),
        "person_id": call.person,
        "to_person_id": user.person_id,
        "text": text,
        "blocks": blocks,
        "attachments": params.attachments,
        "thread_ts": thread.ts if thread else None,
    }
    call.execute(insert(Ephemeral).values(values))
    return {"message_ts": str(values["ts"])}
