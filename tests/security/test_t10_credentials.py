"""T10, T18: keys, refresh tokens, assertions and upload addresses of mail count for whom and where they were given, and
as nothing else.
"""

import base64
import hmac
import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from apps.google import oauth
from tests.conftest import Server
from tests.security.reach import Employee
from tests.security.rough import Rough, refused
from world.core.settings import Settings

ME = "/gmail/gmail/v1/users/me"
UP = "/gmail/upload/gmail/v1/users/me/messages/send"
SEND = "https://www.googleapis.com/auth/gmail.send"
FULL = "https://mail.google.com/"
MAIL = b"To: nobody@partner.example\r\nSubject: forged\r\n\r\nx"


class Keys:
    """What one employee was given, as the files of the vendor's libraries."""

    def __init__(self, server: Server, world: str, person: str) -> None:
        self.employee = Employee(server, world, person)
        self.http = self.employee.http
        self.refresh = server.do(lambda: self._made(server, oauth.refresh_token_to_json))
        self.service = server.do(lambda: self._made(server, oauth.service_account_to_json))
        self.email = server.do(lambda: self._email(server))

    def _made(self, server: Server, kind: Any) -> dict[str, Any]:
        host = server.up.host
        return kind(
            host, host.principal(self.employee.world, self.employee.person, app="gmail"), [], f"{server.url}/gmail"
        )

    def _email(self, server: Server) -> str:
        sql = "SELECT email FROM person WHERE id = ?"
        return str(
            server.up.host.actors[self.employee.world].bound.raw.execute(sql, (self.employee.person,)).fetchall()[0][0]
        )

    def token(self, **given: str) -> httpx.Response:
        return self.http.post("/gmail/token", data=given)

    def refreshed(self, **changed: str) -> httpx.Response:
        names = ("refresh_token", "client_id", "client_secret")
        return self.token(**{"grant_type": "refresh_token", **{name: self.refresh[name] for name in names}, **changed})

    def claims(self, **more: object) -> dict[str, object]:
        issuer = self.service["client_email"]
        return {
            "iss": issuer,
            "scope": FULL,
            "aud": self.service["token_uri"],
            "iat": 1,
            "exp": 4_000_000_000,
            "sub": self.email,
            **more,
        }

    def signed(
        self, key: Any = None, algorithm: str = "RS256", headers: Mapping[str, Any] | None = None, **more: object
    ) -> str:
        return jwt.encode(
            self.claims(**more), key or self.service["private_key"], algorithm=algorithm, headers=dict(headers or {})
        )

    def public(self) -> bytes:
        private = serialization.load_pem_private_key(self.service["private_key"].encode(), None)
        return private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def who(self, token: str) -> str:
        """Whose profile a bearer opens, or '' for nobody's."""
        answer = self.http.get(f"{ME}/profile", headers={"Authorization": f"Bearer {token}"})
        if refused("gmail", answer):
            assert answer.status_code == 401, answer.text
            return ""
        return answer.json()["emailAddress"]


@pytest.fixture(scope="module")
def keys(served: Server) -> Iterator[tuple[Keys, Keys]]:
    """Two people's keys, each in a world of its own."""
    for world in ("keys-1", "keys-2"):
        served.do(lambda world=world: served.up.host.create(world, Settings(limits="off")))
    made = Keys(served, "keys-1", "p_0002"), Keys(served, "keys-2", "p_0003")
    yield made
    for one in made:
        one.http.close()


def test_a_key_opens_what_it_was_given_for(keys: tuple[Keys, Keys]) -> None:
    """So that what is refused below is refused for its own reason."""
    for one in keys:
        assert one.who(one.refreshed().json()["access_token"]) == one.email
        assertion = one.signed()
        assert one.who(assertion) == one.email
        granted = one.token(grant_type=oauth.ASSERTION, assertion=assertion).json()
        assert one.who(granted["access_token"]) == one.email


