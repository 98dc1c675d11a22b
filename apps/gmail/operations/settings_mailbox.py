"""Settings of a mailbox as a whole: vacation responder, IMAP, POP, language."""

from typing import Annotated, Any, Literal, TypedDict

from pydantic import Field

from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings import vacation
from apps.gmail.mailbox_settings.settings import find_setting, keep_setting
from apps.gmail.mailbox_settings.vacation import Vacation
from apps.gmail.mime.html import sanitise_html
from apps.gmail.params import MailboxParams, Word
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Text

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings/"
READ, BASIC = "gmail.readonly", "gmail.settings.basic"
_FORGET = "DELETE FROM gmail_auto_reply WHERE person_id = :me"
_LATEST_MS = 253_402_300_799_999  # the year 9999
_LONGEST_REPLY = 100_000  # characters of a body; own choice
# developers.google.com/workspace/gmail/api/guides/language-settings
LANGUAGES = (
    "af",
    "am",
    "ar",
    "az",
    "be",
    "bg",
    "bn",
    "ca",
    "chr",
    "cs",
    "cy",
    "da",
    "de",
    "el",
    "en",
    "en-GB",
    "es",
    "es-419",
    "et",
    "eu",
    "fa",
    "fi",
    "fil",
    "fr",
    "fr-CA",
    "ga",
    "gl",
    "gu",
    "he",
    "hi",
    "hr",
    "hu",
    "hy",
    "id",
    "is",
    "it",
    "ja",
    "ka",
    "km",
    "kn",
    "ko",
    "lo",
    "lt",
    "lv",
    "ml",
    "mn",
    "mr",
    "ms",
    "my",
    "nb",
    "ne",
    "nl",
    "pl",
    "pt-BR",
    "pt-PT",
    "ro",
    "ru",
    "si",
    "sk",
    "sl",
    "sr",
    "sv",
    "sw",
    "ta",
    "te",
    "th",
    "tr",
    "uk",
    "ur",
    "vi",
    "zh-CN",
    "zh-HK",
    "zh-TW",
    "zu",
)
Moment = Annotated[int, Field(ge=0, le=_LATEST_MS)]
Body = Annotated[Text, Field(max_length=_LONGEST_REPLY)]


class VacationParams(MailboxParams):
    """A vacation responder."""

    enableAutoReply: bool = Field(
        default=False, description="Whether mail is answered while this is on.", examples=[True]
    )
    responseSubject: Word = Field(default="", description="Text before the subject of the reply.", examples=["Away:"])
    responseBodyPlainText: Body = Field(
        default="", description="The reply as plain text.", examples=["Back on Monday."]
    )
    responseBodyHtml: Body = Field(default="", description="The reply as HTML, sanitised; goes before plain text.")
    restrictToContacts: bool = Field(
        default=False, description="Answer only people of the company and its address book."
    )
    restrictToDomain: bool = Field(default=False, description="Answer only people of the company.")
    startTime: Moment = Field(
        default=0, description="Answer mail from then on: milliseconds since the epoch, UTC; 0 for no start."
    )
    endTime: Moment = Field(
        default=0, description="Answer mail before then: milliseconds since the epoch, UTC; 0 for no end."
    )


class ImapParams(MailboxParams):
    """Settings of IMAP."""

    enabled: bool = Field(default=False, description="Whether IMAP is on.", examples=[True])
    autoExpunge: bool = Field(default=False, description="Whether a message marked as deleted is expunged at once.")
    expungeBehavior: Literal["expungeBehaviorUnspecified", "archive", "trash", "deleteForever"] = Field(
        default="archive", description="What happens to a message expunged from its last folder."
    )
    maxFolderSize: Literal[0, 1000, 2000, 5000, 10000] = Field(
        default=0, description="Most messages of a folder; 0 for no limit."
    )


class PopParams(MailboxParams):
    """Settings of POP."""

    accessWindow: Literal["accessWindowUnspecified", "disabled", "fromNowOn", "allMail"] = Field(
        default="disabled", description="Which messages POP can fetch.", examples=["allMail"]
    )
    disposition: Literal["dispositionUnspecified", "leaveInInbox", "archive", "trash", "markRead"] = Field(
        default="leaveInInbox", description="What happens to a message that was fetched."
    )


class LanguageParams(MailboxParams):
    """The language of the web pages."""

    displayLanguage: Word = Field(description="Language tag of RFC 3066.", examples=["en-GB"])


class Imap(TypedDict):
    """Settings of IMAP; `maxFolderSize` is a number of messages."""

    enabled: bool
    autoExpunge: bool
    expungeBehavior: str
    maxFolderSize: int


class Pop(TypedDict):
    """Settings of POP."""

    accessWindow: str
    disposition: str


class Language(TypedDict):
    """The language of the web pages."""

    displayLanguage: str


def _read_setting(box: Mailbox, name: str, default: object) -> Any:
    found = find_setting(box.call, box.person, name)
    return default if found is None else found


def _write_setting(box: Mailbox, name: str, value: object) -> Any:
    keep_setting(box, name, value)
    return value


