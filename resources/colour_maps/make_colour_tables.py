#!/usr/bin/env python3
"""Writes the .inl files in this folder, of 256 sRGB-encoded entries each. Needed only to add a map.

viridis, inferno and cividis are matplotlib's (dedicated to the public domain under CC0); the script
needs matplotlib. The diverging map follows K. Moreland, "Diverging Color Maps for Scientific Visualization"
(2009): from blue to red through a light grey, interpolated in Msh (the polar form of CIELAB) with
Moreland's change of the hue. Neighbouring entries have equal distances in CIELAB, so equal steps of
a value are equal steps of colour."""
import math
import pathlib

from matplotlib import colormaps

BLUE, RED = (59, 76, 192), (180, 4, 38)  # sRGB bytes
MIDDLE = 88.0  # Msh magnitude of the light grey
WHITE = (0.95047, 1.0, 1.08883)  # D65
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375),
          (0.2126729, 0.7151522, 0.0721750),
          (0.0193339, 0.1191920, 0.9503041))
TO_RGB = ((3.2404542, -1.5371385, -0.4985314),
          (-0.9692660, 1.8760108, 0.0415560),
          (0.0556434, -0.2040259, 1.0572252))
ENTRIES, FINE = 256, 20000


def apply(matrix, vector):
    return [sum(m * v for m, v in zip(row, vector)) for row in matrix]


def lab_from_rgb(rgb):
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    x, y, z = (v / w for v, w in zip(apply(TO_XYZ, light), WHITE))
    f = [v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def rgb_from_lab(lab):
    y = (lab[0] + 16) / 116
    f = (y + lab[1] / 500, y, y - lab[2] / 200)
    xyz = [w * (v ** 3 if v ** 3 > 216 / 24389 else (116 * v - 16) * 27 / 24389)
           for v, w in zip(f, WHITE)]
    light = [min(1.0, max(0.0, c)) for c in apply(TO_RGB, xyz)]
    return [12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in light]


def msh_from_lab(lab):
    m = math.sqrt(sum(v * v for v in lab))
    return m, math.acos(lab[0] / m), math.atan2(lab[2], lab[1])


def lab_from_msh(msh):
    m, s, h = msh
    return m * math.cos(s), m * math.sin(s) * math.cos(h), m * math.sin(s) * math.sin(h)


def turned_hue(saturated, m):
    """Returns the hue for an unsaturated colour of magnitude m on the path to a saturated colour."""
    own, s, h = saturated
    if own >= m:
        return h
    turn = s * math.sqrt(m * m - own * own) / (own * math.sin(s))
    return h + turn if h > -math.pi / 3 else h - turn


def half(end, t):
    """Returns the CIELAB colour at `t` between the light grey (0) and the saturated end (1)."""
    m, s, h = msh_from_lab(lab_from_rgb([c / 255 for c in end]))
    grey = turned_hue((m, s, h), MIDDLE)
    return lab_from_msh((MIDDLE + t * (m - MIDDLE), t * s, grey + t * (h - grey)))


def evenly(path, count):
    """Returns `count` points of a path of CIELAB colours, at equal distances along it."""
    far = [0.0]
    for a, b in zip(path, path[1:]):
        far.append(far[-1] + math.dist(a, b))
    points, at = [], 0
    for i in range(count):
        wanted = far[-1] * i / (count - 1)
        while at + 2 < len(far) and far[at + 1] < wanted:
            at += 1
        share = (wanted - far[at]) / (far[at + 1] - far[at])
        points.append([a + share * (b - a) for a, b in zip(path[at], path[at + 1])])
    return points


def cool_warm():
    # Both halves have equal steps and the same number of entries: the grey lies between the two middle entries.
    halves = []
    for end in (BLUE, RED):
        path = [half(end, i / FINE) for i in range(FINE + 1)]
        halves.append(evenly(path, ENTRIES)[1::2])
    return [rgb_from_lab(lab) for lab in halves[0][::-1] + halves[1]]


def write(name, entries):
    with open(pathlib.Path(__file__).with_name(name + ".inl"), "w", encoding="ascii") as file:
        for r, g, b in entries:
            file.write(f"{{{r:.6f}F, {g:.6f}F, {b:.6f}F}},\n")


for map_name in ("viridis", "inferno", "cividis"):
    write(map_name, colormaps[map_name].colors)
write("cool_warm", cool_warm())
