"""A Bolt app behind a request URL: it checks signatures, takes a message that somebody posts and answers in the thread."""

import json
import os
import sys
import threading
from contextlib import redirect_stdout
from typing import Any

from slack_bolt import App
from slack_sdk import WebClient

PATIENCE_S = 30


def main() -> None:
    """Run once and say what came."""
    base = os.environ["FIRM_URL"]
    bot = WebClient(token=os.environ["FIRM_BOT_TOKEN"], base_url=base)
    person = WebClient(token=os.environ["FIRM_TOKEN"], base_url=base)
    app = App(client=bot, signing_secret=os.environ["FIRM_SIGNING_SECRET"])
    done = threading.Event()
    heard: list[Any] = []

    @app.event("app_mention")
    def answer(event: dict[str, Any], body: dict[str, Any], say: Any) -> None:
        heard.append([body["type"], event["type"], body["authorizations"][0]["is_bot"]])
        say(text="On it.", thread_ts=event["ts"])
        done.set()

    server = threading.Thread(target=app.start, kwargs={"port": int(os.environ["FIRM_PORT"])}, daemon=True)
    with redirect_stdout(sys.stderr):
        server.start()
        me: Any = bot.auth_test()
        channel = person.conversations_create(name="request-works")["channel"]["id"]
        person.conversations_invite(channel=channel, users=me["user_id"])
        ts = person.chat_postMessage(channel=channel, text=f"<@{me['user_id']}> please look")["ts"]
        came = done.wait(PATIENCE_S)
    print(json.dumps({"came": came, "heard": heard, "channel": channel, "ts": ts}))


if __name__ == "__main__":
    main()
