"""Token buckets, with the time as an argument."""

from fullring.web.rates import Bucket, Buckets


def test_a_burst_is_let_through_and_then_so_many_a_second() -> None:
    bucket = Bucket(burst=40, per_second=10, now=0)

    assert [bucket.take(0) for _ in range(41)] == [True] * 40 + [False]
    assert [bucket.take(100), bucket.take(100)] == [True, False]
    assert [bucket.take(1_100) for _ in range(11)] == [True] * 10 + [False]


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = Bucket(burst=3, per_second=10, now=0)

    assert [bucket.take(1_000_000) for _ in range(4)] == [True, True, True, False]


def test_a_bucket_says_how_long_to_wait() -> None:
    bucket = Bucket(burst=1, per_second=4, now=0)

    assert bucket.wait_ms(0) == 0
    assert bucket.take(0)
    assert bucket.wait_ms(0) == 250
    assert not bucket.take(249)
    assert bucket.take(250)


def test_a_clock_that_stands_still_gives_nothing() -> None:
    bucket = Bucket(burst=1, per_second=10, now=500)

    assert bucket.take(500)
    assert not bucket.take(400)


def test_each_address_has_a_rate_of_its_own() -> None:
    buckets = Buckets(per_minute=2, keys_max=10)

    assert [buckets.take("a", 0), buckets.take("a", 0)] == [0, 0]
    assert buckets.take("a", 0) == 30_000
    assert buckets.take("b", 0) == 0
    assert buckets.take("a", 30_000) == 0


def test_the_address_not_seen_for_longest_is_forgotten() -> None:
    buckets = Buckets(per_minute=1, keys_max=2)

    for key in ("a", "b", "a", "c"):
        buckets.take(key, 0)

    assert len(buckets) == 2
    assert buckets.take("a", 0) > 0
    assert buckets.take("b", 0) == 0, "b was forgotten"
