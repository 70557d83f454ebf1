import json

import pytest

from fullring.wire.codec import encode
from fullring.wire.reading import Glance, glance, read_update
from tests.wire.examples import EVENTS, UPDATE, VIEW


def test_a_glance_sees_where_a_frame_goes() -> None:
    assert glance(encode(UPDATE)) == Glance("update", table="t1", epoch=1, seq=845)
    assert glance(b'{"type":"ok","re":"3","seat":4}') == Glance("ok", re="3")


@pytest.mark.parametrize("frame", [b"", b"[]", b"{}", b'{"type":1}', b"\xff"])
def test_a_frame_of_nobody_is_a_value_error(frame: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        glance(frame)


def test_events_of_a_newer_server_are_left_out() -> None:
    newer = [EVENTS[0], {"type": "rabbit_hunted", "cards": ["As"]}, EVENTS[1]]
    update = read_update(json.dumps(UPDATE | {"events": newer}).encode())
    assert [event.type for event in update.events] == ["hand_started", "posted"]


def test_an_update_that_is_wrong_elsewhere_stays_wrong() -> None:
    with pytest.raises(ValueError, match="view"):
        read_update(json.dumps(UPDATE | {"view": {key: VIEW[key] for key in ("name", "game")}}).encode())
