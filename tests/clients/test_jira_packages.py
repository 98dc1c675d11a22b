"""The packages people use for the issue tracker, unmodified: a day's work each, every operation of the first tier."""

import pytest

from tests.clients.day import ask, interpreter, new_world, run, token, touched, urgent
from tests.conftest import Server

ME, MAIL = "dkowalski", "daniel.kowalski@quayline.example"
LEAD, LEAD_MAIL = "pmazur", "piotr.mazur@quayline.example"
PEER, PEER_MAIL = "p_0005", "karolina.lis@quayline.example"


@pytest.mark.parametrize("client", ["jira", "atlassian"])
def test_a_day_with_a_package_reaches_every_operation_of_the_first_tier(server: Server, client: str) -> None:
    python = interpreter(client)
    new_world(server)
    report = run(
        python,
        f"{client}_day.py",
        FIRM_URL=f"{server.url}/jira",
        FIRM_MAIL=MAIL,
        FIRM_PEER=PEER_MAIL,
        FIRM_TOKEN=token(server, "jira", ME),
        FIRM_LEAD=LEAD_MAIL,
        FIRM_LEAD_TOKEN=token(server, "jira", LEAD),
    )
    assert urgent("jira") - touched(server, "rest") == set()
    key = report["issue"]
    assert ask(
        server,
        "SELECT i.summary, i.assignee_id, i.creator_id, s.name FROM jira_issue i JOIN jira_status s ON s.id ="
        " i.status_id WHERE i.key = ?",
        key,
    ) == [("zephyrine breaks every build", PEER, "p_0004", report["status"])]
    left = "SELECT count(*) FROM jira_{} c JOIN jira_issue i ON i.id = c.issue_id WHERE i.key = ?"
    counts = {name: ask(server, left.format(name), key)[0][0] for name in ("comment", "worklog", "attachment", "vote")}
    assert counts == {"comment": 2, "worklog": 1, "attachment": 1, "vote": 0}
    made = "SELECT key, deleted_at IS NULL FROM jira_issue WHERE summary LIKE 'zephyrine%' ORDER BY id"
    assert ask(server, made) == [(key, 1), (report["parts"][0], 1), (report["parts"][1], 0)]


@pytest.mark.parametrize("client", ["jira", "atlassian"])
def test_a_package_takes_the_server_dialect_for_a_data_center(server: Server, client: str) -> None:
    python = interpreter(client)
    new_world(server)
    names = dict(ask(server, "SELECT id, handle FROM person WHERE id IN ('p_0004', ?)", PEER))
    report = run(
        python,
        f"{client}_server.py",
        FIRM_URL=f"{server.url}/jira/server",
        FIRM_TOKEN=token(server, "jira", ME),
        FIRM_NAME=names["p_0004"],
        FIRM_PEER=names[PEER],
    )
    found = "SELECT assignee_id, creator_id FROM jira_issue WHERE key = ?"
    assert ask(server, found, report["issue"]) == [("p_0004", "p_0004")]
    said = "SELECT count(*) FROM jira_comment c JOIN jira_issue i ON i.id = c.issue_id WHERE i.key = ?"
    assert ask(server, said, report["issue"]) == [(1,)]
