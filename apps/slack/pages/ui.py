"""Page declarations of the chat client: shortcuts, and the text of refusals."""

from world.web import Pages
from world.web.pages import Shortcut
from world.web.refusals import Refusal

SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("mod+k", "Jump to a conversation"),
    Shortcut("/", "Search"),
    Shortcut("g t", "Threads"),
    Shortcut("g m", "Mentions"),
    Shortcut("g d", "Drafts & sent"),
    Shortcut("g l", "Later"),
    Shortcut("g b", "Browse channels"),
    Shortcut("g p", "People"),
    Shortcut("c", "Write a message"),
    Shortcut("alt+shift+ArrowDown", "Next unread conversation"),
    Shortcut("Enter", "Send the message"),
    Shortcut("shift+Enter", "Start a new line"),
    Shortcut("ArrowUp", "Edit your last message, in an empty box"),
    Shortcut("mod+b", "Bold"),
    Shortcut("mod+i", "Italic"),
    Shortcut("Escape", "Close, or mark the channel as read"),
)

BAD_NAME = "Channel names use lower-case letters, numbers, hyphens and underscores, and no spaces."
REFUSALS = {
    "channel_not_found": Refusal(404, "This conversation doesn't exist, or you are not in it."),
    "not_in_channel": Refusal(403, "You need to join this channel first."),
    "is_archived": Refusal(409, "This channel has been archived."),
    "restricted_action_read_only_channel": Refusal(403, "Only admins can post in this channel."),
    "restricted_action": Refusal(403, "Your workspace's settings don't let you do this."),
    "no_text": Refusal(422, "Write a message first."),
    "msg_too_long": Refusal(422, "This message is too long. Shorten it, or attach it as a file."),
    "message_not_found": Refusal(404, "That message is gone."),
    "thread_not_found": Refusal(404, "That thread is gone."),
    "cant_update_message": Refusal(403, "You can only edit your own messages."),
    "cant_delete_message": Refusal(403, "You can only delete your own messages."),
    "edit_window_closed": Refusal(403, "This message can no longer be edited."),
    "name_taken": Refusal(409, "A channel with this name already exists."),
    "invalid_name": Refusal(422, BAD_NAME),
    "invalid_name_required": Refusal(422, "Give the channel a name."),
    "invalid_name_specials": Refusal(422, BAD_NAME),
    "invalid_name_punctuation": Refusal(422, "A channel name needs at least one letter or number."),
    "invalid_name_maxlength": Refusal(422, "Channel names have at most 80 characters."),
    "already_in_channel": Refusal(409, "They are already in this channel."),
    "already_archived": Refusal(409, "This channel is already archived."),
    "not_archived": Refusal(409, "This channel is not archived."),
    "cant_archive_general": Refusal(403, "The company-wide channel can't be archived."),
    "cant_leave_general": Refusal(403, "You can't leave the company-wide channel."),
    "cant_kick_self": Refusal(422, "To remove yourself, leave the channel."),
    "cant_kick_from_general": Refusal(403, "Nobody can be removed from the company-wide channel."),
    "cant_invite_self": Refusal(422, "You can't add yourself. Join the channel instead."),
    "no_user": Refusal(422, "Choose at least one person."),
    "users_list_not_supplied": Refusal(422, "Choose at least one person."),
    "too_many_users": Refusal(422, "That are too many people at once."),
    "cant_invite": Refusal(403, "This person can't be added."),
    "user_not_found": Refusal(404, "We couldn't find that person."),
    "users_not_found": Refusal(404, "We couldn't find one of those people."),
    "already_reacted": Refusal(409, "You have already reacted with that emoji."),
    "no_reaction": Refusal(409, "That reaction is gone."),
    "invalid_name_emoji": Refusal(422, "There is no emoji of that name."),
    "already_pinned": Refusal(409, "This message is already pinned."),
    "no_pin": Refusal(409, "This message is not pinned."),
    "time_in_past": Refusal(422, "Choose a time in the future."),
    "time_too_far": Refusal(422, "Choose a time within the next 120 days."),
    "file_not_found": Refusal(404, "That file is gone."),
    "file_deleted": Refusal(404, "That file was deleted."),
}
LOST = {"chat.postMessage": "Your message was not sent.", "chat.scheduleMessage": "Your message was not scheduled."}

pages = Pages(
    "slack",
    shortcuts=SHORTCUTS,
    refusals=REFUSALS,
    lost=LOST,
    search_path="/search",
    search_label="Search messages, files and people",
    own_names=(
        "SELECT external_id, person_id FROM account"
        " WHERE app = 'slack' AND external_id IN (SELECT value FROM json_each(?))"
    ),
)
