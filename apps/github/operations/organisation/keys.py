"""Public SSH keys of people, for git and for signing commits. They are stored and shown, but never used."""

import base64
import re
from typing import Annotated, Any

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id, Line, ListPage, Login, PageParams
from apps.github.models import Account, PublicKey
from apps.github.refusals import invalid
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

KEYS, SIGNING = "docs.github.com/rest/users/keys", "docs.github.com/rest/users/ssh-signing-keys"
KINDS = r"ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp(?:256|384|521)"
PLAIN, SIGNERS = (
    re.compile(rf"({KINDS}) (\S+)(?: .*)?"),
    re.compile(rf"({KINDS}|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) (\S+)(?: .*)?"),
)
A_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJUKvZkmtqs02iW0r7lRmDHEvx5WLwGkxhVpB3BYlDdp"
MY_KEY = {"key_id": "$users/create-public-ssh-key-for-authenticated-user:id"}
MY_SIGNER = {"ssh_signing_key_id": "$users/create-ssh-signing-key-for-authenticated-user:id"}
ME = {"username": "$users/get-authenticated:login"}


class KeyNew(Params):
    """A key to add."""

    title: Line = Field(default="", description="What it is called.", examples=["Laptop"])
    key: Annotated[Text, Field(max_length=16_384)] = Field(
        description="The public key, as in id_ed25519.pub.", examples=[A_KEY]
    )


class KeyRef(Params):
    """One key."""

    key_id: Id = Field(description="The number of the key.")


class SigningRef(Params):
    """One signing key."""

    ssh_signing_key_id: Id = Field(description="The number of the key.")


class UserKeys(PageParams):
    """Page of somebody's keys."""

    username: Login


def _json(context: GithubContext, row: PublicKey) -> JsonObject:
    shown = {"id": row.id, "key": row.key, "title": row.title, "created_at": stamp(row.created_at)}
    if row.signing:
        return shown
    return {
        **shown,
        "url": f"{context.api}/user/keys/{row.id}",
        "verified": True,
        "read_only": False,
        "last_used": None,
    }


def _list_keys(context: GithubContext, who: Account, params: PageParams, *, signing: bool) -> ListPage[PublicKey]:
    where = (PublicKey.account_id == who.id, col(PublicKey.signing).is_(signing))
    rows = context.call.session.exec(
        select(PublicKey).where(*where).order_by(col(PublicKey.id)).offset(params.start).limit(params.size)
    ).all()
    return ListPage(list(rows), context.call.scalar(select(func.count()).select_from(PublicKey).where(*where)))


def _keys_json(context: GithubContext, rows: ListPage[PublicKey]) -> list[JsonObject]:
    return ListPage([_json(context, row) for row in rows], rows.total)


def _create_key(context: GithubContext, params: KeyNew, *, signing: bool) -> JsonObject:
    key = _parse_key(params.key.strip(), SIGNERS if signing else PLAIN)
    taken = select(PublicKey).where(PublicKey.key == key, col(PublicKey.signing).is_(signing))
    if context.call.session.exec(taken).first() is not None:
        raise invalid("PublicKey", "key", "custom", "key is already in use")
    id = context.next_id("github_public_key")
    row = PublicKey(
        id=id,
        account_id=context.me.id,
        signing=signing,
        title=params.title or key.split()[0],
        key=key,
        created_at=context.call.now,
    )
    context.add(row)
    return _json(context, row)


def _parse_key(text: str, form: re.Pattern[str]) -> str:
    """Parse kind and key, without the comment after them. Raises validation_failed."""
    found = form.fullmatch(text)
    try:
        data = base64.b64decode(found[2], validate=True) if found is not None else b""
    except ValueError:  # text that is not ASCII too
        data = b""
    if found is None or data[4 : 4 + len(found[1])] != found[1].encode():
        raise invalid(
            "PublicKey", "key", "custom", "key is invalid. You must supply a key in OpenSSH public key format"
        )
    return f"{found[1]} {found[2]}"


def _mine(context: GithubContext, id: int, *, signing: bool) -> PublicKey:
    row = context.call.session.get(PublicKey, id)
    if row is None or row.account_id != context.me.id or row.signing != signing:
        raise OperationError("not_found")
    return row


# -- keys that would open git


@app.operation(
    "users/create-public-ssh-key-for-authenticated-user",
    writes=True,
    units=1,
    examples=[{"title": "Laptop", "key": A_KEY}],
    source=f"{KEYS}#create-a-public-ssh-key-for-the-authenticated-user",
    raises=("validation_failed",),
)
def create(call: Call, params: KeyNew) -> JsonObject:
    """Add a public SSH key to your account.

    Deviates: it is kept and shown; git is spoken over HTTP only.
    """
    return _create_key(GithubContext(call), params, signing=False)


