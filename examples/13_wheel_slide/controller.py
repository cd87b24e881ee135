#!/usr/bin/env python3
"""The same controller as controller.c, over UDP, with the standard library only.

    controller.py vehicle.h PORT [--unprotected]

vehicle.h is written by `klingel realtime --header`: names and their places are read from it."""
import pathlib
import re
import socket
import struct
import sys
import time

HEAD = struct.Struct("<IHHIIQQQdIIQ")  # 64 bytes, as docs/realtime.md describes them
RADIUS, DEMAND, PERIOD, LET_GO_BELOW = 0.5, 6000.0, 1e-3, 3.0
AXLES = ("front.front", "front.rear", "rear.front", "rear.rear")


def layout(path):
    text = pathlib.Path(path).read_text()
    number = int(re.search(r"#define KLINGEL_LAYOUT (\w+)u", text)[1], 16)
    names = [{name: int(place) for place, name in re.findall(rf"KLINGEL_{kind}_\w+ = (\d+), /\* ([^ ,]+)", text)}
             for kind in ("OUTPUT", "INPUT")]
    return number, *names


def valve(share, v, omega):
    slide = v - RADIUS * omega
    if slide > 0.05 * v:
        share -= 8 * PERIOD
    elif slide < 0.02 * v:
        share += 0.8 * PERIOD
    return min(max(share, 0.0), 1.0)


def main(header, port, protected):
    number, outputs, inputs = layout(header)
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.connect(("127.0.0.1", port))
    link.settimeout(0.2)
    values, share, sequence = [0.0] * len(inputs), dict.fromkeys(AXLES, 1.0), 0

    def say(answers):
        nonlocal sequence
        sequence += 1
        head = HEAD.pack(0x54524C4B, 1, 2, number, len(values), sequence, answers, time.monotonic_ns(), 0.0, 0, 0, 0)
        link.send(head + struct.pack(f"<{len(values)}d", *values))

    silent = 0
    while silent < 50:  # ten seconds
        if silent or not sequence:
            try:
                say(0)  # who we are; the loop answers
            except ConnectionRefusedError:
                time.sleep(0.1)
        try:
            packet = link.recv(65536)
        except ConnectionRefusedError:
            if sequence > 1 and not silent:
                return  # the loop has ended
            silent += 1
            time.sleep(0.1)
            continue
        except TimeoutError:
            silent += 1
            continue
        silent = 0
        head = HEAD.unpack_from(packet)
        if head[2] != 1 or head[3] != number:
            continue
        got = struct.unpack_from(f"<{head[4]}d", packet, HEAD.size)
        v = got[outputs["speed"]]
        pressure = min(head[8] / 0.5, 1.0) if v > LET_GO_BELOW else 0.0
        for axle in AXLES:
            omega = got[outputs[f"dq.{axle}.spin"]]
            share[axle] = valve(share[axle], v, omega) if protected else 1.0
            values[inputs[f"{axle}.brake"]] = pressure * share[axle] * DEMAND * min(max(omega / 0.5, -1.0), 1.0)
        say(head[5])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), "--unprotected" not in sys.argv)
