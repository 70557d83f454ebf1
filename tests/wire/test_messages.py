import json
from typing import Any

import pytest
from pydantic import ValidationError

from fullring.wire.client import CLIENT_MESSAGE, CLIENT_TYPES
from fullring.wire.events import EVENT_TYPES
from fullring.wire.server import SERVER_MESSAGE, Error, Ok, Update, Welcome
from fullring.wire.view import LobbyView, TableView
from tests.wire.examples import EVENTS, FROM_CLIENTS, FROM_SERVER, UPDATE, VIEW, WELCOME


def named(message: dict[str, Any]) -> str:
    return str(message["type"])


@pytest.mark.parametrize("sent", FROM_CLIENTS, ids=named)
def test_what_a_client_sends_comes_back_from_its_model_unchanged(sent: dict[str, Any]) -> None:
    message = CLIENT_MESSAGE.validate_json(json.dumps(sent))
    assert {"post_now": False, **message.fields()} == {"post_now": False, **sent}
    assert CLIENT_MESSAGE.validate_json(json.dumps(message.fields())) == message


@pytest.mark.parametrize("sent", FROM_SERVER, ids=named)
def test_what_the_server_sends_comes_back_from_its_model_unchanged(sent: dict[str, Any]) -> None:
    message = SERVER_MESSAGE.validate_json(json.dumps(sent))
    assert {"lost": False, **message.fields()} == {"lost": False, **sent}
    assert SERVER_MESSAGE.validate_json(json.dumps(message.fields())) == message


def test_the_examples_hold_every_type_of_message_and_event() -> None:
    assert {named(message) for message in FROM_CLIENTS} == set(CLIENT_TYPES)
    assert {named(message) for message in FROM_SERVER} == {"welcome", "ok", "error", "update", "pong", "notice"}
    assert {named(event) for event in EVENTS} == set(EVENT_TYPES)


@pytest.mark.parametrize("message", FROM_SERVER, ids=named)
def test_unknown_fields_are_ignored(message: dict[str, Any]) -> None:
    read = SERVER_MESSAGE.validate_json(json.dumps(message | {"new_in_version_2": {"a": [1]}}))
    assert isinstance(read, Ok) or "new_in_version_2" not in read.fields()


def test_a_field_that_is_absent_is_not_sent_as_null() -> None:
    with pytest.raises(ValidationError):
        Update.model_validate_json(json.dumps(UPDATE | {"you": None}))
    with pytest.raises(ValidationError):
        Welcome.model_validate_json(json.dumps(WELCOME | {"account": None}))


def test_ok_keeps_whatever_the_command_returned() -> None:
    assert Ok.model_validate_json('{"type":"ok","re":"1","queue":3}').fields()["queue"] == 3


def test_a_lobby_view_and_a_table_view_are_told_apart() -> None:
    table = SERVER_MESSAGE.validate_json(json.dumps(UPDATE))
    assert isinstance(table, Update)
    assert isinstance(table.view, TableView)
    lobby = SERVER_MESSAGE.validate_json(json.dumps(UPDATE | {"table": "lobby", "view": {"tables": []}}))
    assert isinstance(lobby, Update)
    assert isinstance(lobby.view, LobbyView)


def test_a_raise_is_read_under_its_own_name_though_python_keeps_the_word() -> None:
    view = TableView.model_validate_json(json.dumps(VIEW))
    assert view.hand
    assert view.hand.turn
    assert view.hand.turn.actions.raise_
    assert view.hand.turn.actions.raise_.min == 110
    assert view.hand.turn.actions.bet is None


def test_an_error_without_an_id_to_answer_to_is_still_an_error() -> None:
    assert Error.model_validate_json('{"type":"error","code":"internal","message":"sorry"}').re is None
