"""Functions that the tests of the Python module share. PYTHONPATH names the folder of the module, THREEFOLD_PROGRAM
the program whose results it must equal, THREEFOLD_RESOURCES the models and samples of both."""
import json
import os
import pathlib
import struct
import subprocess
import zlib

import numpy

import threefold

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = threefold.bundled_samples()


def disc(folder, views):
    """Makes a folder with photographs of a grey ball from `views` sides and a cameras.json; returns the folder."""
    folder.mkdir()
    side, focal, far, radius = 100, 140.0, 2.0, 0.35
    y, x = numpy.mgrid[:side, :side] + 0.5 - side / 2
    inside = numpy.hypot(x, y) < focal * radius / numpy.sqrt(far * far - radius * radius)
    cameras = []
    for view in range(views):
        angle = 2 * numpy.pi * view / views
        back = numpy.array([numpy.cos(angle), numpy.sin(angle), 0])
        right, down = numpy.array([-back[1], back[0], 0]), numpy.array([0, 0, -1.0])
        rotation = numpy.stack([right, down, -back])
        matrix = numpy.eye(4)
        matrix[:3, :3], matrix[:3, 3] = rotation, -rotation @ (far * back)
        png(folder / f"{view}.png", numpy.where(inside[..., None], 128, 255).astype(numpy.uint8)
            .repeat(3, axis=2))
        cameras.append({"image": f"{view}.png", "width": side, "height": side,
                        "intrinsics": [[focal, 0, side / 2], [0, focal, side / 2], [0, 0, 1]],
                        "matrix": matrix.tolist()})
    (folder / "cameras.json").write_text(json.dumps(
        {"convention": "opencv", "matrices": "world_to_camera", "up": [0, 0, 1],
         "views": cameras}))
    return folder


def png(file, pixels):
    """Writes pixels (height, width, 3) uint8 as a PNG file."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
              (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks))


def program(*arguments):
    """Runs the program; returns its standard output. Fails unless the exit code is 0."""
    done = subprocess.run([os.environ["THREEFOLD_PROGRAM"], *map(str, arguments)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def same(test, first, second):
    """Asserts that two arrays have the same type and the same bytes."""
    test.assertEqual(first.dtype, second.dtype)
    test.assertEqual(first.tobytes(), numpy.ascontiguousarray(second).tobytes())


def xyz(path):
    """Reads the points of an .xyz file, (N, 3) float32."""
    return numpy.loadtxt(path).astype(numpy.float32)


def tetrahedron():
    """Returns vertices and faces of a tetrahedron; faces are counter-clockwise seen from outside."""
    vertices = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], numpy.float32)
    return vertices, numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], numpy.uint32)
