"""An app on Socket Mode: it connects, hears a message that somebody posts, acknowledges it and answers in the thread."""

import json
import os
import threading
from typing import Any

from slack_sdk import WebClient
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

PATIENCE_S = 30


def main() -> None:
    """Run once and say what came."""
    base = os.environ["FIRM_URL"]
    bot = WebClient(token=os.environ["FIRM_BOT_TOKEN"], base_url=base)
    person = WebClient(token=os.environ["FIRM_TOKEN"], base_url=base)
    me: Any = bot.auth_test()
    channel = person.conversations_create(name="socket-works")["channel"]["id"]
    person.conversations_invite(channel=channel, users=me["user_id"])
    heard: list[Any] = []
    done = threading.Event()

    def listen(client: Any, request: SocketModeRequest) -> None:
        client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
        event = request.payload["event"]
        heard.append((request.type, event["type"], request.retry_attempt))
        if event["type"] == "app_mention":
            bot.chat_postMessage(channel=event["channel"], thread_ts=event["ts"], text="On it.")
            done.set()

    client = SocketModeClient(app_token=os.environ["FIRM_APP_TOKEN"], web_client=bot)
    client.socket_mode_request_listeners.append(listen)
    client.connect()
    ts = person.chat_postMessage(channel=channel, text=f"<@{me['user_id']}> please look")["ts"]
    came = done.wait(PATIENCE_S)
    client.close()
    print(json.dumps({"came": came, "heard": heard, "channel": channel, "ts": ts}))


if __name__ == "__main__":
    main()
