"""Token buckets: so many at once, then so many a second. Time is an argument."""

from collections import OrderedDict
from collections.abc import Hashable

from fullring.table.ids import Millis


class Bucket:
    """Starts full."""

    __slots__ = ("_at", "_tokens", "burst", "per_second")

    def __init__(self, *, burst: float, per_second: float, now: Millis) -> None:
        self.burst = self._tokens = float(burst)
        self.per_second = per_second
        self._at = now

    def take(self, now: Millis) -> bool:
        """Takes one if there is one."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait_ms(self, now: Millis) -> Millis:
        """How long until there is one."""
        self._fill(now)
        return max(0, round((1 - self._tokens) * 1000 / self.per_second))

    def _fill(self, now: Millis) -> None:
        self._tokens = min(self.burst, self._tokens + max(0, now - self._at) * self.per_second / 1000)
        self._at = now


class Buckets:
    """A bucket for each key. Of more than ``keys_max`` keys, the one not seen for longest is forgotten."""

    def __init__(self, *, per_minute: int, keys_max: int, burst: int | None = None) -> None:
        """``burst`` is how many at once: a minute's, unless it is given."""
        self._per_second = per_minute / 60
        self._burst = per_minute if burst is None else burst
        self._keys_max = keys_max
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, now: Millis) -> Millis:
        """0 where one was taken, else how long to wait."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(burst=self._burst, per_second=self._per_second, now=now)
            if len(self._buckets) > self._keys_max:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return 0 if bucket.take(now) else max(1, bucket.wait_ms(now))

    def __len__(self) -> int:
        return len(self._buckets)
