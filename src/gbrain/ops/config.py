"""Operations on the settings of the brain."""

from typing import Annotated, Literal, NotRequired, TypedDict

from gbrain.errors import InvalidParams, NotFound
from gbrain.ops import planes
from gbrain.registry import Context, Param, operation
from gbrain.settings import SETTINGS, Setting, find as find_setting

Plane = Literal["db", "file"]


class SettingRow(TypedDict):
    """A setting and its value. `stored` is None when nobody set it; `plane` says where the value stands.

    A value that stands in the file alone is not in force. `planes` are those that a change reached.
    """

    key: str
    value: str
    stored: str | None
    default: str
    choices: list[str]
    doc: str
    plane: Literal["db", "file", "default"]
    planes: NotRequired[list[Plane]]


class SettingsReply(TypedDict):
    """Every setting."""

    settings: list[SettingRow]


class UnsetReply(TypedDict):
    """What was removed under a prefix: keys of the store, keys of `config.json`."""

    prefix: str
    db: list[str]
    file: list[str]


Key = Annotated[str, Param("The name of the setting.")]


@operation(
    scope="read",
    surface="full",
    title="Read a setting",
    positional=("key",),
    cli=None,
    local_only=True,
    examples=("gbrain config get search.mode",),
)
def config_get(ctx: Context, key: Key) -> SettingRow:
    """Read one setting: its value, its default and what it may be."""
    setting = find_setting(key)
    said = planes.compare(ctx, setting)
    row = _row(ctx, setting)
    if row["stored"] is None and said is not None:
        row["value"], row["plane"] = said, "file"
    return row


@operation(
    scope="admin",
    surface="full",
    title="Change a setting",
    positional=("key", "value"),
    cli=None,
    local_only=True,
    idempotent=True,
    examples=("gbrain config set search.mode balanced",),
)
def config_set(ctx: Context, key: Key, value: Annotated[str, Param("One of its allowed values.")]) -> SettingRow:
    """Change a setting; servers that run already go by it from their next call."""
    # Of the settings only those that name models know their providers.
    from gbrain.ops.modelling import refuse_misfit

    setting = find_setting(key)
    said = setting.parse(value)
    refuse_misfit(setting.key, said)
    written = planes.put(ctx, setting, said)
    return {**_row(ctx, setting), "planes": written}


@operation(
    scope="admin",
    surface="full",
    title="Go back to a setting's default",
    positional=("key",),
    cli=None,
    local_only=True,
    destructive=True,
    examples=("gbrain config unset search.mode", "gbrain config unset --pattern memory."),
)
def config_unset(ctx: Context, key: Key) -> SettingRow:
    """Remove the value of a setting, so that its default holds."""
    setting = find_setting(key)
    removed = planes.drop(ctx, setting)
    if not removed:
        raise NotFound(f"key not found: {setting.key} was never set", "run: gbrain config list")
    return {**_row(ctx, setting), "planes": removed}


@operation(
    scope="admin",
    surface="full",
    title="Remove every setting under a prefix",
    positional=("prefix",),
    cli=None,
    local_only=True,
    destructive=True,
    examples=("gbrain config unset --pattern memory.",),
)
def unset_settings(
    ctx: Context, prefix: Annotated[str, Param("How the names of the settings begin: memory.")]
) -> UnsetReply:
    """Remove the values of all settings whose names begin so, from the store and from `config.json`.

    Settings that this version does not know go too.
    """
    wanted = prefix.strip()
    if not wanted:
        raise InvalidParams("the prefix is empty, which would remove every setting", "run: gbrain config list")
    stored = [key for key in ctx.store.config.all() if key.startswith(wanted)]
    said = planes.said(ctx, wanted)
    if not stored and not said:
        raise NotFound(f"key not found: no setting that begins with {wanted[:64]!r} was set", "run: gbrain config list")
    planes.drop_all(ctx, stored, said, wanted)
    return {"prefix": wanted, "db": stored, "file": said}


@operation(
    scope="read",
    surface="full",
    title="List the settings",
    cli=None,
    local_only=True,
    examples=("gbrain config list",),
)
def config_list(ctx: Context) -> SettingsReply:
    """List every setting with the value in force."""
    return {"settings": [_row(ctx, setting) for setting in SETTINGS]}


def _row(ctx: Context, setting: Setting) -> SettingRow:
    stored = ctx.store.config.get(setting.key)
    return {
        "key": setting.key,
        "value": ctx.settings.get(setting.key),
        "stored": stored,
        "default": setting.default,
        "choices": list(setting.choices),
        "doc": setting.doc,
        "plane": "default" if stored is None else "db",
    }
