"""Whether the remark on a wrong line is about its value."""

import re

from world.grading import Finding, Run

POINT = re.compile(
    r"\d|\b(?:values?|limits?|maximum|max|minimum|min|allow\w*|bounds?|descri\w+|agreed|figures?|numbers?|zero(?:es|s)?|digits?)\b"
    r"|\b(?:wrong|typo|right|correct|off|intended|meant|mistake|high|low|large|big|small|much|many|more|less|higher|lower)\b"
    r"|\b(?:exceed\w*|match\w*|mismatch|differ\w*|beyond|instead|another|else)\b",
    re.IGNORECASE,
)


def check_remark(run: Run) -> Finding:
    """Proves that a remark of the agent speaks of a value, of what it should be, or of where that stands."""
    written = [
        str(effect.row["body"])
        for effect in run.effects
        if effect.table == "github_review_comment" and effect.kind == "insert" and effect.actors == {run.agent}
    ]
    pointed = any(POINT.search(text) for text in written)
    return Finding(pointed, why="a remark is about the value" if pointed else "no remark is about the value")
