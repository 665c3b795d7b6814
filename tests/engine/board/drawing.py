"""Synthetic photographs of seeded shapes as by a phone: on the printed board, or on the ground that a
subclass draws. Shares no code with the program. Needs numpy, scipy and Pillow."""
import json
import pathlib
import re

import numpy as np
from PIL import Image
from scipy import ndimage

LIGHT = np.array([0.4, -0.3, 0.87], np.float32)
PER_MM = 3  # pixels per mm of the board's texture, which is as fine as the pictures


def box(p, centre, half):
    q = np.abs(p - np.float32(centre)) - np.float32(half)
    x, y, z = (q[..., i] for i in range(3))
    outside = np.sqrt(np.maximum(x, 0)**2 + np.maximum(y, 0)**2 + np.maximum(z, 0)**2)
    return outside + np.minimum(np.maximum(np.maximum(x, y), z), 0)


def ball(p, centre, half):
    half = np.float32(half)
    q = (p - np.float32(centre)) / half
    length = np.linalg.norm(q, axis=-1)
    slope = np.linalg.norm(q / half, axis=-1)
    return length * (length - 1) / np.maximum(slope, 1e-6)


def tube(p, low, high, radius, upper=None):
    """An upright cylinder or cone."""
    upper = radius if upper is None else upper
    r = np.hypot(p[..., 0] - low[0], p[..., 1] - low[1])
    share = (p[..., 2] - low[2]) / (high - low[2])
    side = (r - radius - (upper - radius) * np.clip(share, 0, 1)) * 0.9
    return np.maximum(side, np.maximum(low[2] - p[..., 2], p[..., 2] - high))


def ring(p, centre, large, small):
    """A torus about the y axis."""
    q = p - np.float32(centre)
    return np.hypot(np.hypot(q[..., 0], q[..., 2]) - large, q[..., 1]) - small


def leg(p, x, y, high, half):
    return box(p, np.array([x, y, high / 2]), np.array([half, half, high / 2]))


def legs(p, x, y, high, half):
    return np.minimum.reduce([leg(p, sx * x, sy * y, high, half) for sx in (-1, 1) for sy in (-1, 1)])


def mug(p):
    hollow = np.maximum(tube(p, (0, 0, 0), 92, 38), -tube(p, (0, 0, 6), 99, 33))
    return np.minimum(hollow, np.maximum(ring(p, (44, 0, 48), 24, 6), 36 - np.hypot(p[..., 0], p[..., 1])))


def chair(p):
    seat = box(p, np.array([0, 0, 48]), np.array([32, 32, 4]))
    back = box(p, np.array([0, 29, 80]), np.array([32, 3, 32]))
    return np.minimum.reduce([seat, back, legs(p, 28, 28, 46, 4)])


def table(p):
    return np.minimum(box(p, np.array([0, 0, 62]), np.array([60, 38, 4])), legs(p, 52, 30, 62, 5))


def car(p):
    wheels = [np.maximum(np.hypot(p[..., 0] - x, p[..., 2] - 12) - 12, np.abs(p[..., 1]) - 28) for x in (-38, 38)]
    return np.minimum.reduce([box(p, np.array([0, 0, 24]), np.array([64, 27, 13])),
                              box(p, np.array([-6, 0, 44]), np.array([34, 24, 12])), *wheels])


SHAPES = {
    "box": lambda p: box(p, np.array([0, 0, 45]), np.array([35, 25, 45])),
    "mug": mug,
    "chair": chair,
    "table": table,
    "car": car,
    "egg": lambda p: ball(p, np.array([0, 0, 52]), np.array([36, 36, 52])),
    "bottle": lambda p: np.minimum(tube(p, (0, 0, 0), 90, 30), tube(p, (0, 0, 89), 135, 28, 10)),
    "arch": lambda p: np.maximum(ring(p, (0, 0, 12), 45, 13), -p[..., 2]),
    "cone": lambda p: tube(p, (0, 0, 0), 110, 48, 8),
    "shoe": lambda p: np.maximum(np.minimum(ball(p, np.array([20, 0, 14]), np.array([52, 26, 26])),
                                            ball(p, np.array([-28, 0, 34]), np.array([30, 24, 40]))), -p[..., 2]),
}
COLOURS = [[170, 60, 50], [50, 90, 150], [60, 120, 70], [190, 150, 60], [110, 80, 60], [90, 60, 120]]


