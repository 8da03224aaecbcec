"""What OAuth keeps: applications, authorization codes, access and refresh tokens, the owner's one-time codes.

Codes and tokens are kept as hashes, like the tokens of clients.
"""

import hmac
import json
import os
import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from gbrain.store.clients import BY_CONSENT, Client, Clients, Grant, digest, mint
from gbrain.store.engine import Engine, Row

ACCESS, REFRESH = "access", "refresh"
ACCESS_PREFIX, REFRESH_PREFIX = "gbrain_at_", "gbrain_rt_"
CODE_PREFIX, PROOF_PREFIX = "gbrain_ac_", "gbrain_ap_"
KEY = "oauth_key"


class Application(NamedTuple):
    """A program that may ask to be let in. `dynamic` ones registered themselves, so that their names prove nothing."""

    id: str
    name: str
    secret_hash: str | None
    auth_method: str
    redirect_uris: tuple[str, ...]
    grant_types: tuple[str, ...]
    dynamic: bool
    created_at: str
    approved_at: str | None


class Code(NamedTuple):
    """An authorization code. `client_id` is the client that it was exchanged for, None before that."""

    app_id: str
    details: dict[str, Any]
    expires_at: str
    client_id: str | None


class Token(NamedTuple):
    """An access or refresh token, with its client. `used_at` says when a refresh token was exchanged."""

    app_id: str
    client: Client
    scopes: tuple[str, ...]
    resource: str
    expires_at: str
    used_at: str | None


class Issued(NamedTuple):
    """New tokens, as their client gets them this once; one that may not refresh gets no `refresh`."""

    access: str
    access_until: str
    refresh: str | None
    scopes: tuple[str, ...]


