"""Nothing that a person writes anywhere in the chat client runs, loads or leaves the site."""

from collections.abc import Callable, Iterator

import pytest

import apps.slack
from tests.browser import chat_rows
from tests.browser.chat_rows import CHECKOUT
from tests.browser.conftest import Office, Site, settled
from tests.company import host as make_host

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<a href=javascript:alert(1)>x</a>",
    "<javascript:alert(1)|click>",
    "<https://evil.example/|<img src=x onerror=alert(1)>>",
    '<https://evil.example/" onmouseover="alert(1)|x>',
    "<data:text/html,<b>|x>",
    '"><img src=http://evil.example/p.png>',
    "'\"--><style>@import 'http://evil.example/s.css'</style>",
    "{{ 7*7 }}{% raw %}",
    '<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<form action=http://evil.example><button>x</button></form>",
    "<base href=http://evil.example/>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<link rel=stylesheet href=http://evil.example/s.css>",
    "<object data=http://evil.example/></object>",
    "<video src=http://evil.example/v.mp4 onerror=alert(1) autoplay>",
    "`<img src=x onerror=alert(1)>`",
    "```<script>alert(1)</script>```",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "*<b onclick=alert(1)>*",
    "> <img src=x onerror=alert(1)>",
    "<!here|<img src=x onerror=alert(1)>>",
    "<@U0BO|<svg onload=alert(1)>>",
    '<#C0GENERAL01|"><script>alert(1)</script>>',
    ':"><img src=x onerror=alert(1)>:',
    "\u202ealert(1)\u202c <ſcript>",
    "<x hx-get=/slack/people hx-trigger=load>",
    "<div hx-on:load=alert(1)>",
    "<button data-opens=keyboard-help autofocus>",
    "<input data-choose=http://evil.example autofocus>",
    "<p data-region id=sidebar>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the workspace."""
    folder = tmp_path_factory.mktemp("chat")
    made = Site(lambda: make_host(folder, [apps.slack.app], chat_rows.rows), [apps.slack])
    yield made
    made.stop()


def test_no_text_of_a_person_runs_or_reaches_out(site: Site, office_of: Callable[..., Office]) -> None:
    office = office_of(site)
    ada = "ada"
    draft = office.act(ada, "drafts.create", channel=CHECKOUT, text="draft")["draft"]["id"]
    for n, payload in enumerate(PAYLOADS):
        sent = office.act(ada, "chat.postMessage", channel=CHECKOUT, text=payload)
        office.act(ada, "chat.postMessage", channel=CHECKOUT, text=payload, thread_ts=chat_rows.PARENT)
        if n % 4 == 0:
            office.act(ada, "files.upload", channels=[CHECKOUT], content=payload, filename=f"{payload[:60]}.txt", title=payload)
            office.act(ada, "saved.add", item_id=CHECKOUT, ts=sent["ts"])
            office.act(ada, "reminders.add", text=payload, time="in 20 minutes")
            office.act(ada, "drafts.update", draft_id=draft, text=payload)
            office.act(ada, "usergroups.create", name=payload[:50], handle=f"group-{n}", description=payload)
            office.act(ada, "conversations.setPurpose", channel=CHECKOUT, purpose=payload[:250])
            office.act(ada, "conversations.setTopic", channel=CHECKOUT, topic=payload[:250])
            office.act(ada, "users.profile.set", profile={"status_text": payload[:100], "display_name": payload[:60], "title": payload})
            office.act(ada, "chat.postMessage", channel=CHECKOUT, blocks=blocks(payload), attachments=[card(payload)], text=payload)
            visit(office)
    assert office.complaints == []


def blocks(text: str) -> list[dict[str, object]]:
    """Block Kit with the payload in every place a text may stand."""
    plain = {"type": "plain_text", "text": text[:140]}
    return [
        {"type": "header", "text": plain},
        {"type": "section", "text": {"type": "mrkdwn", "text": text}},
        {"type": "section", "fields": [plain, {"type": "mrkdwn", "text": text}]},
        {
            "type": "context",
            "elements": [
                {"type": "mrkdwn", "text": text},
                {"type": "image", "image_url": "http://evil.example/i.png", "alt_text": text},
            ],
        },
        {"type": "actions", "elements": [{"type": "button", "text": plain, "url": "javascript:alert(1)", "action_id": "a"}]},
        {"type": "image", "image_url": "http://evil.example/i.png", "alt_text": text},
    ]


def card(text: str) -> dict[str, object]:
    """A legacy attachment full of the payload."""
    names = ("pretext", "author_name", "title", "text", "footer", "color", "fallback")
    return {**dict.fromkeys(names, text), "title_link": "javascript:alert(1)", "image_url": "http://evil.example/i.png",
            "fields": [{"title": text, "value": text}]}  # fmt: skip


def visit(office: Office) -> None:
    """See every page that shows the texts; a dialog, a script error or a foreign request is a complaint."""
    room = f"/slack/client/{CHECKOUT}"
    page = office.open("ada", f"{room}?thread={chat_rows.PARENT}", live=False)
    page.on("dialog", lambda dialog: (office.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    own = ("/later", "/later?state=reminders", "/drafts", "/drafts?tab=sent", "/groups", "/files", "/threads")
    more = ("/people", "/team/U0ADA", "/search?q=alert", f"/client/{CHECKOUT}?dialog=details", f"/client/{CHECKOUT}?dialog=topic")
    for path in (*own, *more, f"/client/{CHECKOUT}"):
        page.goto(f"{office.base}/slack{path}")
        settled(page)
    page.hover("#messages article >> nth=-1")
    page.context.close()
