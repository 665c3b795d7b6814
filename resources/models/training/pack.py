"""Packs collected objects into a small file for transfer to a machine with a GPU, and unpacks it (README.md).

    python3 pack.py CACHE objects.pack     # packs: 2 209 objects of 4.3 GB become 77 MB
    python3 pack.py objects.pack CACHE     # unpacks

For each object the file has `--views` views as a WebP picture with transparency, and `--points` surface points: positions
in the unit cube with 12 bits per axis, sorted along a Morton curve and stored as differences, and octahedral normals of two
bytes. Unseen objects keep all views, so that the evaluation is the same, except for rounding.
"""
import argparse
import concurrent.futures
import io
import lzma
import pathlib
import pickle

import numpy as np
from PIL import Image

BITS = 12  # bits of a position per axis
SIZE = 137
CODE_BYTES = 5  # bytes of a difference between Morton codes, which have 3 * BITS bits
PARTS = "train", "unseen"


def morton(cells):
    """Returns the Morton codes of integers [P, 3] below 2^BITS."""
    codes = np.zeros(len(cells), np.uint64)
    for bit in range(BITS):
        for axis in range(3):
            codes |= ((cells[:, axis] >> bit) & 1).astype(np.uint64) << np.uint64(3 * bit + axis)
    return codes


def from_morton(codes):
    cells = np.zeros((len(codes), 3), np.uint32)
    for bit in range(BITS):
        for axis in range(3):
            cells[:, axis] |= ((codes >> np.uint64(3 * bit + axis)) & np.uint64(1)).astype(np.uint32) << bit
    return cells


def folded(xy):
    """Folds the octahedron's lower half onto the corners of the square."""
    return (1 - np.abs(xy[:, ::-1])) * np.where(xy >= 0, 1, -1)


def pack_points(world):
    """Packs points and normals [P, 6] in the unit cube around 0 into CODE_BYTES + 2 bytes per point."""
    cells = np.clip(np.round((world[:, :3] + .5) * 2 ** BITS), 0, 2 ** BITS - 1).astype(np.uint32)
    codes = morton(cells)
    order = np.argsort(codes)
    differences = np.diff(codes[order], prepend=np.uint64(0))
    planes = [((differences >> np.uint64(8 * k)) & np.uint64(255)).astype(np.uint8) for k in range(CODE_BYTES)]
    normals = world[order, 3:]
    normals = normals / np.maximum(np.abs(normals).sum(1, keepdims=True), 1e-9)
    xy = np.where(normals[:, 2:] < 0, folded(normals[:, :2]), normals[:, :2])
    return b"".join(p.tobytes() for p in (*planes, *np.round((xy + 1) * 127.5).astype(np.uint8).T))


def unpack_points(packed):
    planes = np.frombuffer(packed, np.uint8).reshape(CODE_BYTES + 2, -1)
    differences = sum(planes[k].astype(np.uint64) << np.uint64(8 * k) for k in range(CODE_BYTES))
    positions = from_morton(np.cumsum(differences, dtype=np.uint64)) / np.float32(2 ** BITS) - np.float32(.5)
    xy = planes[CODE_BYTES:].T.astype(np.float32) / 127.5 - 1
    z = 1 - np.abs(xy).sum(1, keepdims=True)
    normals = np.concatenate([np.where(z < 0, folded(xy), xy), z], 1)
    return np.concatenate([positions, normals / np.linalg.norm(normals, axis=1, keepdims=True)], 1).astype(np.float32)


def pack_object(path, views, points, quality):
    with np.load(path) as arrays:
        images, alpha, world, rows = (arrays[k] for k in ("images", "alpha", "world", "rows"))
    random = np.random.default_rng(int.from_bytes(path.stem.encode()[-7:], "little"))
    chosen = np.sort(random.permutation(len(images))[:views])
    sheet = np.concatenate([images[chosen][..., ::-1], alpha[chosen][..., None]], -1).reshape(-1, SIZE, 4)
    picture = io.BytesIO()
    Image.fromarray(sheet, "RGBA").save(picture, "WEBP", quality=quality, method=4, alpha_quality=80, exact=True)
    kept = world[random.permutation(len(world))[:points]] if points else world
    return path.stem, picture.getvalue(), rows[chosen].astype(np.float32), pack_points(kept)


def unpack_object(folder, name, picture, rows, points):
    sheet = np.array(Image.open(io.BytesIO(picture)).convert("RGBA")).reshape(len(rows), SIZE, SIZE, 4)
    np.savez(folder / f"{name}.npz", images=np.ascontiguousarray(sheet[..., 2::-1]),
             alpha=np.ascontiguousarray(sheet[..., 3]), world=unpack_points(points), rows=rows)


def pack(cache, file, options, pool):
    parts = {}
    for part in PARTS:
        files = sorted((cache / part).glob("*.npz"))
        seen, points = (options.views, options.points) if part == "train" else (None, None)
        made = list(pool.map(pack_object, files, *([each] * len(files) for each in (seen, points, options.quality)), chunksize=8))
        names, pictures, rows, clouds = zip(*made)
        sizes = [len(cloud) for cloud in clouds]
        parts[part] = {"names": names, "pictures": pictures, "rows": rows, "sizes": sizes,
                       "points": lzma.compress(b"".join(clouds), preset=6)}
    others = {p.name: p.read_bytes() for p in cache.iterdir() if p.is_file()}
    file.write_bytes(pickle.dumps({"parts": parts, "files": others}))
    print(f"{sum(len(p['names']) for p in parts.values())} objects, {file.stat().st_size / 1e6:.1f} MB")


def unpack(file, cache, pool):
    packed = pickle.loads(file.read_bytes())
    for part, held in packed["parts"].items():
        folder = cache / part
        folder.mkdir(parents=True, exist_ok=True)
        clouds, ends = lzma.decompress(held["points"]), np.cumsum([0, *held["sizes"]])
        list(pool.map(unpack_object, [folder] * len(held["names"]), held["names"], held["pictures"], held["rows"],
                      [clouds[a:b] for a, b in zip(ends, ends[1:])], chunksize=8))
    for name, content in packed["files"].items():
        (cache / name).write_bytes(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, help="folder of collect.py to pack, or a file to unpack")
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--views", type=int, default=16, help="views of each training object")
    parser.add_argument("--points", type=int, default=2600, help="points of each training object")
    parser.add_argument("--quality", type=int, default=85, help="WebP quality of the pictures")
    options = parser.parse_args()
    with concurrent.futures.ProcessPoolExecutor() as pool:
        if options.source.is_dir():
            pack(options.source, options.target, options, pool)
        else:
            unpack(options.source, options.target, pool)


if __name__ == "__main__":
    main()
