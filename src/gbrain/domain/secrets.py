"""Secrets in a text: the keys of known services, and whatever a sentence calls a password.

A rule gives its name and nothing of what it found, so that a reply or a log line cannot repeat it. The shapes of keys
are those their issuers document; a rule that has no shape of its own looks for a value behind the word for one.
"""

import re
from collections.abc import Iterator
from functools import cache


def secret(text: str) -> str | None:
    """The name of the first rule that a text breaks, None for a text without a secret."""
    low = text.lower()
    for name in _SHAPES:
        if any(mark in low for mark in _MARKS.get(name, ("",))) and _shape(name).search(text) is not None:
            return name.replace("_", "-")
    # Lower case may be longer than the text (`İ`), and then places in one are not those in the other.
    for start, end in _windows(low) if len(low) == len(text) else [(0, len(text))]:
        for match in _called().finditer(text, start, end):
            if (found := _named(match)) is not None:
                return found
    return None


def _windows(low: str) -> list[tuple[int, int]]:
    """The stretches around the words for a secret, outside of which no rule by words can hold."""
    found: list[tuple[int, int]] = []
    for at in sorted(at for word in _WORDS for at in _places(low, word)):
        start, end = max(0, at - _BEFORE), at + _AFTER
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _places(low: str, word: str) -> Iterator[int]:
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + 1)


def _named(found: re.Match[str]) -> str | None:
    """A rule by words holds only where its value looks like one: no placeholder, no ordinary word."""
    value = (found["quoted"] or found["bare"] or "").strip("\"'`.,;:!?)")
    if _placeholder().fullmatch(value) or len(value) < 4:
        return None
    # After "is" an ordinary word may come ("the password is wrong"); a value has a digit, a sign or both cases.
    odd = any(char.isdigit() or not char.isalnum() for char in value.strip("-'’")) or (
        any(map(str.isupper, value[1:])) and any(map(str.islower, value))
    )
    return "password" if odd or _owned(found, value) else None


def _owned(found: re.Match[str], value: str) -> bool:
    """Whether a word is the whole of what somebody calls their password: "my password is hunter."."""
    before, after = found.string[max(0, found.start() - 16) : found.start()], found.string[found.end() :].lstrip(" \t")
    ends = not after or after[0] in "\r\n.,;!?)，。；" or (found["bare"] or "")[-1:] in tuple(".,;!")
    return bool(ends and re.search(_OWNER, before) and value.isalpha() and not re.fullmatch(_STATE, value))


_SHAPES = {
    "private_key": r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[23]:",
    "gbrain_token": r"\bgbrain_[a-z]{2}_[A-Za-z0-9]{16,}|\bgbrain_[A-Za-z0-9]{32,}",
    "anthropic_key": r"\bsk-ant-[A-Za-z0-9_-]{16,}",
    "openrouter_key": r"\bsk-or-[A-Za-z0-9-]{16,}",
    "openai_key": r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}",
    "aws_key": r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
    "aws_secret": r"(?i:aws.{0,20}secret.{0,20})[\"'=:\s]+[A-Za-z0-9/+]{40}\b",
    "google_key": r"\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}",
    "azure_key": r"(?i:AccountKey|SharedAccessKey)=[A-Za-z0-9+/=]{30,}|[?&]sig=[A-Za-z0-9%]{30,}",
    "github_token": r"\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{40,}",
    "gitlab_token": r"\bgl(?:pat|dt|rt|ptt|ft|soat|cbt|agent)-[A-Za-z0-9_-]{20,}",
    "slack_token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{10,}"
    r"|hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]+",
    "stripe_key": r"\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}",
    "twilio_key": r"\bSK[0-9a-f]{32}\b",
    "sendgrid_key": r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "mailgun_key": r"\bkey-[0-9a-f]{32}\b",
    "npm_token": r"\bnpm_[A-Za-z0-9]{30,}",
    "pypi_token": r"\bpypi-[A-Za-z0-9_-]{50,}",
    "huggingface_token": r"\bhf_[A-Za-z0-9]{30,}",
    "groq_key": r"\bgsk_[A-Za-z0-9]{30,}",
    "xai_key": r"\bxai-[A-Za-z0-9]{30,}",
    "replicate_token": r"\br8_[A-Za-z0-9]{30,}",
    "digitalocean_token": r"\bdo[opr]_v1_[0-9a-f]{40,}",
    "databricks_token": r"\bdapi[0-9a-f]{32}\b",
    "shopify_token": r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{30,}",
    "square_token": r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{20,}",
    "telegram_token": r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}",
    "discord_token": r"\b[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"
    r"|discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{30,}",
    "linear_key": r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}",
    "notion_token": r"\b(?:secret_[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{40,})",
    "atlassian_token": r"\bATATT3[A-Za-z0-9_=-]{50,}",
    "vault_token": r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}",
    "terraform_token": r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,}",
    "age_key": r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}",
    "dockerhub_token": r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}",
    "supabase_token": r"\bsbp_[0-9a-f]{40}\b",
    "tailscale_key": r"\btskey-[a-z]+-[A-Za-z0-9-]{16,}",
    "json_web_token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "bearer_header": r"(?i:\bauthorization\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(?i:\bbearer\s+)(?=[A-Za-z0-9._~+/-]*[0-9])[A-Za-z0-9._~+/-]{16,}",
    "connection_string": r"\b[a-z][a-z0-9+]{2,20}://[^\s:/@\"'<>]{1,64}:(?!\*|x{3}|<|\$|password@|pass@)[^\s@/\"'<>]{3,}@",
}
# The words for a secret, then a value: `my password is ...`, `API_KEY=...`, 密码是...
_CALLED = (
    r"(?i:(?:pass(?:word|phrase|code|wd)|\bpwd|secret(?:[ _-]?key)?|api[ _-]?key|access[ _-]?(?:key|token)"
    r"|auth[ _-]?token|client[ _-]?secret|recovery (?:code|phrase)|seed phrase|\bpin(?: code| number)?\b|\btoken)"
    r"(?:\s+(?:for|to|of|on)\s+[^\n:=]{1,40}?)?[\"'`]?\s*(?P<sign>=|:|\bis\b|\bwas\b)\s*(?:now\s+)?"
    r"|(?:密码|口令|密钥|秘钥|验证码)(?:是|为|：|:)\s*)"
    r"(?:[\"'`“「](?P<quoted>[^\"'`”」\n]{4,80})[\"'`”」]|(?P<bare>[^\s\"'`，。；]{4,120}))"
)