@app.operation(
    "users/list-public-ssh-keys-for-authenticated-user",
    units=1,
    examples=[{}],
    source=f"{KEYS}#list-public-ssh-keys-for-the-authenticated-user",
    raises=("bad_credentials",),
)
def list_own(call: Call, params: PageParams) -> list[JsonObject]:
    """List your public SSH keys."""
    context = GithubContext(call)
    return _keys_json(context, _list_keys(context, context.me, params, signing=False))


@app.operation(
    "users/list-public-keys-for-user",
    units=1,
    source=f"{KEYS}#list-public-keys-for-a-user",
    examples=[ME],
    raises=("not_found",),
)
def list_of_user(call: Call, params: UserKeys) -> list[JsonObject]:
    """List somebody's public SSH keys, without their titles."""
    context = GithubContext(call)
    rows = _list_keys(context, context.by_login(params.username), params, signing=False)
    return ListPage(
        [{"id": row.id, "key": row.key, "created_at": stamp(row.created_at), "last_used": None} for row in rows],
        rows.total,
    )


@app.operation(
    "users/get-public-ssh-key-for-authenticated-user",
    units=1,
    source=f"{KEYS}#get-a-public-ssh-key-for-the-authenticated-user",
    examples=[MY_KEY],
    raises=("not_found",),
)
def get(call: Call, params: KeyRef) -> dict[str, Any]:
    """Read one of your public SSH keys."""
    context = GithubContext(call)
    return _json(context, _mine(context, params.key_id, signing=False))


@app.operation(
    "users/delete-public-ssh-key-for-authenticated-user",
    writes=True,
    units=1,
    examples=[MY_KEY],
    source=f"{KEYS}#delete-a-public-ssh-key-for-the-authenticated-user",
    raises=("not_found",),
)
def delete(call: Call, params: KeyRef) -> None:
    """Remove a public SSH key from your account."""
    call.session.delete(_mine(GithubContext(call), params.key_id, signing=False))


# -- keys that would sign


@app.operation(
    "users/create-ssh-signing-key-for-authenticated-user",
    writes=True,
    units=1,
    examples=[{"title": "Laptop", "key": A_KEY}],
    source=f"{SIGNING}#create-a-ssh-signing-key-for-the-authenticated-user",
    raises=("validation_failed",),
)
def create_signing(call: Call, params: KeyNew) -> JsonObject:
    """Add an SSH signing key to your account.

    Deviates: it is kept and shown; signatures are not looked at.
    """
    return _create_key(GithubContext(call), params, signing=True)


@app.operation(
    "users/list-ssh-signing-keys-for-authenticated-user",
    units=1,
    examples=[{}],
    source=f"{SIGNING}#list-ssh-signing-keys-for-the-authenticated-user",
    raises=("bad_credentials",),
)
def list_own_signing(call: Call, params: PageParams) -> list[JsonObject]:
    """List your SSH signing keys."""
    context = GithubContext(call)
    return _keys_json(context, _list_keys(context, context.me, params, signing=True))


@app.operation(
    "users/list-ssh-signing-keys-for-user",
    units=1,
    source=f"{SIGNING}#list-ssh-signing-keys-for-a-user",
    examples=[ME],
    raises=("not_found",),
)
def list_signing_of_user(call: Call, params: UserKeys) -> list[JsonObject]:
    """List somebody's SSH signing keys."""
    context = GithubContext(call)
    return _keys_json(context, _list_keys(context, context.by_login(params.username), params, signing=True))


@app.operation(
    "users/get-ssh-signing-key-for-authenticated-user",
    units=1,
    source=f"{SIGNING}#get-an-ssh-signing-key-for-the-authenticated-user",
    examples=[MY_SIGNER],
    raises=("not_found",),
)
def get_signing(call: Call, params: SigningRef) -> JsonObject:
    """Read one of your SSH signing keys."""
    context = GithubContext(call)
    return _json(context, _mine(context, params.ssh_signing_key_id, signing=True))


@app.operation(
    "users/delete-ssh-signing-key-for-authenticated-user",
    writes=True,
    units=1,
    examples=[MY_SIGNER],
    source=f"{SIGNING}#delete-an-ssh-signing-key-for-the-authenticated-user",
    raises=("not_found",),
)
def delete_signing(call: Call, params: SigningRef) -> None:
    """Remove an SSH signing key from your account."""
    call.session.delete(_mine(GithubContext(call), params.ssh_signing_key_id, signing=True))
