"""Whether the notes have one line for each pull request, and say of it what it is."""

import re

from world.grading import Finding, Run

SHORT = 3  # letters of a word that says nothing
HALF = 0.5


def check_lines(run: Run) -> Finding:
    """Proves that each number has a line of its own, and that most lines speak of what was changed."""
    told = run.fact("event.truth.told")
    lines = _find_lines(run)
    alone = {number: [line for line in lines if _numbers(line) & {*told} == {number}] for number in told}
    without = [number for number in told if not any(_words(line) for line in alone[number])]
    if without:
        return Finding(False, 0.0, (), f"no line with words for {', '.join(without)} alone")
    near = [number for number in told if any(_words(line) & _words(told[number]) for line in alone[number])]
    if len(near) < HALF * len(told):
        return Finding(False, 0.0, (), "the lines do not speak of what was changed")
    return Finding(True, 1.0, (), "a line for each change")


def _find_lines(run):
    """The lines of the agent's drafts for the new tag; a paragraph in several lines of source is one."""
    tag = run.fact("event.truth.tag")
    made = [one.row for one in run.effects if one.table == "github_release" and one.row["tag"] == tag]
    return [line for row in made for line in str(row["body"] or "").splitlines()]


def _numbers(line):
    """Numbers of pull requests in a line, written as `#7` or as the end of a link."""
    return {*re.findall(r"(?:#|/pull/|/issues/)(\d+)\b", line)}


def _words(text):
    """The words of a text that say something, each by its first letters, so that inflections are one."""
    bare = re.sub(r"https?://\S+|#\d+|@[\w-]+", " ", text.lower())
    return {word[:5] for word in re.findall(r"[^\W\d_]+", bare) if len(word) > SHORT}
