"""Mbox files become mails and mailboxes, merge with people of other archives, and go back out as mailboxes."""

from pathlib import Path

import pytest

from seeds.imports.export_run import run_export
from tests.seeds.imports.archives import MAILS, slack_files, write_archive, write_mbox
from tests.seeds.imports.conftest import Ask, Import
from world.run.imports import ImportOutcome, ImportRefused


@pytest.fixture(scope="module")
def outcome(import_archives: Import, tmp_path_factory: pytest.TempPathFactory) -> ImportOutcome:
    """Anna's mailbox and the small workspace in one company."""
    folder = tmp_path_factory.mktemp("mail")
    slack = write_archive(folder / "acme.zip", slack_files())
    return import_archives(slack, write_mbox(folder / "anna@acme.test.mbox"))


def test_a_mailbox_has_its_mails_labels_and_threads(outcome: ImportOutcome, ask: Ask) -> None:
    rows = ask(
        outcome.image,
        "SELECT p.handle, m.subject, x.is_unread, x.thread_id = first_value(x.thread_id) OVER (ORDER BY x.internal_at)"
        " FROM gmail_message x JOIN gmail_mail m ON m.id = x.mail_id JOIN person p ON p.id = x.person_id",
    )
    assert rows == [("anna.berg", "Invoice 4711", 0, 1), ("anna.berg", "Re: Invoice 4711", 1, 1)]
    labels = "SELECT DISTINCT coalesce(l.name, x.label_id) FROM gmail_message_label x LEFT JOIN gmail_label l"
    assert ask(outcome.image, f"{labels} ON l.id = x.label_id ORDER BY 1") == [
        ("CATEGORY_UPDATES",),
        ("Client work",),
        ("INBOX",),
        ("SENT",),
    ]
    assert ask(outcome.image, "SELECT text FROM gmail_mail WHERE text LIKE '%Grüße, Zoë%'")


def test_bytes_are_the_mails_own_but_for_the_date_and_transport(outcome: ImportOutcome, ask: Ask) -> None:
    raw = ask(outcome.image, "SELECT data FROM blob JOIN gmail_mail USING (sha256) ORDER BY sent_at LIMIT 1")[0][0]
    assert b"\r\nFrom next week on" in raw and b"Received:" not in raw and b"X-Gmail-Labels" not in raw
    assert b"Date: Tue, 24 Feb 2026 10:00:00 +0000" in raw


def test_people_merge_by_address_and_name_and_others_are_contacts(outcome: ImportOutcome, ask: Ask) -> None:
    assert any(one.startswith("gmail:anna@acme.test") for one in outcome.report["merged"])  # type: ignore[union-attr]
    guesses = outcome.report["guessed"]
    assert guesses == [
        "gmail:j.ahlgren@acme.test (Jon Ahlgren) is slack:U02JON (Jon Ahlgren): the same name 'Jon Ahlgren'",
        "gmail:team@acme.test is taken for a mailing list",
    ]
    assert ask(outcome.image, "SELECT value FROM alias") == [("j.ahlgren@acme.test",)]
    assert ask(
        outcome.image, "SELECT full_name, domain FROM contact JOIN organisation o ON o.id = organisation_id"
    ) == [("Zoë Quist", "client.test")]
    assert ask(outcome.image, "SELECT address FROM gmail_list") == [("team@acme.test",)]


@pytest.mark.full
def test_mailboxes_make_the_round_trip(outcome: ImportOutcome, import_archives: Import, tmp_path: Path) -> None:
    written = run_export(outcome.image, tmp_path / "out")
    assert [path.name for path in written] == ["company.json", "slack.zip", "anna@acme.test.mbox"]
    assert import_archives(*written).image == outcome.image


@pytest.mark.full
def test_a_mixed_file_fills_the_mailboxes_of_all_it_names(import_archives: Import, ask: Ask, tmp_path: Path) -> None:
    made = import_archives(write_mbox(tmp_path / "all.mbox", [mail.replace("X-Gmail", "X-Other") for mail in MAILS]))
    owners = "SELECT p.email, count(*) FROM gmail_message JOIN person p ON p.id = person_id GROUP BY 1 ORDER BY 1"
    assert ask(made.image, owners) == [("anna@acme.test", 2), ("j.ahlgren@acme.test", 1)]
    assert import_archives(*run_export(made.image, tmp_path / "out")).image == made.image


@pytest.mark.full
def test_mails_under_pseudonyms_keep_their_threads(import_archives: Import, ask: Ask, tmp_path: Path) -> None:
    made = import_archives(write_mbox(tmp_path / "anna@acme.test.mbox"), pseudonym_key="k")
    everything = made.image.read_bytes()
    for word in (b"Anna", b"Berg", b"Ahlgren", b"acme", b"client.test", "Zoë".encode(), b"Quist"):
        assert word not in everything
    assert ask(made.image, "SELECT count(DISTINCT thread_id), count(*) FROM gmail_message") == [(1, 2)]
    assert import_archives(*run_export(made.image, tmp_path / "out")).image == made.image


def test_what_is_no_mbox_file_is_refused(import_archives: Import, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=r"bad\.mbox: line 1: no mbox file"):
        import_archives(write_mbox(tmp_path / "bad.mbox", ["Dear all,\n"]))
    deep = "From a Tue Jun 04 10:00:00 2024\n" + "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2000)
    )
    with pytest.raises(ImportRefused, match=r"deep\.mbox: mail 1: mail "):
        import_archives(write_mbox(tmp_path / "deep.mbox", [deep]))
