"""docs/rules.md: every rule of the table and of the clock names its tests, and they are there."""

import re

import pytest

from tests.shared import PROJECT

PAGE = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = PAGE.partition("\n## The table\n")[2].split("\n### ")[1:]
WRITTEN = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "tests" / "table").glob("test_*.py"))


@pytest.mark.parametrize("rule", RULES, ids=[rule.partition("\n")[0] for rule in RULES])
def test_every_rule_of_the_table_names_its_tests(rule: str) -> None:
    named = set(re.findall(r"`(test_\w+)`", rule))

    assert named
    assert named <= set(re.findall(r"^def (test_\w+)\(", WRITTEN, flags=re.MULTILINE))
