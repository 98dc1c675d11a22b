"""The tables of runs, their columns, and the kinds of these."""

from collections.abc import Mapping

TEXT, WHOLE, NUMBER, TRUTH = "text", "whole", "number", "truth"
RUN = {"run": TEXT}
CALL = {
    "step": WHOLE,
    "seq": WHOLE,
    "at": WHOLE,
    "ended_at": WHOLE,
    "actor": TEXT,
    "door": TEXT,
    "operation": TEXT,
    "status": TEXT,
    "cause": WHOLE,
}
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "runs": {
        **RUN,
        "scenario": TEXT,
        "revision": TEXT,
        "seed": WHOLE,
        "agent": TEXT,
        "door": TEXT,
        "image": TEXT,
        "settings": TEXT,
        "origin": TEXT,
        "task": TEXT,
        "score": NUMBER,
        "raw_score": NUMBER,
        "passed": TRUTH,
        "ended": TEXT,
        "digest": TEXT,
    },
    "steps": {
        **RUN,
        **CALL,
        "title": TEXT,
        "arguments": TEXT,
        "request": TEXT,
        "response": TEXT,
        "within": WHOLE,
        "changed_rows": WHOLE,
        "real_at_s": NUMBER,
    },
    "calls": {**RUN, **CALL, "by_agent": TRUTH},
    "changes": {
        **RUN,
        "step": WHOLE,
        "call_seq": WHOLE,
        "table": TEXT,
        "pk": TEXT,
        "op": TEXT,
        "before": TEXT,
        "after": TEXT,
    },
}
