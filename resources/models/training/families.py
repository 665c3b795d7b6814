"""Procedural shapes of families that ShapeNet lacks; rows and vertices as in shapes.py."""
import numpy as np
from scipy.interpolate import PchipInterpolator

import shapes
from shapes import rx, ry, rz

UPRIGHT = rx(-np.pi / 2)  # rotates local z, the direction of extrusion, to y


class Builder(shapes.Builder):
    most = shapes.ROWS

    def soft(self, centre, radii, blend, R=np.eye(3), colour=0):
        self.add(2, centre, np.maximum(radii, 0.012), R, 0, colour, blend)

    def limb(self, a, b, first, last, blend=0.0, colour=0):
        """Adds a rod from a to b whose ends are balls of radius `first` and `last`."""
        a, b = np.array(a, float), np.array(b, float)
        length = np.linalg.norm(b - a)
        if length < 1.05 * abs(first - last) + 1e-3:  # one ball contains the other
            return self.soft(a if first > last else b, [max(first, last)] * 3, blend, colour=colour)
        y = (b - a) / length
        x = np.cross(y, [1, 0, 0] if abs(y[0]) < 0.9 else [0, 0, 1.0])
        x /= np.linalg.norm(x)
        R = np.stack([x, y, np.cross(x, y)], 1)
        self.add(4, (a + b) / 2, [max(first, 0.008), length / 2, max(last, 0.008)], R, 0, colour, blend)

    def chain(self, points, radii, blend=0.0, colour=0):
        for k in range(len(points) - 1):
            self.limb(points[k], points[k + 1], radii[k], radii[k + 1], blend, colour)

    def ring(self, centre, radius, thickness, angle, R=np.eye(3), colour=0):
        """Adds the part of a torus about local z that is within `angle` of local y."""
        self.add(5, centre, [radius, thickness, radius * np.cos(angle)], R, 0, colour)

    def turned(self, centre, border, R=np.eye(3), colour=0):
        """Adds a solid of revolution. `border`: points (radius, y) from the axis at the bottom to that at the top."""
        border = np.array(border, float)
        border[[0, -1], 0] = -0.01  # beyond the axis, so that the axis lies inside
        if len(self.p) < self.most and len(self.vertices) + len(border) <= shapes.VERTICES:
            self.add(6, centre, [border[:, 0].max(), np.ptp(border[:, 1]) / 2, 0], R, 0, colour, vertices=border.tolist())

    def extruded(self, centre, border, half, R=np.eye(3), rounding=0.0, wall=0.0, colour=0):
        """Adds an extruded polygon. `wall` > 0: instead a wall along its border, of this thickness on both sides."""
        if len(self.p) < self.most and len(self.vertices) + len(border) <= shapes.VERTICES:
            self.add(7, centre, [half, np.ptp(border, 0)[1] / 2, 0], R, min(rounding, 0.9 * half, 0.9 * (wall or 1)),
                     colour, 0, wall, np.array(border, float).tolist())

    def turn(self, R):
        for row in self.p:
            row[1:4], row[4:13] = R @ row[1:4], (R @ row[4:13].reshape(3, 3).T).T.ravel()


def curve(heights, radii, count=14):
    """Returns points (radius, y) of a smooth curve through the given points."""
    y = np.linspace(heights[0], heights[-1], count)
    return np.stack([PchipInterpolator(heights, radii)(y), y], 1)


def solid(outside):
    return np.concatenate([[[0, outside[0, 1]]], outside, [[0, outside[-1, 1]]]])


def hollow(outside, wall, floor):
    """Returns the border of a vessel: the outside, then the inside, `wall` nearer to the axis, down to `floor`."""
    inside = outside[outside[:, 1] > floor][::-1] - [wall, 0]
    inside[:, 0] = np.maximum(inside[:, 0], 0.015)
    last = np.interp(floor, outside[:, 1], outside[:, 0]) - wall
    return np.concatenate([[[0, outside[0, 1]]], outside, inside, [[max(last, 0.015), floor], [0, floor]]])


def bowl(radius, height, wall, power=1.0, count=13):
    """Returns the border of a round bowl that stands on the ground."""
    a = np.linspace(0.05, 1, count) * np.pi / 2
    outside = np.stack([radius * np.sin(a) ** power, height * (1 - np.cos(a))], 1)
    inside = np.stack([(radius - wall) * np.sin(a) ** power, wall + (height - wall) * (1 - np.cos(a))], 1)[::-1]
    return np.concatenate([[[0, 0]], outside, inside, [[0, wall]]])


