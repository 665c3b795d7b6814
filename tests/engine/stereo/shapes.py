"""Objects of known shape with hollows that no silhouette shows, as signed distance functions.

`mesh_of(name)` is the closed triangle mesh of an object by marching cubes: z is up, the diagonal of the bounding
box is 1, its centre is `CENTRE`. Shares no code with the program.
Needs numpy, scipy and scikit-image."""
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from skimage import measure

CENTRE = np.array([0.3, -0.2, 0.5])  # not the origin, to reveal a forgotten translation


# Primitives: p is (..., 3), the result (...), negative inside.

def sphere(p, centre, radius):
    return np.linalg.norm(p - np.float32(centre), axis=-1) - np.float32(radius)


def ellipsoid(p, centre, half):
    half = np.float32(half)
    q = (p - np.float32(centre)) / half
    length = np.linalg.norm(q, axis=-1)
    return length * (length - 1) / np.maximum(np.linalg.norm(q / half, axis=-1), 1e-6)


def box(p, centre, half, rounding=0.0):
    q = np.abs(p - np.float32(centre)) - (np.float32(half) - np.float32(rounding))
    outside = np.linalg.norm(np.maximum(q, 0), axis=-1)
    return outside + np.minimum(q.max(-1), 0) - np.float32(rounding)


def tube(p, low, high, radius, upper=None):
    """An upright cylinder, or a cone frustum with the radius `upper` at the height `high`."""
    upper = radius if upper is None else upper
    share = np.clip((p[..., 2] - low[2]) / (high - low[2]), 0, 1)
    slant = 1 / np.hypot(1, (upper - radius) / (high - low[2]))
    side = (np.hypot(p[..., 0] - low[0], p[..., 1] - low[1]) - radius - (upper - radius) * share) * np.float32(slant)
    return np.maximum(side, np.maximum(low[2] - p[..., 2], p[..., 2] - high))


def capsule(p, a, b, radius, end=None):
    """A rod with round ends from a to b, whose radius may change to `end`."""
    a, b = np.float32(a), np.float32(b)
    end = radius if end is None else end
    share = np.clip(((p - a) @ (b - a)) / ((b - a) @ (b - a)), 0, 1)
    return np.linalg.norm(p - a - share[..., None] * (b - a), axis=-1) - np.float32(radius) - share * np.float32(end - radius)


def path(p, points, radius, end=None):
    """Capsules through the points; the radius changes linearly to `end`."""
    end = radius if end is None else end
    radii = np.linspace(radius, end, len(points))
    return union(*[capsule(p, points[i], points[i + 1], radii[i], radii[i + 1]) for i in range(len(points) - 1)])


def torus(p, centre, large, small, axis=2):
    q = p - np.float32(centre)
    across = [i for i in range(3) if i != axis]
    return np.hypot(np.hypot(q[..., across[0]], q[..., across[1]]) - np.float32(large), q[..., axis]) - np.float32(small)


def union(*fields):
    return np.minimum.reduce(fields)


def without(field, *holes):
    return np.maximum(field, -np.minimum.reduce(holes))


def blend(a, b, width):
    """A union whose seam is rounded over `width`."""
    share = np.clip(0.5 + 0.5 * (b - a) / np.float32(width), 0, 1)
    return b + (a - b) * share - np.float32(width) * share * (1 - share)


def mirrored(p):
    return np.stack([p[..., 0], np.abs(p[..., 1]), p[..., 2]], -1)


# Objects of the first set.

def mug(p):
    wall = without(tube(p, (0, 0, 0), 0.95, 0.42), tube(p, (0, 0, 0.07), 2.0, 0.36))
    handle = np.maximum(torus(p, (0.46, 0, 0.48), 0.25, 0.055, axis=1), 0.38 - np.hypot(p[..., 0], p[..., 1]))
    return union(wall, handle)


def bowl(p):
    shell = without(sphere(p, (0, 0, 0.62), 0.6), sphere(p, (0, 0, 0.62), 0.53))
    return union(np.maximum(shell, p[..., 2] - 0.6), without(tube(p, (0, 0, 0), 0.12, 0.26), tube(p, (0, 0, -1), 0.05, 0.2)))


