"""Builds the mesh template and the hypothesis graph of the three-view network.

The levels have 156, 618 and 2466 vertices, by midpoint subdivision of a relaxed sphere. The result has the
keys of the published pickle (coord, stage1..3, pool_idx, ...).
"""

import pickle, sys
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from scipy.spatial import ConvexHull


def relaxed_sphere(n, iters=400):
    i = np.arange(n) + 0.5
    phi = np.arccos(1 - 2 * i / n)
    theta = np.pi * (1 + 5**0.5) * i
    p = np.stack([np.cos(theta) * np.sin(phi), np.cos(phi), np.sin(theta) * np.sin(phi)], 1)
    for k in range(iters):
        d = p[:, None] - p[None]
        r2 = (d**2).sum(-1) + np.eye(n)
        f = (d / r2[..., None] ** 2).sum(1)
        p = p + 0.3 / n * f / np.abs(f).max() * (1 - k / iters) * 3
        p /= np.linalg.norm(p, axis=1, keepdims=True)
    return p


def hull_faces(p):
    f = ConvexHull(p).simplices
    n = np.cross(p[f[:, 1]] - p[f[:, 0]], p[f[:, 2]] - p[f[:, 0]])
    flip = (n * p[f].mean(1)).sum(1) < 0
    f[flip] = f[flip][:, ::-1]
    return f


def edges_of(f):
    e = np.sort(np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]), 1)
    return np.unique(e, axis=0)


def subdivide(p, f):
    e = edges_of(f)
    index = {tuple(x): len(p) + i for i, x in enumerate(e)}
    mid = lambda a, b: index[(min(a, b), max(a, b))]
    out = []
    for a, b, c in f:
        ab, bc, ca = mid(a, b), mid(b, c), mid(c, a)
        out += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([p, p[e].mean(1)]), np.array(out), e


def cheb(n, e):
    a = sp.coo_matrix(
        (np.ones(2 * len(e)), (np.r_[e[:, 0], e[:, 1]], np.r_[e[:, 1], e[:, 0]])), shape=(n, n)
    ).tocsr()
    d = np.asarray(a.sum(1)).ravel()
    dm = sp.diags(d**-0.5)
    lap = sp.eye(n) - dm @ a @ dm
    lmax = eigsh(lap, 1, which="LM", return_eigenvectors=False)[0]
    scaled = (2.0 / lmax) * lap - sp.eye(n)

    def tup(m):
        m = m.tocoo()
        o = np.lexsort((m.col, m.row))
        return (np.stack([m.row, m.col], 1)[o].astype(np.int64), m.data[o].astype(np.float64), m.shape)

    return [tup(sp.eye(n)), tup(scaled)], a


def lape(n, a):
    out = np.full((n, 10), n, np.int64)
    for i in range(n):
        nb = a.indices[a.indptr[i] : a.indptr[i + 1]][:8]
        out[i, : len(nb)] = nb
        out[i, 8] = i
        out[i, 9] = len(nb)
    return out


def icosphere42():
    t = (1 + 5**0.5) / 2
    v = np.array(
        [
            [-1, t, 0],
            [1, t, 0],
            [-1, -t, 0],
            [1, -t, 0],
            [0, -1, t],
            [0, 1, t],
            [0, -1, -t],
            [0, 1, -t],
            [t, 0, -1],
            [t, 0, 1],
            [-t, 0, -1],
            [-t, 0, 1],
        ],
        float,
    )
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    v, f, _ = subdivide(v, hull_faces(v))
    return v / np.linalg.norm(v, axis=1, keepdims=True), f


def build(radii=(0.2, 0.2, 0.2), center=(0, 0, -0.8)):
    p = relaxed_sphere(156)
    f1 = hull_faces(p)
    p1 = p
    p2, f2, e1 = subdivide(p1, f1)
    p3, f3, e2 = subdivide(p2, f2)
    e3 = edges_of(f3)
    s1, a1 = cheb(len(p1), e1)
    s2, a2 = cheb(len(p2), e2)
    s3, a3 = cheb(len(p3), e3)
    v42, f42 = icosphere42()
    hyp = np.concatenate([np.zeros((1, 3)), 0.02 * v42])
    he = np.concatenate([edges_of(f42) + 1, np.stack([np.zeros(42, int), np.arange(1, 43)], 1)])
    hs, _ = cheb(43, he)
    dense = [sp.coo_matrix((v, (i[:, 0], i[:, 1])), shape=s).toarray() for i, v, s in hs]
    faces = [f1, f2, f3]
    return {
        "coord": (p1 * np.array(radii) + np.array(center)),
        "stage1": s1,
        "stage2": s2,
        "stage3": s3,
        "pool_idx": [e1, e2],
        "faces": [np.concatenate([np.full((len(f), 1), 3), f], 1) for f in faces],
        "faces_triangle": faces,
        "lape_idx": [lape(len(p1), a1), lape(len(p2), a2), lape(len(p3), a3)],
        "sample_coord": hyp,
        "sample_cheb_dense": dense,
        "sample_cheb": hs,
    }


if __name__ == "__main__":
    d = build()
    for k in (1, 2, 3):
        i, v, s = d["stage%d" % k][1]
        print(k, s, len(v), np.abs(v).max(), "max row", np.bincount(i[:, 0]).max())
    print([len(f) for f in d["faces_triangle"]], [len(p) for p in d["pool_idx"]], d["sample_coord"].shape)
    pickle.dump(d, open(sys.argv[1], "wb"), protocol=2)