def handle(b, radius, y, size, side=1, colour=0):
    """Adds a handle, part of a torus, to a wall at `radius`."""
    b.ring([side * (radius - 0.1 * size), y, 0], size, b.uniform(0.12, 0.22) * size, b.uniform(1.5, 1.9),
           rz(-side * np.pi / 2), colour)


def turned(b):
    kind = b.r.integers(0, 7)
    wall = b.uniform(0.015, 0.04)
    if kind == 0:  # vase
        foot, belly, neck = b.uniform(0.12, 0.28), b.uniform(0.25, 0.45), b.uniform(0.1, 0.3)
        at = b.uniform(0.25, 0.6)
        outside = curve([0, at, b.uniform(0.75, 0.9), 1], [foot, belly, neck, neck * b.uniform(0.9, 1.6)], 18)
        b.turned([0, 0, 0], hollow(outside, wall, b.uniform(0.04, 0.5)))
        for side in (-1, 1) if b.chance(0.3) else ():
            handle(b, belly * 0.85, at + 0.15, b.uniform(0.1, 0.16), side, 1)
    elif kind == 1:  # bottle
        body, neck = b.uniform(0.12, 0.24), b.uniform(0.04, 0.07)
        shoulder, top = b.uniform(0.45, 0.65), b.uniform(0.7, 0.82)
        outside = curve([0, 0.04, shoulder, top, 1], [body * 0.9, body, body * b.uniform(0.9, 1.05), neck, neck], 26)
        b.turned([0, 0, 0], solid(outside))
        b.cylinder([0, 1, 0], neck * 1.2, b.uniform(0.02, 0.06), colour=1)
        if b.chance(0.6):
            b.cylinder([0, shoulder * 0.5, 0], body * 1.06, shoulder * 0.25, colour=2)
    elif kind == 2:  # cup
        low, high, tall = b.uniform(0.22, 0.35), b.uniform(0.3, 0.42), b.uniform(0.5, 0.95)
        outside = curve([0, tall * 0.5, tall], [low, (low + high) / 2 * b.uniform(0.95, 1.12), high], 12)
        b.turned([0, 0, 0], hollow(outside, wall, 0.06))
        handle(b, (low + high) / 2, tall * 0.52, tall * b.uniform(0.22, 0.33), 1, b.r.integers(0, 2))
        if b.chance(0.3):
            b.turned([0, -0.03, 0], solid(np.array([[high * 0.9, 0], [high * 1.6, 0.05], [high * 1.6, 0.07]])), colour=1)
    elif kind == 3:  # goblet
        stem, cup = b.uniform(0.02, 0.04), b.uniform(0.18, 0.3)
        outside = curve([0, 0.05, 0.45, 0.52, 0.75, 1], [cup * 0.8, stem, stem, cup * 0.5, cup, cup * b.uniform(0.75, 1.1)], 26)
        b.turned([0, 0, 0], hollow(outside, wall * 0.8, 0.56))
    elif kind == 4:  # balusters, chess pieces
        count = b.r.integers(4, 8)
        radii = b.uniform(0.06, 0.24) * b.r.uniform(0.35, 1, count)
        radii[0] = radii.max() * b.uniform(1, 1.5)
        b.turned([0, 0, 0], solid(curve(np.linspace(0, 1, count) ** b.uniform(0.8, 1.2), radii, 32)))
        if b.chance(0.6):
            b.soft([0, 1, 0], [b.uniform(0.06, 0.16)] * 3, 0.02)
    elif kind == 5:  # teapot
        body, tall = b.uniform(0.28, 0.36), b.uniform(0.4, 0.6)
        b.turned([0, 0, 0], solid(curve([0, tall * 0.5, tall], [body * 0.6, body, body * 0.4], 18)))
        b.soft([0, tall + 0.05, 0], [0.05, 0.05, 0.05], 0.02, colour=1)
        handle(b, body * 0.95, tall * 0.5, tall * 0.36, 1, 1)
        b.limb([-body * 0.7, tall * 0.35, 0], [-body - b.uniform(0.15, 0.25), tall * b.uniform(0.75, 1), 0], 0.09, 0.035, 0.05)
    else:  # bell, hat or lampshade, open below
        high = b.uniform(0.1, 0.25)
        outside = curve([0, 0.3, 0.9, 1], [b.uniform(0.35, 0.5), high * b.uniform(1, 1.5), high, high * 0.8], 18)
        border = hollow(np.array(outside)[::-1] * [1, -1], wall, -0.9)
        b.turned([0, 0, 0], border * [1, -1])
        if b.chance():
            b.soft([0, 1, 0], [0.06, 0.06, 0.06], 0.03, colour=1)