@app.operation(
    "users.settings.getVacation",
    source=DOCS + "getVacation",
    scope=READ,
    units=quota_units("users.settings.getVacation", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def get_vacation(call: Call, params: MailboxParams) -> Vacation:
    """Read the vacation responder; a person listed as absent in the directory has one automatically.

    Time: `startTime`, `endTime` are milliseconds since the epoch, UTC, as text.
    """
    return vacation.find_responder(open_mailbox(call, params.userId))


@app.operation(
    "users.settings.updateVacation",
    writes=True,
    source=DOCS + "updateVacation",
    scope=BASIC,
    units=quota_units("users.settings.updateVacation", True),
    examples=[{"enableAutoReply": True, "responseBodyPlainText": "Back on Monday."}],
    raises=("delegation_denied", "vacation_text_missing", "invalid_time_range", "mail_service_not_enabled"),
)
def update_vacation(call: Call, params: VacationParams) -> Vacation:
    """Set the vacation responder, on or off; after a change everybody may be answered once again.

    A sender is answered at most once in four days, and only for mail that names the owner under To or Cc.
    """
    box = open_mailbox(call, params.userId)
    if params.startTime and params.endTime and params.startTime >= params.endTime:
        raise OperationError("invalid_time_range")
    value = _vacation_to_json(params)
    if params.enableAutoReply and not any(
        value.get(name) for name in ("responseSubject", "responseBodyPlainText", "responseBodyHtml")
    ):
        raise OperationError("vacation_text_missing")
    if value != find_setting(call, box.person, vacation.NAME):
        call.execute(_FORGET, {"me": box.person})
    return _write_setting(box, vacation.NAME, value)


def _vacation_to_json(params: VacationParams) -> Vacation:
    """Return the responder as stored: the subject on one line, empty fields left out."""
    texts = {
        "responseSubject": " ".join(params.responseSubject.split()),
        "responseBodyPlainText": params.responseBodyPlainText,
        "responseBodyHtml": sanitise_html(params.responseBodyHtml),
        "startTime": str(params.startTime or ""),
        "endTime": str(params.endTime or ""),
    }
    switches = params.model_dump(include={"enableAutoReply", "restrictToContacts", "restrictToDomain"})
    return {**switches, **{name: text for name, text in texts.items() if text}}  # type: ignore[return-value]


@app.operation(
    "users.settings.getImap",
    source=DOCS + "getImap",
    scope=READ,
    units=quota_units("users.settings.getImap", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def get_imap(call: Call, params: MailboxParams) -> Imap:
    """Read the settings of IMAP."""
    default: Imap = {"enabled": False, "autoExpunge": True, "expungeBehavior": "archive", "maxFolderSize": 0}
    return _read_setting(open_mailbox(call, params.userId), "imap", default)


@app.operation(
    "users.settings.updateImap",
    writes=True,
    source=DOCS + "updateImap",
    scope=BASIC,
    units=quota_units("users.settings.updateImap", True),
    examples=[{"enabled": True, "expungeBehavior": "archive"}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def update_imap(call: Call, params: ImapParams) -> Imap:
    """Set the settings of IMAP.

    Deviates: there is no IMAP server; the settings are kept only.
    """
    value = params.model_dump(exclude={"userId"})
    if value["expungeBehavior"] == "expungeBehaviorUnspecified":
        value["expungeBehavior"] = "archive"
    return _write_setting(open_mailbox(call, params.userId), "imap", value)


@app.operation(
    "users.settings.getPop",
    source=DOCS + "getPop",
    scope=READ,
    units=quota_units("users.settings.getPop", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def get_pop(call: Call, params: MailboxParams) -> Pop:
    """Read the settings of POP."""
    return _read_setting(
        open_mailbox(call, params.userId), "pop", {"accessWindow": "disabled", "disposition": "leaveInInbox"}
    )


@app.operation(
    "users.settings.updatePop",
    writes=True,
    source=DOCS + "updatePop",
    scope=BASIC,
    units=quota_units("users.settings.updatePop", True),
    examples=[{"accessWindow": "allMail", "disposition": "markRead"}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def update_pop(call: Call, params: PopParams) -> Pop:
    """Set the settings of POP.

    Deviates: there is no POP server; the settings are kept only.
    """
    window = "disabled" if params.accessWindow == "accessWindowUnspecified" else params.accessWindow
    left = "leaveInInbox" if params.disposition == "dispositionUnspecified" else params.disposition
    return _write_setting(open_mailbox(call, params.userId), "pop", {"accessWindow": window, "disposition": left})


@app.operation(
    "users.settings.getLanguage",
    source=DOCS + "getLanguage",
    scope=READ,
    units=quota_units("users.settings.getLanguage", False),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def get_language(call: Call, params: MailboxParams) -> Language:
    """Read the language of the web pages."""
    return _read_setting(open_mailbox(call, params.userId), "language", {"displayLanguage": "en"})


@app.operation(
    "users.settings.updateLanguage",
    writes=True,
    source=DOCS + "updateLanguage",
    scope=BASIC,
    units=quota_units("users.settings.updateLanguage", True),
    examples=[{"displayLanguage": "en-GB"}],
    raises=("delegation_denied", "invalid_language", "mail_service_not_enabled"),
)
def update_language(call: Call, params: LanguageParams) -> Language:
    """Set the language of the web pages; one that is not offered becomes its closest variant.

    Deviates: the pages stay in English.
    """
    box = open_mailbox(call, params.userId)
    return _write_setting(box, "language", {"displayLanguage": _closest_language(params.displayLanguage)})


def _closest_language(tag: str) -> str:
    """The language offered for a tag: itself, its language, or that language's first variant. Raises invalid_language."""
    wanted = tag.strip().lower().replace("_", "-")
    spoken = wanted.partition("-")[0]
    ways = (lambda one: one == wanted, lambda one: one == spoken, lambda one: one.startswith(f"{spoken}-"))
    found = next((one for way in ways for one in LANGUAGES if spoken and way(one.lower())), None)
    if found is None:
        raise OperationError("invalid_language")
    return found
