"""The declared codes of every operation against those its code can raise, as far as the text shows."""

import pytest

from tests.docs.reach import key_of, read_graph
from world.core import discovery
from world.core.app import App
from world.core.call import Call
from world.core.operation import Operation
from world.core.params import NoParams

KERNEL = {
    "invalid_arguments",
    "account_inactive",
    "bad_credentials",
    "token_revoked",
    "missing_scope",
    "invalid_auth",
    "ratelimited",
}
STATED_ONLY = {
    ("api.test", "my_error"),
    ("web.create", "bad_request"),
}  # the caller names the code; the refusal is handed on as a function
IMPORTED_LATE = {"graphql/mutate"}  # what it runs is imported with the first document
OF_HEADERS = {
    "invalid_to_header",
    "invalid_cc_header",
    "invalid_bcc_header",
}  # written with the name of the header left open

# What the graph of names shows and no call can meet: the value was made or found by the same call just before.
CANNOT_HAPPEN = {
    ("drafts.create", "draft_not_found"),
    ("reminders.add", "not_found"),
    ("usergroups.create", "no_such_subteam"),
    ("conversations.create", "channel_not_found"),
    ("conversations.unreads", "channel_not_found"),
    ("users.lookupByEmail", "user_not_found"),
    ("users.profile.set", "user_not_found"),
    ("conversations.archive", "is_archived"),
    ("canvases.read", "restricted_action"),
    ("canvases.sections.lookup", "restricted_action"),
    ("files.upload", "file_not_found"),
    ("files.upload", "file_deleted"),
    *((operation, "board_not_found") for operation in ("partiallyUpdateSprint", "updateSprint", "deleteSprint")),
    *(
        (operation, "not_found")
        for operation in ("mail.threads", "users.labels.create", "mail.ensureLabel", "users.messages.batchModify")
    ),
    ("users.drafts.send", "raw_missing"),
    ("mail.threads", "invalid_label"),
    ("users.drafts.list", "invalid_label"),
    ("issues/list", "not_found"),
    ("issues/list-for-authenticated-user", "not_found"),
    ("orgs/list-memberships-for-authenticated-user", "not_found"),
    ("repos/delete-pull-request-review-protection", "validation_failed"),
    ("web/issues/list-transfer-targets", "issues_disabled"),  # what stands in the way is asked for, not raised
    ("web/issues/list-transfer-targets", "unprocessable"),
    *(
        (operation, "conflict")
        for operation in (  # they move a ref from where they found it
            "web/pulls/restore-head-branch",
            "web/pulls/revert",
            "pulls/update-branch",
            "repos/create-for-authenticated-user",
            "repos/create-in-org",
            "web/pulls/resolve-conflicts",
            "git/create-ref",
            "git/update-ref",
            "git/delete-ref",
            "web/pulls/apply-suggestions",
        )
    ),
}
PLAIN_TEXT = {
    "attachment_payload_limit_exceeded",
    "invalid_blocks",
    "markdown_text_conflict",
    "msg_blocks_too_long",
    "too_many_attachments",
    "no_text",
}
NO_BLOCKS = {"chat.meMessage", "files.upload"}  # they compose plain text only
NO_SCREEN = {  # they write fields that no screen requires
    "addAttachment",
    "removeAttachment",
    "linkIssues",
    "deleteIssueLink",
    "getAllBoards",
    "getBoard",
    "rankIssues",
    "partiallyUpdateSprint",
    "updateSprint",
    "deleteSprint",
    "moveIssuesToSprintAndRank",
    "moveIssuesToBacklog",
}
WELL_FORMED = {  # they write a mail of their own, or take up again one that went through the same check
    "users.settings.forwardingAddresses.create",
    "users.settings.sendAs.create",
    "users.settings.sendAs.verify",
    "mail.undoSend",
}
NOTHING_CHOSEN = {
    ("mail.prepare", code) for code in ("invalid_attachment", "invalid_from_header", "invalid_subject_header")
}