def animal(b):
    k = b.uniform(0.04, 0.1)
    long, thick, leg = b.uniform(0.25, 0.4), b.uniform(0.1, 0.2), b.uniform(0.08, 0.4)
    y, rump, thin = leg + thick * 0.8, b.uniform(0.8, 1.15), b.uniform(0.025, 0.05)
    b.soft([0, y, long * 0.4], [thick * rump, thick * rump, long * 0.7], k)
    b.soft([0, y + 0.02, -long * 0.4], [thick, thick * 1.05, long * 0.65], k)
    for side in (-1, 1):
        for z in (-0.75, 0.75):
            step = b.uniform(-0.1, 0.1)
            knee = [side * thick * 0.6, leg * 0.55, z * long + step * 0.5]
            b.chain([[side * thick * 0.5, y, z * long], knee, [side * thick * 0.6, thin, z * long + step]],
                    [thin * 2, thin * 1.3, thin], k)
    rise = b.uniform(0.05, 0.4)
    head = np.array([0, y + rise, -long - b.uniform(0.05, 0.2)])
    b.limb([0, y + 0.03, -long * 0.75], head, thick * 0.6, thick * 0.4, k)
    skull = b.uniform(0.07, 0.14)
    b.soft(head, [skull * 0.85, skull * 0.9, skull], k)
    b.limb(head, head + [0, -skull * 0.4, -skull * b.uniform(1, 2)], skull * 0.6, skull * 0.35, k * 0.5)
    up = b.uniform(0.05, 0.2)
    for side in (-1, 1):
        b.limb(head + [side * skull * 0.5, skull * 0.6, 0.02], head + [side * skull * b.uniform(0.6, 1.4), skull * 0.6 + up, 0.03],
               0.035, 0.015, 0.02, b.r.integers(0, 2))
    if b.chance(0.8):
        tail = np.array([0, y + thick * 0.5, long])
        b.chain([tail, tail + [0, b.uniform(-0.1, 0.15), 0.12], tail + [0, b.uniform(-0.2, 0.3), 0.2]], [0.035, 0.025, 0.015], 0.04)


def figure(b):
    k = b.uniform(0.03, 0.08)
    hip, chest, wide = b.uniform(0.3, 0.5), b.uniform(0.25, 0.35), b.uniform(0.1, 0.2)
    lean = b.uniform(-0.1, 0.1)
    b.soft([0, hip, 0], [wide * 0.9, wide * 0.8, wide * 0.7], k)
    b.soft([lean * 0.5, hip + chest * 0.7, 0], [wide, chest * 0.6, wide * 0.65], k)
    skull = b.uniform(0.08, 0.16)
    b.soft([lean, hip + chest * 1.35 + skull, -0.01], [skull * 0.85, skull, skull * 0.9], k, colour=1)
    b.limb([lean * 0.7, hip + chest, 0], [lean, hip + chest * 1.35 + skull * 0.3, 0], wide * 0.4, skull * 0.4, k)
    thin = b.uniform(0.03, 0.06)
    for side in (-1, 1):
        foot = np.array([side * (wide * 0.6 + b.uniform(0, 0.15)), thin * 0.7, b.uniform(-0.15, 0.15)])
        start = np.array([side * wide * 0.55, hip, 0])
        knee = (start + foot) / 2 + [0, 0, -b.uniform(0, 0.1)]
        b.chain([start, knee, foot, foot + [0, 0, -0.09]], [thin * 1.6, thin * 1.1, thin, thin * 0.8], k)
        shoulder = np.array([side * wide * 0.9 + lean * 0.7, hip + chest * 1.1, 0])
        a, c = b.uniform(-1.4, 1.2), b.uniform(-1.4, 1.4)
        reach = b.uniform(0.14, 0.2)
        elbow = shoulder + reach * np.array([side * np.cos(a), np.sin(a), -b.uniform(-0.3, 0.5)])
        hand = elbow + reach * np.array([side * np.cos(c), np.sin(c), -b.uniform(-0.3, 0.8)])
        b.chain([shoulder, elbow, hand], [thin * 1.2, thin, thin * 0.8], k)
    if b.chance(0.4):
        b.cylinder([0, -0.02, 0], wide * 2, 0.03, colour=2)


