#!/usr/bin/env python3
"""silhouette_overlap.py SCENE MESH.obj…: prints the silhouette overlap (intersection over union) of
each mesh with each photograph, after the mean of all photographs. Uses no code of Threefold. Meshes
are in the world of the photographs (`reconstruct --frame world`).

SCENE is a folder with cameras.json (OpenCV's axes, world to camera) or transforms.json (NeRF's axes),
or one of these files. Photographs are PNG of 8 bits a channel. Pixels of the object are those with an
alpha of at least half; in an opaque photograph, those that are not nearly white. A mesh covers the
pixels whose centre it covers. Needs Python without packages.
"""
import json
import pathlib
import sys
import zlib


def png(path):
    """Reads a PNG file. Returns width, height, channels and the rows' bytes."""
    data = path.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        chunk = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height = int.from_bytes(chunk[:4], "big"), int.from_bytes(chunk[4:8], "big")
            depth, colour, interlaced = chunk[8], chunk[9], chunk[12]
            channels = {0: 1, 2: 3, 4: 2, 6: 4}.get(colour)
            if depth != 8 or channels is None or interlaced:
                sys.exit(f"{path}: not a PNG of 8 bits a channel, without a palette or interlacing")
        if kind == b"IDAT":
            packed += chunk
        at += size + 12
    raw, stride = zlib.decompress(packed), width * channels
    rows, before = [], bytearray(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride if kind else 0):
            left = row[x - channels] if x >= channels else 0
            up = before[x]
            corner = before[x - channels] if x >= channels else 0
            if kind == 4:
                guess = left + up - corner
                add = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                          (abs(guess - corner), 2, corner))[2]
            else:
                add = (0, left, up, (left + up) // 2)[kind]
            row[x] = (row[x] + add) & 255
        rows.append(row)
        before = row
    return width, height, channels, rows


def mask(path):
    width, height, channels, rows = png(path)
    alpha = [row[channels - 1::channels] for row in rows] if channels in (2, 4) else None
    if alpha and any(min(row) < 255 for row in alpha):
        return width, height, [bytes(a >= 128 for a in row) for row in alpha]
    colours = channels - (channels in (2, 4))
    return width, height, [bytes(min(row[x:x + colours]) < 250
                                 for x in range(0, len(row), channels)) for row in rows]


def views(scene):
    """Yields for each view: photograph, rows of [R | t] with x right, y down, z forward, and fx, fy,
    cx, cy, for which the first pixel's centre is at 0.5."""
    file = pathlib.Path(scene)
    if file.is_dir():
        file = next(f for f in (file / "cameras.json", file / "transforms.json") if f.exists())
    data = json.loads(file.read_text())
    half = 0.5 - data.get("pixel_centre", 0.5)
    for view in data.get("views", []):
        (fx, _, cx), (_, fy, cy), _ = view.get("intrinsics", data.get("intrinsics"))
        yield file.parent / view["image"], view["matrix"][:3], fx, fy, cx + half, cy + half
    for frame in data.get("frames", []):
        get = {**data, **frame}.get
        m = frame["transform_matrix"]
        rows = []
        for column, sign in ((0, 1), (1, -1), (2, -1)):
            axis = [sign * m[i][column] for i in range(3)]
            rows.append(axis + [-sum(axis[i] * m[i][3] for i in range(3))])
        yield (file.parent / frame["file_path"], rows, get("fl_x"), get("fl_y", get("fl_x")),
               get("cx", get("w") / 2), get("cy", get("h") / 2))


def mesh(path):
    vertices, faces = [], []
    for line in open(path):
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            faces += [(corners[0], *corners[i:i + 2]) for i in range(1, len(corners) - 1)]
    return vertices, faces


def drawn(vertices, faces, rows, fx, fy, cx, cy, width, height):
    """Returns the rows of a mesh's silhouette: 1 where a triangle covers the pixel's centre."""
    places = []
    for x, y, z in vertices:
        a, b, c = (r[0] * x + r[1] * y + r[2] * z + r[3] for r in rows)
        places.append((fx * a / c + cx - 0.5, fy * b / c + cy - 0.5) if c > 0 else None)
    image = [bytearray(width) for _ in range(height)]
    for face in faces:
        corners = [places[i] for i in face]
        if None in corners:
            continue
        top, bottom = min(p[1] for p in corners), max(p[1] for p in corners)
        for y in range(max(0, -int(-top // 1)), min(height - 1, int(bottom // 1)) + 1):
            cuts = []
            for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
                if min(y0, y1) <= y <= max(y0, y1) and y0 != y1:
                    cuts.append(x0 + (y - y0) / (y1 - y0) * (x1 - x0))
            if cuts:
                begin, end = max(0, -int(-min(cuts) // 1)), min(width - 1, int(max(cuts) // 1))
                if end >= begin:
                    image[y][begin:end + 1] = b"\1" * (end + 1 - begin)
    return image


def main(scene, files):
    if not files:
        sys.exit(__doc__)
    seen = [(view, mask(view[0])) for view in views(scene)]
    for file in files:
        vertices, faces = mesh(file)
        overlaps = []
        for (_, rows, *lens), (width, height, there) in seen:
            image = drawn(vertices, faces, rows, *lens, width, height)
            pairs = [pair for rows in zip(image, there) for pair in zip(*rows)]
            both = sum(a & b for a, b in pairs)
            either = sum(a | b for a, b in pairs)
            overlaps.append(both / either if either else 1)
        print(f"{file} {sum(overlaps) / len(overlaps):.4f}:", *(f"{o:.4f}" for o in overlaps))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "", sys.argv[2:])
