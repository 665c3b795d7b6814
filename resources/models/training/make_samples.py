"""Unseen procedural samples in the ShapeNetRendering layout. Usage: make_samples.py OUT PER_CATEGORY [VIEWS]

OUT/ShapeNetRendering/{synset}/{item}/rendering/{00..}.png with rendering_metadata.txt, OUT/gt/{sample}_00.dat
(image and 6000 points with normals, in view 0's space) and OUT/list.txt. VIEWS is 24 unless told.
"""
import multiprocessing
import pathlib
import pickle
import sys

import numpy as np
from PIL import Image

import data
import shapes

SYNSETS = ["02691156", "02828884", "02933112", "02958343", "03001627", "03211117", "03636649", "03691459",
           "04090263", "04256520", "04379243", "04401088", "04530566"]
FIRST_SEED = 910_000_000  # beyond data.UNSEEN
FINE = 548  # four by four rays a pixel


def write(out, category, item, views):
    seed = FIRST_SEED + 1000 * category + item
    library, random = data.renderer(), np.random.default_rng(seed)
    shape, box = shapes.make(seed, category)
    direction = random.normal(size=3)
    direction[1] = abs(direction[1]) + 0.3
    direction /= np.linalg.norm(direction)
    light = np.array([*direction, 0.35, 0.45, 0.3, 0.12, 0], np.float32)
    name = f"p{item + 1:04}"
    folder = out / "ShapeNetRendering" / SYNSETS[category] / name / "rendering"
    folder.mkdir(parents=True, exist_ok=True)
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
            shown = np.where(rgba[..., 3:] > 0, rgba[..., :3], 1) * 255
            large = np.array(Image.fromarray(np.uint8(shown)).resize((224, 224), Image.BILINEAR))
            file = f"{SYNSETS[category]}_{name}_00.dat"
            (out / "gt" / file).write_bytes(pickle.dumps((large, points), protocol=2))
    (folder / "rendering_metadata.txt").write_text("".join(rows))
    return file


def main():
    out, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    views = int(sys.argv[3]) if len(sys.argv) > 3 else 24
    (out / "gt").mkdir(parents=True, exist_ok=True)
    data.renderer()  # compiled once, for all processes
    with multiprocessing.Pool() as pool:
        jobs = [(out, category, item, views) for category in range(13) for item in range(count)]
        files = pool.starmap(write, jobs)
    (out / "list.txt").write_text("".join(f"{file}\n" for file in files))


if __name__ == "__main__":
    main()
