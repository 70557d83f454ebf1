"""The time budget of the rules, held with a wide margin: each figure is the least of several tries."""

from tests.benchmarks.bench_engine import script, showdown_of_nine, worst_call
from tests.conformance.records import read


def test_no_call_takes_a_millisecond() -> None:
    assert worst_call([script(record) for record in read("pluribus_sample.jsonl.gz")[:100]]) < 0.001


def test_a_showdown_of_nine_hands_takes_less_than_a_fifth_of_a_millisecond() -> None:
    assert showdown_of_nine() < 0.0002