def dents(p):
    rings = [(el, az) for el, n in ((-20, 5), (25, 5), (70, 3)) for az in 360 / n * np.arange(n) + el]
    holes = []
    for k, (el, az) in enumerate(rings):
        el, az = np.radians(el), np.radians(az)
        way = np.array([np.cos(el) * np.cos(az), np.cos(el) * np.sin(az), np.sin(el)])
        holes.append(sphere(p, 0.5 * way, 0.13 + 0.015 * (k % 3)))
    return without(sphere(p, (0, 0, 0), 0.5), *holes)


def chair(p):
    q = mirrored(p)
    legs = [capsule(q, (x, 0.3, 0.03), (x * 0.9, 0.27, 0.5), 0.035) for x in (-0.3, 0.3)]
    seat = without(box(p, (0, 0, 0.5), (0.36, 0.34, 0.05), 0.02), ellipsoid(p, (0.02, 0, 0.57), (0.28, 0.26, 0.08)))
    posts = capsule(q, (-0.32, 0.29, 0.5), (-0.42, 0.29, 1.1), 0.035)
    slats = [box(p, (-0.34 - 0.016 * k, 0, 0.68 + 0.1 * k), (0.022, 0.3, 0.034), 0.01) for k in range(5)]
    arms = union(capsule(q, (0.26, 0.34, 0.53), (0.26, 0.36, 0.75), 0.03), capsule(q, (0.28, 0.36, 0.76), (-0.37, 0.33, 0.78), 0.035))
    return union(*legs, seat, posts, *slats, arms)


def niche(p):
    block = box(p, (0, 0, 0), (0.45, 0.45, 0.45), 0.02)
    holes = [box(p, (0.45, 0, -0.14), (0.23, 0.2, 0.23), 0.02), tube(p, (0, 0, 0.14), 1, 0.3)]
    for side in (-1, 1):
        holes += [box(p, (0, 0.45 * side, -0.14), (0.2, 0.23, 0.23), 0.02), box(p, (-0.45, 0.11 * side, -0.14), (0.23, 0.09, 0.23), 0.02)]
    return union(without(block, *holes), sphere(p, (0.33, 0, -0.27), 0.1))


def figure(p):
    """A seated figure: thick legs and arms in front of a round belly, hollow ears, folds between all parts."""
    q = mirrored(p)
    body = blend(ellipsoid(p, (0, 0, 0.42), (0.3, 0.33, 0.38)), ellipsoid(p, (0.06, 0, 0.92), (0.24, 0.25, 0.22)), 0.06)
    body = blend(body, ellipsoid(p, (0.27, 0, 0.86), (0.12, 0.13, 0.09)), 0.04)
    leg = blend(capsule(q, (0.1, 0.28, 0.14), (0.5, 0.33, 0.12), 0.14, 0.11), ellipsoid(q, (0.56, 0.34, 0.18), (0.08, 0.11, 0.17)), 0.03)
    arm = path(q, [(0.02, 0.33, 0.66), (0.22, 0.42, 0.5), (0.36, 0.24, 0.5)], 0.1, 0.08)
    ear = without(ellipsoid(q, (0.0, 0.17, 1.3), (0.07, 0.11, 0.28)), ellipsoid(q, (0.07, 0.17, 1.3), (0.06, 0.065, 0.2)))
    whole = blend(blend(blend(body, leg, 0.02), arm, 0.02), ear, 0.03)
    whole = without(whole, sphere(q, (0.27, 0.1, 0.99), 0.05), ellipsoid(p, (0.4, 0, 0.83), (0.05, 0.07, 0.02)))
    whole = union(whole, sphere(p, (-0.32, 0, 0.2), 0.12))
    return np.maximum(whole, -p[..., 2])


