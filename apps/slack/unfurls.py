"""Unfurls of links: other services describe the links in messages, and their answers are shown below."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from apps.slack.app import app
from apps.slack.message_views import Row
from world.core.app import Facts
from world.core.call import Call
from world.core.json_types import JsonObject

SHARED, ANSWERED = "link.shared", "link.unfurled"
LINK = re.compile(r"<(https?://[^|>\s]+)(?:\|[^>]*)?>")
MOST = 5  # links of one message that are asked about
_FIND = "SELECT attachments FROM slack_message WHERE id = :id AND deleted_at IS NULL AND instr(text, :url) > 0"
_KEEP = "UPDATE slack_message SET attachments = :attachments WHERE id = :id"


def request_unfurls(call: Call, row: Row) -> None:
    """Publish the links of a new message to other services."""
    if "http" in row.text and call.has_listeners(SHARED):
        for url in list(dict.fromkeys(LINK.findall(row.text)))[:MOST]:
            call.publish(SHARED, url=url.replace("&amp;", "&"), person=row.person_id, place=f"slack:{row.id}")


@app.on(ANSWERED)
def show_unfurl(call: Call, facts: Facts) -> None:
    """Add another service's description of a link to its message, once."""
    service, _, id = str(facts["place"]).partition(":")
    found = (
        call.first(_FIND, {"id": int(id), "url": str(facts["url"]).replace("&", "&amp;")})
        if service == "slack" and id.isdecimal()
        else None
    )
    if found is None:
        return
    attachments: list[JsonObject] = orjson.loads(found[0]) if found[0] else []
    if not any(one.get("from_url") == facts["url"] for one in attachments):
        attachments.append(_unfurl_to_json(facts, len(attachments) + 1))
        call.execute(_KEEP, {"id": int(id), "attachments": orjson.dumps(attachments).decode()})


def _unfurl_to_json(facts: Mapping[str, Any], id: int) -> dict[str, Any]:
    """The unfurl as a legacy attachment; docs.slack.dev/reference/objects/attachment."""
    return {
        "id": id,
        "from_url": facts["url"],
        "original_url": facts["url"],
        "color": facts["color"],
        "service_name": facts["service"],
        "title": facts["title"],
        "title_link": facts["url"],
        "text": "\n".join(part for part in (facts["said"], facts["text"]) if part),
        "footer": facts["footer"],
        "fallback": f"[{facts['footer']}] {facts['title']}",
    }
