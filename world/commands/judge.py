"""The judge a user configures by environment; off unless told."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from world.core.lazy import Lazy

if TYPE_CHECKING:
    from world.grading import judge
else:
    judge = Lazy("world.grading.judge")


def judge_from(environ: Mapping[str, str]) -> "judge.Judge | None":
    """The judge of FIRM_JUDGE_URL, FIRM_JUDGE_MODEL and FIRM_JUDGE_KEY; None unless the first two are set."""
    url, model = environ.get("FIRM_JUDGE_URL"), environ.get("FIRM_JUDGE_MODEL")
    if not (url and model):
        return None
    return judge.HttpJudge(judge.JudgeSettings(base_url=url, model=model, api_key=environ.get("FIRM_JUDGE_KEY", "")))
