"""The judge a user configures by environment; off unless told."""

from collections.abc import Mapping

from world.grading.judge import HttpJudge, Judge, JudgeSettings


def judge_from(environ: Mapping[str, str]) -> Judge | None:
    """The judge of FIRM_JUDGE_URL, FIRM_JUDGE_MODEL and FIRM_JUDGE_KEY; None unless the first two are set."""
    url, model = environ.get("FIRM_JUDGE_URL"), environ.get("FIRM_JUDGE_MODEL")
    if not (url and model):
        return None
    return HttpJudge(JudgeSettings(base_url=url, model=model, api_key=environ.get("FIRM_JUDGE_KEY", "")))