def unsigned(one: Keys, header: dict[str, Any], signature: bytes = b"") -> str:
    parts = [json.dumps(header).encode(), json.dumps(one.claims()).encode(), signature]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def confused(one: Keys) -> str:
    """HS256 with the public key as its secret, which a careless verifier takes."""
    parts = [json.dumps({"alg": "HS256", "typ": "JWT"}).encode(), json.dumps(one.claims()).encode()]
    text = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    return f"{text}.{base64.urlsafe_b64encode(hmac.new(one.public(), text.encode(), sha256).digest()).decode().rstrip('=')}"


def forged(one: Keys, other: Keys) -> dict[str, str]:
    own = rsa.generate_private_key(65537, 2048)
    pem = own.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(own.public_key()))
    good = one.signed()
    head, body, signature = good.split(".")
    issuer, stranger, kid = one.service["client_email"], other.service["client_email"], one.service["private_key_id"]
    return {
        "alg none": unsigned(one, {"alg": "none", "typ": "JWT"}),
        "alg None": unsigned(one, {"alg": "None"}, b"x"),
        "alg nOnE": unsigned(one, {"alg": "nOnE"}),
        "no alg": unsigned(one, {"typ": "JWT"}),
        "a secret": one.signed("x" * 32, "HS256"),
        "public key as secret": confused(one),
        "own key": one.signed(pem),
        "kid of a file": one.signed(pem, headers={"kid": "../../../../dev/null"}),
        "kid of SQL": one.signed(pem, headers={"kid": "x' UNION SELECT 'x"}),
        "kid of theirs": one.signed(pem, headers={"kid": kid}),
        "jwk": one.signed(pem, headers={"jwk": jwk}),
        "jku": one.signed(pem, headers={"jku": "http://127.0.0.1:1/keys"}),
        "x5u": one.signed(pem, headers={"x5u": "file:///etc/passwd"}),
        "crit": one.signed(pem, headers={"crit": ["exp"]}),
        "another issuer": one.signed(iss=stranger),
        "no issuer": one.signed(iss=""),
        "own issuer": one.signed(pem, iss="me@evil.example"),
        "issuer list": one.signed(iss=json.dumps([issuer])),
        "another subject": one.signed(sub=other.email),
        "unknown subject": one.signed(sub="ceo@evil.example"),
        "any subject": one.signed(sub="%"),
        "subject of another key": one.signed(sub=stranger),
        "no signature": f"{head}.{body}.",
        "cut": good[:-5],
        "mixed": f"{head}.{other.signed().split('.')[1]}.{signature}",
        "deep": f"{head}.{'W' * 20_000}.x",
        "512": one.signed(algorithm="RS512"),
        "PSS": one.signed(algorithm="PS256"),
    }


def test_an_assertion_that_was_not_signed_for_this_person_is_worth_nothing(keys: tuple[Keys, Keys]) -> None:
    one, other = keys
    for what, assertion in forged(one, other).items():
        assert one.who(assertion) == "", what
        answer = one.token(grant_type=oauth.ASSERTION, assertion=assertion)
        assert answer.status_code in (400, 401) and "access_token" not in answer.text and answer.json()["error"], (
            what,
            answer.text,
        )


def test_a_refresh_token_is_no_bearer_and_counts_with_its_own_secret_only(keys: tuple[Keys, Keys]) -> None:
    one, other = keys
    for name in ("refresh_token", "client_secret", "client_id"):
        assert one.who(one.refresh[name]) == "", name
        bearer = {"Authorization": f"Bearer {one.refresh[name]}"}
        assert one.http.get("/jira/rest/api/3/myself", headers=bearer).status_code == 401
        assert one.http.post("/slack/api/auth.test", headers=bearer).json()["ok"] is False
        for door in ("/mcp", "/mcp/gmail/operations", "/mcp/gmail"):
            assert one.http.post(door, json={}, headers=bearer).status_code == 401, (name, door)
        assert one.http.get("/world/now", headers=bearer).status_code == 401, name
        answer = one.http.get("/gmail/mail/inbox", headers={"Cookie": f"firm_session={one.refresh[name]}"})
        assert answer.status_code in (303, 401), (name, answer.status_code)
        assert one.http.get(f"/login/{one.refresh[name]}").headers.get("set-cookie", "").count("firm_session=1//") == 0
    bearer = one.employee.bearer["gmail"]
    for changed in (
        {"client_secret": other.refresh["client_secret"]},
        {"refresh_token": other.refresh["refresh_token"]},
        {"client_id": "x"},
        {"client_secret": ""},
        {"refresh_token": bearer},
        {"refresh_token": ""},
        {"refresh_token": "1//0" + "x" * 20_000},
        {"grant_type": "authorization_code"},
        {"grant_type": "password"},
        {"grant_type": "client_credentials"},
        {"refresh_token": one.refresh["client_secret"]},
    ):
        answer = one.refreshed(**changed)
        assert answer.status_code in (400, 401) and "access_token" not in answer.text, (changed, answer.text)