def fruit(b):
    kind, r = b.r.integers(0, 5), b.uniform(0.3, 0.45)
    if kind == 0:  # apples, pumpkins
        lobes = b.r.integers(5, 9)
        for a in np.arange(lobes) * 2 * np.pi / lobes:
            b.soft([0.45 * r * np.cos(a), 0, 0.45 * r * np.sin(a)], [r * 0.6, r * b.uniform(0.7, 0.9), r * 0.6], 0.06)
        b.limb([0, 0, 0], [b.uniform(-0.05, 0.05), r + 0.06, 0.03], 0.03, 0.02, 0.03, 1)
    elif kind == 1:  # pears, gourds
        b.soft([0, 0, 0], [r, r * 0.9, r], 0.1)
        b.soft([b.uniform(-0.1, 0.1), r * b.uniform(0.8, 1.1), 0], [r * 0.6, r * 0.65, r * 0.6], 0.25)
        b.limb([0, r, 0], [0.04, r * 1.9, 0], 0.02, 0.015, 0.02, 1)
    elif kind == 2:  # bananas, horns
        a = np.linspace(-1, 1, 7) * b.uniform(0.5, 1.3)
        points = np.stack([0.5 * np.sin(a), 0.5 * (1 - np.cos(a)), 0 * a], 1)
        middle = b.uniform(0.06, 0.13)
        b.chain(points, middle * np.array([0.35, 0.8, 1, 1, 0.95, 0.75, 0.3]), 0.02)
    elif kind == 3:  # grapes, berries
        b.limb([0, -0.25, 0], [0, 0.15, 0], 0.05, 0.16, 0.03)
        for y in np.linspace(-0.35, 0.25, b.r.integers(9, 20)):
            out, a = 0.05 + 0.25 * (y + 0.35), b.uniform(0, 7)
            b.soft([out * np.cos(a), y, out * np.sin(a)], [b.uniform(0.08, 0.12)] * 3, 0.03)
        b.limb([0, 0.15, 0], [0.03, 0.5, 0], 0.02, 0.02, 0.02, 1)
    else:  # mushrooms
        top = b.uniform(0.3, 0.55)
        b.limb([0, 0, 0], [b.uniform(-0.08, 0.08), top, 0], b.uniform(0.07, 0.15), b.uniform(0.06, 0.1), 0.05, 1)
        b.soft([0, top + 0.03, 0], [r, r * b.uniform(0.35, 0.7), r], 0.08)


def soft(b):
    kind = b.r.integers(0, 10)
    if kind < 4:
        animal(b)
    elif kind < 6:
        figure(b)
    elif kind < 8:
        fruit(b)
    elif kind == 8:  # fish and birds
        long, high, wide = b.uniform(0.35, 0.5), b.uniform(0.08, 0.2), b.uniform(0.06, 0.15)
        b.soft([0, 0, 0], [wide, high, long], 0.05)
        b.soft([0, high * 0.3, -long * 0.8], [wide * 0.7, high * 0.6, long * 0.3], 0.08)
        b.soft([0, 0, long * 1.05], [0.02, high * b.uniform(0.8, 1.4), long * 0.22], 0.06, colour=1)
        span, sweep = b.uniform(0.05, 0.5), b.uniform(-0.3, 0.4)
        for side in (-1, 1):
            b.soft([side * (wide + span * 0.6), b.uniform(-0.03, 0.08), 0], [span, 0.02, long * 0.3],
                   0.06, ry(-side * sweep) @ rz(side * b.uniform(-0.4, 0.4)), 1)
        if b.chance():
            b.soft([0, high, 0], [0.02, high * 0.7, long * 0.4], 0.05, rx(0.3), 1)
    else:  # random blobs
        at = np.zeros(3)
        for _ in range(b.r.integers(3, 9)):
            b.soft(at, b.r.uniform(0.12, 0.25, 3), b.uniform(0.05, 0.12), np.linalg.qr(b.r.normal(size=(3, 3)))[0])
            d = b.r.normal(size=3)
            at = at * 0.6 + d / np.linalg.norm(d) * b.uniform(0.08, 0.18)


