"""Acknowledge, wait, answer the question, count."""

from world.agents.steps import Scene, Step, Steps, wait_until


def oracle(scene: Scene) -> Steps:
    """Acknowledge, wait, answer the question and submit the count."""
    yield from wait_until(scene, 5)
    first = scene.facts("firing_1")
    yield Step(
        "ack",
        "chat.postMessage",
        {
            "channel": first["channel"],
            "thread_ts": first["ts"],
            "text": "Acknowledged. No request has failed, I am watching it.",
        },
        paraphrases={"text": ("ack, looking", "On it, checking the exporter", "I am investigating this one")},
    )
    yield from wait_until(scene, 27)
    question = scene.facts("question")
    yield Step(
        "answer",
        "chat.postMessage",
        {
            "channel": question["channel"],
            "thread_ts": question["ts"],
            "text": "No incident: no request has failed and it clears by itself. Please do not roll anything back.",
        },
        paraphrases={
            "text": (
                "This is not an incident, nothing has failed. Leave the exporter as it is please.",
                "No need to declare anything: no requests failed, only the export is slow for a minute now and then.",
            )
        },
    )
    yield from wait_until(scene, 81)
    truth = scene.facts("truth")
    yield Step(
        "finish",
        "world.finish",
        {
            "answer": {
                "incident": "no",
                "alert": "SettlementExportLatency",
                "times": truth["times"],
                "peak": f"{truth['peak']} ms",
            }
        },
    )
