"""Writes unseen samples in ShapeNetRendering's layout.

    make_samples.py OUT PER_CATEGORY [VIEWS]     procedural shapes, PER_CATEGORY of each category; default: 24 views
    make_samples.py OUT --collected CACHE        the unseen objects of artists (collect.py)

OUT/ShapeNetRendering/{synset}/{item}/rendering/{00..}.png with rendering_metadata.txt, OUT/gt/{sample}_00.dat
(image and 6000 points with normals, in view 0's space) and OUT/list.txt. Objects without a category of ShapeNet have the
synset 00000000.
"""
import multiprocessing
import pathlib
import pickle
import sys

import numpy as np
from PIL import Image

import data
import objects
import shapes

SYNSETS = ["02691156", "02828884", "02933112", "02958343", "03001627", "03211117", "03636649", "03691459",
           "04090263", "04256520", "04379243", "04401088", "04530566"]
FIRST_SEED = 910_000_000  # above data.UNSEEN, so never used for training
FINE = 548  # side of the rendered image: 4 x 4 rays per pixel
CATEGORY_OF = {"sofa": "couch", "display": "monitor", "phone": "cellphone"}  # ShapeNet's names of collect.py's kinds


def sample_paths(out, synset, name):
    """Makes the folder of a sample's pictures. Returns it, and the name of the truth file."""
    folder = out / "ShapeNetRendering" / synset / name / "rendering"
    folder.mkdir(parents=True, exist_ok=True)
    return folder, f"{synset}_{name}_00.dat"


def write_truth(path, bgr, alpha, points):
    """Writes a truth file: a pickle of view 0's picture (224 x 224 BGR bytes on white) and of points in its space."""
    shown = np.where(alpha[..., None] > 0, bgr, 1) * 255
    large = np.array(Image.fromarray(np.uint8(shown)).resize((224, 224), Image.BILINEAR))
    path.write_bytes(pickle.dumps((large, points), protocol=2))


def write(out, category, item, views):
    seed = FIRST_SEED + 1000 * category + item
    library, random = data.renderer(), np.random.default_rng(seed)
    shape, box = shapes.make(seed, category)
    direction = random.normal(size=3)
    direction[1] = abs(direction[1]) + 0.3
    direction /= np.linalg.norm(direction)
    light = np.array([*direction, 0.35, 0.45, 0.3, 0.12, 0], np.float32)
    folder, file = sample_paths(out, SYNSETS[category], f"p{item + 1:04}")
    rows = []
    for v in range(views):
        camera = [random.uniform(0, 360), random.uniform(25, 30), 0, random.uniform(0.65, 0.98), 25]
        camera = [float(f"{x:.12g}") for x in camera]
        view, fine = data.camera(*camera[:2], camera[3]), np.zeros((FINE, FINE, 4), np.float32)
        library.render(*map(data.to_pointer, (shape, view, light, fine)), FINE)
        parts = fine.reshape(137, 4, 137, 4, 4)
        cover = parts[..., 3].mean((1, 3))
        colour = (parts[..., :3] * parts[..., 3:]).sum((1, 3)) / np.maximum(parts[..., 3:].sum((1, 3)), 1e-6)
        rgba = np.concatenate([colour[..., ::-1] * (cover > 0)[..., None], cover[..., None]], -1)
        Image.fromarray(np.uint8(rgba * 255 + 0.5)).save(folder / f"{v:02}.png", optimize=True)
        rows.append(f"{camera[0]:.12g} {camera[1]:.12g} 0 {camera[3]:.12g} 25\n")
        if v == 0:
            points = np.zeros((6000, 6), np.float32)
            library.surface(*map(data.to_pointer, (shape, box, view, points)), 6000, seed & 0x7FFFFFFF)
            write_truth(out / "gt" / file, rgba[..., :3], rgba[..., 3], points)
    (folder / "rendering_metadata.txt").write_text("".join(rows))
    return file


def write_collected(out, files, at, kind):
    images, alpha, world, rows = files.load(at)
    category = CATEGORY_OF.get(kind, kind)
    synset = SYNSETS[shapes.CATS.index(category)] if category in shapes.CATS else "00000000"
    folder, file = sample_paths(out, synset, files.files[at].stem.split("_", 1)[1].replace("_", "-"))
    for v, (bgr, cover) in enumerate(zip(images / 255, alpha[..., None] / 255)):
        rgba = np.concatenate([data.own_colours(bgr, cover)[..., ::-1] * (cover > 0), cover], -1)
        Image.fromarray(np.uint8(rgba * 255 + 0.5)).save(folder / f"{v:02}.png", optimize=True)
    (folder / "rendering_metadata.txt").write_text("".join("%.12g %.12g 0 %.12g 25\n" % tuple(row) for row in rows))
    chosen = np.random.default_rng(at).permutation(len(world))[:6000]
    points = data.in_space(world[chosen], data.camera(*rows[0])[:12])
    write_truth(out / "gt" / file, images[0] / 255, alpha[0], points.astype(np.float32))
    return file


def main():
    out = pathlib.Path(sys.argv[1])
    (out / "gt").mkdir(parents=True, exist_ok=True)
    if sys.argv[2] == "--collected":
        files = objects.Objects(pathlib.Path(sys.argv[3]) / "unseen")
        made = [write_collected(out, files, at, kind) for at, kind in files.judged()]
    else:
        views = int(sys.argv[3]) if len(sys.argv) > 3 else 24
        data.renderer()  # compiled once, before the processes are forked
        with multiprocessing.Pool() as pool:
            jobs = [(out, category, item, views) for category in range(13) for item in range(int(sys.argv[2]))]
            made = pool.starmap(write, jobs)
    (out / "list.txt").write_text("".join(f"{file}\n" for file in made))


if __name__ == "__main__":
    main()
