"""Colours and light of synthetic photographs: solid textures, shading, and what a camera does to the picture.
Shares no code with the program. Needs numpy, scipy and OpenCV."""
import cv2
import numpy as np
from scipy import ndimage

BASE = np.array([0.62, 0.58, 0.53])  # albedo in red, green, blue
LIGHT = np.array([0.5, -0.35, 0.79])
SIDE = 32  # of the grid of random values, which repeats


class Noise:
    """Solid noise: sum of `octaves` grids of random values, interpolated linearly, each at twice the frequency."""

    def __init__(self, random, wavelength, octaves, falloff=1.0):
        self.layers = [(random.uniform(-1, 1, (SIDE,) * 3).astype(np.float32), random.uniform(0, SIDE, 3), 2.0**k / wavelength, falloff**k)
                       for k in range(octaves)]

    def __call__(self, points):
        """Values from -1 to 1 with a standard deviation of 0.5."""
        total = sum(amplitude * ndimage.map_coordinates(values, (points * frequency + offset).T, order=1,
                                                        mode="grid-wrap", output=np.float32)
                    for values, offset, frequency, amplitude in self.layers)
        spread = 0.28 * np.sqrt(sum(amplitude**2 for _, _, _, amplitude in self.layers))
        return np.clip(0.5 * total / spread, -1, 1)


def step(values, width):
    """A step from 0 to 1 at 0, linear over `width`."""
    return np.clip(values / width + 0.5, 0, 1)


def mixed(share, one, other):
    return (1 - share[:, None]) * np.array(one) + share[:, None] * np.array(other)


def turned(random):
    """Random axes, so that no pattern is aligned with the object."""
    q, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return q.T


# A texture maps (random, contrast) to a function from points (n, 3), in units of the object's
# diagonal, to albedo (n, 3).

def noise(random, contrast):
    grey, hue = Noise(random, 0.25, 6), Noise(random, 0.3, 3)
    return lambda p: BASE * (1 + contrast * (grey(p)[:, None] + 0.35 * hue(p)[:, None] * np.array([1, 0, -1])))


def plain(random, contrast):
    return lambda p: np.broadcast_to(BASE, (len(p), 3))


def wood(random, contrast):
    axes, grain, bend = turned(random), Noise(random, 0.02, 2), Noise(random, 0.3, 2)

    def albedo(p):
        q = p @ axes.T
        rings = np.sin(2 * np.pi * (np.hypot(q[:, 0] - 0.4, q[:, 1]) / 0.035 + 0.8 * bend(p)))
        fibre = grain(q * np.array([1, 1, 0.12]))
        return mixed(0.5 + 0.3 * rings + 0.2 * fibre, (0.4, 0.26, 0.15), (0.66, 0.48, 0.31))
    return albedo


def stripes(random, contrast):
    axis = turned(random)[0]
    return lambda p: mixed(step(np.sin(2 * np.pi * (p @ axis) / 0.07), 0.3), (0.25, 0.33, 0.55), (0.75, 0.72, 0.66))


def checker(random, contrast):
    axes = turned(random)
    return lambda p: mixed(step(np.prod(np.sin(np.pi * (p @ axes.T) / 0.06), axis=-1), 0.05), (0.3, 0.22, 0.2), (0.72, 0.7, 0.6))


def printed(random, contrast):
    """Lines of dark marks like letters on white; a third of the lines is empty."""
    axes, ink = turned(random), random.random((64, 64, 64)) < 0.55
    empty = random.random(64) < 0.33

    def albedo(p):
        q = p @ axes.T / np.array([0.014, 0.014, 0.04])
        cell = np.floor(q).astype(int) % 64
        height = q[:, 2] - np.floor(q[:, 2])
        dark = ink[tuple(cell.T)] & (height < 0.6) & ~empty[cell[:, 2]] & ((np.sum(cell[:, :2], axis=1) // 5) % 3 > 0)
        return mixed(dark.astype(float), (0.74, 0.73, 0.7), (0.16, 0.15, 0.2))
    return albedo


def faint(random, contrast):
    """One colour with weak, broad stains and plain areas."""
    stain, where = Noise(random, 0.08, 3), Noise(random, 0.3, 1)
    return lambda p: BASE * (1 + 0.09 * (stain(p) * step(where(p), 0.4))[:, None])


def patches(random, contrast):
    """Broad, plain patches of few colours."""
    grey = Noise(random, 0.16, 2)
    colours = np.array([(0.6, 0.3, 0.22), (0.68, 0.62, 0.45), (0.28, 0.4, 0.36), (0.42, 0.43, 0.55)])
    return lambda p: colours[np.clip(np.floor((grey(p) + 0.6) * 3.3), 0, 3).astype(int)]


def parts(case):
    """Settings of a case: its name is words of this table joined by '-'; later words win."""
    table = {
        "tex": dict(texture=noise, contrast=0.35), "weak": dict(texture=noise, contrast=0.03),
        "gloss": dict(contrast=0.12, highlight=0.35), "inexact": dict(inexact=True),
        "plain": dict(texture=plain), "wood": dict(texture=wood), "stripes": dict(texture=stripes),
        "checker": dict(texture=checker), "print": dict(texture=printed), "faint": dict(texture=faint),
        "patches": dict(texture=patches), "turntable": dict(turning=True), "exposure": dict(exposure=True),
        "shadow": dict(shadow=True),
    }
    result = dict(texture=noise, contrast=0.35, highlight=0.0, inexact=False, turning=False, exposure=False, shadow=False)
    for word in case.split("-"):
        if word not in table:
            raise SystemExit(f"no case '{word}': {', '.join(table)}, or several joined by '-'")
        result |= table[word]
    return result


def lit(albedo, normals, light, to_eye, highlight, shadow):
    """Grey levels: Lambertian and ambient light, the latter stronger from above, and a view-dependent highlight."""
    facing = np.maximum(normals @ light, 0) * (1 - shadow)
    shade = 0.52 + 0.1 * normals[:, 2] + 0.52 * facing
    half = light + to_eye
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shine = highlight * np.maximum(np.einsum("ij,ij->i", normals, half), 0)**28 * (1 - shadow)
    return 255 * (albedo * shade[:, None] + shine[:, None])


def background(width, height, random):
    """An uneven grey wall: a gradient and broad stains, no edge."""
    y, x = np.mgrid[0:height, 0:width] / height
    stains = cv2.resize(random.normal(size=(6, 8)), (width, height), interpolation=cv2.INTER_CUBIC)
    grey = 120 + 40 * np.tensordot(random.uniform(-1, 1, 2), np.stack([x - 0.6, y - 0.5]), 1) + 9 * stains
    return np.repeat(grey[..., None], 3, -1) + random.normal(0, 3, 3)


def mask_of(coverage, inexact, random):
    """Pixels of which the object covers at least half; `inexact`: the outline deviates by one pixel (standard deviation)."""
    mask = coverage >= 0.5
    if inexact:
        near = ndimage.distance_transform_edt(mask) - ndimage.distance_transform_edt(~mask)
        near += np.where(mask, -0.5, 0.5)
        drift = ndimage.gaussian_filter(random.normal(size=mask.shape), 6)
        mask = near + drift / drift.std() > 0
    return mask
