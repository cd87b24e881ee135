#!/usr/bin/env python3
"""Draws docs/pictures/delta_r_loaded.svg: difference of rolling radii over the lateral place of a wheelset, rigid and
under load. Lines are Klingel's, points are CONTACT's (tests/reference/loaded_wheelset.csv).

    tools/draw_delta_r.py build/release/klingel docs/pictures/delta_r_loaded.svg
"""
import csv
import pathlib
import subprocess
import sys

REFERENCE = pathlib.Path(__file__).parent.parent / "tests/reference/loaded_wheelset.csv"
RAIL = "60E1:1:40"
KINDS = ((None, "zero load", "#7f7f7f"), (30, "30 kN", "#0072b2"), (60, "60 kN", "#d55e00"), (100, "100 kN", "#009e73"))
# title, limits of y and delta_r in mm, ticks, where the legend stands
PANELS = (("tread", (0, 4.5), (0, 1.4), (1, 0.2), True), ("from tread to flange", (4, 6.5), (0, 6), (0.5, 1), False))
WIDTH, HEIGHT, LEFT, TOP, GAP = 380, 300, 58, 34, 74


def table(lines):
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def ours(load):
    call = [sys.argv[1], "contact", "--wheel", "S1002", "--rail", RAIL, "--roll", "0", "--y", "0:6.5:0.02", "--csv"]
    if load:
        call += ["--load", str(load), "--E", "209.92"]
    found = table(subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines())
    radius = {(float(r["y"]), r["side"]): float(r["rolling_radius"]) for r in found}
    return [(y, radius[y, "left"] - radius[y, "right"]) for y in sorted({y for y, _ in radius})]


def theirs(load):
    return [(float(r["y"]), float(r["delta_r"])) for r in table(REFERENCE.read_text().splitlines())
            if r["rail"] == RAIL and float(r["N"]) == 1e3 * load]


class Panel:
    def __init__(self, number, title, x, y, ticks):
        self.left, self.x, self.y = LEFT + number * (WIDTH + GAP), x, y
        self.out = [f'<text x="{self.left + WIDTH / 2}" y="{TOP - 12}" text-anchor="middle">{title}</text>']
        for i in range(round((x[1] - x[0]) / ticks[0]) + 1):
            self.tick_x(x[0] + i * ticks[0])
        for i in range(round((y[1] - y[0]) / ticks[1]) + 1):
            self.tick_y(y[0] + i * ticks[1])
        self.out.append(f'<rect x="{self.left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#333"/>')
        self.out.append(f'<text x="{self.left + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">y, mm</text>')
        self.out.append(f'<text transform="translate({self.left - 40} {TOP + HEIGHT / 2}) rotate(-90)" '
                        'text-anchor="middle">r left - r right, mm</text>')

    def at(self, x, y):
        return (self.left + WIDTH * (x - self.x[0]) / (self.x[1] - self.x[0]),
                TOP + HEIGHT * (1 - (y - self.y[0]) / (self.y[1] - self.y[0])))

    def tick_x(self, x):
        if x <= self.x[1] + 1e-9:
            at, _ = self.at(x, 0)
            self.out.append(f'<path d="M{at:.1f} {TOP}v{HEIGHT}" stroke="#ddd"/>'
                            f'<text x="{at:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{x:g}</text>')

    def tick_y(self, y):
        _, at = self.at(0, y)
        self.out.append(f'<path d="M{self.left} {at:.1f}h{WIDTH}" stroke="#ddd"/>'
                        f'<text x="{self.left - 6}" y="{at + 4:.1f}" text-anchor="end">{round(y, 6):g}</text>')

    def inside(self, points):
        return [(x, y) for x, y in points if self.x[0] <= x <= self.x[1] and self.y[0] <= y <= self.y[1]]

    def line(self, points, colour, dashed):
        path = "L".join("{:.1f} {:.1f}".format(*self.at(x, y)) for x, y in self.inside(points))
        dash = ' stroke-dasharray="5 3"' if dashed else ""
        self.out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')

    def points(self, points, colour):
        for x, y in self.inside(points):
            at = self.at(x, y)
            self.out.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4" fill="#fff" stroke="{colour}" stroke-width="1.6"/>')

    def legend(self):
        x, y = self.left + WIDTH - 150, TOP + HEIGHT - 92
        self.out.append(f'<rect x="{x - 10}" y="{y - 16}" width="150" height="98" fill="#fff" stroke="#ccc"/>')
        for i, (load, name, colour) in enumerate(KINDS):
            dash = "" if load else ' stroke-dasharray="5 3"'
            self.out.append(f'<path d="M{x} {y + 17 * i - 4}h28" stroke="{colour}" stroke-width="1.8"{dash}/>'
                            f'<text x="{x + 36}" y="{y + 17 * i}">{name}</text>')
        self.out.append(f'<circle cx="{x + 14}" cy="{y + 64}" r="4" fill="#fff" stroke="#333" stroke-width="1.6"/>'
                        f'<text x="{x + 36}" y="{y + 68}">CONTACT</text>')


def main():
    curves = [(load, colour, ours(load)) for load, _, colour in KINDS]
    text = []
    for number, (title, x, y, ticks, legend) in enumerate(PANELS):
        panel = Panel(number, title, x, y, ticks)
        for load, colour, points in curves:
            panel.line(points, colour, load is None)
        for load, colour, _ in curves:
            if load:
                panel.points(theirs(load), colour)
        if legend:
            panel.legend()
        text += panel.out
    wide, high = 2 * (LEFT + WIDTH) + GAP - LEFT + 18, TOP + HEIGHT + 50
    pathlib.Path(sys.argv[2]).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        'font-family="sans-serif" font-size="13" fill="#222">\n'
        f'<rect width="{wide}" height="{high}" fill="#fff"/>\n' + "\n".join(text) + "\n</svg>\n")


main()
