"""The REST door: what a client of the API sees."""

from tests.apps.gmail.conftest import eml
from tests.conformance.mail import MailClient


def test_a_mail_sent_over_rest_is_read_over_rest(client: MailClient) -> None:
    sent = client.post("/gmail/v1/users/me/messages/send", json={"raw": eml("bo@tiny.example")})
    assert sent.status_code == 200 and sent.json()["labelIds"] == ["SENT"], sent.text
    listed = client.get("/v1/users/me/messages", who="bo")
    assert set(listed.json()) == {"messages", "resultSizeEstimate"}
