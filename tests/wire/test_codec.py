import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullring.wire.client import Act, Chat, Hello, Ping, Sit, Watch
from fullring.wire.codec import decode, encode, frame, joiner, unframed
from fullring.wire.errors import ErrorCode, Malformed
from tests.wire.examples import FROM_CLIENTS, UPDATE, YOU

RAISE: dict[str, Any] = {"type": "act", "id": "9", "table": "t1", "hand": "h33", "turn": "h33-6", "action": "raise"}


def refusal(text: str | bytes) -> Malformed:
    with pytest.raises(Malformed) as caught:
        decode(text)
    return caught.value


def test_a_message_is_read_into_its_own_type() -> None:
    assert decode(json.dumps(RAISE | {"to": 180})) == Act(
        id="9", table="t1", hand="h33", turn="h33-6", action="raise", to=180
    )
    assert decode(b'{"type":"ping","id":"15"}') == Ping(id="15")


@pytest.mark.parametrize("message", FROM_CLIENTS, ids=lambda message: message["type"])
def test_bytes_and_text_read_the_same(message: dict[str, Any]) -> None:
    assert decode(json.dumps(message)) == decode(json.dumps(message).encode())


@pytest.mark.parametrize(
    "to", [True, 40.5, 40.0, "40", "NaN", float("nan"), float("inf"), None, [40], {}, 2**53, 2**63, 10**18, 10**400]
)
def test_an_amount_is_a_whole_number_and_nothing_like_one(to: Any) -> None:
    for message in (
        RAISE | {"to": to},
        {"type": "sit", "id": "9", "table": "t1", "buy_in": to},
        {"type": "top_up", "id": "9", "table": "t1", "amount": to},
    ):
        malformed = refusal(json.dumps(message))
        assert (malformed.code, malformed.id) == (ErrorCode.BAD_MESSAGE, "9")


@pytest.mark.parametrize("buy_in", [-1, 0, 2**53 - 1, -(2**53) + 1])
def test_amounts_below_and_above_all_sense_are_whole_numbers_and_left_to_the_table(buy_in: int) -> None:
    assert decode(json.dumps({"type": "sit", "id": "9", "table": "t1", "buy_in": buy_in})) == Sit(
        id="9", table="t1", buy_in=buy_in
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a message must be JSON: eof while parsing a value at line 1 column 0"),
        ("[]", "a message must be a JSON object, not a list"),
        ('"hello"', "a message must be a JSON object, not text"),
        ("null", "a message must be a JSON object, not null"),
        ('{"id":"9"}', "type must be text"),
        ('{"id":"9","type":7}', "type must be text"),
        ('{"type":"ping"}', "id is missing"),
        ('{"type":"ping","id":7}', "id must be text"),
        ('{"type":"ping","id":""}', "id must not be empty"),
        (json.dumps({"type": "ping", "id": "x" * 65}), "id must have at most 64 characters"),
        (json.dumps(RAISE), "a raise needs to, the seat's total for the street"),
        (json.dumps(RAISE | {"to": 40.5}), "to must be a whole number, not 40.5"),
        (json.dumps(RAISE | {"to": "40"}), "to must be a whole number, not text"),
        (json.dumps(RAISE | {"to": True}), "to must be a whole number, not true"),
        (json.dumps(RAISE | {"to": 2**53}), "to must be at most 9007199254740991, not 9007199254740992"),
        (json.dumps(RAISE | {"to": 10**400}), "to must be at most 9007199254740991, not a number that long"),
        (
            json.dumps(RAISE | {"action": "shove"}),
            "action must be one of 'fold', 'check', 'call', 'bet', 'raise' or 'all_in'",
        ),
        ('{"type":"sit","id":"9","table":"t1"}', "buy_in is missing"),
        ('{"type":"sit","id":"9","table":"t1","buy_in":5,"seat":11}', "seat must be at most 10, not 11"),
        ('{"type":"sit","id":"9","table":"t1","buy_in":5,"seat":null}', "seat must be a whole number, not null"),
        ('{"type":"sit_in","id":"9","table":"t1","post_now":1}', "post_now must be true or false, not 1"),
        ('{"type":"watch","id":"9","table":"t1","since":5}', "since must be an object, not 5"),
        ('{"type":"watch","id":"9","table":"t1","since":{"epoch":1}}', "since.seq is missing"),
        (
            '{"type":"show","id":"9","table":"t1","hand":"h","cards":["As","1s"]}',
            "cards.1 must be a card in two characters, as in As or Td",
        ),
        ('{"type":"show","id":"9","table":"t1","hand":"h","cards":[]}', "cards must have 1 or more entries"),
        ('{"type":"show","id":"9","table":"t1","hand":"h","cards":{}}', "cards must be a list, not an object"),
    ],
)
def test_a_refusal_says_what_would_be_right(text: str, says: str) -> None:
    malformed = refusal(text)
    assert malformed.text == says
    assert malformed.code is ErrorCode.BAD_MESSAGE
    assert str(malformed) == f"bad_message: {says}"


