"""Reads a textured mesh, an OBJ with one material whose map_Kd is a picture beside it, and samples the texture's
colours at points of the mesh. Shares no code with the program. Needs numpy and OpenCV."""
import pathlib

import cv2
import numpy as np

from geometry import interpolated


class TexturedMesh:
    """Each face has three vertices of its own: vertices (3 m, 3), faces (m, 3), coordinates (3 m, 2) with (0, 0) in
    the picture's lower left corner; picture (height, width, 3) as float in BGR order."""

    def __init__(self, path):
        path = pathlib.Path(path)
        places, coordinates, corners, libraries = [], [], [], []
        for line in path.read_text().splitlines():
            word, *values = line.split() or [""]
            if word == "v":
                places.append([float(value) for value in values[:3]])
            elif word == "vt":
                coordinates.append([float(value) for value in values[:2]])
            elif word == "f":
                if len(values) != 3 or any(value.count("/") < 1 for value in values):
                    raise SystemExit(f"{path}: '{line}': only triangles with texture coordinates are read here")
                corners += [[int(index) for index in value.split("/")[:2]] for value in values]
            elif word == "mtllib":
                libraries += values
        if not corners:
            raise SystemExit(f"{path}: has no faces")
        corners = np.array(corners) - 1
        self.vertices = np.array(places)[corners[:, 0]]
        self.coordinates = np.array(coordinates)[corners[:, 1]]
        self.faces = np.arange(len(corners)).reshape(-1, 3)
        self.picture = read_map(path, libraries)

    def colours(self, face, points):
        """Bilinear colours (n, 3) at points of these faces."""
        at = interpolated(self.coordinates, self.vertices, self.faces, face, points)
        height, width = self.picture.shape[:2]
        return remapped(self.picture, (at[:, 0] * width - 0.5).astype(np.float32),
                        ((1 - at[:, 1]) * height - 0.5).astype(np.float32))


def read_map(path, libraries):
    """The picture of the only map_Kd of an OBJ's material libraries."""
    names = [line.split(maxsplit=1)[1].strip() for library in libraries
             for line in (path.parent / library).read_text().splitlines() if line.startswith("map_Kd ")]
    if len(names) != 1:
        raise SystemExit(f"{path}: has {len(names)} textures, expected one")
    picture = cv2.imread(str(path.parent / names[0]), cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit(f"{path.parent / names[0]}: cannot be read")
    return picture.astype(np.float32)


def remapped(picture, x, y):
    """Bilinear colours at points (n,), reshaped to a picture, since OpenCV limits sides to 32767."""
    side = 1 << 14
    padded = -(-len(x) // side) * side
    grid = [np.pad(value, (0, padded - len(x))).reshape(-1, side) for value in (x, y)]
    return cv2.remap(picture, *grid, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(-1, 3)[:len(x)]