def bust(p):
    """A head with eye sockets, nose, mouth and hair in strands on a neck, shoulders with folds, a hollow base."""
    q = mirrored(p)
    head = blend(ellipsoid(p, (0, 0, 1.0), (0.27, 0.21, 0.27)), ellipsoid(p, (0.09, 0, 0.84), (0.17, 0.14, 0.15)), 0.08)
    head = without(head, ellipsoid(q, (0.29, 0.095, 0.98), (0.09, 0.06, 0.045)), ellipsoid(p, (0.27, 0, 0.775), (0.05, 0.07, 0.018)))
    nose = capsule(p, (0.24, 0, 0.98), (0.31, 0, 0.86), 0.025, 0.042)
    brow = path(q, [(0.265, 0.02, 1.04), (0.25, 0.1, 1.05), (0.19, 0.17, 1.02)], 0.03)
    eye = sphere(q, (0.205, 0.09, 0.975), 0.05)
    head = blend(blend(head, nose, 0.03), union(brow, eye), 0.015)
    hair = ellipsoid(p, (-0.05, 0, 1.03), (0.29, 0.27, 0.3))
    angle = np.arctan2(p[..., 1], p[..., 0] + 0.05)
    hair = np.maximum(hair + 0.012 * np.sin(14 * angle + 3 * p[..., 2]), (p[..., 0] - 0.5 * (p[..., 2] - 1.0) - 0.06) * 0.8)
    ear = without(torus(q, (0.02, 0.25, 0.95), 0.05, 0.022, axis=1), sphere(q, (0.02, 0.29, 0.95), 0.03))
    bun = blend(hair, sphere(p, (-0.36, 0, 1.02), 0.12), 0.02)
    neck = tube(p, (-0.03, 0, 0.45), 0.85, 0.15, 0.12)
    chest = blend(ellipsoid(p, (-0.02, 0, 0.36), (0.22, 0.42, 0.22)), ellipsoid(q, (0.0, 0.32, 0.4), (0.14, 0.14, 0.12)), 0.08)
    for k in range(4):  # folds of a cloth around the neck
        chest = blend(chest, torus(p, (-0.03 + 0.03 * k, 0, 0.53 - 0.05 * k), 0.2 + 0.05 * k, 0.027), 0.012)
    chest = without(np.maximum(chest, 0.2 - p[..., 2]), sphere(p, (-0.25, 0, 0.24), 0.12))
    foot = union(tube(p, (0, 0, 0.05), 0.3, 0.12, 0.1),
                 without(box(p, (0, 0, 0.05), (0.22, 0.22, 0.05), 0.01), tube(p, (0, 0, -1), 0.03, 0.16)))
    return union(blend(blend(head, neck, 0.05), chest, 0.05), bun, ear, foot)


# Objects of the second set.

def tower(p):
    r, angle = np.hypot(p[..., 0], p[..., 1]), np.arctan2(p[..., 1], p[..., 0])
    sector = 2 * np.pi / 8
    gaps = np.maximum(r * np.abs(np.mod(angle + sector / 2, sector) - sector / 2) - 0.045, 1.0 - p[..., 2])
    body = union(tube(p, (0, 0, 0), 0.95, 0.3, 0.26), tube(p, (0, 0, 0.82), 1.1, 0.33))
    body = without(body, tube(p, (0, 0, 0.92), 2, 0.27), gaps)
    door = union(box(p, (0.3, 0, 0.14), (0.16, 0.1, 0.14)), np.maximum(capsule(p, (0.14, 0, 0.28), (0.6, 0, 0.28), 0.1), 0.14 - p[..., 0]))
    windows = [box(p, (x, y, z), (0.1, 0.1, 0.1), 0.02)
               for x, y, z in ((0, 0.27, 0.45), (-0.27, 0, 0.6), (0, -0.27, 0.45), (0.27, 0, 0.64))]
    return without(body, door, *windows)


def pitcher(p):
    z = p[..., 2]
    outer = blend(ellipsoid(p, (0, 0, 0.36), (0.34, 0.34, 0.38)), tube(p, (0, 0, 0.5), 1.0, 0.17, 0.24), 0.08)
    outer = blend(outer, capsule(p, (0.18, 0, 0.9), (0.33, 0, 1.0), 0.07), 0.04)
    inner = blend(ellipsoid(p, (0, 0, 0.36), (0.28, 0.28, 0.32)), tube(p, (0, 0, 0.5), 1.3, 0.12, 0.22), 0.08)
    inner = union(inner, capsule(p, (0.15, 0, 0.97), (0.4, 0, 1.06), 0.05))
    vessel = np.maximum(np.maximum(without(outer, inner), z - 0.985), 0.02 - z)
    handle = path(p, [(-0.2, 0, 0.9), (-0.42, 0, 0.88), (-0.5, 0, 0.7), (-0.45, 0, 0.5), (-0.31, 0, 0.36)], 0.035)
    return union(vessel, without(handle, inner))


