#!/usr/bin/env python3
"""Prints the tables of docs/contact.md that compare contact under load with CONTACT
(tests/reference/loaded_*.csv).

    tools/compare_loaded.py build/release/klingel
"""
import csv
import io
import pathlib
import statistics
import subprocess
import sys

REFERENCE = pathlib.Path(__file__).parent.parent / "tests/reference"
LOADS = (30, 60, 100)
SHOWN = (0.5, 1, 2, 3, 4, 4.5, 5, 5.5, 6)


def rows(text):
    return list(csv.DictReader(io.StringIO("\n".join(l for l in text.splitlines() if not l.startswith("#")))))


def reference(name):
    return rows((REFERENCE / name).read_text())


def klingel(command, rail, *more):
    call = [sys.argv[1], command, "--wheel", "S1002", "--rail", rail, "--E", "209.92", *map(str, more)]
    return rows(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def delta_r():
    print("| delta_r, mm, at y = | " + " | ".join(f"{y:g}" for y in SHOWN) + " |")
    print("|---|" + "---|" * len(SHOWN))
    wanted = [r for r in reference("loaded_wheelset.csv") if r["rail"] == "60E1:1:40"]
    print("| zero load | " + " | ".join(f"{float(r['delta_r_rigid']):.3f}" for r in wanted
                                       if r["N"] == "60000" and float(r["y"]) in SHOWN) + " |")
    for load in LOADS:
        found = klingel("contact", "60E1:1:40", "--load", load, "--roll", 0, "--y", "0.5:6:0.5", "--csv")
        radius = {(float(r["y"]), r["side"]): float(r["rolling_radius"]) for r in found}
        print(f"| {load} kN, CONTACT | " + " | ".join(f"{float(r['delta_r']):.3f}" for r in wanted
              if float(r["N"]) == 1e3 * load and float(r["y"]) in SHOWN) + " |")
        print(f"| {load} kN, Klingel | " + " | ".join(f"{radius[y, 'left'] - radius[y, 'right']:.3f}" for y in SHOWN) + " |")


def conicity():
    wanted = [r for r in reference("loaded_conicity.csv") if r["rail"] == "60E1:1:40"]
    print("| equivalent conicity, amplitude in mm | " + " | ".join(r["amplitude"] for r in wanted) + " |")
    print("|---|" + "---|" * len(wanted))
    print("| zero load | " + " | ".join(f"{float(r['rigid']):.3f}" for r in wanted) + " |")
    for load in LOADS:
        found = klingel("conicity", "60E1:1:40", "--load", load, "--amplitude", "1:5:1", "--csv")
        print(f"| {load} kN, CONTACT | " + " | ".join(f"{float(r[f'N{load}']):.3f}" for r in wanted) + " |")
        print(f"| {load} kN, Klingel | " + " | ".join(f"{float(r['tan_gamma']):.3f}" for r in found) + " |")


def patches():
    print("| rail, load | wheels | same number of patches | length of the largest patch, median and nine of ten |")
    print("|---|---|---|---|")
    wanted = reference("loaded_patches.csv")
    for rail, load in [("60E1:1:40", l) for l in LOADS] + [("60E1:1:20", 60)]:
        first = [r for r in wanted if r["rail"] == rail and float(r["N"]) == 1e3 * load and r["patch"] == "1"]
        same, off = 0, []
        found = klingel("contact", rail, "--load", load, "--roll", 0, "--y=-6.5:6.5:0.5", "--patches")
        for r in first:
            mine = [f for f in found if float(f["y"]) == float(r["y"]) and f["side"] == "left"]
            if mine[0]["patches"] != r["patches"]:
                continue
            same += 1
            off.append(abs(float(mine[0]["length"]) / float(r["length_s"]) - 1))
        off.sort()
        print(f"| {rail}, {load} kN | {len(first)} | {same} | "
              f"{100 * statistics.median(off):.0f} %, {100 * off[9 * len(off) // 10]:.0f} % |")


delta_r()
print()
conicity()
print()
patches()