_OWNER = r"(?i)\b(?:my|our|his|her|their)(?: [\w-]{1,12})?\s$"
_STATE = (
    r"(?i)[a-z]+ed|[a-z]+ing|wrong|weak|strong|safe|secure|fine|lost|gone|here|there|long|short|stolen|broken|missing"
    r"|invalid|valid|correct|incorrect|unknown|secret|private|public|okay|good|same|different|empty|simple|hidden|known"
    r"|unsafe|insecure|easy|hard|random|unique|ready|dead|active|inactive|stale|back|everywhere|nowhere|what|this|that"
)
"""What a password may be said to be, rather than what it is."""


# One of these stands, in whatever case, in every text that breaks the rule: looking for them costs a hundredth of the
# rule. A rule without any is always tried.
_MARKS: dict[str, tuple[str, ...]] = {
    "private_key": ("private key", "putty-user-key-file-"),
    "gbrain_token": ("gbrain_",),
    "anthropic_key": ("sk-ant-",),
    "openrouter_key": ("sk-or-",),
    "openai_key": ("sk-",),
    "aws_key": ("akia", "asia", "abia", "acca"),
    "aws_secret": ("aws",),
    "google_key": ("aiza", "ya29.", "gocspx-"),
    "azure_key": ("accountkey=", "sharedaccesskey=", "sig="),
    "github_token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    "gitlab_token": ("glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glagent-"),
    "slack_token": ("xox", "xapp-", "hooks.slack.com/services/"),
    "stripe_key": ("sk_", "rk_", "whsec_"),
    "twilio_key": ("sk",),
    "sendgrid_key": ("sg.",),
    "mailgun_key": ("key-",),
    "npm_token": ("npm_",),
    "pypi_token": ("pypi-",),
    "huggingface_token": ("hf_",),
    "groq_key": ("gsk_",),
    "xai_key": ("xai-",),
    "replicate_token": ("r8_",),
    "digitalocean_token": ("_v1_",),
    "databricks_token": ("dapi",),
    "shopify_token": ("shpat_", "shpca_", "shppa_", "shpss_"),
    "square_token": ("sq0",),
    "telegram_token": (":aa",),
    "discord_token": (".",),
    "linear_key": ("lin_api_", "lin_oauth_"),
    "notion_token": ("secret_", "ntn_"),
    "atlassian_token": ("atatt3",),
    "vault_token": ("hvs.", "hvb.", "hvr."),
    "terraform_token": (".atlasv1.",),
    "age_key": ("age-secret-key-1",),
    "dockerhub_token": ("dckr_",),
    "supabase_token": ("sbp_",),
    "tailscale_key": ("tskey-",),
    "json_web_token": ("eyj",),
    "bearer_header": ("authorization", "bearer"),
    "connection_string": ("://",),
}
_WORDS = (
    *("password", "passphrase", "passcode", "passwd", "pwd", "secret", "api", "access", "auth", "client", "recovery"),
    *("seed phrase", "pin", "token", "密码", "口令", "密钥", "秘钥", "验证码"),
)
_BEFORE, _AFTER = 8, 320
"""Characters around a word for a secret that a rule by words can reach: the longest of them, with what it is for,
white space and its value.
"""


@cache
def _shape(name: str) -> re.Pattern[str]:
    return re.compile(_SHAPES[name])


@cache
def _called() -> re.Pattern[str]:
    return re.compile(_CALLED)


@cache
def _placeholder() -> re.Pattern[str]:
    return re.compile(
        r"(?i)[<\[{$%].*|.*[>\]}%]|x{3,}|\*{3,}|\.{3,}|your.*|my.*|example.*|changeme|redacted.*|none|null|true|false"
        r"|os\.environ.*|process\.env.*|env\..*|getenv.*|config\..*"
    )