def goat(p):
    q = mirrored(p)
    body = blend(ellipsoid(p, (-0.05, 0, 0.5), (0.42, 0.19, 0.2)), path(p, [(0.28, 0, 0.58), (0.45, 0, 0.85)], 0.15, 0.1), 0.08)
    head = blend(ellipsoid(p, (0.52, 0, 0.93), (0.13, 0.1, 0.1)), capsule(p, (0.55, 0, 0.9), (0.7, 0, 0.83), 0.07, 0.05), 0.04)
    horns = path(q, [(0.46, 0.05, 0.99), (0.4, 0.09, 1.13), (0.28, 0.15, 1.2), (0.17, 0.2, 1.16), (0.12, 0.24, 1.06)], 0.042, 0.014)
    ears = without(ellipsoid(q, (0.44, 0.15, 0.93), (0.04, 0.1, 0.05)), sphere(q, (0.49, 0.16, 0.93), 0.035))
    legs = [path(q, [(x, 0.11, 0.42), (x + d, 0.12, 0.2), (x, 0.12, 0.03)], 0.08, 0.045) for x, d in ((0.25, 0.02), (-0.33, -0.05))]
    tail = path(p, [(-0.44, 0, 0.6), (-0.54, 0, 0.67), (-0.56, 0, 0.76)], 0.05, 0.025)
    whole = blend(blend(body, head, 0.05), union(*legs), 0.05)
    return union(whole, horns, ears, tail, capsule(p, (0.63, 0, 0.78), (0.64, 0, 0.66), 0.035, 0.012))


def sticks(p):
    turns = 2 * np.pi / 3 * np.arange(3)
    legs = [capsule(p, (0.4 * np.cos(a), 0.4 * np.sin(a), 0.02), (-0.12 * np.cos(a), -0.12 * np.sin(a), 0.9), 0.022) for a in turns]
    return union(*legs, torus(p, (0, 0, 0.34), 0.21, 0.02), capsule(p, (-0.3, -0.25, 0.8), (0.3, 0.3, 0.62), 0.02),
                 sphere(p, (0.3, 0.3, 0.62), 0.06), without(sphere(p, (0, 0, 0.7), 0.14), sphere(p, (0.06, 0.03, 0.8), 0.11)))


def boxes(p):
    turn = lambda a: np.stack([p[..., 0] * np.cos(a) + p[..., 1] * np.sin(a), p[..., 1] * np.cos(a) - p[..., 0] * np.sin(a), p[..., 2]], -1)
    low, middle, top = turn(np.float32(0.1)), turn(np.float32(0.7)), turn(np.float32(-0.3))
    return union(box(low, (0, 0, 0.15), (0.42, 0.3, 0.15), 0.01), box(middle, (0.06, 0.02, 0.41), (0.24, 0.3, 0.11), 0.01),
                 box(top, (-0.03, -0.04, 0.64), (0.19, 0.14, 0.12), 0.01), box(low, (0.3, -0.39, 0.1), (0.14, 0.1, 0.1), 0.01))


def spoon(p):
    """A ladle that lies on its bowl, and the rest that holds its handle."""
    scoop = without(ellipsoid(p, (0.42, 0, 0.24), (0.3, 0.24, 0.22)), ellipsoid(p, (0.42, 0, 0.27), (0.26, 0.2, 0.2)))
    scoop = np.maximum(scoop, p[..., 2] - 0.27)
    handle = path(p, [(0.14, 0, 0.25), (-0.1, 0, 0.3), (-0.45, 0, 0.42), (-0.7, 0, 0.44)], 0.035, 0.045)
    handle = without(handle, capsule(p, (-0.68, 0, 0.6), (-0.68, 0, 0.2), 0.02))
    rest = without(box(p, (-0.45, 0, 0.2), (0.08, 0.18, 0.2), 0.02), capsule(p, (-0.8, 0, 0.48), (0, 0, 0.36), 0.08),
                   box(p, (-0.45, 0, 0.13), (0.2, 0.1, 0.09), 0.02))
    return union(scoop, handle, rest)


def crate(p):
    inner = box(p, (0, 0, 0.55), (0.41, 0.28, 0.5))
    q = np.abs(p)
    slits = union(*[np.maximum(box(p, (0, 0, z), (0.36, 1, 0.04)), 0.1 - q[..., 1]) for z in (0.14, 0.28)],
                  *[np.maximum(box(p, (0, 0, z), (1, 0.22, 0.04)), 0.1 - q[..., 0]) for z in (0.14, 0.28)])
    content = union(sphere(p, (0.2, 0.08, 0.18), 0.15), box(p, (-0.2, -0.06, 0.12), (0.12, 0.1, 0.11), 0.02))
    return union(without(box(p, (0, 0, 0.23), (0.46, 0.33, 0.23), 0.01), inner, slits), content)


