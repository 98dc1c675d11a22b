"""The work, step by step."""

from world.agents.steps import Scene, Step, Steps


def oracle(scene: Scene) -> Steps:
    """Wait for the question, answer it, open the bug."""
    yield Step("wait", "world.wait", {"seconds": 700})
    question = scene.facts("question")
    yield Step(
        "answer",
        "chat.postMessage",
        {"channel": question["channel"], "thread_ts": question["ts"], "text": "I take it."},
        paraphrases={"text": ("That one is mine.", "I'll take it today.")},
    )
    me = scene.find("account", app="jira", person_id=scene.me)["external_id"]
    yield Step(
        "bug",
        "createIssue",
        {
            "fields": {
                "project": {"key": "SHOP"},
                "issuetype": {"name": "Bug"},
                "summary": f"{question['job']} is stuck",
                "assignee": {"accountId": me},
            }
        },
    )
    yield Step("finish", "world.finish", {"status": "done"})
