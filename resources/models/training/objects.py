"""Artists' objects, rendered by collect.py, as training samples."""
import numpy as np

import data

MANY = 20  # kinds with at least this many objects are drawn equally often; others less often
OTHER_SHARE = 3.0  # objects of kind "other" are drawn as often as those of this many kinds together


class Objects:
    """The files that collect.py wrote into a folder. A training object depends only on its number."""

    def __init__(self, folder):
        self.files = sorted(folder.glob("*_*.npz"))
        if not self.files:
            raise SystemExit(f"{folder} holds no objects: run collect.py first")
        self.kinds = [f.name.split("_")[0] for f in self.files]
        counts = {kind: self.kinds.count(kind) for kind in set(self.kinds)}
        weights = np.array([(OTHER_SHARE if kind == "other" else 1) * min(1, counts[kind] / MANY) / counts[kind]
                            for kind in self.kinds])
        self.chances = weights / weights.sum()

    def load(self, at):
        with np.load(self.files[at]) as arrays:
            return tuple(arrays[k] for k in ("images", "alpha", "world", "rows"))

    def make(self, number, views):
        """Returns an object in the form of data.make(), randomly mirrored, recoloured, tinted or uniformly coloured,
        exposed, and badly cut out."""
        random = np.random.default_rng([number, 71])
        images, alpha, world, rows = self.load(int(random.choice(len(self.files), p=self.chances)))
        chosen = random.permutation(len(images))[:views]
        images, alpha, rows = images[chosen] / np.float32(255), alpha[chosen] / np.float32(255), rows[chosen]
        if random.random() < .5:  # mirrored in the plane z = 0
            images, alpha, rows = images[:, :, ::-1], alpha[:, :, ::-1], rows * np.float32([-1, 1, 1])
            world = world * np.float32([1, 1, -1, 1, 1, -1])
        channels = random.permutation(3) if random.random() < .5 else np.arange(3)
        tint = random.uniform(.75, 1.15, 3) if random.random() < .5 else np.ones(3)
        colour = random.uniform(.3, 1, 3) if random.random() < .1 else None
        made = np.zeros(images.shape, np.uint8)
        for v, (blended, cover) in enumerate(zip(images, alpha[..., None])):
            own = data.own_colours(blended, cover)
            if colour is not None:
                own = own.mean(-1, keepdims=True) * colour
            own = (own[..., channels] * tint).clip(0, 1)
            if random.random() < .7:
                own = data.exposed(own, random)
            if random.random() < .15:
                image = data.cut_out(own, cover, random.random() < .5, random.random(3))
            else:
                image = data.on_white(own, cover)
            made[v] = image * 255 + .5
        cameras = np.stack([data.camera(*row) for row in rows])
        points = random.permutation(len(world))[:data.POINTS]
        return made, cameras, cameras[:, :12].copy(), np.ascontiguousarray(world[points])

    def to_judge(self, at, points=6000):
        """Returns views 0, 6 and 7 without augmentation, for evaluation, and the truth, in the form of data.make()."""
        images, alpha, world, rows = self.load(at)
        views = [0, 6, 7]
        cover = alpha[views, ..., None] / np.float32(255)
        shown = data.on_white(data.own_colours(images[views] / np.float32(255), cover), cover)
        cameras = np.stack([data.camera(*rows[v]) for v in views])
        chosen = np.random.default_rng(at).permutation(len(world))[:points]
        return np.uint8(shown * 255 + .5), cameras, cameras[:, :12].copy(), world[chosen]

    def judged(self, each=14, other=24):
        """Yields index and kind of the objects for evaluation, in the files' order: at most `each` of a kind, at most
        `other` of kind OTHER."""
        left = {kind: other if kind == "other" else each for kind in set(self.kinds)}
        for at, kind in enumerate(self.kinds):
            if left[kind]:
                left[kind] -= 1
                yield at, kind
