"""Views and updates for client tests, made small: what a test does not name stays as it is."""

from typing import Any

from fullring.wire.view import TableView, You
from tests.wire.examples import SETTINGS

CHECK_OR_BET: dict[str, Any] = {"fold": True, "check": True, "bet": {"min": 10, "max": 990}, "all_in": 990}
CALL_OR_RAISE: dict[str, Any] = {
    "fold": True,
    "check": False,
    "call": 10,
    "raise": {"min": 20, "max": 1000},
    "all_in": 1000,
}


def seat(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "seat": number,
        "account": f"a{number}",
        "name": f"Player {number}",
        "kind": "guest",
        "stack": 990,
        "bet": 10,
        "state": "active",
        "connected": True,
        "holds": 2,
        "time_bank_ms": 30000,
    } | changes


def turn(of: int, id: str = "h1-1", actions: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "id": id,
        "seat": of,
        "deadline": 1795968030000,
        "time_bank_ms": 30000,
        "actions": CALL_OR_RAISE if actions is None else actions,
    }


def hand(id: str = "h1", **changes: Any) -> dict[str, Any]:
    return {"id": id, "number": 1, "street": "preflop", "board": [], "pots": []} | changes


def view(*seats: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "name": "Magnolia",
        "game": "nlhe",
        "settings": SETTINGS,
        "status": "playing",
        "button": 1,
        "seats": list(seats) or [seat(1), seat(4)],
    } | changes


def update(seq: int, shown: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    return {
        "type": "update",
        "table": "t1",
        "epoch": 1,
        "seq": seq,
        "at": 1795968000000,
        "events": [],
        "view": view() if shown is None else shown,
    } | changes


def you(*cards: str, **changes: Any) -> dict[str, Any]:
    return {"seat": 4, "cards": list(cards)} | changes


def seen(shown: dict[str, Any]) -> TableView:
    return TableView.model_validate(shown, strict=False)


def own(*cards: str) -> You:
    return You(seat=4, cards=list(cards))
