"""Prints a table of a list's measures by category. Usage: table.py RUN.json MESHES

RUN.json is the output of `threefold reconstruct LIST --stage all --format obj --json -o MESHES`.
"""
import json
import pathlib
import sys

import numpy as np

from make_samples import SYNSETS
from network import neighbouring_faces
from shapes import CATS


def crease(path, pairs={}):
    """Returns the mean of 1 - cos between neighbouring faces of an OBJ file."""
    lines = [line.split() for line in path.read_text().splitlines()]
    points = np.array([line[1:4] for line in lines if line[:1] == ["v"]], float)
    faces = np.array([[corner.split("/")[0] for corner in line[1:4]] for line in lines if line[:1] == ["f"]], int) - 1
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-12
    key = faces.tobytes()
    if key not in pairs:  # cached, since all meshes have the template's faces
        pairs[key] = neighbouring_faces(faces)
    return float((1 - (normal[pairs[key][:, 0]] * normal[pairs[key][:, 1]]).sum(1)).mean())


def main():
    run, meshes = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    rows = {}
    for sample in run["samples"]:
        measures, row = sample["measures"], []
        for stage, suffix in (("coarse", "coarse"), ("refined", "predict")):
            row += [measures[stage]["f_tau"], 1e3 * measures[stage]["chamfer"],
                    crease(meshes / f"{sample['sample']}_{suffix}.obj")]
        synset = sample["sample"].split("_")[0]
        for name in (CATS[SYNSETS.index(synset)] if synset in SYNSETS else "other", "mean"):
            rows.setdefault(name, []).append(row)
    print("| | samples | F(τ) coarse | refined | CD·10³ coarse | refined | 1 − cos coarse | refined |")
    print("|---" * 8 + "|")
    for name, values in sorted(rows.items(), key=lambda item: (item[0] == "mean", item[0])):
        f, cd, bent, f2, cd2, bent2 = np.mean(values, 0)
        print(f"| {name} | {len(values)} | {f:.1f} | {f2:.1f} | {cd:.3f} | {cd2:.3f} | {bent:.3f} | {bent2:.3f} |")


if __name__ == "__main__":
    main()