def test_a_key_for_one_scope_grows_no_other(served: Server, keys: tuple[Keys, Keys]) -> None:
    one, _ = keys
    narrow = one.token(grant_type=oauth.ASSERTION, assertion=one.signed(scope=SEND)).json()["access_token"]
    for path in ("messages", "labels", "settings/filters", "drafts"):
        answer = one.http.get(f"{ME}/{path}", headers={"Authorization": f"Bearer {narrow}"})
        assert answer.status_code == 403 and refused("gmail", answer), path

    def limited() -> dict[str, Any]:
        host = served.up.host
        own = host.principal("keys-1", "p_0002", app="gmail", scopes=("gmail.send",))
        return oauth.refresh_token_to_json(host, own, [], f"{served.url}/gmail")

    given = served.do(limited)
    names = {name: given[name] for name in ("refresh_token", "client_id", "client_secret")}
    for scope in (
        FULL,
        "https://www.googleapis.com/auth/gmail.modify",
        f"{SEND} {FULL}",
        "https://www.googleapis.com/auth/gmail.readonly",
        "",
        " ",
    ):
        answer = one.token(grant_type="refresh_token", scope=scope, **names)
        if answer.status_code == 200:
            bearer = {"Authorization": f"Bearer {answer.json()['access_token']}"}
            assert one.http.get(f"{ME}/messages", headers=bearer).status_code == 403, scope
        else:
            assert answer.json()["error"] == "invalid_scope", answer.text

    def key() -> dict[str, Any]:
        host = served.up.host
        return oauth.service_account_to_json(
            host, host.principal("keys-1", "p_0002", app="gmail", scopes=("gmail.send",)), [], f"{served.url}/gmail"
        )

    service = served.do(key)
    for scope in (FULL, "", "https://www.googleapis.com/auth/gmail.modify", SEND):
        claims = one.claims(iss=service["client_email"], scope=scope)
        assertion = jwt.encode(claims, service["private_key"], algorithm="RS256")
        assert one.http.get(f"{ME}/messages", headers={"Authorization": f"Bearer {assertion}"}).status_code in (
            401,
            403,
        ), scope
        assert (one.token(grant_type=oauth.ASSERTION, assertion=assertion).status_code == 200) == (scope == SEND), scope


def test_an_upload_is_its_beginners_whoever_knows_its_address(served: Server, keys: tuple[Keys, Keys]) -> None:
    one, other = keys
    with Employee(served, "keys-1", "p_0004") as colleague:
        start = one.http.post(
            f"{UP}?uploadType=resumable", headers={"Authorization": f"Bearer {one.employee.bearer['gmail']}"}
        )
        address = start.headers["location"].removeprefix(served.url)
        for stranger in (colleague, other.employee):
            answer = one.http.put(
                address, content=MAIL, headers={"Authorization": f"Bearer {stranger.bearer['gmail']}"}
            )
            assert answer.status_code == 404, answer.text
        guess = address.partition("upload_id=")[0] + "upload_id=" + "A" * 32
        assert one.http.put(guess, content=MAIL).status_code == 404
        for cut in (address[:-1], address + "x", address.replace("upload_id=", "upload_id=%00")):
            assert one.http.put(cut, content=MAIL).status_code == 404
    assert (
        one.http.put(
            address, content=MAIL, headers={"Authorization": f"Bearer {one.employee.bearer['gmail']}"}
        ).status_code
        == 200
    )