def test_an_unknown_type_has_its_own_code_and_keeps_its_id() -> None:
    malformed = refusal('{"type":"raise_the_roof","id":"9"}')
    assert (malformed.code, malformed.id) == (ErrorCode.UNKNOWN_TYPE, "9")
    assert malformed.text.startswith("type must be one of hello, watch,")


@pytest.mark.parametrize("id", [None, 9, "", "x" * 65, ["9"]])
def test_an_id_that_is_none_is_not_answered_to(id: Any) -> None:
    assert refusal(json.dumps({"type": "ping", "id": id})).id is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 8192,
        '{"a":' * 1600,
        '{"type":"ping","id":"1","x":' + "[" * 4000 + "]" * 4000 + "}",
        b"\xff\xfe",
        b'{"type":"ping","id":"\xff"}',
        '{"type":"ping","id":"\\ud800"}',
        "\ud800",
        "\x00",
        '{"type":"ping","id":"1"',
        '{"type":"ping","id":"1"} {}',
        '{"type":"act","id":"1","to":' + "9" * 8000 + "}",
    ],
)
def test_text_made_to_break_a_reader_is_only_malformed(text: str | bytes) -> None:
    assert refusal(text).code is ErrorCode.BAD_MESSAGE


def test_of_a_field_sent_twice_the_last_counts() -> None:
    assert decode('{"type":"nope","id":"1","type":"ping","id":"2"}') == Ping(id="2")
    assert refusal('{"type":"ping","id":"1","type":"nope","id":"2"}').id == "2"


def test_fields_that_are_not_ours_change_nothing() -> None:
    sent = {"type": "sit", "id": "9", "table": "t1", "buy_in": 500, "account": "a1", "stack": 10**9, "name": "Bo"}
    assert decode(json.dumps(sent)) == Sit(id="9", table="t1", buy_in=500)


@pytest.mark.parametrize("field", ["token", "ticket"])
@pytest.mark.parametrize("secret", ["hunter2" * 40, 1234567, ["hunter2"], {"hunter2": 1}])
def test_no_refusal_repeats_a_secret(field: str, secret: Any) -> None:
    malformed = refusal(json.dumps({"type": "hello", "id": "1", "protocol": 1, field: secret}))
    assert "hunter2" not in str(malformed)
    assert "1234567" not in str(malformed)
    assert malformed.__cause__ is None
    assert malformed.__context__ is None


def test_a_hello_does_not_print_its_secrets() -> None:
    assert "hunter2" not in repr(Hello(id="1", protocol=1, token="hunter2", ticket="hunter2"))


def test_chat_is_text_of_1_to_300_characters_trimmed() -> None:
    chat = decode('{"type":"chat","id":"1","table":"t1","text":" <script>alert(1)</script> "}')
    assert isinstance(chat, Chat)
    assert chat.text == "<script>alert(1)</script>"
    for text in ("", "   ", "x" * 301, "a\nb", "a\tb", "a\x00b", "a\u2028b", "\u202eabc", "\u200d"):
        assert refusal(json.dumps({"type": "chat", "id": "1", "table": "t1", "text": text})).id == "1"


def test_null_is_not_a_way_to_leave_a_field_out() -> None:
    assert decode('{"type":"watch","id":"1","table":"t1"}') == Watch(id="1", table="t1")
    assert refusal('{"type":"watch","id":"1","table":"t1","since":null}').text == "since must be an object, not null"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.one_of(st.text(), st.binary(), JSON.map(json.dumps)))
def test_any_text_is_a_message_or_malformed(text: str | bytes) -> None:
    with suppress(Malformed):
        decode(text)


@given(st.sampled_from(FROM_CLIENTS), st.data())
def test_any_value_in_any_field_is_a_message_or_malformed(message: dict[str, Any], data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(sorted(message)))
    with suppress(Malformed):
        decode(json.dumps(message | {field: data.draw(JSON)}))


def test_an_update_is_encoded_once_and_each_seat_gets_its_own_part_added() -> None:
    public = encode(UPDATE)
    assert json.loads(public) == UPDATE
    spliced = joiner(public)(encode(YOU))
    assert json.loads(unframed(spliced)) == UPDATE | {"you": YOU}
    assert unframed(spliced).startswith(public[:-1])
    assert spliced == frame(unframed(spliced))
