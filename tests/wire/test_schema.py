import json
import re
from typing import Any

from fullring.wire.client import CLIENT_TYPES
from fullring.wire.schema import asyncapi


def test_every_reference_in_the_document_leads_somewhere() -> None:
    document = asyncapi()
    references = set(re.findall(r'"#/([^"]+)"', json.dumps(document)))
    assert len(references) > 60
    for reference in references:
        place: Any = document
        for step in reference.split("/"):
            place = place[step]


def test_each_message_of_a_client_is_received_and_has_its_answers() -> None:
    operations = asyncapi()["operations"]
    assert {type for type, operation in operations.items() if operation["action"] == "receive"} == set(CLIENT_TYPES)
    assert [answer["$ref"] for answer in operations["act"]["reply"]["messages"]] == [
        "#/channels/room/messages/ok",
        "#/channels/room/messages/error",
    ]
    assert operations["update"]["action"] == "send"


def test_absent_fields_are_optional_and_never_null_and_the_type_is_required() -> None:
    schemas = asyncapi()["components"]["schemas"]
    assert '"null"' not in json.dumps(schemas)
    assert schemas["Acted"]["required"][0] == "type"
    assert "auto" not in schemas["Acted"]["required"]
    assert "raise" in schemas["Actions"]["properties"]


def test_the_document_is_the_same_each_time_and_plain_json() -> None:
    assert json.loads(json.dumps(asyncapi())) == asyncapi()
