"""Makes data/template_*.dat: one tiny template (METHOD.md §10) in every known dialect of pickle.

Run by hand after a change: python3 tests/engine/model/make_templates.py
Needs numpy. The tests themselves never run it.
"""
import pathlib
import pickle
import struct

import numpy as np

HERE = pathlib.Path(__file__).parent / "data"


def edges_of(faces):
    return sorted({tuple(sorted((f[i], f[(i + 1) % 3]))) for f in faces for i in range(3)})


def split(faces, count):
    edges = edges_of(faces)
    middle = {edge: count + i for i, edge in enumerate(edges)}
    smaller = []
    for a, b, c in faces:
        ab, bc, ca = (middle[tuple(sorted(e))] for e in ((a, b), (b, c), (c, a)))
        smaller += [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    return edges, smaller, count + len(edges)


def laplacian(count, edges):
    matrix = np.eye(count) / 8
    for a, b in edges:
        matrix[a, b] = matrix[b, a] = -0.25
    return matrix


def sparse(matrix):
    places = np.argwhere(matrix != 0)
    return (places.astype("i4"), matrix[tuple(places.T)].astype("f4"), matrix.shape)


def template():
    faces, count = [[0, 1, 2]], 3
    value = {"coord": np.array([[0, 0, 0], [1, 0, 0.5], [0, 1, -0.5]]), "pool_idx": [],
             "faces": [], "faces_triangle": []}
    for level in (1, 2, 3):
        edges = edges_of(faces)
        value[f"stage{level}"] = [sparse(np.eye(count)), sparse(laplacian(count, edges))]
        value["faces"].append(np.array([[3, *face] for face in faces], dtype="i4"))
        value["faces_triangle"].append(np.array(faces, dtype="i4"))
        if level < 3:
            edges, faces, count = split(faces, count)
            value["pool_idx"].append(np.array(edges, dtype="i4"))
    star = laplacian(4, [(0, 1), (0, 2), (0, 3)])
    value["sample_coord"] = np.vstack([np.zeros((1, 3)), np.eye(3) / 64])
    value["sample_cheb"] = [sparse(np.eye(4)), sparse(star)]
    value["sample_cheb_dense"] = [np.eye(4), star]
    return value


def without_centre(value):
    value = dict(value)
    value["sample_coord"] = value["sample_coord"][1:]
    value["sample_cheb"] = [sparse(np.eye(3)), sparse(laplacian(3, [(0, 1), (1, 2), (2, 0)]))]
    del value["sample_cheb_dense"]
    return value


def python2(value):
    """Protocol 1 as written by Python 2: no PROTO, I00 for False, BINSTRING for all strings."""
    def text(data):
        data = data.encode("latin1") if isinstance(data, str) else data
        return b"T" + struct.pack("<i", len(data)) + data

    def integer(number):
        return b"J" + struct.pack("<i", number)

    if isinstance(value, dict):
        return b"(" + b"".join(text(k) + python2(v) for k, v in value.items()) + b"d"
    if isinstance(value, (list, tuple)):
        body = b"(" + b"".join(python2(item) for item in value)
        return body + (b"l" if isinstance(value, list) else b"t")
    if isinstance(value, int):
        return integer(value)
    dtype = (b"cnumpy\ndtype\n(" + text(value.dtype.str[1:]) + b"I00\nI01\ntR(" + integer(3) +
             text("<") + b"NNN" + integer(-1) + integer(-1) + integer(0) + b"tb")
    return (b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(" + integer(0) + b"t" +
            text("b") + b"tR(" + integer(1) + python2(value.shape) + dtype + b"I00\n" +
            text(np.ascontiguousarray(value).tobytes()) + b"tb")


if __name__ == "__main__":
    HERE.mkdir(parents=True, exist_ok=True)
    whole = template()
    for protocol in (0, 2, 4):
        (HERE / f"template_{protocol}.dat").write_bytes(pickle.dumps(whole, protocol))
    (HERE / "template_python2.dat").write_bytes(python2(whole) + b".")
    (HERE / "template_without_centre.dat").write_bytes(python2(without_centre(whole)) + b".")
