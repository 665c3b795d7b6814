"""Objects as training sees them, each a function of its number alone, so that a run can be resumed."""
import ctypes
import functools
import math
import multiprocessing
import os

import numpy as np

import ops_cpu
import shapes

POINTS = 3000
UNSEEN = 900_000_000  # seeds from here on are never trained on


def camera_rows(camera):
    """Azimuth, elevation, -, distance, - -> three axes and the origin, as network.camera_matrix."""
    theta, phi, distance = math.radians(camera[0]), math.radians(camera[1]), camera[3]
    y, lens = distance * math.sin(phi), distance * math.cos(phi)
    back = np.array([lens * math.cos(theta), y, lens * math.sin(theta)])
    up = np.array([-y * math.cos(theta), lens, -y * math.sin(theta)])
    axes = [a / np.linalg.norm(a) for a in (np.cross(up, back), up, back)]
    return np.concatenate([*axes, back]).astype(np.float32)


@functools.cache
def renderer():
    return ops_cpu.compiled("shapes.cpp")


def to_pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def exposed(image, covered, random):
    """Gamma, gain and grain on the object; the background stays white."""
    y = np.maximum(image, 1e-3) ** random.uniform(.7, 1.45) * random.uniform(.85, 1.12)
    y = np.clip(y + random.normal(0, .012, image.shape), 0, 1)
    return np.where(covered, y, image)


def make(library, number, views, augmented=True):
    """One object: images [V, 137, 137, 3] (BGR bytes), cameras [V, 5], truth [P, 6] in world space, category."""
    random = np.random.default_rng(number + 17)
    primitives, box, category = shapes.make(number, int(random.integers(0, 13)))
    direction = random.normal(size=3)
    direction[1] = abs(direction[1]) + .3
    direction /= np.linalg.norm(direction)
    texture = random.random() if random.random() < .6 else 0
    light = np.array([*direction, random.uniform(.2, .45), random.uniform(.3, .6), random.uniform(.2, .45),
                      random.uniform(0, .25), texture], np.float32)
    cameras, images = np.zeros((views, 5), np.float32), np.zeros((views, 137, 137, 3), np.uint8)
    for v in range(views):
        usual = not augmented or random.random() < .7
        elevation = random.uniform(25, 30) if usual else random.uniform(5, 50)
        cameras[v] = [random.uniform(0, 360), elevation, 0, random.uniform(.65, .98), 25]
        rows, fine = camera_rows(cameras[v]), np.zeros((274, 274, 4), np.float32)
        library.render(to_pointer(primitives), to_pointer(rows), to_pointer(light), to_pointer(fine), 274)
        pixels = fine.reshape(137, 2, 137, 2, 4).mean((1, 3))
        image = pixels[..., :3]
        if augmented and random.random() < .7:
            image = exposed(image, pixels[..., 3:] > .5, random)
        images[v] = image * 255 + .5
    identity, truth = np.float32([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), np.zeros((POINTS, 6), np.float32)
    library.surface(to_pointer(primitives), to_pointer(box), to_pointer(identity), to_pointer(truth), POINTS,
                        int(number) & 0x7fffffff)
    return images, cameras, truth, category


def in_view(truth, camera):
    """World points and normals [P, 6] in a camera's space."""
    rows = camera_rows(camera)
    axes, origin = rows[:9].reshape(3, 3), rows[9:]
    return np.concatenate([(truth[:, :3] - origin) @ axes.T, truth[:, 3:] @ axes.T], 1).astype(np.float32)


def step_plan(step, objects, references, seed):
    """What step number `step` trains on: object numbers, views, and each object's reference views."""
    random = np.random.default_rng([seed, step])
    views = int(random.choice([2, 3, 4, 5], p=[.1, .7, .1, .1]))
    numbers = seed * 10_000_000 + np.arange(step * objects, (step + 1) * objects)
    chosen = [random.permutation(views)[:references] for _ in range(objects)]
    return numbers, views, np.array([np.resize(c, references) for c in chosen])


def batch(library, step, objects, references, seed):
    """Step `step`'s batch: images [O, V, 137, 137, 3] bytes, cameras [O R, V, 5], reference [O R, 5],
    truth [O R, P, 6] in the reference's space."""
    numbers, views, chosen = step_plan(step, objects, references, seed)
    made = [make(library, n, views) for n in numbers]
    return (np.stack([m[0] for m in made]),
            np.stack([m[1] for m, refs in zip(made, chosen) for _ in refs]),
            np.stack([m[1][r] for m, refs in zip(made, chosen) for r in refs]),
            np.stack([in_view(m[2], m[1][r]) for m, refs in zip(made, chosen) for r in refs]))


def worker(queue, first, stride, *plan):
    os.nice(10)
    library = renderer()
    step = first
    while True:
        queue.put(batch(library, step, *plan))
        step += stride


class Stream:
    """Batches from step `first` on, in order, made by `workers` processes."""

    def __init__(self, first, workers, *plan):
        context = multiprocessing.get_context("spawn")
        self.queues = [context.Queue(6) for _ in range(workers)]
        self.next = 0
        self.processes = [context.Process(target=worker, args=(q, first + i, workers, *plan), daemon=True)
                          for i, q in enumerate(self.queues)]
        for process in self.processes:
            process.start()

    def get(self):
        self.next += 1
        return self.queues[(self.next - 1) % len(self.queues)].get()

    def close(self):
        for process in self.processes:
            process.terminate()
