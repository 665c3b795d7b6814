"""Procedural training objects. An object depends only on its number, so that a run can be resumed."""
import ctypes
import functools
import math

import numpy as np

import families
import ops_cpu
import shapes

POINTS = 3000
CHANCES = .25, .5  # probabilities of another family than ShapeNet's, and of an arbitrary lens
NEAREST, FARTHEST = 1.05 * .57, 8 * .57  # distances with an arbitrary lens: 1.05 to 8 diagonals of the object's box
UNSEEN = 900_000_000  # first seed of objects that are never used for training


def camera(azimuth, elevation, distance, focal=248.0, column=112.0, row=112.0):
    """Returns a camera [15] of network.py that looks at the origin. By default it has the published intrinsics."""
    theta, phi = math.radians(azimuth), math.radians(elevation)
    y, lens = distance * math.sin(phi), distance * math.cos(phi)
    back = np.array([lens * math.cos(theta), y, lens * math.sin(theta)])
    up = np.array([-y * math.cos(theta), lens, -y * math.sin(theta)])
    axes = [a / np.linalg.norm(a) for a in (np.cross(up, back), up, back)]
    return np.concatenate([*axes, back, [focal, column, row]]).astype(np.float32)


@functools.cache
def renderer():
    return ops_cpu.compiled("shapes.cpp")


def to_pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def exposed(own, random):
    """Returns the object's colours with random gamma, gain and noise."""
    y = np.maximum(own, 1e-3) ** random.uniform(.7, 1.45) * random.uniform(.85, 1.12)
    return np.clip(y + random.normal(0, .012, own.shape), 0, 1)


def own_colours(blended, cover):
    """Returns the object's colours in a picture [H, W, 3] that is blended with white by `cover` [H, W, 1]."""
    return ((blended - (1 - cover)) / np.maximum(cover, 1 / 255)).clip(0, 1)


def on_white(own, cover):
    """Returns the network's input (METHOD.md, 1): white where `cover` is 0. Partly covered pixels have the object's colours,
    not blended with white."""
    return np.where(cover > 0, own, 1)


def grown(mask):
    """Returns a mask [H, W] dilated by its four neighbours."""
    m = np.pad(mask, 1)
    return m[1:-1, 1:-1] | m[:-2, 1:-1] | m[2:, 1:-1] | m[1:-1, :-2] | m[1:-1, 2:]


def cut_out(own, cover, wide, background):
    """Returns the picture after a bad cutout, whose mask is a pixel too wide (`wide`, with a uniform background) or too
    narrow."""
    if not wide:
        return np.where(grown(cover[..., 0] <= .5)[..., None], 1, own)
    before = own * cover + (1 - cover) * background
    return np.where(grown(cover[..., 0] > .5)[..., None], before, 1)


def category(number):
    """Returns the category (0 to 12) of an object of ShapeNet's categories."""
    return int(np.random.default_rng(number + 17).integers(0, 13))


def make(library, number, views, augmented=True, other=None, any_lens=None):
    """Makes an object: images [V, 137, 137, 3] (BGR bytes), cameras [V, 15], references [V, 12], truth [P, 6] in world
    space. `other`: whether it is of another family than ShapeNet's. `any_lens`: whether its cameras have arbitrary lenses.
    None: at random."""
    random, further = np.random.default_rng(number + 17), np.random.default_rng([number, 17])
    of_shapenet = int(random.integers(0, 13))  # the same number as category()
    drawn = further.random(2) < CHANCES
    other, any_lens = (d if told is None else told for d, told in zip(drawn, (other, any_lens)))
    shape, box = families.make(number) if other else shapes.make(number, of_shapenet)
    direction = random.normal(size=3)
    direction[1] = abs(direction[1]) + .3
    direction /= np.linalg.norm(direction)
    texture = random.random() if random.random() < .6 else 0
    light = np.array([*direction, random.uniform(.2, .45), random.uniform(.3, .6), random.uniform(.2, .45),
                      random.uniform(0, .25), texture], np.float32)
    cameras, images = np.zeros((views, 15), np.float32), np.zeros((views, 137, 137, 3), np.uint8)
    references = np.zeros((views, 12), np.float32)
    far = math.exp(further.uniform(math.log(NEAREST), math.log(FARTHEST)))
    for v in range(views):
        usual = not augmented or random.random() < .7
        elevation = random.uniform(25, 30) if usual else random.uniform(5, 50)
        azimuth, elevation, distance = np.float32([random.uniform(0, 360), elevation, random.uniform(.65, .98)])
        cameras[v] = camera(azimuth, elevation, distance)
        references[v] = cameras[v, :12]
        if any_lens:
            true = min(max(far * further.uniform(.8, 1.25), NEAREST), FARTHEST)
            cameras[v] = camera(azimuth, elevation, true, 248 * true / distance, *(112 + further.uniform(-8, 8, 2)))
        fine = np.zeros((274, 274, 4), np.float32)
        library.render(*map(to_pointer, (shape, cameras[v], light, fine)), 274)
        pixels = fine.reshape(137, 2, 137, 2, 4).mean((1, 3))
        cover = pixels[..., 3:]
        own = own_colours(pixels[..., :3], cover)
        if augmented and random.random() < .7:
            own = exposed(own, random)
        if augmented and further.random() < .25:
            image = cut_out(own, cover, further.random() < .5, further.random(3))
        else:
            image = on_white(own, cover)
        images[v] = image * 255 + .5
    identity, truth = np.float32([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), np.zeros((POINTS, 6), np.float32)
    library.surface(*map(to_pointer, (shape, box, identity, truth)), POINTS, int(number) & 0x7fffffff)
    return images, cameras, references, truth


def in_space(truth, reference):
    """Transforms points and normals [P, 6] from world space to a reference's space."""
    axes, origin = reference[:9].reshape(3, 3), reference[9:]
    return np.concatenate([(truth[:, :3] - origin) @ axes.T, truth[:, 3:] @ axes.T], 1).astype(np.float32)