def round_outline(b, count=28):
    """Returns a smooth closed curve around the origin."""
    a = np.arange(count) * 2 * np.pi / count
    r = 0.4 + sum(b.r.normal() * 0.2 / n * np.cos(n * a + b.uniform(0, 7)) for n in range(2, 6))
    r = np.maximum(r, 0.12)
    return np.stack([r * np.cos(a), r * np.sin(a)], 1) * [1, b.uniform(0.5, 1)]


def letters(b):
    """Returns a polygon in the unit square: a letter or a sign."""
    t, u = b.uniform(0.12, 0.35), b.uniform(0.12, 0.35)
    w = 1 - t
    m, n = (1 - u) / 2, (1 + u) / 2
    outlines = [
        [(0, 0), (1, 0), (1, u), (t, u), (t, 1), (0, 1)],  # L
        [(0.5 - t / 2, 0), (0.5 + t / 2, 0), (0.5 + t / 2, 1 - u), (1, 1 - u), (1, 1), (0, 1), (0, 1 - u), (0.5 - t / 2, 1 - u)],  # T
        [(0, 0), (1, 0), (1, 1), (w, 1), (w, u), (t, u), (t, 1), (0, 1)],  # U
        [(0, 0), (t, 0), (t, m), (w, m), (w, 0), (1, 0), (1, 1), (w, 1), (w, n), (t, n), (t, 1), (0, 1)],  # H
        [(m, 0), (n, 0), (n, m), (1, m), (1, n), (n, n), (n, 1), (m, 1), (m, n), (0, n), (0, m), (m, m)],  # +
        [(0, 0), (1, 0), (1, u), (0.3 + t, 0.5), (1, 1 - u), (1, 1), (0, 1)],  # square with a notch
        [(0, 0), (1, 0), (1, 0.34), (0.67, 0.34), (0.67, 0.67), (0.34, 0.67), (0.34, 1), (0, 1)],  # stairs
        [(0, 0), (1, 0), (1, 0.6), (0.5, 1), (0, 0.6)],  # house
        [(0, m), (0.55, m), (0.55, 0), (1, 0.5), (0.55, 1), (0.55, n), (0, n)],  # arrow
        [(0, 0), (1, 0), (0.3 + t, 1), (0.7 - t, 1)],  # trapezium
        [(0, 0), (t, 0), (1 - t, 1 - u), (1 - t, 0), (1, 0), (1, 1), (w, 1), (t, u), (t, 1), (0, 1)],  # N
    ]
    return (np.array(outlines[b.r.integers(0, len(outlines))]) - 0.5) * [b.uniform(0.6, 1), b.uniform(0.6, 1)]


def teeth(b):
    """Returns the polygon of a star or gear."""
    points, inner = b.r.integers(3, 12), b.uniform(0.4, 0.85)
    each = 4 if b.chance(0.4) and points > 4 else 2
    r = np.tile([1, 1, inner, inner] if each == 4 else [1, inner], points) * 0.5
    a = np.arange(each * points) * 2 * np.pi / (each * points)
    return np.stack([r * np.cos(a), r * np.sin(a)], 1)


def bent(b, count=12):
    """Returns the polygon of a band along an arch, crescent or wave."""
    half, along = b.uniform(0.05, 0.14), np.linspace(-1, 1, count)
    if b.chance(0.6):
        a, r = along * b.uniform(0.8, 2.4), 0.45
        middle, across = np.stack([r * np.sin(a), r * np.cos(a)], 1), np.stack([np.sin(a), np.cos(a)], 1)
    else:
        high, phase = b.uniform(0.1, 0.25), b.uniform(2, 5)
        middle = np.stack([0.5 * along, high * np.sin(phase * along)], 1)
        across = np.stack([-high * phase * np.cos(phase * along), np.full(count, 0.5)], 1)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
    taper = half * (1 if b.chance() else 1.2 - np.abs(along)[:, None])
    return np.concatenate([middle + across * taper, (middle - across * taper)[::-1]])