def test_keys_end_with_their_world(served: Server) -> None:
    served.do(lambda: served.up.host.create("keys-3", Settings(limits="off")))
    one = Keys(served, "keys-3", "p_0002")
    with one.http:
        access, assertion = one.refreshed().json()["access_token"], one.signed()
        start = one.http.post(f"{UP}?uploadType=resumable", headers={"Authorization": f"Bearer {access}"})
        address = start.headers["location"].removeprefix(served.url)
        assert one.who(access) == one.who(assertion) == one.email
        for again in (False, True):
            served.do(lambda: served.up.host.drop("keys-3"))
            if again:
                served.do(lambda: served.up.host.create("keys-3", Settings(limits="off")))
            assert one.who(access) == one.who(assertion) == ""
            assert one.refreshed().status_code == 400
            assert one.token(grant_type=oauth.ASSERTION, assertion=assertion).status_code == 400
            assert one.http.put(address, content=MAIL).status_code in (404, 401), "an upload of a world that is gone"
            if not again:
                served.do(lambda: served.up.host.create("keys-3", Settings(limits="off")))
        found = served.do(
            lambda: (
                served.up.host.actors["keys-3"]
                .bound.raw.execute("SELECT 1 FROM gmail_mail WHERE subject = 'forged'")
                .fetchall()
            )
        )
        assert found == []


def test_a_batch_gives_each_part_no_more_than_its_own_token(keys: tuple[Keys, Keys]) -> None:
    one, other = keys
    kind = "Content-Type: application/http\r\n\r\n"
    tokens = [one.employee.bearer["gmail"], other.employee.bearer["gmail"], one.refresh["refresh_token"], "x"]
    inner = [
        f"--b\r\n{kind}GET /gmail/v1/users/me/profile HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n\r\n"
        for token in tokens
    ]
    inner.append(f"--b\r\n{kind}GET /slack/api/users.list HTTP/1.1\r\n\r\n\r\n")
    inner.append(f"--b\r\n{kind}POST /token HTTP/1.1\r\n\r\n\r\n")
    inner.append(f"--b\r\n{kind}GET http://127.0.0.1:1/x HTTP/1.1\r\n\r\n\r\n")
    headers = {"Authorization": f"Bearer {one.employee.bearer['gmail']}", "Content-Type": "multipart/mixed; boundary=b"}
    answer = one.http.post("/gmail/batch/gmail/v1", content="".join(inner) + "--b--\r\n", headers=headers)
    statuses = [line.split()[1] for line in answer.text.splitlines() if line.startswith("HTTP/1.1")]
    assert statuses == ["200", "200", "401", "401", "404", "404", "404"], answer.text
    assert one.email in answer.text and other.email in answer.text


def test_what_is_asked_from_a_foreign_page_needs_more_than_a_cookie(served: Server, keys: tuple[Keys, Keys]) -> None:
    """The API takes no cookie, so that no page elsewhere can make a browser write mail."""
    one, _ = keys
    cookie = {"Cookie": f"firm_session={one.employee.cookie}", "Origin": "https://evil.example"}
    rough = Rough(one.employee)
    before = rough.changed()
    for path in (f"{ME}/messages/send", "/gmail/sync/mail.send", UP, f"{ME}/settings/forwardingAddresses"):
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded", "message/rfc822"):
            answer = one.http.post(path, content=b'{"raw":"VG86IGE="}', headers={**cookie, "Content-Type": kind})
            assert answer.status_code == 401 and refused("gmail", answer), (path, kind)
        answer = one.http.post(f"{path}?access_token={one.employee.bearer['gmail']}", content=b"{}", headers=cookie)
        assert answer.status_code == 401, path
    assert one.http.post(
        "/gmail/batch", content=b"--b--", headers={**cookie, "Content-Type": "multipart/mixed; boundary=b"}
    ).status_code in (
        400,
        401,
    )
    assert rough.changed() == before
    preflight = one.http.request(
        "OPTIONS",
        f"{ME}/messages/send",
        headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert "access-control-allow-origin" not in preflight.headers
