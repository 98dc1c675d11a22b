"""Benchmark workload of the chat service, used for the kernel's figures."""

from world.bench.app_bench import Workload

MEMBER = (
    "SELECT m.person_id, m.channel_id FROM slack_member m JOIN slack_channel c ON c.id = m.channel_id"
    " JOIN person p ON p.id = m.person_id WHERE c.kind = 'public' AND c.archived_at IS NULL AND c.posting = 'everyone'"
    " AND p.status = 'active' AND p.kind = 'employee' ORDER BY m.channel_id, m.person_id LIMIT 1"
)

workload = Workload(
    app="slack",
    member=MEMBER,
    reads=lambda channel: (
        ("auth.test", {}),
        ("conversations.list", {"limit": 20}),
        ("conversations.info", {"channel": channel}),
        ("conversations.history", {"channel": channel, "limit": 10}),
        ("conversations.members", {"channel": channel}),
    ),
    write=lambda channel, text: ("chat.postMessage", {"channel": channel, "text": text}),
    get=lambda channel: f"/slack/api/conversations.history?channel={channel}&limit=20",
    post=lambda channel, text: ("/slack/api/chat.postMessage", {"channel": channel, "text": text}),
    tool=lambda channel: ("conversations_info", {"channel": channel}),
    answered=lambda answer: bool(answer.get("ok")),
)
