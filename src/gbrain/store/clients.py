"""Clients: who may ask over the network, and what each was granted.

A token is kept as its SHA-256 alone. A slow hash protects what people choose; these are 256 random bits, which no
number of guesses finds, and every request would pay for it. The row is looked up by that hash, and since nobody can
choose the hash of a guess, how long the look-up takes tells nothing about the tokens that exist.
"""

import hashlib
import json
import os
import uuid
from typing import Any, NamedTuple, cast

from gbrain.errors import InvalidParams
from gbrain.store.engine import Engine, Row
from gbrain.types import Surface

TOKEN_PREFIX = "gbrain_"
BY_TOKEN, BY_CONSENT = "token", "oauth"


class Grant(NamedTuple):
    """What a client may do, and until when: None is every source, any slug, no end."""

    scopes: tuple[str, ...]
    sources: tuple[str, ...] | None
    surface: Surface = "full"
    slugs: tuple[str, ...] | None = None
    expires_at: str | None = None


class Client(NamedTuple):
    """A client. `kind` says how it got in: `token` was made by the owner, `oauth` was let in on the consent page."""

    id: str
    name: str
    kind: str
    app_id: str | None
    grant: Grant
    created_at: str
    revoked_at: str | None
    last_used_at: str | None

    def live(self, now: str) -> bool:
        """Whether it may ask now."""
        return self.revoked_at is None and (self.grant.expires_at is None or self.grant.expires_at > now)


class Clients:
    """The `clients` table: who may ask from elsewhere, and for what. Of a token only its hash is kept."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(
        self, name: str, kind: str, grant: Grant, now: str, *, token: str | None = None, app_id: str | None = None
    ) -> Client:
        """Add a client that is known by `token`, or (without one) by the tokens of an application.

        Raises InvalidParams when a client that was not revoked has this name.
        """
        values = {
            "id": str(uuid.uuid4()),
            "name": name,
            "kind": kind,
            "token": digest(token) if token is not None else None,
            "app": app_id,
            "now": now,
            **_stored(grant),
        }
        added = self._engine.rows(
            "insert into clients (id, name, kind, token_hash, app_id, scopes, sources, surface, slugs, created_at,"
            " expires_at) values (:id, :name, :kind, :token, :app, :scopes, :sources, :surface, :slugs, :now, :until)"
            # On the index of live names: of two that take one name at once, the second is refused.
            " on conflict do nothing returning *",
            values,
        )
        if not added:
            raise InvalidParams(
                f"there is a client named {name!r} already",
                "choose another name, or run: gbrain auth revoke NAME, which makes this one free",
            )
        return _client(added[0])

    def free_name(self, wanted: str) -> str:
        """The wanted name, or with a number behind it, so that no live client has it."""
        taken = {row["name"] for row in self._engine.rows("select name from clients where revoked_at is null")}
        numbered = (f"{wanted} {number}" for number in range(2, len(taken) + 3))
        return wanted if wanted not in taken else next(name for name in numbered if name not in taken)

    def all(self) -> list[Client]:
        """Every client, the oldest first."""
        return [_client(row) for row in self._engine.rows("select * from clients order by created_at, name, id")]

    def get(self, id: str) -> Client | None:
        """The client of this id."""
        found = self._engine.rows("select * from clients where id = :id", {"id": id})
        return _client(found[0]) if found else None

    def named(self, name: str) -> Client | None:
        """The client of this name; of several, the one that was not revoked, else the one revoked last."""
        found = self._engine.rows(
            "select * from clients where name = :name order by case when revoked_at is null then 0 else 1 end,"
            " revoked_at desc limit 1",
            {"name": name},
        )
        return _client(found[0]) if found else None

    def by_token(self, token: str) -> Client | None:
        """The client that is known by this token, whatever its state."""
        found = self._engine.rows("select * from clients where token_hash = :hash", {"hash": digest(token)})
        return _client(found[0]) if found else None

    def rescope(self, id: str, grant: Grant) -> Client | None:
        """Change what a live client may do; None when there is none of this id."""
        changed = self._engine.rows(
            "update clients set scopes = :scopes, sources = :sources, surface = :surface, slugs = :slugs,"
            " expires_at = :until where id = :id and revoked_at is null returning *",
            {"id": id, **_stored(grant)},
        )
        return _client(changed[0]) if changed else None

    def move_source(self, old: str, new: str | None) -> None:
        """Put another source in the place of one in every grant, also in those not yet fetched; None takes it out.

        A grant that would stay would hold for a later source of the same name.
        """
        for table, key, column in (("clients", "id", "sources"), ("oauth_codes", "code_hash", "details")):
            rows = self._engine.rows(f"select {key} as key, {column} as told from {table} where {column} is not null")
            for row in rows:
                told = json.loads(row["told"])
                listed = (told.get("sources") if isinstance(told, dict) else told) or []
                if old in listed:
                    moved = list(dict.fromkeys(new if id == old else id for id in listed if id != old or new))
                    after = {**told, "sources": moved} if isinstance(told, dict) else moved
                    self._engine.rows(
                        f"update {table} set {column} = :told where {key} = :key",
                        {"key": row["key"], "told": json.dumps(after, ensure_ascii=False)},
                    )

    def revoke(self, id: str, now: str) -> bool:
        """Shut a client out at once, with every token of its own: False when that was done before."""
        with self._engine.transaction():
            self._engine.rows("delete from oauth_tokens where client_id = :id", {"id": id})
            return bool(
                self._engine.rows(
                    "update clients set revoked_at = :now where id = :id and revoked_at is null returning id",
                    {"id": id, "now": now},
                )
            )

    def touch(self, id: str, now: str, before: str) -> None:
        """Note the use of a client, unless that was done since `before`."""
        self._engine.rows(
            "update clients set last_used_at = :now where id = :id and coalesce(last_used_at, '') < :before",
            {"id": id, "now": now, "before": before},
        )

    def forget_revoked(self, before: str) -> None:
        """Drop the rows of clients that were revoked before a moment."""
        self._engine.rows(
            "delete from clients where revoked_at < :before and id not in (select client_id from oauth_tokens)",
            {"before": before},
        )


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def mint(prefix: str) -> str:
    """A new secret: 256 random bits behind a prefix by which scanners know what was found."""
    return prefix + os.urandom(32).hex()


def _stored(grant: Grant) -> dict[str, Any]:
    return {
        "scopes": " ".join(grant.scopes),
        "sources": _list_text(grant.sources),
        "surface": grant.surface,
        "slugs": _list_text(grant.slugs),
        "until": grant.expires_at,
    }


def _client(row: Row) -> Client:
    grant = Grant(
        tuple(row["scopes"].split()),
        _list(row["sources"]),
        cast(Surface, row["surface"]),
        _list(row["slugs"]),
        row["expires_at"],
    )
    moments = row["created_at"], row["revoked_at"], row["last_used_at"]
    return Client(row["id"], row["name"], row["kind"], row["app_id"], grant, *moments)


def _list(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(json.loads(text))


def _list_text(values: tuple[str, ...] | None) -> str | None:
    return None if values is None else json.dumps(list(values), ensure_ascii=False)