MADE_OR_FOUND = {
    "not_a_spreadsheet",
    "no_sheet",
}  # what a drive's operation opens is a spreadsheet, which it made, found or read
BY_ITSELF = {
    "bad_fields",
    "fields_missing",
    "bad_range",
    "beyond_grid",
    "one_kind_each",
    "not_found",
    "forbidden",
    "protected",
    "not_a_spreadsheet",
}
TYPED = {  # requests written by the operation itself, or of kinds that never meet these
    "spreadsheets.create": BY_ITSELF,
    "web.paste": {"bad_fields", "fields_missing", "bad_range", "beyond_grid", "bad_zone", "no_object"},
    "web.fill": {"bad_fields", "fields_missing", "bad_range", "beyond_grid", "bad_zone", "no_object"},
    "web.enter": {"bad_value", "bad_request"},  # texts, no more than one write takes
    "web.download": {"bad_request", "conversion_unsupported"},  # of formats it lists itself
    "drive.files.export": {"bad_request"},
    "spreadsheets.values.append": {"no_sheet"},  # the sheet it just stood on
}


def is_excused(operation: Operation, code: str) -> bool:
    """Whether a code that the graph shows cannot happen: for a reason named above, or as the operation names no other
    mailbox.
    """
    id = operation.id
    if code == "delegation_denied":
        return "userId" not in operation.params.model_fields
    opens_its_own = id == "web.create" or id.startswith("drive.files.")
    if code in TYPED.get(id, ()) or (opens_its_own and code in MADE_OR_FOUND):
        return True
    plain = id in NO_BLOCKS and code in PLAIN_TEXT
    whole = id in WELL_FORMED and code in ("too_large", "malformed_mail")
    if code == "archived" and not operation.writes:
        return True
    return (
        plain or whole or (id, code) in CANNOT_HAPPEN | NOTHING_CHOSEN or (id in NO_SCREEN and code == "field_errors")
    )


@pytest.mark.full
@pytest.mark.parametrize("app", discovery.apps(), ids=lambda app: app.name)
def test_no_operation_states_a_code_that_nothing_raises(app: App) -> None:
    code = read_graph(app)
    tables = {
        text
        for (module, _), function in code.functions.items()
        if module.endswith(".refusals")
        for text in function.texts
    }
    found = []
    for operation in app.operations.values():
        _, texts = code.reachable(key_of(operation.run))
        found += [
            (operation.id, one)
            for one in sorted(
                operation.codes - texts - KERNEL - OF_HEADERS - (tables if app.name == "slack" else set())
            )
        ]
    assert [one for one in found if one not in STATED_ONLY and one[0] not in IMPORTED_LATE] == []


@pytest.mark.parametrize("app", discovery.apps(), ids=lambda app: app.name)
def test_every_code_an_operation_raises_is_stated(app: App) -> None:
    code = read_graph(app)
    found = []
    for operation in app.operations.values():
        codes, _ = code.reachable(key_of(operation.run))
        found += [
            (operation.id, one) for one in sorted(codes - operation.codes - KERNEL) if not is_excused(operation, one)
        ]
    assert found == []


def test_the_docstring_lists_the_declared_codes_with_their_remarks() -> None:
    app = App("shop", "Shop")

    @app.operation("shop.buy", source="own choice", raises={"sold_out": "", "too_many": "over 10"})
    def buy(call: Call, params: NoParams) -> None:
        """Buy something."""

    @app.operation("shop.look", source="own choice")
    def look(call: Call, params: NoParams) -> None:
        """Look around."""

    assert buy.__doc__ == "Buy something.\n\nRaises: sold_out, too_many (over 10)."
    assert look.__doc__ == "Look around."
    assert app.operations["shop.buy"].codes == {"sold_out", "too_many"}
    assert app.operations["shop.buy"].summary == "Buy something."
