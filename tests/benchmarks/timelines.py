"""Curves over time as an SVG, by hand: one panel a quantity, from zero up, with its first and last value."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tests.benchmarks.curves import STYLE

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 50, 34
ACROSS = 2
LINES = 4
STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Timeline:
    """``lines`` are values at the instants that all panels share."""

    name: str
    unit: str
    lines: Sequence[Sequence[float]]


def picture(title: str, axis: str, instants: Sequence[float], timelines: Sequence[Timeline]) -> str:
    """``axis`` says what the instants are."""
    rows = -(-len(timelines) // ACROSS)
    width, height = WIDTH * ACROSS, HEIGHT * rows
    panels = [
        f'<g transform="translate({WIDTH * (at % ACROSS)} {HEIGHT * (at // ACROSS)})">{_panel(one, axis, instants)}</g>'
        for at, one in enumerate(timelines)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" width="{width}">'
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", *panels, "</svg>"]) + "\n"


def _panel(timeline: Timeline, axis: str, instants: Sequence[float]) -> str:
    top = _round_up(max(max(line) for line in timeline.lines))
    last = instants[-1]

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<text class="title" x="{LEFT}" y="18">{escape(timeline.name)}</text>',
        f'<text x="{LEFT}" y="36">{escape(timeline.unit)}</text>',
    ]
    for number in range(LINES + 1):
        value = top * number / LINES
        parts.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    parts.append(f'<path class="axis" d="M{LEFT} {y(0):.1f}H{WIDTH - RIGHT}"/>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - BOTTOM + 18}">0</text>')
    parts.append(
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - BOTTOM + 18}" text-anchor="end">{last:.1f} {escape(axis)}</text>'
    )
    for line in timeline.lines:
        dots = [
            f"{LEFT + at / last * (WIDTH - LEFT - RIGHT):.1f},{y(value):.1f}"
            for at, value in zip(instants, line, strict=True)
        ]
        parts.append(f'<polyline class="line" points="{" ".join(dots)}"/>')
    return "".join(parts)


def _round_up(value: float) -> float:
    unit = 1.0
    while unit * 10 <= value:
        unit *= 10
    return next(unit * step for step in STEPS if unit * step >= value)
