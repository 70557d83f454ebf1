"""docs/rules.md: rules are numbered without gaps, and the tests that it names for the hand are there."""

import re

from tests.shared import PROJECT

PAGE = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = re.findall(r"^### R(\d+) ", PAGE, flags=re.MULTILINE)
HAND = PAGE.partition("## The hand\n")[2].partition("\n## ")[0]


def test_the_rules_are_numbered_without_gaps() -> None:
    assert [int(number) for number in RULES] == list(range(1, len(RULES) + 1))


def test_every_rule_of_the_hand_names_its_tests() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "tests" / "rules").glob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)\(", written, flags=re.MULTILINE))
    for rule in HAND.split("\n### ")[1:]:
        named = set(re.findall(r"`(test_\w+)`", rule))
        assert named, rule
        assert named <= there, named - there
