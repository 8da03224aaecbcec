"""Secrets: what is one, and what only talks about one."""

import time

import pytest

from gbrain.domain import secrets
from gbrain.domain.secrets import secret

KEYS = {
    "anthropic-key": "sk-ant-" + "api03-abcdefghijklmnop1234",
    "openai-key": "sk-" + "proj-abcdefghijklmnopqrst",
    "aws-key": "AKIA" + "ABCDEFGHIJKLMNOP",
    "github-token": "ghp_" + "a" * 36,
    "gbrain-token": "gbrain_" + "0f" * 32,
    "slack-token": "xoxb-" + "1234567890-abcdef",
    "stripe-key": "sk_live_" + "a1" * 12,
    "json-web-token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijkl",
    "openrouter-key": "sk-or-" + "v1-0123456789abcdef",
    "aws-secret": "aws_secret_access_key = " + "abcdefghij" * 4,
    "google-key": "AIza" + "a1B2_" * 7,
    "azure-key": "AccountKey=" + "a1B2" * 10,
    "gitlab-token": "glpat-" + "a1B2" * 5,
    "twilio-key": "SK" + "0f" * 16,
    "sendgrid-key": "SG." + "a1B2" * 4 + "." + "a1B2" * 4,
    "mailgun-key": "key-" + "0f" * 16,
    "npm-token": "npm_" + "a1" * 15,
    "pypi-token": "pypi-" + "a1B2_" * 10,
    "huggingface-token": "hf_" + "aB" * 15,
    "groq-key": "gsk_" + "a1" * 15,
    "xai-key": "xai-" + "a1" * 15,
    "replicate-token": "r8_" + "a1" * 15,
    "digitalocean-token": "dop_v1_" + "0f" * 20,
    "databricks-token": "dapi" + "0f" * 16,
    "shopify-token": "shpat_" + "0f" * 15,
    "square-token": "sq0atp-" + "a1B2" * 5,
    "telegram-token": "123456789:AA" + "a1B2" * 8,
    "discord-token": "M" + "a1b2" * 6 + ".a1b2c3." + "a1b" * 9,
    "linear-key": "lin_api_" + "a1" * 15,
    "notion-token": "ntn_" + "a1" * 20,
    "atlassian-token": "ATATT3" + "a1B2_" * 10,
    "vault-token": "hvs." + "a1" * 12,
    "terraform-token": "a1" * 7 + ".atlasv1." + "a1B2_" * 10,
    "age-key": "AGE-SECRET-KEY-1" + "Q2" * 25,
    "dockerhub-token": "dckr_pat_" + "a1B2" * 5,
    "supabase-token": "sbp_" + "0f" * 20,
    "tailscale-key": "tskey-auth-" + "a1B2" * 4,
    "private-key": "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    "connection-string": "postgres://app:" + "s3cr3t@db.example/main",
    "bearer-header": "Authorization: Bearer " + "abcdef123456",
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_named_by_its_rule_wherever_it_stands(name: str) -> None:
    assert secret(f"please use {KEYS[name]} for now") == name
    assert secret(f"用这个：{KEYS[name]}") == name


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2",
        "my password is hunter",
        "Our wifi password is swordfish, by the way",
        "password: swordfish1",
        "API_KEY=abcd1234efgh",
        "the pin is 4821",
        "password for the wifi is lavender42",
        'the passphrase is "correct horse battery staple 9"',
        "密码是abc123",
        "token = 'a1b2c3d4e5'",
    ],
)
def test_a_value_behind_the_word_for_a_secret_is_one(text: str) -> None:
    assert secret(text) == "password"


@pytest.mark.parametrize(
    "text",
    [
        "the password is wrong",
        "my password is expired",
        "my password is long enough",
        "my password is wrong.",
        "I lost my password again",
        "the token is expired",
        "api key: $OPENAI_API_KEY",
        "password: <your-password>",
        "password = os.environ['DB_PASSWORD']",
        "the secret is that she left",
        "my api key is in the vault",
        "bearer of bad news",
        "Password changed on 2031-05-04",
        "see https://example.org/path:8080 for it",
        "Dana prefers green tea",
    ],
)
def test_talk_about_secrets_is_none(text: str) -> None:
    assert secret(text) is None


def test_a_long_text_is_looked_through_quickly() -> None:
    assert secret("password " * 20_000) is None
    assert secret("a" * 200_000 + " the password is hunter2") == "password"


@pytest.mark.guard
def test_every_rule_has_marks_and_a_key_that_breaks_it() -> None:
    assert secrets._MARKS.keys() == secrets._SHAPES.keys(), "_MARKS in src/gbrain/domain/secrets.py: one for each shape"
    tried = {name.replace("-", "_") for name in KEYS}
    assert tried ^ secrets._SHAPES.keys() == set(), "KEYS of tests/unit/domain/test_secrets.py: a made-up key for each"


def test_a_long_text_is_read_in_little_time() -> None:
    text = "The harbour lantern stands at https://example.com/quay and shines over the access road. " * 3000
    began = time.process_time()
    assert secret(text) is None
    assert time.process_time() - began < 2
    assert secret(f"{text}{KEYS['aws-key']}{text}") is None
    assert secret(f"{text} {KEYS['aws-key']} {text}") == "aws-key"
    assert secret(f"{text}My password is Blue42!x{text}") == "password"
