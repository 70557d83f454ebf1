"""The browser's types are those of the models."""

from fullring.wire.typescript import typescript
from tests.shared import PROJECT


def test_the_browsers_types_are_up_to_date() -> None:
    written = (PROJECT / "client" / "web" / "src" / "wire.ts").read_text(encoding="utf-8")

    assert written == typescript(), "run `make docs`"


def test_optional_fields_literals_and_names_that_mean_something_else_in_a_browser() -> None:
    text = typescript()

    assert 'export interface Watch {\n  id: string;\n  table: string;\n  type: "watch";\n  since?: Since;\n}' in text
    assert "  raise?: Bounds;\n" in text
    assert "export interface Error " not in text
    assert "  events: Event[];\n" in text
    assert "  REPLACED: 4003,\n" in text