class OAuth:
    """The tables `oauth_apps`, `oauth_codes`, `oauth_tokens` and `approvals`."""

    def __init__(self, engine: Engine, clients: Clients) -> None:
        self._engine = engine
        self._clients = clients

    def key(self) -> bytes:
        """The random key of this brain, with which its servers sign what passes through a browser."""
        made = {"key": KEY, "value": os.urandom(32).hex()}
        found = self._engine.rows("select value from meta where key = :key", made)
        if not found:
            # Whoever was first has made it: what stands there now is the key, and not ours.
            self._engine.rows("insert into meta (key, value) values (:key, :value) on conflict (key) do nothing", made)
            found = self._engine.rows("select value from meta where key = :key", made)
        return bytes.fromhex(found[0]["value"])

    def add_app(
        self,
        name: str,
        redirect_uris: Sequence[str],
        now: str,
        *,
        id: str | None = None,
        secret: str | None = None,
        auth_method: str = "none",
        grant_types: Sequence[str] = ("authorization_code", "refresh_token"),
        dynamic: bool = False,
    ) -> Application:
        """Add an application; one with a `secret` has to show it."""
        values = {
            "id": id or str(uuid.uuid4()),
            "name": name,
            "secret": digest(secret) if secret is not None else None,
            "method": auth_method,
            "uris": json.dumps(list(redirect_uris)),
            "types": " ".join(grant_types),
            "dynamic": int(dynamic),
            "now": now,
        }
        return _app(
            self._engine.rows(
                "insert into oauth_apps (id, name, secret_hash, auth_method, redirect_uris, grant_types, dynamic,"
                " created_at) values (:id, :name, :secret, :method, :uris, :types, :dynamic, :now) returning *",
                values,
            )[0]
        )

    def app(self, id: str) -> Application | None:
        """The application of this id."""
        found = self._engine.rows("select * from oauth_apps where id = :id", {"id": id})
        return _app(found[0]) if found else None

    def knows(self, id: str, secret: str) -> bool:
        """Whether this is the secret of an application."""
        found = self.app(id)
        held = found.secret_hash if found is not None else None
        # Also without a secret: how long it takes must not tell which applications have one.
        return hmac.compare_digest(digest(secret), held or "")

    def apps(self) -> list[Application]:
        """Every application, the oldest first."""
        return [_app(row) for row in self._engine.rows("select * from oauth_apps order by created_at, id")]

    def note_approved(self, id: str, now: str) -> None:
        """Remember that the owner let an application in."""
        self._engine.rows("update oauth_apps set approved_at = :now where id = :id", {"id": id, "now": now})

    def remove_app(self, id: str, now: str) -> bool:
        """Remove an application and shut out every client it brought in; whether it was there."""
        with self._engine.transaction():
            for row in self._engine.rows("select id from clients where app_id = :id", {"id": id}):
                self._clients.revoke(row["id"], now)
            # A code that waits would bring in a client of an application that is gone.
            self._engine.rows("delete from oauth_codes where app_id = :id", {"id": id})
            return bool(self._engine.rows("delete from oauth_apps where id = :id returning id", {"id": id}))

    def strangers(self, since: str) -> int:
        """How many applications registered themselves and were not let in; those from before `since` are dropped."""
        self._engine.rows(
            "delete from oauth_apps where dynamic = 1 and approved_at is null and created_at < :since", {"since": since}
        )
        found = self._engine.rows("select count(*) as n from oauth_apps where dynamic = 1 and approved_at is null")
        return int(found[0]["n"])

    def add_code(self, app_id: str, details: dict[str, Any], until: str, forget_before: str) -> str:
        """A new authorization code for what the owner granted: `details` with the keys that `exchange` reads."""
        code = mint(CODE_PREFIX)
        # Codes are kept a while past their end: one that is shown twice shuts out the client of the first time.
        self._engine.rows("delete from oauth_codes where expires_at < :before", {"before": forget_before})
        self._engine.rows(
            "insert into oauth_codes (code_hash, app_id, details, expires_at) values (:hash, :app, :details, :until)",
            {"hash": digest(code), "app": app_id, "details": json.dumps(details, ensure_ascii=False), "until": until},
        )
        return code

    def code(self, code: str) -> Code | None:
        """A code, exchanged or not."""
        found = self._engine.rows("select * from oauth_codes where code_hash = :hash", {"hash": digest(code)})
        if not found:
            return None
        row = found[0]
        return Code(row["app_id"], json.loads(row["details"]), row["expires_at"], row["client_id"])

    def exchange(self, code: str, now: str, access_until: str, refresh_until: str | None) -> Issued | None:
        """Make the client that a code stands for, and its first tokens; None when the code was exchanged before."""
        held = self.code(code)
        if held is None:
            return None
        wanted = held.details
        sources = wanted["sources"]
        grant = Grant(
            tuple(wanted["scopes"]),
            None if sources is None else tuple(sources),
            wanted["surface"],
            None,
            wanted["until"],
        )
        with self._engine.transaction():
            # Asked within the transaction: of two exchanges of one code one gets tokens.
            again = self._engine.rows(
                "select code_hash from oauth_codes where code_hash = :hash and client_id is null",
                {"hash": digest(code)},
            )
            if not again:
                return None
            name = self._clients.free_name(wanted["name"])
            client = self._clients.add(name, BY_CONSENT, grant, now, app_id=held.app_id)
            self._engine.rows(
                "update oauth_codes set client_id = :client where code_hash = :hash",
                {"client": client.id, "hash": digest(code)},
            )
            return self._issue(client, grant.scopes, wanted["resource"], now, access_until, refresh_until)

    def rotate(
        self, token: str, scopes: Sequence[str], now: str, access_until: str, refresh_until: str
    ) -> Issued | None:
        """New tokens for a refresh token, which ends with that; None when it was exchanged before."""
        with self._engine.transaction():
            held = self.refresh_token(token)
            if held is None or held.used_at is not None:
                return None
            self._engine.rows(
                "update oauth_tokens set used_at = :now where token_hash = :hash", {"hash": digest(token), "now": now}
            )
            return self._issue(held.client, tuple(scopes), held.resource, now, access_until, refresh_until)

    def access_token(self, token: str) -> Token | None:
        """An access token, whatever its state."""
        return self._token(token, ACCESS)

    def refresh_token(self, token: str) -> Token | None:
        """A refresh token, whatever its state."""
        return self._token(token, REFRESH)

    def _token(self, token: str, kind: str) -> Token | None:
        found = self._engine.rows(
            "select client_id, scopes, resource, expires_at, used_at from oauth_tokens where token_hash = :hash and"
            " kind = :kind",
            {"hash": digest(token), "kind": kind},
        )
        client = self._clients.get(found[0]["client_id"]) if found else None
        if client is None or client.app_id is None:
            return None
        row = found[0]
        scopes = tuple(row["scopes"].split())
        return Token(client.app_id, client, scopes, row["resource"], row["expires_at"], row["used_at"])

    def _issue(
        self, client: Client, scopes: tuple[str, ...], resource: str, now: str, until: str, refresh_until: str | None
    ) -> Issued:
        """Keep new tokens of a client, none of which outlives it; drop those that have ended."""
        end = client.grant.expires_at
        issued = Issued(
            mint(ACCESS_PREFIX),
            min(until, end or until),
            mint(REFRESH_PREFIX) if refresh_until is not None else None,
            scopes,
        )
        # Here, since tokens are made seldom and looked up with every request.
        self._engine.rows("delete from oauth_tokens where expires_at < :now", {"now": now})
        kinds = ((ACCESS, issued.access, issued.access_until), (REFRESH, issued.refresh, refresh_until))
        for kind, token, last in kinds:
            if token is not None and last is not None:
                self._engine.rows(
                    "insert into oauth_tokens (token_hash, kind, client_id, scopes, resource, expires_at)"
                    " values (:hash, :kind, :client, :scopes, :resource, :until)",
                    {
                        "hash": digest(token),
                        "kind": kind,
                        "client": client.id,
                        "scopes": " ".join(scopes),
                        "resource": resource,
                        "until": min(last, end or last),
                    },
                )
        return issued

    def approve(self, code: str, until: str) -> None:
        """Keep the owner's one-time code; an earlier one that was not used yet stops working."""
        with self._engine.transaction():
            # Proofs that were made from an earlier code stay: a consent page is open with each.
            self._engine.rows("delete from approvals where proof_hash is null")
            self._engine.rows(
                "insert into approvals (code_hash, expires_at) values (:hash, :until)",
                {"hash": digest(code), "until": until},
            )

    def prove(self, code: str, request: str, now: str, until: str) -> str | None:
        """A proof for the owner's code, which holds for one request until a moment; None when the code is wrong."""
        proof = mint(PROOF_PREFIX)
        with self._engine.transaction():
            # First, so that the update below finds no code that has ended.
            self._engine.rows("delete from approvals where expires_at <= :now", {"now": now})
            proven = bool(
                self._engine.rows(
                    "update approvals set request_hash = :request, proof_hash = :proof, expires_at = :until"
                    " where code_hash = :hash and proof_hash is null returning code_hash",
                    {"hash": digest(code), "request": digest(request), "proof": digest(proof), "until": until},
                )
            )
        return proof if proven else None

    def proven(self, proof: str, request: str, now: str) -> bool:
        """Whether a proof holds for a request."""
        return bool(
            self._engine.rows(
                "select code_hash from approvals where proof_hash = :proof and request_hash = :request"
                " and expires_at > :now",
                {"proof": digest(proof), "request": digest(request), "now": now},
            )
        )

    def spend_proof(self, proof: str, request: str, now: str) -> bool:
        """Use a proof up; False when it does not hold, or no longer."""
        return bool(
            self._engine.rows(
                "delete from approvals where proof_hash = :proof and request_hash = :request and expires_at > :now"
                " returning code_hash",
                {"proof": digest(proof), "request": digest(request), "now": now},
            )
        )


def _app(row: Row) -> Application:
    return Application(
        row["id"],
        row["name"],
        row["secret_hash"],
        row["auth_method"],
        tuple(json.loads(row["redirect_uris"])),
        tuple(row["grant_types"].split()),
        bool(row["dynamic"]),
        row["created_at"],
        row["approved_at"],
    )
