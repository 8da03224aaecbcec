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


def test_every_rule_has_marks_and_each_stands_in_what_breaks_it() -> None:
    assert secrets._MARKS.keys() == secrets._SHAPES.keys()


def test_a_long_text_is_read_in_little_time() -> None:
    text = "The harbour lantern stands at https://example.com/quay and shines over the access road. " * 3000
    began = time.process_time()
    assert secret(text) is None
    assert time.process_time() - began < 2
    assert secret(f"{text}{KEYS['aws-key']}{text}") is None
    assert secret(f"{text} {KEYS['aws-key']} {text}") == "aws-key"
    assert secret(f"{text}My password is Blue42!x{text}") == "password"
