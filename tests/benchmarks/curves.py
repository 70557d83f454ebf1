"""Curves as an SVG, by hand: one panel a curve, both axes from what was measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10

WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 50, 40
STYLE = (
    "text{font:12px sans-serif;fill:#555}.title{font-size:14px;fill:#222}.axis{stroke:#999;stroke-width:1}"
    ".grid{stroke:#ddd;stroke-width:1}.line{fill:none;stroke:#1a7f4b;stroke-width:2}.dot{fill:#1a7f4b}"
    "@media(prefers-color-scheme:dark){text{fill:#bbb}.title{fill:#eee}.grid{stroke:#444}.line{stroke:#4cc38a}"
    ".dot{fill:#4cc38a}}"
)
LINES = 4


@dataclass(frozen=True, slots=True)
class Curve:
    """``points`` are a size and a cost each, sizes going up; they are drawn on a logarithmic axis."""

    name: str
    unit: str
    points: Sequence[tuple[int, float]]


def picture(title: str, curves: Sequence[Curve]) -> str:
    width = WIDTH * len(curves)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img" width="{width}">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        *(f'<g transform="translate({WIDTH * at} 0)">{_panel(curve)}</g>' for at, curve in enumerate(curves)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(curve: Curve) -> str:
    top = _round_up(max(cost for _, cost in curve.points))
    span = _place(curve.points[-1][0]) - _place(curve.points[0][0]) or 1

    def x(size: int) -> float:
        return LEFT + (_place(size) - _place(curve.points[0][0])) / span * (WIDTH - LEFT - RIGHT)

    def y(cost: float) -> float:
        return HEIGHT - BOTTOM - cost / top * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<text class="title" x="{LEFT}" y="18">{escape(curve.name)}</text>',
        f'<text x="{LEFT}" y="36">{escape(curve.unit)}</text>',
    ]
    for line in range(LINES + 1):
        cost = top * line / LINES
        parts.append(f'<path class="grid" d="M{LEFT} {y(cost):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(cost) + 4:.1f}" text-anchor="end">{cost:g}</text>')
    parts.append(f'<path class="axis" d="M{LEFT} {y(0):.1f}H{WIDTH - RIGHT}"/>')
    dots = [(x(size), y(cost)) for size, cost in curve.points]
    parts.append('<polyline class="line" points="' + " ".join(f"{a:.1f},{b:.1f}" for a, b in dots) + '"/>')
    for (a, b), (size, cost) in zip(dots, curve.points, strict=True):
        parts.append(f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="3"/>')
        parts.append(f'<text x="{a:.1f}" y="{b - 8:.1f}" text-anchor="middle">{cost:.0f}</text>')
        parts.append(f'<text x="{a:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size}</text>')
    return "".join(parts)


def _place(size: int) -> float:
    return log10(size + 1)


def _round_up(cost: float) -> float:
    """The next of 1, 2, 4, 8, 10 times a power of ten, with room above the highest dot."""
    unit: float = 10 ** int(log10(cost))
    return next(unit * step for step in (1, 2, 4, 8, 10, 20) if unit * step > cost * 1.1)
