"""Procedural shapes in ShapeNet's 13 categories; families.py has other shapes. A shape is a union of primitives.

Primitive row (24 floats): type, centre(3), rotation rows(9), size(3), round, rgb(3), blend, wall, first
vertex, vertices. Types: 0 rounded box (half extents), 1 cylinder along local y (radius, half height),
2 ellipsoid (radii), 3 capped cone along local y (bottom radius, half height, top radius), 4 cone with balls
as ends (bottom radius, half distance of the balls' centres, top radius), 5 part of a torus about local z
(radius, thickness, radius * cos of the largest angle to local y), 6 solid of revolution about local y of a
polygon of (radius, y), 7 polygon of (x, y) extruded along local z (half depth); with `wall` > 0 only a wall
of that thickness on both sides of its border. `blend` > 0 joins a primitive to the previous ones with a
fillet.
Y is up, the front looks along -z; a shape is centred and scaled to a box diagonal of 0.57.
"""

import numpy as np

ROWS, VERTICES = 40, 96  # limits of a shape; shapes.cpp reads the vertices behind the rows
CATS = ["plane", "bench", "cabinet", "car", "chair", "monitor", "lamp", "speaker", "firearm", "couch", "table",
        "cellphone", "watercraft"]


def rx(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def ry(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rz(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


class Builder:
    """Collects primitives. `colour`: index in a random palette of four."""
    most = 20

    def __init__(self, random):
        self.r = random
        self.p, self.vertices = [], []
        if random.random() < 0.4:
            self.palette = random.uniform(0.05, 0.95, (4, 3))
        else:  # slightly warm or cold greys
            grey = random.uniform(0.05, 0.95, (4, 1))
            self.palette = np.clip(grey + random.normal(0, 0.09, (1, 3)) * [1, 0.3, -1], 0.02, 0.98)

    def uniform(self, low, high):
        return self.r.uniform(low, high)

    def chance(self, probability=0.5):
        return self.r.random() < probability

    def add(self, kind, centre, size, R=np.eye(3), rounding=0.0, colour=0, blend=0.0, wall=0.0, vertices=()):
        if len(self.p) >= self.most:
            return
        rgb = np.clip(self.palette[colour % 4] + self.r.normal(0, 0.03, 3), 0, 1)
        self.p.append(np.concatenate([[kind], centre, np.asarray(R).T.ravel(), size, [rounding], rgb,
                                      [blend, wall, len(self.vertices), len(vertices)]]))
        self.vertices.extend(vertices)

    def box(self, centre, half, R=np.eye(3), rounding=0.0, colour=0):
        half = np.maximum(half, 0.006)
        self.add(0, centre, half, R, min(rounding, 0.9 * min(half)), colour)

    def cylinder(self, centre, radius, half, R=np.eye(3), colour=0):
        self.add(1, centre, [max(radius, 0.006), max(half, 0.006), 0], R, 0, colour)

    def ellipsoid(self, centre, radii, R=np.eye(3), colour=0):
        self.add(2, centre, np.maximum(radii, 0.006), R, 0, colour)

    def cone(self, centre, bottom, half, top, R=np.eye(3), colour=0):
        self.add(3, centre, [max(bottom, 0.004), max(half, 0.006), max(top, 0.004)], R, 0, colour)

    def rod(self, a, b, radius, colour=0):
        a, b = np.array(a, float), np.array(b, float)
        length = np.linalg.norm(b - a)
        y = (b - a) / length
        x = np.cross(y, [1, 0, 0] if abs(y[0]) < 0.9 else [0, 0, 1.0])
        x /= np.linalg.norm(x)
        self.cylinder((a + b) / 2, radius, length / 2, np.stack([x, y, np.cross(x, y)], 1), colour)


def plane(b):
    L, r = b.uniform(0.8, 1.1), b.uniform(0.045, 0.085)
    zc = rx(np.pi / 2)
    b.cylinder([0, 0, 0], r, L * 0.36, zc)
    b.ellipsoid([0, 0, -L * 0.36], [r, r, b.uniform(0.1, 0.2)])
    b.cone([0, r * 0.2, L * 0.36 + 0.12], r, 0.13, r * 0.35, zc)
    sw, sp, ch = b.uniform(-0.1, 0.7), b.uniform(0.35, 0.6), b.uniform(0.06, 0.13)
    y0 = b.uniform(-0.7, 0.7) * r
    z0 = b.uniform(-0.12, 0.08)
    di = b.uniform(-0.03, 0.14)
    for s in (-1, 1):
        R = rz(s * di) @ ry(-s * sw)
        d = R @ np.array([s, 0, 0])
        b.box(np.array([0, y0, z0]) + d * sp * 0.3, [sp * 0.3, b.uniform(0.006, 0.012), ch], R, 0.004, 1)
        b.box(np.array([0, y0, z0]) + d * sp * 0.75, [sp * 0.28, 0.007, ch * 0.6], R, 0.004, 1)
        R2 = ry(-s * sw * 0.8)
        d2 = R2 @ np.array([s, 0, 0])
        ty = b.p[0][2] + (b.uniform(0, 0.9) * r)
        b.box(np.array([0, ty, L * 0.46]) + d2 * sp * 0.2, [sp * 0.22, 0.007, ch * 0.5], R2, 0.003, 1)
    b.box([0, r + 0.07, L * 0.47], [0.007, b.uniform(0.07, 0.11), ch * 0.6], rx(b.uniform(-0.5, 0)), 0.003, 2)
    n = b.r.integers(0, 5)
    for k in range(n):
        s = 1 if k % 2 else -1
        x = s * (0.14 if k < 2 else 0.28) * b.uniform(0.8, 1.2)
        b.cylinder(
            [x, y0 - 0.03, z0 + abs(x) * np.tan(max(sw, 0)) * 0.6 - 0.03],
            b.uniform(0.02, 0.04),
            b.uniform(0.05, 0.09),
            zc,
            3,
        )


def car(b):
    L, W, H = b.uniform(0.42, 0.5), b.uniform(0.17, 0.22), b.uniform(0.06, 0.1)
    y = 0.1
    b.box([0, y, 0], [W, H, L], rounding=b.uniform(0.01, 0.05))
    t = b.r.integers(0, 4)
    rr = b.uniform(0.06, 0.085)
    if t == 0:
        b.box([0, y + H + 0.05, b.uniform(0, 0.1)], [W * 0.88, b.uniform(0.05, 0.08), L * b.uniform(0.4, 0.6)], rounding=0.04, colour=1)
    elif t == 1:
        b.ellipsoid([0, y + H * 0.7, b.uniform(0, 0.08)], [W * 0.9, b.uniform(0.12, 0.17), L * b.uniform(0.5, 0.75)], colour=1)
    elif t == 2:
        b.box([0, y + H + 0.08, 0.05], [W * 0.95, 0.11, L * 0.85], rounding=0.03, colour=1)
    else:
        b.box([0, y + H + 0.06, -0.1], [W * 0.9, 0.08, L * 0.3], rounding=0.03, colour=1)
        b.box([0, y + H, L * 0.5], [W * 0.98, 0.05, L * 0.45], rounding=0.005, colour=0)
    b.box([0, y - H * 0.3, -L * 0.6], [W * 0.95, H * 0.6, L * 0.38], rounding=0.03)
    zr = rz(np.pi / 2)
    for s in (-1, 1):
        for f in (-1, 1):
            b.cylinder([s * W * 0.93, rr * 0.9 - 0.02, f * L * 0.62], rr, 0.03, zr, 3)
    if b.chance(0.2):
        b.box([0, y + H + 0.08, L * 0.95], [W * 0.9, 0.008, 0.03], colour=2)


def legs(b, w, d, y0, y1, r, splay=0, sq=False, colour=1):
    for s in (-1, 1):
        for f in (-1, 1):
            a, c = [s * w, y1, f * d], [s * (w + splay), y0, f * (d + splay)]
            if sq and splay == 0:
                b.box([s * w, (y0 + y1) / 2, f * d], [r, (y1 - y0) / 2, r], colour=colour)
            else:
                b.rod(a, c, r, colour)


def chair(b):
    W, D, sh, t = b.uniform(0.2, 0.3), b.uniform(0.2, 0.28), b.uniform(0.36, 0.5), b.uniform(0.012, 0.045)
    bh = b.uniform(0.2, 0.5)
    if b.chance(0.85):
        b.box([0, sh, 0], [W, t, D], rounding=b.uniform(0, 0.03))
    else:
        b.cylinder([0, sh, 0], W, t)
    k = b.r.integers(0, 4)
    tilt = b.uniform(0, 0.25)
    R = rx(-tilt)
    yb = sh + t
    if k == 0:
        b.box(
            [0, yb + bh / 2, D - 0.02 + tilt * bh / 2],
            [W * b.uniform(0.8, 1), bh / 2, b.uniform(0.01, 0.04)],
            rx(tilt),
            0.01,
        )
    elif k == 1:
        for x in np.linspace(-W + 0.02, W - 0.02, b.r.integers(3, 6)):
            b.rod([x, yb, D - 0.02], [x, yb + bh, D - 0.02 + tilt * bh], b.uniform(0.009, 0.016), 1)
        b.box([0, yb + bh, D - 0.02 + tilt * bh], [W, 0.03, 0.015], colour=1)
    elif k == 2:
        for s in (-1, 1):
            b.rod([s * (W - 0.02), yb, D - 0.02], [s * (W - 0.02), yb + bh, D - 0.02 + tilt * bh], 0.015, 1)
        for y in np.linspace(0.25, 1, b.r.integers(2, 5)):
            b.box([0, yb + bh * y, D - 0.02 + tilt * bh * y], [W - 0.02, 0.025, 0.01], colour=0)
    else:
        b.ellipsoid([0, yb + bh / 2, D], [W, bh * 0.6, 0.04], R=rx(tilt))
    m = b.r.integers(0, 5)
    rr = b.uniform(0.01, 0.028)
    if m <= 2:
        legs(b, W - 0.03, D - 0.03, 0, sh, rr, b.uniform(0, 0.06) if m == 1 else 0, m == 2)
    elif m == 3:
        b.cylinder([0, sh / 2, 0], rr * 1.3, sh / 2, colour=1)
        if b.chance():
            b.cylinder([0, 0.012, 0], W * 0.8, 0.012, colour=1)
        else:
            for a in np.arange(5) * 2 * np.pi / 5:
                b.rod([0, 0.05, 0], [W * np.cos(a), 0.015, W * np.sin(a)], 0.016, 1)
    else:
        for s in (-1, 1):
            b.box([s * (W - 0.02), sh / 2, 0], [0.018, sh / 2, D], colour=1)
    if b.chance(0.4):
        ah = b.uniform(0.12, 0.22)
        for s in (-1, 1):
            b.box([s * W, sh + ah, 0], [0.022, 0.015, D * 0.9], colour=1)
            b.rod([s * W, sh, -D * 0.7], [s * W, sh + ah, -D * 0.7], 0.013, 1)


def table(b):
    W, D, H, t = b.uniform(0.35, 0.5), b.uniform(0.2, 0.4), b.uniform(0.25, 0.6), b.uniform(0.012, 0.04)
    if b.chance(0.75):
        b.box([0, H, 0], [W, t, D], rounding=b.uniform(0, 0.01))
    else:
        D = W
        b.cylinder([0, H, 0], W, t)
    m = b.r.integers(0, 5)
    rr = b.uniform(0.012, 0.035)
    c = 0.7 if D == W else 0.92
    if m <= 1:
        legs(b, W * c - 0.02, D * c - 0.02, 0, H, rr, b.uniform(0, 0.05) if b.chance(0.3) else 0, b.chance())
    elif m == 2:
        b.cylinder([0, H / 2, 0], rr * 1.6, H / 2, colour=1)
        b.cone([0, 0.02, 0], W * 0.6, 0.02, W * 0.45, colour=1)
    elif m == 3:
        for s in (-1, 1):
            b.box([s * W * 0.85, H / 2, 0], [0.02, H / 2, D * 0.9], colour=1)
        if b.chance():
            b.box([0, H * 0.6, D * 0.85], [W * 0.83, H * 0.3, 0.01], colour=1)
    else:
        for s in (-1, 1):
            b.rod([s * W * 0.7, H, 0], [s * W * 0.7, 0.03, 0], rr, 1)
            b.box([s * W * 0.7, 0.015, 0], [0.03, 0.015, D * 0.85], colour=1)
        b.rod([-W * 0.7, 0.1, 0], [W * 0.7, 0.1, 0], rr * 0.7, 1)
    if b.chance(0.35):
        b.box([0, H * b.uniform(0.2, 0.5), 0], [W * c * 0.95, 0.012, D * c * 0.95], colour=2)
    if b.chance(0.3):
        b.box([b.uniform(-0.5, 0.5) * W, H - 0.08, 0], [W * 0.3, 0.07, D * 0.8], colour=2)


def bench(b):
    W, D, H, t = 0.5, b.uniform(0.12, 0.2), b.uniform(0.18, 0.28), b.uniform(0.012, 0.03)
    if b.chance(0.6):
        b.box([0, H, 0], [W, t, D])
    else:
        for z in np.linspace(-D, D, 4):
            b.box([0, H, z], [W, t, D * 0.22])
    if b.chance(0.6):
        bh = b.uniform(0.15, 0.3)
        if b.chance():
            b.box([0, H + bh / 2 + 0.05, D], [W, bh / 2, 0.015], rx(b.uniform(0, 0.2)))
        else:
            for y in np.linspace(0.35, 1, 3):
                b.box([0, H + bh * y, D + 0.03 * y], [W, 0.025, 0.01])
        for s in (-1, 1):
            b.rod([s * W * 0.85, H, D], [s * W * 0.85, H + bh, D + 0.03], 0.012, 1)
    if b.chance():
        legs(b, W * 0.85, D * 0.85, 0, H, b.uniform(0.012, 0.025), 0, b.chance(), 1)
    else:
        for s in (-1, 1):
            b.box([s * W * b.uniform(0.6, 0.9), H / 2, 0], [b.uniform(0.015, 0.05), H / 2, D * 0.9], colour=1)
    if b.chance(0.4):
        for s in (-1, 1):
            b.box([s * W * 0.95, H + 0.1, 0], [0.015, 0.012, D], colour=1)
            b.rod([s * W * 0.95, H, -D * 0.8], [s * W * 0.95, H + 0.1, -D * 0.8], 0.012, 1)


def cabinet(b):
    W, H, D = b.uniform(0.2, 0.5), b.uniform(0.2, 0.5), b.uniform(0.12, 0.25)
    lift = b.uniform(0.03, 0.12) if b.chance(0.4) else 0
    b.box([0, H + lift, 0], [W, H, D], rounding=b.uniform(0, 0.01))
    n, m = b.r.integers(1, 4), b.r.integers(1, 3)
    for i in range(n):
        for j in range(m):
            b.box(
                [W * (-1 + (2 * j + 1) / m), lift + H * (2 * i + 1) / n, -D - 0.004],
                [W / m * 0.92, H / n * 0.92, 0.008],
                colour=1,
            )
    if lift:
        legs(b, W * 0.9, D * 0.85, 0, lift + 0.02, 0.018, 0, True, 2)
    if b.chance(0.3):
        b.box([0, 2 * H + lift, 0], [W * 1.05, 0.012, D * 1.08], colour=2)


def monitor(b):
    W, H, t = b.uniform(0.35, 0.5), b.uniform(0.2, 0.34), b.uniform(0.01, 0.05)
    y = b.uniform(0.1, 0.25)
    tl = b.uniform(-0.1, 0.15)
    b.box([0, y + H, 0], [W, H, t], rx(tl), b.uniform(0, 0.01))
    b.box([0, y + H, -t * 0.7], [W * 0.93, H * 0.9, t * 0.4], rx(tl), 0, 1)
    if b.chance(0.3):
        b.box([0, y + H, t + 0.03], [W * 0.6, H * 0.6, b.uniform(0.03, 0.12)], rx(tl), 0.02)
    if b.chance(0.85):
        b.rod([0, 0, b.uniform(0, 0.05)], [0, y + H * 0.6, t + 0.01], b.uniform(0.015, 0.05), 2)
        if b.chance():
            b.cylinder([0, 0.01, 0], b.uniform(0.1, 0.2), 0.01, colour=2)
        else:
            b.box([0, 0.01, 0], [b.uniform(0.12, 0.28), 0.01, b.uniform(0.07, 0.14)], rounding=0.004, colour=2)
    else:
        for s in (-1, 1):
            b.box([s * W * 0.6, y / 2, 0], [0.02, y / 2 + 0.01, 0.08], colour=2)


def lamp(b):
    t = b.r.integers(0, 4)
    if t <= 1:
        H = b.uniform(0.5, 0.95)
        R = b.uniform(0.1, 0.25)
        (b.cylinder if b.chance() else (lambda c, r, h, colour: b.cone(c, r, h, r * 0.4, colour=colour)))(
            [0, 0.02, 0], b.uniform(0.08, 0.16), 0.02, colour=1
        )
        if b.chance(0.7):
            b.rod([0, 0, 0], [0, H, 0], b.uniform(0.008, 0.025), 1)
        else:
            for i in range(4):
                b.ellipsoid([0, 0.08 + i * H / 4.5, 0], [b.uniform(0.03, 0.1), H / 8, 0.06], colour=1)
            b.rod([0, 0, 0], [0, H, 0], 0.012, 1)
        b.cone([0, H, 0], R, b.uniform(0.08, 0.18), R * b.uniform(0.3, 1), colour=0)
    elif t == 2:
        H = b.uniform(0.3, 0.6)
        b.cylinder([0, 1 - 0.01, 0], b.uniform(0.05, 0.1), 0.015, colour=1)
        b.rod([0, 1, 0], [0, 1 - H, 0], 0.008, 1)
        k = b.r.integers(0, 3)
        R = b.uniform(0.12, 0.3)
        if k == 0:
            b.cone([0, 1 - H, 0], R, b.uniform(0.06, 0.15), R * 0.3)
        elif k == 1:
            b.ellipsoid([0, 1 - H, 0], [R, R * b.uniform(0.4, 1), R])
        else:
            for a in np.arange(5) * 2 * np.pi / 5:
                q = [R * np.cos(a), 1 - H, R * np.sin(a)]
                b.rod([0, 1 - H, 0], q, 0.01, 1)
                b.ellipsoid(q, [0.05, 0.07, 0.05])
    else:
        b.cylinder([0, 0.015, 0], b.uniform(0.1, 0.16), 0.015, colour=1)
        p = np.array([0, 0, 0.0])
        q = np.array([b.uniform(0.05, 0.2), b.uniform(0.35, 0.5), 0])
        r = q + [-b.uniform(0.2, 0.4), b.uniform(0.1, 0.3), 0]
        b.rod(p, q, 0.012, 1)
        b.rod(q, r, 0.012, 1)
        b.cone(r + [-0.03, -0.03, 0], 0.1, 0.06, 0.03, rz(-0.5))


def speaker(b):
    W, H, D = b.uniform(0.12, 0.35), b.uniform(0.2, 0.5), b.uniform(0.12, 0.3)
    b.box([0, H, 0], [W, H, D], rounding=b.uniform(0, 0.03))
    f = rx(np.pi / 2)
    for i in range(b.r.integers(1, 4)):
        b.cylinder([0, H * (0.45 + 0.55 * i), -D], W * b.uniform(0.35, 0.8), 0.012, f, 1)
    if b.chance(0.2):
        b.cylinder([0, -0.02, 0], W * 1.1, 0.02, colour=2)
    if b.chance(0.25):
        for s in (-1, 1):
            b.box([s * (2.4 * W), H * 0.8, 0], [W * 0.7, H * 0.8, D * 0.7], colour=0)


def firearm(b):
    L = b.uniform(0.3, 0.5)
    zc = rx(np.pi / 2)
    r = b.uniform(0.012, 0.025)
    b.cylinder([0, 0.05, -L * 0.55], r, L * 0.55, zc, 1)
    b.box([0, 0.03, L * 0.15], [0.022, b.uniform(0.03, 0.06), L * 0.4], rounding=0.01)
    b.box([0, -0.08, L * 0.3], [0.02, 0.09, 0.035], rx(-b.uniform(0.1, 0.5)), 0.01, 2)
    if b.chance(0.7):
        b.box([0, b.uniform(-0.03, 0.02), L * 0.85], [0.018, b.uniform(0.03, 0.06), L * 0.35], rx(b.uniform(0, 0.15)), 0.01, 2)
    if b.chance(0.6):
        b.box([0, -0.1, -L * 0.05], [0.016, b.uniform(0.06, 0.12), 0.03], rx(b.uniform(-0.1, 0.3)), 0, 1)
    if b.chance(0.4):
        b.cylinder([0, 0.11, L * 0.1], 0.022, b.uniform(0.08, 0.15), zc, 3)
        b.box([0, 0.08, L * 0.1], [0.01, 0.03, 0.02], colour=3)
    if b.chance(0.6):
        b.box([0, 0.02, -L * 0.45], [0.025, 0.025, L * 0.25], rounding=0.01, colour=2)


def couch(b):
    W, D, sh, t = b.uniform(0.36, 0.5), b.uniform(0.18, 0.24), b.uniform(0.1, 0.16), b.uniform(0.05, 0.1)
    b.box([0, sh, 0], [W, b.uniform(0.05, 0.09), D], rounding=0.02)
    bh = b.uniform(0.12, 0.22)
    b.box([0, sh + bh, D - t * 0.3], [W, bh, t * 0.7], rx(b.uniform(0, 0.15)), 0.03)
    if b.chance(0.85):
        for s in (-1, 1):
            b.box([s * (W - 0.02), sh + b.uniform(0.04, 0.1), 0], [b.uniform(0.03, 0.07), b.uniform(0.08, 0.13), D], rounding=0.025)
    n = b.r.integers(0, 4)
    for i in range(n):
        b.box(
            [W * 0.85 * (-1 + (2 * i + 1) / n), sh + 0.09, -0.02],
            [W * 0.85 / n * 0.96, 0.035, D * 0.85],
            rounding=0.02,
            colour=1,
        )
    if b.chance(0.6):
        legs(b, W * 0.9, D * 0.85, 0, sh, 0.016, 0, True, 2)
    if b.chance(0.2):
        b.box([W * 0.65 * (1 if b.chance() else -1), sh, -D * 1.6], [W * 0.33, 0.07, D * 0.8], rounding=0.02)


def cellphone(b):
    W, H, t = b.uniform(0.2, 0.3), 0.5, b.uniform(0.02, 0.07)
    b.box([0, H, 0], [W, H, t], rounding=b.uniform(0.01, 0.05))
    b.box([0, H * b.uniform(1.0, 1.3), -t], [W * 0.85, H * b.uniform(0.4, 0.65), 0.006], colour=1)
    if b.chance(0.4):
        for i in range(3):
            for j in range(3):
                b.box([W * 0.55 * (j - 1), 0.12 + 0.1 * i, -t], [W * 0.2, 0.03, 0.01], rounding=0.004, colour=2)
    if b.chance(0.15):
        b.box([0, -0.02, -0.3], [W, 0.025, 0.3], rounding=0.01)
    if b.chance(0.15):
        b.cylinder([W * 0.7, 2 * H, 0], 0.02, 0.1, colour=2)


def watercraft(b):
    L, W, H = 0.5, b.uniform(0.08, 0.18), b.uniform(0.05, 0.1)
    zc = rx(np.pi / 2)
    if b.chance():
        b.ellipsoid([0, 0, 0], [W, H, L])
    else:
        b.box([0, 0, 0.1], [W, H, L * 0.75], rounding=0.03)
        b.cone([0, 0, -L * 0.8], W * 0.95, L * 0.25, 0.02, rx(-np.pi / 2))
    b.box([0, H * 0.5, 0.05], [W * 0.9, H * 0.3, L * 0.8], rounding=0.01, colour=1)
    t = b.r.integers(0, 3)
    if t == 0:
        for i in range(b.r.integers(1, 4)):
            b.box(
                [0, H + 0.03 + 0.05 * i, b.uniform(-0.1, 0.25)],
                [W * b.uniform(0.4, 0.8), 0.04, L * b.uniform(0.12, 0.4)],
                rounding=0.01,
                colour=1,
            )
        if b.chance():
            b.cylinder([0, H + 0.2, 0.1], b.uniform(0.02, 0.04), 0.08, colour=2)
    elif t == 1:
        h = b.uniform(0.3, 0.5)
        b.rod([0, 0, 0], [0, h * 2, 0], 0.01, 2)
        b.box([0, h, 0.12], [0.006, h * 0.7, 0.13], colour=3)
        if b.chance():
            b.box([0, h * 0.8, -0.15], [0.006, h * 0.5, 0.1], rx(0.3), colour=3)
    else:
        b.box([0, H + 0.06, b.uniform(0, 0.3)], [W * 0.8, 0.07, 0.12], rounding=0.02, colour=1)
        b.rod([0, H, -0.2], [0, H + b.uniform(0.1, 0.3), -0.2], 0.01, 2)


GEN = [
    plane,
    bench,
    cabinet,
    car,
    chair,
    monitor,
    lamp,
    speaker,
    firearm,
    couch,
    table,
    cellphone,
    watercraft,
]


def extent(p, vertices):
    """Returns the low and the high corner of a primitive's box."""
    R = p[4:13].reshape(3, 3).T
    s = p[13:16]
    t = int(p[0])
    y = R[:, 1]
    across = np.sqrt(np.maximum(1 - y**2, 0))  # half extents of a unit circle about local y
    own = np.array(vertices[int(p[22]):int(p[22] + p[23])]).reshape(-1, 2)
    if t == 0:
        e = np.abs(R) @ s
    elif t == 2:
        e = np.sqrt((R**2) @ (s**2))
    elif t == 4:
        ends = np.array([s[1] * y + s[2], -s[1] * y + s[0], s[1] * y - s[2], -s[1] * y - s[0]])
        return p[1:4] + ends.min(0), p[1:4] + ends.max(0)
    elif t == 5:
        angle = np.arccos(s[2] / s[0]) * np.linspace(-1, 1, 65)
        arc = s[0] * (np.sin(angle)[:, None] * R[:, 0] + np.cos(angle)[:, None] * y)
        return p[1:4] + arc.min(0) - s[1], p[1:4] + arc.max(0) + s[1]
    elif t == 6:
        middle, wide = own[:, 1:] * y, own[:, :1] * across
        return p[1:4] + (middle - wide).min(0), p[1:4] + (middle + wide).max(0)
    elif t == 7:
        flat, deep = own @ R[:, :2].T, np.abs(R[:, 2]) * s[0] + p[21] * np.sqrt(1 - R[:, 2]**2)
        return p[1:4] + flat.min(0) - deep, p[1:4] + flat.max(0) + deep
    else:
        r = s[0] if t == 1 else max(s[0], s[2])
        e = np.abs(y) * s[1] + r * across
    return p[1:4] - e, p[1:4] + e


def finished(builder):
    """Returns a builder's primitives and vertices in the layout of shapes.cpp, and a box [6] that contains them."""
    p = np.array(builder.p)
    boxes = [extent(row, builder.vertices) for row in p]
    low, high = np.min([b[0] for b in boxes], 0), np.max([b[1] for b in boxes], 0)
    scale, middle = 0.57 / np.linalg.norm(high - low), (low + high) / 2
    p[:, 1:4] = (p[:, 1:4] - middle) * scale
    p[:, 13:17] *= scale
    p[:, 20:22] *= scale
    rows, vertices = np.zeros((ROWS, 24), np.float32), np.zeros((VERTICES, 2), np.float32)
    rows[:, 0] = -1
    rows[: len(p)] = p
    if builder.vertices:
        vertices[: len(builder.vertices)] = np.array(builder.vertices) * scale
    swollen = p[:, 20].max() / 4  # largest thickness that fillets add
    box = np.float32([*(low - middle) * scale - swollen, *(high - middle) * scale + swollen])
    return np.concatenate([rows.ravel(), vertices.ravel()]), box


def make(seed, category):
    """Makes an object of a category. Returns it in the form of finished()."""
    builder = Builder(np.random.default_rng(seed))
    GEN[category](builder)
    return finished(builder)