def extruded(b):
    outline = [round_outline, letters, teeth, bent][b.r.integers(0, 4)](b)
    half = b.uniform(0.04, 0.12) if b.chance() else b.uniform(0.1, 0.4)
    R = np.eye(3) if b.chance() else UPRIGHT
    wall = b.uniform(0.02, 0.05) if b.chance(0.2) else 0
    b.extruded([0, 0, 0], outline, half, R, b.uniform(0, 0.03), wall)
    if b.chance(0.35):  # a second plate on the first
        b.extruded(R @ [0, 0, half], outline * b.uniform(0.4, 0.8), b.uniform(0.03, 0.15) + half * 0.3, R, 0.005, 0, 1)
    elif b.chance(0.3):  # a hub or an axle
        b.cylinder([0, 0, 0], b.uniform(0.05, 0.12), half + b.uniform(0.05, 0.25), R @ rx(np.pi / 2), 1)
    if R[1, 1] > 0.5 and b.chance(0.3):  # a base that it stands on
        b.box([0, outline[:, 1].min() - 0.02, 0], [np.ptp(outline[:, 0]) * 0.45, 0.04, half + b.uniform(0.02, 0.12)], colour=2)


def grow(b, at, direction, length, radius, depth, spread, tips):
    end = at + length * direction
    b.limb(at, end, radius, radius * 0.7, radius * 0.6)
    if depth == 0 or len(b.p) > 30:
        tips.append(end)
        return
    for _ in range(b.r.integers(2, 4)):
        turn = b.r.normal(size=3)
        turn -= turn @ direction * direction
        towards = direction + spread * turn / np.linalg.norm(turn) + [0, 0.15, 0]
        grow(b, end, towards / np.linalg.norm(towards), length * b.uniform(0.6, 0.85), radius * 0.68, depth - 1, spread, tips)


def branching(b):
    kind = b.r.integers(0, 5)
    if kind <= 1:  # trees, corals
        tips = []
        thick = b.uniform(0.03, 0.07)
        grow(b, np.zeros(3), np.array([0, 1.0, 0]), b.uniform(0.25, 0.4), thick, b.r.integers(1, 4), b.uniform(0.5, 1), tips)
        if b.chance(0.6):
            for tip in tips:
                b.soft(tip, b.uniform(0.09, 0.17) * b.r.uniform(0.8, 1.2, 3), 0.05, colour=1)
        if b.chance(0.4):
            b.turned([0, -0.1, 0], solid(np.array([[0.12, -0.12], [0.17, 0.12]])), colour=2)
    elif kind == 2:  # candlesticks, racks: arms around a stem
        tall, arms = b.uniform(0.6, 1), b.r.integers(2, 6)
        b.limb([0, 0, 0], [0, tall, 0], 0.035, 0.03, 0.02)
        b.turned([0, 0, 0], solid(np.array([[0.25, 0], [0.22, 0.03], [0.04, 0.08]])))
        reach, low, up = b.uniform(0.15, 0.35), b.uniform(0.4, 0.7) * tall, b.uniform(0.1, 0.3)
        for a in np.arange(arms) * 2 * np.pi / arms:
            out = np.array([np.cos(a), 0, np.sin(a)])
            b.chain([[0, low, 0], out * reach * 0.7 + [0, low - 0.03, 0], out * reach + [0, low + up, 0]], [0.03, 0.025, 0.025], 0.02)
            if b.chance(0.7):
                b.cylinder(out * reach + [0, low + up, 0], 0.05, 0.04, colour=1)
    elif kind == 3:  # cacti
        tall, thick = b.uniform(0.7, 1), b.uniform(0.07, 0.13)
        b.limb([0, 0, 0], [0, tall, 0], thick, thick * 0.9, 0.03)
        for k in range(b.r.integers(1, 4)):
            a, y, out, up = b.uniform(0, 7), b.uniform(0.25, 0.6) * tall, thick + b.uniform(0.1, 0.2), b.uniform(0.1, 0.35)
            side = np.array([np.cos(a), 0, np.sin(a)])
            b.chain([[0, y, 0], side * out + [0, y, 0], side * out + [0, y + up, 0]], [thick * 0.6] * 3, 0.04)
        b.turned([0, 0, 0], solid(np.array([[0.17, -0.25], [0.22, 0]])), colour=2)
    else:  # balls and rods
        joints = [np.zeros(3)]
        ball, rod = b.uniform(0.06, 0.13), b.uniform(0.02, 0.05)
        for _ in range(b.r.integers(3, 9)):
            d = b.r.normal(size=3)
            at = joints[b.r.integers(0, len(joints))]
            joints.append(at + d / np.linalg.norm(d) * b.uniform(0.25, 0.4))
            b.limb(at, joints[-1], rod, rod, 0.0, 1)
        for k, joint in enumerate(joints):
            b.soft(joint, [ball * b.uniform(0.7, 1.2)] * 3, 0.0, colour=2 * (k % 2))


