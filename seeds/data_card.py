"""The data card: a description of the generated company with every target and its provenance, from targets.toml."""

from seeds.spec import GENERATOR_VERSION
from seeds.targets import targets

HEAD = f"""# Data card of the seed company

Written from `seeds/targets.toml` by `seeds/data_card.py`; generator version {GENERATOR_VERSION}.

**What it is.** A fictional company, Quayline, that sells checkout and payments to businesses: its people, customers, chat,
issues and mail over 30 days before 2 March 2026, 08:00 UTC, with a thin tail of older history. One integer seed decides everything.

**How it comes to exist.** People, teams, absences and rotas are drawn (`company.py`); stories are told into one causal event
log (`stories/`); projectors write rows of each app from the log (`rows/`). No language model and no network at build time.
All prose was written beforehand, stands in `packs/`, is licensed CC-BY-4.0 and is drawn without replacement; of a request, each
turn is drawn from several wordings.

**What it is not.** No real person, company or message. Names are drawn from lists by locale; every address ends in `.example`.

**Known limits.** One company theme; the prose of two worlds overlaps, since the packs hold about 1.3 times what one S company
uses. Reactions follow rules, not moods. Registered mess is typos, edits, duplicate tickets and what is wrong in spreadsheets; other
kinds of section 5 of the data plan are authored in the packs (a stale runbook, two people of one name, a secret pasted in chat) and
not yet switchable. No edit history of a spreadsheet is told, only how it stands.

Provenance: M measured on named data, R read in a named source, K general knowledge, C chosen.

**Code.** Two repositories (`repos/`) are real services with tests: a series of patches each, every commit green, made into git
objects at build time with the company's people as authors; issues, pull requests and reviews around them are authored. What CI
printed was recorded in the sandbox (`python -m seeds.ci_outcomes`). Each has one bug with hidden tests that prove it. The other
services have repositories of flags and notes, made from the log: CI refuses some first commits (a flag without its default, which
the next commit brings), some reviews end with the pull request closed unmerged and its remark unresolved, and some finished work is
opened again because its flag is still off.

**Mail.** Exchanges between people are authored (`packs/shop/mail/`), many of them about an issue or incident of the log, and are
told only where that exists. Requests (`packs/shop/requests.yaml`) go the whole way: a customer's mail or an alert at night, what is
said of it, its ticket, its pull request, the release, the answer, which waits for what the chat says of it; one event causes the
next. A fifth of the reports grow: more customers have it, and comments and chat have their long tail. What on-call people paste is
written from the alert's own lines, with times, host, the version that ran then and its commit. What machines send follows by rule
from events: issues, releases, alerts, builds, status posts, pagers, messages missed in chat, nightly reports. Newsletters,
invoices, invitations and spam stand in `packs/shop/post.yaml`. Each mail is kept once as the bytes of RFC 822; mailboxes hold its
labels and read state.

**Spreadsheets.** Told from the same log (`rows/sheets*.py`, `packs/shop/sheets.yaml`): contracts, revenue, credits, quotas, rota,
releases, incidents, budget, vendors, offsite, hiring, and files that went round by mail. Formulas compute to what the log says. What
is wrong in a sheet (an error value, a date behind the tracker's, a number that is text, a total short of a row) is on record in
`story_ref` as story `blemish`, with a witness: a row that shows the truth. A `tidy` company has none.

## Sizes
"""


def card() -> str:
    """The card as Markdown."""
    sizes = ["| size | quantity | target | tag |", "|---|---|---|---|"]
    for size, rows in targets()["size"].items():
        sizes += [f"| {size} | {name} | {one['value']} | {one['tag']} |" for name, one in rows.items()]
    bands = [
        "",
        "## Bands",
        "Checked by `tests/seeds/test_bands.py` on five seeds, and for any company by `firm seed check`.",
        "",
    ]
    aims = ["", "## Facts across apps", "Aims that `firm seed check` tells of; a company may still miss them.", ""]
    for section, kind in ((bands, "band"), (aims, "aim")):
        section += ["| figure | low | high | tag | why |", "|---|---|---|---|---|"]
        for name, one in targets()[kind].items():
            section.append(f"| {name} | {one['low']:g} | {one['high']:g} | {one['tag']} | {one['source']} |")
    return HEAD + "\n".join([*sizes, *bands, *aims, ""])