def ringstand(p):
    base = without(tube(p, (0, 0, 0), 0.08, 0.34), sphere(p, (0, 0, 0.3), 0.27))
    post = tube(p, (0, 0, 0.0), 0.95, 0.035)
    arm = union(capsule(p, (0, -0.3, 0.86), (0, 0.3, 0.86), 0.03), sphere(p, (0, 0, 0.98), 0.06))
    rings = union(torus(p, (0, 0.26, 0.66), 0.17, 0.035, axis=0), torus(p, (0, -0.27, 0.64), 0.19, 0.025, axis=1),
                  torus(p, (0, 0, 0.12), 0.27, 0.045))
    return union(base, post, arm, rings)


def planter(p):
    """A box with a round hollow, ribs, feet, and a ball in the hollow."""
    body = box(p, (0, 0, 0.34), (0.38, 0.3, 0.26), 0.05)
    ribs = union(*[box(p, (x, 0, 0.34), (0.02, 0.33, 0.2), 0.01) for x in (-0.24, -0.08, 0.08, 0.24)])
    hollow = ellipsoid(p, (0, 0, 0.62), (0.32, 0.24, 0.42))
    feet = np.maximum(sphere(np.abs(p), (0.28, 0.2, 0.03), 0.11), -p[..., 2])
    return union(without(union(body, ribs), hollow), feet, sphere(p, (0.1, 0.03, 0.36), 0.12))


FIRST = (mug, bowl, dents, chair, niche, figure, bust)
SECOND = (tower, pitcher, goat, sticks, boxes, spoon, crate, ringstand, planter)
OBJECTS = {shape.__name__: shape for shape in FIRST + SECOND}


def mesh_of(name, cells=160):
    """Vertices (n, 3), faces (m, 3) counterclockwise from outside, and unit normals (n, 3), from a grid with
    `cells` cells along the object's longest side. Deterministic."""
    field = OBJECTS[name]

    def sampled(low, step, size):
        values = np.empty(size, np.float32)
        axes = [np.float32(low[i] + step * np.arange(size[i])) for i in range(3)]
        for i, x in enumerate(axes[0]):  # slice by slice, since the grid is large
            y, z = np.meshgrid(axes[1], axes[2], indexing="ij")
            values[i] = field(np.stack([np.full_like(y, x), y, z], -1))
        return values

    coarse = sampled((-1, -1, -0.8), 0.025, (81, 81, 97))
    found = np.argwhere(coarse < 0.02)
    low, high = (np.array([-1, -1, -0.8]) + 0.025 * (found.min(0) - 1), np.array([-1, -1, -0.8]) + 0.025 * (found.max(0) + 1))
    step = float((high - low).max() / cells)
    values = sampled(low - 2 * step, step, tuple(np.ceil((high - low) / step).astype(int) + 5))
    vertices, faces, normals, _ = measure.marching_cubes(values, 0, spacing=(step,) * 3, gradient_direction="ascent")
    a, b, c = (vertices[faces[:, k]].astype(float) for k in range(3))
    cross = np.cross(b - a, c - a)
    if np.einsum("ij,ij->", a, cross) < 0:
        faces, cross = faces[:, ::-1], -cross
    if np.einsum("ij,ij->", normals[faces[:, 0]], cross) < 0:
        normals = -normals
    edges = faces[:, [0, 1, 1, 2]].reshape(-1, 2)
    piece = connected_components(coo_matrix((np.ones(len(edges), bool), edges.T), (len(vertices),) * 2), directed=False)[1]
    kept = np.bincount(piece)[piece] >= 0.01 * len(vertices)  # no tiny components
    faces = (np.cumsum(kept) - 1)[faces[kept[faces[:, 0]]]]
    vertices, normals = vertices[kept].astype(float), normals[kept]
    low, high = vertices.min(0), vertices.max(0)
    vertices = (vertices - (low + high) / 2) / np.linalg.norm(high - low) + CENTRE
    return vertices, np.ascontiguousarray(faces), normals.astype(float)
