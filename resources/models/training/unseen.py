"""Objects for the evaluation of a training, which are never used for training; batches as tensors."""
import itertools

import numpy as np
import torch
import torch.nn.functional as F

import data
import families
import losses
import objects
import shapes

MEANS = "mean", "any lens", "other kinds"  # rows that are means of several categories


def image_tensor(images, device):
    """Converts images [O, V, 137, 137, 3] of bytes to [O, V, 3, 224, 224] in 0 to 1."""
    x = torch.tensor(images, device=device).float().permute(0, 1, 4, 2, 3).flatten(0, 1) / 255
    x = F.interpolate(x, size=(224, 224), mode="bilinear", align_corners=False)
    return x.view(*images.shape[:2], 3, 224, 224)


def tensors(batch, device):
    images, *rest = batch
    return image_tensor(images, device), *(torch.tensor(r, device=device) for r in rest)


class Unseen:
    """Evaluation objects: `count` of ShapeNet's categories, equally many of each; the same objects with arbitrary lenses;
    an eighth of `count` of each other family; and the unseen objects of `collected`. Evaluated in float32."""

    def __init__(self, count, template, collected=None):
        library = data.renderer()
        self.template, self.items = template, []

        def add(names, made):
            images, cameras, references, truth = made
            self.items.append((names, images[None], cameras[None], references[:1],
                               data.in_space(truth, references[0])[None]))

        def seeds(kinds, each, kind_of):
            """Yields kind and seed, from the first unseen seed on, until `each` of every kind are found."""
            left = [each] * kinds
            for seed in itertools.takewhile(lambda _: any(left), itertools.count(data.UNSEEN)):
                if left[kind := kind_of(seed)]:
                    left[kind] -= 1
                    yield kind, seed

        def procedural(seed, **choices):
            return data.make(library, seed, 3, augmented=False, **choices)

        for category, seed in seeds(13, count // 13, data.category):
            add((shapes.CATS[category], "mean"), procedural(seed, other=False, any_lens=False))
            add(("any lens",), procedural(seed, other=False, any_lens=True))
        for family, seed in seeds(len(families.NAMES), max(1, count // 8), families.family):
            add((families.NAMES[family], "other kinds"), procedural(seed, other=True, any_lens=False))
        if collected:
            files = objects.Objects(collected / "unseen")
            for at, kind in files.judged():
                add(("collected " + kind, "collected"), files.to_judge(at))

    @torch.no_grad()
    def measures(self, coarse, refine, nearest):
        """Returns {stage: {category: [CD, F(tau), F(2 tau), crease, mean displacement since the previous stage]}}. Stages:
        coarse, block 1 and refined. Further categories: "mean" of ShapeNet's categories with published cameras, "any lens",
        "other kinds" and "collected"."""
        results = {}
        for names, *item in self.items:
            images, cameras, reference, truth = tensors(item, "cpu")
            meshes = {"coarse": coarse(images, cameras, reference, self.template)[-1]}
            if refine:
                blocks = refine(images, meshes["coarse"], cameras, reference, self.template)
                meshes |= zip(("block 1", "refined"), blocks)
            before = meshes["coarse"]
            for stage, mesh in meshes.items():
                value = losses.measures(mesh, truth, self.template, nearest)[0].tolist()
                value.append(float((mesh - before).norm(dim=-1).mean()))
                before = mesh
                for name in names:
                    results.setdefault(stage, {}).setdefault(name, []).append(value)
        return {stage: {name: np.round(np.mean(values, 0), 6).tolist() for name, values in rows.items()}
                for stage, rows in results.items()}
