"""Cameras, z-buffers and meshes for the scripts of this folder: pinhole cameras as in `cameras.json`, a rasteriser
in numpy, a reader of meshes. The centre of pixel (column i, row j) is (i + 0.5, j + 0.5).
Shares no code with the program. Needs numpy and trimesh."""
import json
import pathlib

import numpy as np
import trimesh

CHUNK = 1 << 21  # candidate pixels processed at a time


class Camera:
    """K (3, 3), R (3, 3), t (3,): the pixel of a point x is that of K (R x + t); y down, looking along +z."""

    def __init__(self, K, R, t, width, height):
        self.K, self.R, self.t = (np.array(value, float) for value in (K, R, t))
        self.width, self.height = int(width), int(height)

    @property
    def eye(self):
        return -self.R.T @ self.t

    def finer(self, times):
        return Camera(np.diag([times, times, 1]) @ self.K, self.R, self.t, self.width * times, self.height * times)

    def project(self, points):
        """Columns and rows (n, 2), and depths (n,)."""
        q = (np.asarray(points, float) @ self.R.T + self.t) @ self.K.T
        return q[:, :2] / q[:, 2:], q[:, 2]

    def points(self, rows, columns, depth):
        """World points at the given depths of these pixels' centres."""
        pixel = np.stack([columns + 0.5, rows + 0.5, np.ones(len(rows))], -1)
        return depth[:, None] * (pixel @ np.linalg.inv(self.K).T) @ self.R + self.eye


def rasterise(vertices, faces, camera, closed=False):
    """Depth along the optical axis (height, width), and the index of the visible face; infinite and -1 outside the
    mesh. `closed` culls back faces, which halves the time. Faces that reach behind the camera are left out."""
    at, z = camera.project(vertices)
    corner = at[faces]
    (ax, ay), (bx, by) = (corner[:, 1] - corner[:, 0]).T, (corner[:, 2] - corner[:, 0]).T
    twice = ax * by - ay * bx
    use = (z[faces].min(1) > 1e-6) & (np.abs(twice) > 1e-12)
    if closed:
        use &= twice < 0  # rows go down, so faces seen from outside have a negative area
    low = np.maximum(np.ceil(corner.min(1) - 0.5), 0).astype(np.int64)
    high = np.minimum(np.floor(corner.max(1) - 0.5), (camera.width - 1, camera.height - 1)).astype(np.int64)
    size = np.maximum(high - low + 1, 0)
    count = np.where(use, size[:, 0] * size[:, 1], 0)
    which = np.flatnonzero(count)
    # Inverse depth and the corners' weights are linear over a face in the picture.
    buffer = np.full(camera.width * camera.height, np.iinfo(np.uint64).max)
    ends = np.cumsum(count[which])
    start = 0
    while start < len(which):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK, side="right")))
        part = which[start:stop]
        n = count[part]
        owner = np.repeat(np.arange(len(part), dtype=np.int32), n)
        rank = np.arange(n.sum(), dtype=np.int64) - np.repeat(np.cumsum(n) - n, n)
        wide = size[part, 0][owner]
        row = rank // wide
        column = rank - row * wide + low[part, 0][owner]
        row += low[part, 1][owner]
        weight = planes(corner[part], twice[part]).astype(np.float32)
        x = (column + 0.5 - corner[part, 0, 0][owner]).astype(np.float32)
        y = (row + 0.5 - corner[part, 0, 1][owner]).astype(np.float32)
        inverse = 1 / z[faces[part]]
        # Rounding may place a pixel's centre outside both faces of an edge, so faces are slightly
        # enlarged.
        inside = np.ones(len(owner), bool)
        for k in range(3):
            inside &= weight[:, k, 0][owner] * x + weight[:, k, 1][owner] * y + weight[:, k, 2][owner] >= -1e-4
        slope = np.einsum("nk,nkc->nc", inverse, weight).astype(np.float32)
        owner, x, y = owner[inside], x[inside], y[inside]
        depth = 1 / (slope[:, 0][owner] * x + slope[:, 1][owner] * y + slope[:, 2][owner])
        key = depth.astype(np.float32).view(np.uint32).astype(np.uint64) << np.uint64(32) | part[owner].astype(np.uint64)
        np.minimum.at(buffer, row[inside] * camera.width + column[inside], key)
        start = stop
    seen = buffer != np.iinfo(np.uint64).max
    depth = np.where(seen, (buffer >> np.uint64(32)).astype(np.uint32).view(np.float32), np.inf)
    face = np.where(seen, (buffer & np.uint64(0xFFFFFFFF)).astype(np.int64), -1)
    shape = camera.height, camera.width
    return depth.reshape(shape), face.reshape(shape)


def planes(corner, twice):
    """For each corner's weight, its slopes and its value at the first corner, (n, 3, 3)."""
    (ax, ay), (bx, by) = (corner[:, 1] - corner[:, 0]).T, (corner[:, 2] - corner[:, 0]).T
    second = np.stack([by, -bx, np.zeros_like(ax)], -1) / twice[:, None]
    third = np.stack([-ay, ax, np.zeros_like(ax)], -1) / twice[:, None]
    return np.stack([np.array([0.0, 0, 1]) - second - third, second, third], 1)


def interpolated(values, vertices, faces, face, points):
    """Values of vertices interpolated at points of the faces, by barycentric coordinates in space."""
    a, b, c = (vertices[faces[face, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    area = np.maximum(np.einsum("ij,ij->i", normal, normal), 1e-30)
    second = np.einsum("ij,ij->i", np.cross(points - a, c - a), normal) / area
    third = np.einsum("ij,ij->i", np.cross(b - a, points - a), normal) / area
    weight = np.clip(np.stack([1 - second - third, second, third], -1), 0, 1)
    return sum(weight[:, k, None] * values[faces[face, k]] for k in range(3))


def read_cameras(folder):
    """The cameras and the names of the photographs of a folder's cameras.json."""
    file = json.loads((pathlib.Path(folder) / "cameras.json").read_text())
    if file["convention"] != "opencv" or file.get("distortion"):
        raise SystemExit(f"{folder}: only pinhole cameras of the convention opencv are read here")
    cameras, names = [], []
    for view in file["views"]:
        matrix = np.array(view["matrix"], float)
        if file["matrices"] == "camera_to_world":
            matrix = np.linalg.inv(matrix)
        K = np.array(view.get("intrinsics", file.get("intrinsics")), float)
        K[:2, 2] += 0.5 - file.get("pixel_centre", 0.5)
        width, height = (view.get(key, file.get(key)) for key in ("width", "height"))
        if width is None or height is None:
            from PIL import Image
            with Image.open(pathlib.Path(folder) / view["image"]) as picture:
                width, height = picture.size
        cameras.append(Camera(K, matrix[:3, :3], matrix[:3, 3], width, height))
        names.append(view["image"])
    return cameras, names


def read_mesh(path):
    """Vertices (n, 3) and faces (m, 3) of a mesh file; vertices are not merged."""
    mesh = trimesh.load(path, process=False, force="mesh")
    if len(mesh.faces) == 0:
        raise SystemExit(f"{path}: has no faces")
    return np.asarray(mesh.vertices, float), np.asarray(mesh.faces)
