#!/usr/bin/env python3
"""Draws docs/pictures/profile_conventions.svg: a wheel over a rail with the axes and measures of
docs/profiles.md. The curves come from the program itself.

    tools/draw_profile_conventions.py build/release/klingel > docs/pictures/profile_conventions.svg
"""
import subprocess
import sys

SCALE = 4.4  # pixels per mm
LEFT, WHEEL_Z, RAIL_Z = 460, 150, 330  # where y = 0 and the two z = 0 are drawn
RAIL_Y = 3.2  # mm from the taping line to the rail's origin: gauge 1435, taping lines 1500 apart
GREY, BLUE, RED = "#555", "#0067a5", "#b03a00"

out = []


def curve(klingel, name):
    text = subprocess.run([klingel, "profile", name, "--csv"], check=True, capture_output=True,
                          text=True).stdout
    rows = [line.split(",") for line in text.splitlines()[1:]]
    points = [(1e3 * float(r[0]), 1e3 * float(r[1])) for r in rows]
    return points[:-1:4] + points[-1:]


def x_of(y):
    return LEFT + SCALE * y


def path(points, closing, colour):
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    shape = d + "".join(f"L{x:.1f} {y:.1f}" for x, y in closing) + "Z"
    out.append(f'<path d="{shape}" fill="{colour}" fill-opacity="0.10"/>')
    out.append(f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2.2"/>')


def line(x1, y1, x2, y2, colour=GREY, extra=""):
    out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
               f'stroke="{colour}" {extra}/>')


def text(x, y, words, anchor="start", colour="#222"):
    out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>')


def measure(x1, y1, x2, y2):
    line(x1, y1, x2, y2, GREY, 'marker-start="url(#b)" marker-end="url(#a)"')


def axes(x, y, name):
    line(x, y, x + 62, y, "#222", 'stroke-width="1.6" marker-end="url(#a)"')
    line(x, y, x, y + 62, "#222", 'stroke-width="1.6" marker-end="url(#a)"')
    text(x + 60, y - 9, f"y<tspan dy='4' font-size='10'>{name}</tspan>")
    text(x + 7, y + 62, f"z<tspan dy='4' font-size='10'>{name}</tspan>")


def main():
    klingel = sys.argv[1]
    wheel = [(x_of(y), WHEEL_Z + SCALE * z) for y, z in curve(klingel, "S1002")]
    rail = [(x_of(y + RAIL_Y), RAIL_Z + SCALE * z) for y, z in curve(klingel, "60E1:1:40")]
    path(wheel, [(wheel[-1][0], 84), (wheel[0][0], 84)], BLUE)
    path(rail, [(rail[-1][0] + 3, 432), (rail[0][0] + 2, 432)], RED)

    # wheel: taping line, flange back, measures
    line(LEFT, 50, LEFT, WHEEL_Z, GREY, 'stroke-dasharray="5 4"')
    text(LEFT, 42, "taping line, y = 0: radius r0", "middle")
    back = x_of(-70)
    line(back, 50, back, 215, GREY, 'stroke-dasharray="5 4"')
    text(back, 42, "flange back, y = -70 mm", "middle")
    measure(back, 66, LEFT, 66)
    text((back + LEFT) / 2, 60, "70 mm", "middle")
    # flange height and thickness
    tip = WHEEL_Z + SCALE * 28
    line(x_of(-55), tip, x_of(-84), tip, GREY, 'stroke-dasharray="2 3"')
    line(x_of(-84), WHEEL_Z, LEFT, WHEEL_Z, GREY, 'stroke-dasharray="2 3"')
    measure(x_of(-82), WHEEL_Z, x_of(-82), tip)
    text(x_of(-83), (WHEEL_Z + tip) / 2, "28 mm", "end")
    ten = WHEEL_Z + SCALE * 10
    measure(back, ten, x_of(-37.5), ten)
    text((back + x_of(-37.5)) / 2, ten - 6, "32.5 mm", "middle")
    line(x_of(-37.5), ten, x_of(-14), ten, GREY, 'stroke-dasharray="2 3"')
    measure(x_of(-16), WHEEL_Z, x_of(-16), ten)
    text(x_of(-15), WHEEL_Z + 28, "10 mm")
    axes(LEFT, WHEEL_Z, "wheel")
    text(x_of(62), 100, "wheel (S1002)", "start", BLUE)

    # rail: origin, gauge point
    top = min(y for _, y in rail)
    gauge = top + 14 * SCALE
    gauge_x = rail[0][0] - 1
    line(x_of(-84), top, x_of(10), top, GREY, 'stroke-dasharray="2 3"')
    line(x_of(-84), gauge, gauge_x, gauge, GREY, 'stroke-dasharray="2 3"')
    measure(x_of(-60), top, x_of(-60), gauge)
    text(x_of(-61), (top + gauge) / 2 + 4, "14 mm", "end")
    out.append(f'<circle cx="{gauge_x:.1f}" cy="{gauge:.1f}" r="3.5" fill="{RED}"/>')
    text(x_of(-84), gauge + 18, "gauge is measured here;")
    text(x_of(-84), gauge + 34, "middle of the track that way")
    line(x_of(-84), gauge + 44, x_of(-96), gauge + 44, GREY, 'marker-end="url(#a)"')
    axes(x_of(RAIL_Y), RAIL_Z, "rail")
    text(x_of(62), 380, "rail (60E1:1:40)", "start", RED)
    text(x_of(62), 398, "leaning inwards", "start", RED)

    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 450" width="860" height="450" '
          'font-family="sans-serif" font-size="13">')
    print('<defs><marker id="a" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
          '<path d="M0 0L9 4L0 8Z" fill="#222"/></marker><marker id="b" markerWidth="9" '
          'markerHeight="8" refX="1" refY="4" orient="auto"><path d="M9 0L0 4L9 8Z" fill="#222"/>'
          "</marker></defs>")
    print('<rect width="860" height="450" fill="#fdfdfb"/>')
    print("\n".join(out))
    print("</svg>")


main()