def opened(b):
    kind = b.r.integers(0, 5)
    wall = b.uniform(0.012, 0.035)
    if kind <= 1:  # boxes, crates, chests
        W, H, D = b.uniform(0.25, 0.5), b.uniform(0.08, 0.35), b.uniform(0.2, 0.4)
        out = b.uniform(0, 0.25) if b.chance(0.4) else 0  # walls that lean outwards
        b.box([0, wall, 0], [W, wall, D])
        lean = H / np.cos(out)
        for s in (-1, 1):
            b.box([s * (W + H * np.tan(out)), H, 0], [wall, lean, D + 2 * H * np.tan(out)], rz(-s * out))
            b.box([0, H, s * (D + H * np.tan(out))], [W + 2 * H * np.tan(out), lean, wall], rx(s * out))
        if out == 0 and b.chance(0.4):  # a lid
            open_by = b.uniform(0.3, 2)
            R = rx(open_by)
            b.box([0, 2 * H, D] + R @ [0, 0, -D], [W, wall, D], R, colour=1)
        if b.chance(0.3):
            b.box([b.uniform(-0.3, 0.3) * W, H * 0.9, 0], [wall, H * 0.9, D], colour=1)
        if b.chance(0.25):
            legs = b.uniform(0.05, 0.3)
            shapes.legs(b, W * 0.9, D * 0.9, -legs, 0.02, 0.025, 0, True, 2)
    elif kind == 2:  # bowls
        R, H = b.uniform(0.3, 0.5), b.uniform(0.12, 0.4)
        b.turned([0, 0, 0], bowl(R, H, wall * 1.3, b.uniform(0.6, 1)))
        if b.chance(0.5):
            b.cylinder([0, 0, 0], R * b.uniform(0.35, 0.6), 0.03, colour=b.r.integers(0, 2))
        for k in range(b.r.integers(0, 5) if b.chance(0.3) else 0):
            b.soft([*(b.r.uniform(-0.35, 0.35, 3) * [R, 0, R] + [0, H * 0.6, 0])], [b.uniform(0.08, 0.13)] * 3, 0, colour=2)
    elif kind == 3:  # buckets, baskets
        low, high, H = b.uniform(0.18, 0.3), b.uniform(0.25, 0.4), b.uniform(0.3, 0.7)
        b.turned([0, 0, 0], hollow(curve([0, H], [low, high], 6), wall, 0.05))
        if b.chance(0.75):
            tilt = rx(b.uniform(-0.9, 0.9))
            b.ring([0, H, 0], high, 0.02, np.pi / 2, tilt, 1)
    else:  # tubs and troughs: a wall around an outline, with a floor
        outline = round_outline(b, 24) if b.chance(0.6) else letters(b)
        H = b.uniform(0.08, 0.3)
        b.extruded([0, H, 0], outline, H, UPRIGHT, 0, wall)
        b.extruded([0, 0, 0], outline, wall, UPRIGHT, 0, 0, b.r.integers(0, 2))


NAMES = ["turned", "soft", "extruded", "branching", "open"]
FAMILIES = [turned, soft, extruded, branching, opened]


def family(number):
    return int(np.random.default_rng([number, 5]).integers(0, len(FAMILIES)))


def make(number):
    """Makes an object of one of the families. Returns it in the form of shapes.make()."""
    builder = Builder(np.random.default_rng(number))
    FAMILIES[family(number)](builder)
    if builder.chance(0.15):  # rotated arbitrarily
        R = np.linalg.qr(builder.r.normal(size=(3, 3)))[0]
        builder.turn(R * np.sign(np.linalg.det(R)))
    return shapes.finished(builder)
