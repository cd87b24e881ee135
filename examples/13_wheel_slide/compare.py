#!/usr/bin/env python3
"""Numbers and a picture of two recordings of this example.

    compare.py without.csv with.csv wheel_slide.svg

Prints the distance from 23 to 3 m/s, the largest slide, how long a wheelset stood still, and the wear number. Ends with 1
unless wheels lock without protection and do not with it."""
import csv
import sys

RADIUS = 0.5
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def recording(path):
    with open(path) as f:
        rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(f)]
    return [r for r in rows if r["speed"] > 3.0]


def axles(rows):
    return [k for k in rows[0] if k.startswith("dq.") and k.endswith(".spin")]


def numbers(rows):
    slide = [max(r["speed"] - RADIUS * r[a] for a in axles(rows)) for r in rows]
    locked = [sum(1 for r in rows if RADIUS * r[a] < 0.1 * r["speed"]) * 1e-3 for a in axles(rows)]
    wear = [sum(v for k, v in r.items() if k.startswith("Tgamma.")) for r in rows]
    metres = [b["s"] - a["s"] for a, b in zip(rows, rows[1:])]
    return {"distance to 3 m/s, m": rows[-1]["s"] - rows[0]["s"], "time, s": rows[-1]["t"], "largest slide, m/s": max(slide),
            "longest locked, s": max(locked), "largest wear number, kN": max(wear) / 1e3,
            "frictional work, MJ": sum(w * m for w, m in zip(wear, metres)) / 1e6}


def panel(top, title, rows, end):
    left, width, height = 60, 640, 190
    x = lambda t: left + width * t / end
    y = lambda v: top + height * (1 - v / 25)
    out = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#fdfdfb" stroke="#888"/>',
           f'<text x="{left}" y="{top - 8}" font-size="13">{title}</text>']
    for v in range(0, 26, 5):
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v}</text>')
    for t in range(0, int(end) + 1, 5):
        out.append(f'<text x="{x(t):.1f}" y="{top + height + 16}" text-anchor="middle">{t}</text>')

    def line(value, colour, width):
        points = " ".join(f"{x(r['t']):.1f},{y(value(r)):.1f}" for r in rows[::80])
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{points}"/>')
    for a, colour in zip(axles(rows), COLOURS):
        line(lambda r, a=a: max(RADIUS * r[a], 0), colour, 1)
    line(lambda r: r["speed"], "#000", 1.8)
    return out


def picture(without, protected):
    end = max(without[-1]["t"], protected[-1]["t"])
    body = panel(40, "without protection", without, end) + panel(290, "with wheel-slide protection", protected, end)
    legend = ["vehicle"] + [a[3:-5] for a in axles(without)]
    for i, (name, colour) in enumerate(zip(legend, ("#000",) + COLOURS)):
        body.append(f'<text x="{80 + 120 * i}" y="540" fill="{colour}">{name}</text>')
    body.append('<text x="380" y="516" text-anchor="middle">time, s</text>'
                '<text transform="translate(16 260) rotate(-90)" text-anchor="middle">speed at the tread, m/s</text>')
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="740" height="560" font-family="sans-serif" font-size="11">'
            '<rect width="740" height="560" fill="#fbfbf8"/>' + "\n".join(body) + "</svg>\n")


def main(first, second, svg):
    without, protected = recording(first), recording(second)
    a, b = numbers(without), numbers(protected)
    print(f"{'':26}{'without':>10}{'with':>10}")
    for key in a:
        print(f"{key:26}{a[key]:10.3f}{b[key]:10.3f}")
    with open(svg, "w") as f:
        f.write(picture(without, protected))
    good = a["longest locked, s"] > 1 and b["longest locked, s"] == 0 and b["largest slide, m/s"] < a["largest slide, m/s"] / 2
    if not good:
        sys.exit("the protection did not do its work")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