def texture_of(sheet):
    """The board in pixels, with the upper edge in the first row."""
    text = pathlib.Path(sheet).read_text()
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text).groups())
    fine = np.full((round(height * 4 * PER_MM), round(width * 4 * PER_MM)), 235, np.uint8)
    for x, y, w, h in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)", text):
        x, y, w, h = (float(v) * 4 * PER_MM for v in (x, y, w, h))
        fine[round(y):round(y + h), round(x):round(x + w)] = 28
    # cropped to whole pixels of the coarser texture
    rows, columns = fine.shape[0] // 4, fine.shape[1] // 4
    return fine[:rows * 4, :columns * 4].reshape(rows, 4, columns, 4).mean((1, 3)).astype(np.float32), (width, height)


def noise(random, sigma, side=1024):
    field = ndimage.gaussian_filter(random.normal(size=(side, side)), sigma, mode="wrap")
    return (field / field.std()).astype(np.float32)


class Scene:
    width, height = 1280, 960

    def __init__(self, number, texture, paper):
        self.random = random = np.random.default_rng(1000 + number)
        self.name = list(SHAPES)[number % len(SHAPES)]
        self.distance = SHAPES[self.name]
        self.texture, self.paper = texture, paper
        self.turn = random.uniform(0, 2 * np.pi)
        self.shift = random.uniform(-1, 1, 2) * (15, 30)
        self.colour = np.array(COLOURS[random.integers(len(COLOURS))]) * random.uniform(0.8, 1.2)
        self.floor = np.array([[150, 110, 75], [120, 120, 118], [90, 70, 55], [165, 150, 130]][random.integers(4)])
        self.coarse, self.grain = noise(random, 12), noise(random, 1.2)
        off = 7 * self.width / 1280
        focal = 26 / 43.266615 * np.hypot(self.width, self.height) * random.normal(1, 0.012)
        self.lens = dict(f=focal, cx=self.width / 2 + random.normal() * off, cy=self.height / 2 + random.normal() * off,
                         k1=random.uniform(-0.05, 0.07), k2=random.normal() * 0.015)
        self.portrait = bool(random.integers(2))
        self.orientation = random.choice([1, 6, 3]) if self.portrait else random.choice([1, 3])
        if self.portrait:
            self.lens["cx"], self.lens["cy"] = self.lens["cy"], self.lens["cx"]
        # Box in the board's axes, sampled at 1 mm.
        side = np.arange(-110, 110, 1.0)
        grid = np.stack(np.meshgrid(side, side, np.arange(0, 150, 1.0), indexing="ij"), -1)
        inside = grid[self.object(grid) < 0]
        self.low, self.high = inside.min(0) - 0.5, inside.max(0) + 0.5
        self.low[2] = max(self.low[2], 0)

    def object(self, p):
        c, s = np.float32(np.cos(self.turn)), np.float32(np.sin(self.turn))
        x, y = p[..., 0] - np.float32(self.shift[0]), p[..., 1] - np.float32(self.shift[1])
        return self.distance(np.stack([c * x + s * y, -s * x + c * y, p[..., 2]], -1))

    def poses(self):
        count, random = int(self.random.integers(3, 9)), self.random
        start, centre = random.uniform(0, 360), (self.low + self.high) / 2
        for i in range(count):
            azimuth = np.radians(start + 360 * i / count + random.normal() * 12)
            elevation = np.radians(np.clip(random.normal(30, 7), 16, 50))
            out = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
            eye = centre + out * random.uniform(300, 520)
            aim = centre + random.normal(size=3) * 14
            z = (aim - eye) / np.linalg.norm(aim - eye)
            x = np.cross(z, [0, 0, 1])
            x /= np.linalg.norm(x)
            roll = np.radians(random.normal() * 4)
            y = np.cross(z, x)
            rotation = np.stack([np.cos(roll) * x + np.sin(roll) * y, np.cos(roll) * y - np.sin(roll) * x, z])
            yield rotation, eye

    def march(self, origin, way, far, steps=64):
        """Distance along each ray to the object; inf if the ray misses it."""
        along, alive = np.zeros(len(way), np.float32), np.arange(len(way))
        hit = np.full(len(way), np.inf, np.float32)
        along += 1
        for _ in range(steps):
            near = self.object(origin[alive] + along[alive, None] * way[alive])
            done = near < 0.12
            hit[alive[done]] = along[alive[done]]
            along[alive] += np.maximum(near, 0.1)
            alive = alive[~done & (along[alive] < far)]
            if not len(alive):
                break
        return hit

    def draw(self, rotation, eye, width, height):
        row, column = np.mgrid[0:height, 0:width].astype(np.float32)
        lens = self.lens
        seen = np.stack([(column + 0.5 - lens["cx"]) / lens["f"], (row + 0.5 - lens["cy"]) / lens["f"]], -1)
        flat = seen.copy()
        for _ in range(5):
            square = (flat**2).sum(-1, keepdims=True)
            flat = seen / (1 + square * (lens["k1"] + square * lens["k2"]))
        way = (np.concatenate([flat, np.ones_like(flat[..., :1])], -1) @ rotation).astype(np.float32).reshape(-1, 3)
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        eye = eye.astype(np.float32)
        colour = np.full((len(way), 3), 200, np.float32) * (1 + 0.1 * way[:, 2:])
        ground = np.where(way[:, 2] < -0.02, -eye[2] / np.minimum(way[:, 2], -0.02), np.inf)
        ground[ground > 3000] = np.inf
        below = np.isfinite(ground)
        colour[below] = self.ground((eye + ground[below, None] * way[below])[:, :2])
        middle, radius = (self.low + self.high) / 2, np.linalg.norm(self.high - self.low) / 2 + 2
        along = (middle - eye) @ way.T
        near = np.flatnonzero(np.linalg.norm(eye + along[:, None] * way - middle, axis=1) < radius)
        start = np.maximum(along[near] - radius, 1)
        hit = self.march((eye + start[:, None] * way[near]).astype(np.float32), way[near], 2 * radius + 5) + start
        on = near[hit < ground[near]]
        point = eye + hit[hit < ground[near], None] * way[on]
        colour[on] = self.shade(point.astype(np.float32))
        alpha = np.zeros(len(way), np.float32)
        alpha[on] = 1
        return colour.reshape(height, width, 3), alpha.reshape(height, width)

    def sample(self, field, xy, scale):
        at = (xy * scale).astype(int) % field.shape[0]
        return field[at[:, 1], at[:, 0]][:, None]

    def ground(self, xy):
        colour = self.floor.astype(np.float32) * (1 + 0.12 * self.sample(self.coarse, xy, 2.0) + 0.06 * self.sample(self.grain, xy, 3.0))
        at = (xy * np.float32((1, -1)) + np.float32(self.paper) / 2) * PER_MM - np.float32(0.5)
        on = (np.abs(xy) < np.array(self.paper) / 2).all(1)
        colour[on] = ndimage.map_coordinates(self.texture, at[on].T[::-1], order=1, mode="nearest")[:, None]
        light = np.ones(len(xy), np.float32)
        close = np.flatnonzero(np.linalg.norm(xy - (self.low + self.high)[:2] / 2, axis=1) < 180)
        point = np.concatenate([xy[close], np.full((len(close), 1), 0.3)], 1).astype(np.float32)
        along, shadow = np.full(len(close), 2.0, np.float32), np.ones(len(close), np.float32)
        for _ in range(16):
            distance = self.object(point + along[:, None] * LIGHT)
            shadow = np.minimum(shadow, np.clip(6 * distance / along, 0, 1))
            along += np.maximum(distance, 4)
        touch = np.exp(-np.maximum(self.object(point), 0) / 12)
        light[close] = (0.6 + 0.4 * shadow) * (1 - 0.25 * touch)
        return colour * light[:, None]

    def shade(self, point):
        step = 0.2
        normal = np.stack([self.object(point + np.float32(step) * e) - self.object(point - np.float32(step) * e) for e in np.eye(3, dtype=np.float32)], -1)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
        bands = np.sin(point[:, 2:] * 0.25) * 0.1 + self.sample(self.coarse, point[:, :2] + point[:, 2:], 2.0) * 0.1
        return np.float32(self.colour) * (1 + bands) * (0.45 + 0.65 * np.clip(normal @ LIGHT, 0, 1))[:, None]

    def photograph(self, rotation, eye, folder, name):
        size = (self.height, self.width) if self.portrait else (self.width, self.height)
        colour, alpha = self.draw(rotation, eye, *size)
        random = self.random
        colour = ndimage.gaussian_filter(colour, (0.7, 0.7, 0)) * random.uniform(0.88, 1.1) * random.normal(1, 0.02, 3)
        colour += random.normal(size=colour.shape) * np.sqrt(1.5 + 0.04 * np.clip(colour, 0, 255))
        picture = Image.fromarray(np.clip(colour, 0, 255).astype(np.uint8))
        back = {1: None, 6: Image.Transpose.ROTATE_90, 3: Image.Transpose.ROTATE_180}[int(self.orientation)]
        exif = Image.Exif()
        exif[0x0112] = int(self.orientation)
        exif.get_ifd(0x8769)[0xA405] = 26
        (picture.transpose(back) if back else picture).save(folder / f"{name}.jpg", quality=90, exif=exif)
        Image.fromarray((alpha * 255).astype(np.uint8)).save(folder / "truth" / f"{name}.png")
        return dict(name=f"{name}.jpg", rotation=rotation.tolist(), eye=eye.tolist(), visible=self.visible(rotation, eye, alpha))

    def visible(self, rotation, eye, alpha):
        """Fraction of the markers that are entirely in the picture and not occluded."""
        count = total = 0
        for x in np.arange(-80, 81, 32):
            for y in np.arange(-112, 113, 32):
                if abs(x) < 79 and abs(y) < 111:
                    continue
                total += 1
                corners = np.array([[x + a, y + b, 0] for a in (-15, 0, 15) for b in (-15, 0, 15)])
                p = (corners - eye) @ rotation.T
                flat = p[:, :2] / p[:, 2:]
                square = (flat**2).sum(1, keepdims=True)
                pixel = flat * (1 + square * (self.lens["k1"] + square * self.lens["k2"])) * self.lens["f"] + (self.lens["cx"], self.lens["cy"])
                inside = (pixel > 1).all() and (pixel < np.array(alpha.shape[::-1]) - 1).all() and (p[:, 2] > 0).all()
                count += bool(inside and not alpha[tuple(pixel.astype(int).T[::-1])].any())
        return count / total

    def save(self, folder):
        (folder / "truth").mkdir(parents=True, exist_ok=True)
        views = [self.photograph(*pose, folder, f"IMG_{i + 1}") for i, pose in enumerate(list(self.poses()))]
        truth = dict(shape=self.name, lens=self.lens, low=self.low.tolist(), high=self.high.tolist(), views=views)
        (folder / "truth" / "truth.json").write_text(json.dumps(truth))
