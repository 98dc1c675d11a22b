"""Figures of a company's issues: titles, descriptions, comments, links, kinds."""

from seeds.inspection.company_tables import Tables
from seeds.inspection.text_figures import measure_texts

USUAL_PRIORITY = 3


def measure_issues(tables: Tables) -> dict[str, float]:
    """Figures by the name of their band."""
    issues = tables["jira_issue"]
    titles = measure_texts([row["summary"] for row in issues])
    filled = [row["description_text"] for row in issues if row["description_text"]]
    types = {row["id"]: row["name"] for row in tables["jira_issue_type"]}
    kinds = [types[row["issue_type_id"]] for row in issues if row["key"].startswith("SHOP")]
    commented = {row["issue_id"] for row in tables["jira_comment"]}
    linked = {row[end] for row in tables["jira_issue_link"] for end in ("source_id", "destination_id")}
    return {
        "jira.title_words": titles.words_median,
        "jira.title_gzip": titles.gzip_ratio,
        "jira.description_words": measure_texts(filled).words_median,
        "jira.description_empty": 1 - len(filled) / len(issues),
        "jira.bugs": kinds.count("Bug") / len(kinds),
        "jira.uncommented": 1 - len(commented) / len(issues),
        "jira.unlinked": 1 - len(linked) / len(issues),
        "jira.default_priority": sum(row["priority_id"] == USUAL_PRIORITY for row in issues) / len(issues),
    }
