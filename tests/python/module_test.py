#!/usr/bin/env python3
"""Tests of the Python module: PYTHONPATH leads to it, THREEFOLD_PROGRAM is the command line that it
has to agree with, THREEFOLD_RESOURCES the data of both."""
import ast
import ctypes
import gc
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

import numpy

import threefold

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = threefold.bundled_samples()


def disc(folder, views):
    """Photographs of a grey ball from all sides, with a cameras.json."""
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
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
              (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks))


def program(*arguments):
    done = subprocess.run([os.environ["THREEFOLD_PROGRAM"], *map(str, arguments)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def same(test, first, second):
    """Bit for bit."""
    test.assertEqual(first.dtype, second.dtype)
    test.assertEqual(first.tobytes(), numpy.ascontiguousarray(second).tobytes())


def xyz(path):
    return numpy.loadtxt(path).astype(numpy.float32)


def tetrahedron():
    vertices = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], numpy.float32)
    return vertices, numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], numpy.uint32)


class Reconstruct(unittest.TestCase):
    def test_equals_the_command_line_bit_for_bit(self):
        sample = threefold.load_sample(SAMPLES[0])
        reconstructor = threefold.Reconstructor(backend="cpu")
        result = reconstructor.reconstruct(sample)
        with tempfile.TemporaryDirectory() as folder:
            report = json.loads(program("reconstruct", SAMPLES[0], "-o", folder, "--level", "all",
                                        "--format", "xyz", "--backend", "cpu", "--json"))
            same(self, result.refined, xyz(f"{folder}/{sample.name}_predict.xyz"))
            same(self, result.coarse, xyz(f"{folder}/{sample.name}_coarse.xyz"))
        self.assertEqual(report["model"]["sha256"], reconstructor.model_hash)
        self.assertEqual(report["samples"][0]["views"], sample.views)
        measured = report["samples"][0]["measures"]["refined"]
        self.assertEqual(threefold.score(result, sample.truth)["chamfer"], measured["chamfer"])
        self.assertEqual(set(result.timings), set(report["samples"][0]["timingsMs"]) - {"load"})

    def test_takes_images_and_cameras_from_anywhere(self):
        sample = threefold.load_sample(SAMPLES[1], views=[3, 9, 15])
        reconstructor = threefold.Reconstructor()
        result = reconstructor.reconstruct(sample)
        images = [image.tolist() for image in sample.images]
        again = reconstructor.reconstruct(images, sample.cameras)
        same(self, result.refined, again.refined)
        text = (SAMPLES[1] / "rendering/rendering_metadata.txt").read_text()
        rows = [line.split() for line in text.splitlines()]
        cameras = [threefold.Camera.from_row(float(rows[view][0]), float(rows[view][1]),
                                             float(rows[view][3])) for view in (3, 9, 15)]
        same(self, result.refined, reconstructor.reconstruct(images, cameras).refined)

    def test_gives_views_of_its_memory(self):
        sample = threefold.load_sample(SAMPLES[0])
        result = threefold.Reconstructor().reconstruct(sample)
        self.assertEqual((result.refined.shape, result.refined.dtype), ((2466, 3), numpy.float32))
        self.assertEqual((result.faces.shape, result.faces.dtype), ((4928, 3), numpy.uint32))
        self.assertEqual(result.entropy.shape, (2466,))
        self.assertTrue(numpy.shares_memory(result.refined, result.vertices))
        self.assertEqual(list(result.stages), ["level1", "level2", "coarse", "refined1", "refined"])
        self.assertEqual([len(each) for each in result.stages.values()],
                         [156, 618, 2466, 2466, 2466])
        self.assertTrue(numpy.shares_memory(result.refined, result.stages["refined"]))
        self.assertFalse(result.faces.flags.writeable)
        self.assertFalse(sample.images[0].flags.writeable)
        self.assertIsNone(result.fitted)
        refined, before = result.refined, result.refined.copy()
        del result
        gc.collect()
        same(self, refined, before)
        camera = sample.cameras[0]
        numpy.testing.assert_allclose(camera.to_view(camera.to_world(refined)), refined, atol=1e-6)
        numpy.testing.assert_allclose(
            camera.to_view(refined), (refined - camera.origin) @ camera.rotation.T, atol=1e-6)


class Fit(unittest.TestCase):
    def test_equals_the_command_line_bit_for_bit(self):
        sample = threefold.load_sample(SAMPLES[0])
        result = threefold.Reconstructor(backend="cpu").reconstruct(sample)
        fitted = threefold.fit(result, sample, views="4")
        hull = threefold.hull(sample, vertices=2000)
        with tempfile.TemporaryDirectory() as folder:
            program("reconstruct", SAMPLES[0], "-o", folder, "--fit", "4", "--hull", "--vertices",
                    "2000", "--format", "xyz", "--backend", "cpu")
            same(self, fitted.fitted, xyz(f"{folder}/{sample.name}_fitted.xyz"))
            same(self, hull.vertices, xyz(f"{folder}/{sample.name}_hull.xyz"))
        self.assertIsNone(result.fitted)
        self.assertGreater(fitted.overlaps[1], fitted.overlaps[0])
        self.assertLess(hull.faces.max(), len(hull.vertices))

    def test_takes_own_photographs_surface(self):
        with tempfile.TemporaryDirectory() as folder:
            photographs = disc(pathlib.Path(folder, "disc"), 7)
            sample = threefold.load_sample(photographs)
            result = threefold.Reconstructor(backend="cpu").reconstruct(sample)
            fitted = threefold.fit(result, sample)
            program("reconstruct", photographs, "-o", folder, "--format", "xyz", "--backend", "cpu")
            same(self, fitted.fitted, xyz(f"{folder}/disc_fitted.xyz"))
            deep = threefold.fit(result, sample, surface="depth", vertices=2000)
            network = threefold.fit(result, sample, surface="network", views="chosen")
        self.assertIn(fitted.surface, ("hull", "depth"))
        self.assertAlmostEqual(len(fitted.vertices), 10_000, delta=1000)
        self.assertAlmostEqual(len(deep.vertices), 2000, delta=200)
        self.assertEqual(sorted(deep.depth_maps), list(range(7)))
        depths = deep.depth_maps[3]
        self.assertEqual((depths.ndim, depths.dtype), (2, numpy.float32))
        self.assertTrue(0 <= deep.depth_sure <= 1)
        hull_vertices, hull_faces = deep.hull
        self.assertLess(hull_faces.max(), len(hull_vertices))
        self.assertEqual(network.surface, "network")
        self.assertIsNone(network.depth_maps)
        self.assertIsNone(network.hull)
        self.assertIsNone(result.surface)
        kept = depths.copy()
        del deep
        gc.collect()
        same(self, depths, kept)

    def test_fits_to_arrays(self):
        sample = threefold.load_sample(SAMPLES[0])
        result = threefold.Reconstructor().reconstruct(sample)
        fitted = threefold.fit(result, sample.images, sample.cameras)
        self.assertGreater(fitted.overlaps[1], fitted.overlaps[0])
        self.assertGreater(len(threefold.hull(sample.images, sample.cameras).vertices), 9000)


class Render(unittest.TestCase):
    def test_equals_the_command_line_bit_for_bit(self):
        vertices, faces = tetrahedron()
        with tempfile.TemporaryDirectory() as folder:
            mesh = pathlib.Path(folder, "meshes", "shape.obj")
            mesh.parent.mkdir()
            mesh.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in vertices.tolist()) +
                            "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces.tolist()))
            program("render", mesh, "-o", folder, "--views", 4, "--points", 500, "--seed", 7)
            written = threefold.load_sample(f"{folder}/meshes/shape", views=[0, 1, 2, 3])
            rendered = threefold.render(mesh, views=4, points=500, seed=7)
            arrays = threefold.render((vertices, faces), views=4, points=500, seed=7,
                                      name="meshes_shape")
        for sample in (rendered, arrays):
            for image, other in zip(sample.images, written.images, strict=True):
                same(self, image, other)
            same(self, sample.truth.points, written.truth.points)
            same(self, sample.truth.normals, written.truth.normals)
            for camera, other in zip(sample.cameras, written.cameras, strict=True):
                same(self, camera.rotation, other.rotation)

    def test_makes_what_reconstruct_takes(self):
        sample = threefold.render(tetrahedron(), azimuth="0,120,240", elevation="30", distance="0.8")
        result = threefold.Reconstructor().reconstruct(sample)
        self.assertLess(threefold.score(result, sample.truth)["chamfer"], 1)


class Measures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sample = threefold.load_sample(SAMPLES[0])
        cls.result = threefold.Reconstructor(backend="cpu").reconstruct(cls.sample)

    def test_equal_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            program("reconstruct", SAMPLES[0], "-o", folder, "--format", "ply", "--backend", "cpu")
            mesh = f"{folder}/{self.sample.name}_predict.ply"
            for protocol in ("published", "surface"):
                report = json.loads(program("score", mesh, self.sample.truth.source, "--protocol",
                                            protocol, "--no-emd", "--json"))
                files = threefold.score(mesh, self.sample.truth.source, protocol=protocol)
                arrays = threefold.score(self.result, self.sample.truth, protocol=protocol)
                self.assertEqual(files, arrays)
                for key in set(arrays) - {"points"}:
                    self.assertEqual(report[key], arrays[key], key)

    def test_equal_scipy(self):
        try:
            from scipy.spatial import cKDTree
        except ImportError:
            self.skipTest("no scipy")
        mesh, truth = self.result.refined, self.sample.truth.points
        squared, index = threefold.nearest(mesh, truth)
        distance, other = cKDTree(truth).query(mesh)
        numpy.testing.assert_allclose(squared, distance**2, rtol=1e-12)
        self.assertGreater((index == other).mean(), 0.999)  # but for equally near ones
        back = cKDTree(mesh).query(truth)[0]
        chamfer = (distance**2).mean() + (back**2).mean()
        self.assertTrue(math.isclose(threefold.score(mesh, truth)["chamfer"], chamfer,
                                     rel_tol=1e-12))

    def test_distances_are_those_from_the_surface(self):
        triangle = (numpy.float32([[0, 0, 0], [4, 0, 0], [0, 4, 0]]), numpy.uint32([[0, 1, 2]]))
        points = numpy.float32([[1, 1, 2], [1, 1, -3]])
        self.assertEqual(threefold.distances(points, triangle).tolist(), [2, 3])
        self.assertEqual(threefold.distances(points, triangle, signed=True).tolist(), [2, -3])
        numpy.testing.assert_allclose(threefold.distances(points, triangle[0]),
                                      [6**0.5, 11**0.5], rtol=1e-6)
        with self.assertRaisesRegex(threefold.InputError, "points alone"):
            threefold.distances(points, triangle[0], signed=True)
        with self.assertRaises(threefold.InputError):
            threefold.distances(points, (triangle[0], numpy.uint32([[0, 1, 3]])))
        scores = threefold.score(triangle, triangle)
        self.assertEqual(scores["surface_largest"], 0)
        self.assertGreater(scores["chamfer"], 0)  # from samples, as published
        self.assertIsNone(threefold.score(points, triangle[0])["surface_mean"])

    def test_surface_of_a_truth_is_that_of_its_file(self):
        figure = pathlib.Path(threefold.bundled_samples()[0]).parents[2] / "photographs"
        file = figure / "gt" / "wood_toy_00.ply"
        sample = threefold.load_sample(figure / "wood_toy")
        vertices, faces = sample.truth.surface
        self.assertEqual(vertices.shape[1:] + faces.shape[1:], (3, 3))
        self.assertEqual(threefold.distances(vertices, sample.truth).max(), 0)
        self.assertGreater(threefold.score(vertices, sample.truth)["chamfer"], 0)
        self.assertIsNone(self.sample.truth.surface)  # points alone
        report = json.loads(program("score", file, file, "--no-emd", "--json"))
        self.assertEqual(report["surface_largest"], threefold.score(file, file)["surface_largest"])

    def test_earth_movers_distance_is_exact_or_bounded(self):
        points = numpy.random.default_rng(0).normal(size=(60, 3))
        moved = points[::-1] + [0.25, 0, 0]
        distance, bound, exact = threefold.emd(points, moved)
        self.assertTrue(exact)
        self.assertAlmostEqual(distance, 0.25, 6)
        self.assertAlmostEqual(bound, distance, 6)
        distance, bound, exact = threefold.emd(self.result, self.sample.truth)
        self.assertFalse(exact)
        self.assertLess(0, bound)
        self.assertLessEqual(bound, distance)
        scores = threefold.score(self.result, self.sample.truth, emd=True)
        self.assertEqual(scores["emd"], distance)


class Compare(unittest.TestCase):
    def test_equals_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = pathlib.Path(folder, "a"), pathlib.Path(folder, "b")
            for out in (first, second):
                program("eval", SAMPLES[0], "-o", out, "--backend", "cpu")
            made = threefold.compare(first, second, page=folder)
            report = json.loads(program("compare", first, second, "--json"))["comparisons"][0]
            report.pop("broken")
            self.assertEqual(made, report)
            self.assertEqual(made["meshes"]["largest"], 0)
            self.assertTrue(pathlib.Path(folder, "compare.html").exists())


class WithInterface:
    """An array by the array interface alone."""

    def __init__(self, array):
        self.kept = array
        self.__array_interface__ = array.__array_interface__


class WithDLPack:
    """An array by DLPack alone."""

    def __init__(self, array):
        self.kept = array

    def __dlpack__(self, **options):
        return self.kept.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.kept.__dlpack_device__()


class Mesh:
    """As trimesh has it, in float64 and int64."""

    def __init__(self, vertices, faces):
        self.vertices = vertices.astype(numpy.float64)
        self.faces = faces.astype(numpy.int64)


class Arrays(unittest.TestCase):
    def test_score_isTheSame_whereverTheMeshLies(self) -> None:
        rng = numpy.random.default_rng(1)
        mesh = rng.random((200, 3))
        truth = rng.random((150, 3))
        near = threefold.score(mesh, truth)
        far = numpy.array([5e6, 4e5, 100])
        moved = threefold.score(mesh + far, truth + far)
        self.assertAlmostEqual(moved["chamfer"] / near["chamfer"], 1, places=5)
        self.assertEqual(moved["f_tau"], near["f_tau"])
        squared, index = threefold.nearest(mesh + far, truth + far)
        self.assertTrue((index == threefold.nearest(mesh, truth)[1]).all())
        self.assertLess(squared.max(), 3)

    def test_of_all_kinds_give_the_same(self):
        truth = numpy.random.default_rng(1).normal(size=(50, 3)).astype(numpy.float32)
        vertices, faces = tetrahedron()
        expected = threefold.score(vertices, truth)
        spread = numpy.zeros((4, 6), numpy.float32)[:, ::2]
        spread[:] = vertices
        kinds = [vertices.astype(numpy.float64), vertices.tolist(), spread,
                 numpy.asfortranarray(vertices), WithInterface(vertices), WithDLPack(vertices),
                 memoryview(vertices), (vertices, faces), Mesh(vertices, faces)]
        try:
            import torch
            kinds += [torch.from_numpy(vertices), torch.from_numpy(vertices).double()]
        except ImportError:
            pass
        for kind in kinds:
            self.assertEqual(threefold.score(kind, truth)["chamfer"], expected["chamfer"], type(kind))
        surface = threefold.score((vertices, faces), truth, protocol="surface")
        self.assertEqual(threefold.score(Mesh(vertices, faces), truth, protocol="surface"), surface)

    def test_that_are_none_are_refused_by_name(self):
        points = numpy.zeros((2, 3), numpy.float32)
        for wrong in (numpy.zeros((3, 2)), numpy.zeros(3), "absent.obj", None, [["a", 0, 0]], 7):
            with self.assertRaises(threefold.Error) as caught:
                threefold.nearest(wrong, points)
            self.assertEqual(caught.exception.subject,
                             wrong if isinstance(wrong, str) else "queries")
        reconstructor = threefold.Reconstructor()
        for wrong in (numpy.zeros((3, 8, 8), numpy.uint8), numpy.zeros((8, 8, 3)),
                      numpy.full((8, 8, 3), 256)):
            with self.assertRaises(threefold.InputError) as caught:
                reconstructor.reconstruct([wrong], [])
            self.assertEqual(caught.exception.subject, "images[0]")
        with self.assertRaises(threefold.InputError) as caught:
            threefold.score((points, [[0, 1, -1]]), points, protocol="surface")
        self.assertEqual(caught.exception.subject, "mesh: faces")

    def test_numbers_beyond_their_range_are_refused_by_name(self):
        points = numpy.zeros((2, 3), numpy.float32)
        sample = threefold.load_sample(SAMPLES[0])
        calls = {"tau": lambda value: threefold.score(points, points, tau=value),
                 "threads": lambda value: threefold.Reconstructor(threads=value),
                 "vertices": lambda value: threefold.hull(sample, vertices=value),
                 "azimuth": lambda value: threefold.Camera.from_row(value, 0, 1),
                 "distance": lambda value: threefold.Camera.from_row(0, 0, value)}
        wrong = {"tau": (float("nan"), float("inf"), -1.0, 0.0), "threads": (-1, 100_000),
                 "vertices": (float("nan"), -1, 1, 10 ** 9, 1000.5), "azimuth": (float("nan"), float("-inf"), 1e6),
                 "distance": (0, -1, 1e4, float("nan"))}
        for name, call in calls.items():
            for value in wrong[name]:
                with self.assertRaises(threefold.UsageError) as caught:
                    call(value)
                self.assertEqual(caught.exception.subject, name)


class Errors(unittest.TestCase):
    def test_have_four_parts(self):
        with self.assertRaises(threefold.InputError) as caught:
            threefold.load_sample(SAMPLES[0], views=[0, 99])
        error = caught.exception
        self.assertEqual(error.place, "view 99")
        self.assertIn("24 views", error.problem)
        self.assertTrue(error.remedy.startswith("Choose from 0 to 23"))
        for part in (error.subject, error.place, error.problem, error.remedy):
            self.assertIn(part.rstrip("."), str(error))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.remedy), (str(error), error.remedy))

    def test_are_of_the_types_that_python_has(self):
        for kind, base, call in (
                (threefold.IoError, OSError, lambda: threefold.Reconstructor("absent.safetensors")),
                (threefold.UsageError, ValueError, lambda: threefold.Reconstructor(backend="tpu")),
                (threefold.UsageError, ValueError, lambda: threefold.Reconstructor(precision="int4")),
                (threefold.NotThisFormat, ValueError, lambda: threefold.Reconstructor(__file__)),
                (threefold.DeviceError, RuntimeError, lambda: threefold.Reconstructor(backend="cuda"))):
            if kind is threefold.DeviceError:
                os.environ["THREEFOLD_CUDA_PLUGIN"] = "/absent.so"
            with self.assertRaises(base) as caught:
                call()
            self.assertIs(type(caught.exception), kind)


class Interrupt(unittest.TestCase):
    def test_raises_KeyboardInterrupt_amid_a_call(self):
        points = numpy.random.default_rng(2).normal(size=(30_000, 3))
        sample = threefold.load_sample(SAMPLES[0])
        reconstructor = threefold.Reconstructor()
        result = reconstructor.reconstruct(sample)

        def endless():
            while True:
                reconstructor.reconstruct(sample)

        for call in (endless, lambda: threefold.emd(points, points + 1),
                     lambda: threefold.fit(result, sample, views="all+100000vertices"),
                     lambda: threefold.render(result, views=1000, size=1024)):
            pressed = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            pressed.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
            pressed.join()
        same(self, reconstructor.reconstruct(sample).refined, result.refined)


def score_in_child(points):
    return threefold.score(points, points + numpy.float32(0.5))["chamfer"]


def reconstruct_in_child(sample):
    try:
        return Threads.reconstructor.reconstruct(sample).refined.tobytes()
    except threefold.UsageError as error:
        return error.problem


class Threads(unittest.TestCase):
    def test_may_share_everything(self):
        samples = [threefold.load_sample(path) for path in SAMPLES[:2]]
        reconstructor = threefold.Reconstructor()
        expected = [reconstructor.reconstruct(sample).refined.tobytes() for sample in samples]
        wrong = []

        def work(number):
            for i in range(number, number + 2):
                sample = samples[i % len(samples)]
                result = reconstructor.reconstruct(sample)
                if result.refined.tobytes() != expected[i % len(samples)]:
                    wrong.append(i)
                if threefold.score(result, sample.truth)["chamfer"] > 1:
                    wrong.append(-i)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_of_python_run_meanwhile(self):
        reconstructor = threefold.Reconstructor()
        sample = threefold.load_sample(SAMPLES[0])
        steps, ended = [], threading.Event()

        def count():
            while not ended.wait(0.001):
                steps.append(len(steps))

        thread = threading.Thread(target=count)
        thread.start()
        before = len(steps)
        reconstructor.reconstruct(sample)
        during = len(steps) - before
        ended.set()
        thread.join()
        self.assertGreater(during, 5)

    def test_are_made_anew_after_fork(self):
        Threads.reconstructor = threefold.Reconstructor()
        sample = threefold.load_sample(SAMPLES[0])
        points = Threads.reconstructor.reconstruct(sample).refined
        expected = score_in_child(points)
        with multiprocessing.get_context("fork").Pool(1) as pool:
            self.assertEqual(pool.apply_async(score_in_child, (points,)).get(60), expected)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            refused = str(reconstruct_in_child(sample))
            Threads.reconstructor = None  # its threads are not here: nothing may wait for them
            gc.collect()
            os.write(write, refused.encode())
            os._exit(0)
        os.waitpid(child, 0)
        self.assertIn("before fork()", os.read(read, 1000).decode())


class Memory(unittest.TestCase):
    def test_does_not_grow(self):
        def resident():
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)
            pages = pathlib.Path("/proc/self/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGESIZE")

        sample = threefold.load_sample(SAMPLES[0])
        reconstructor = threefold.Reconstructor()
        result = reconstructor.reconstruct(sample)
        points = result.refined[:50]
        calls = ((5, lambda: reconstructor.reconstruct(sample).refined.sum()),
                 (10_000, lambda: threefold.score(points, sample.truth.points[:50])),
                 (10_000, lambda: (result.refined, sample.images[0], sample.truth.normals)),
                 (2_000, lambda: self.assertRaises(threefold.InputError, threefold.nearest, 7, points)))
        for times, call in calls:
            for _ in range(-(-times // 10)):
                call()
            before = resident()
            for _ in range(times):
                call()
            self.assertLess(resident() - before, 2 << 20)


class Stubs(unittest.TestCase):
    def test_and_docstrings_name_everything(self):
        stub = pathlib.Path(threefold.__file__).with_name("_engine.pyi").read_text()
        named = {node.name for node in ast.walk(ast.parse(stub)) if hasattr(node, "name")}
        for name in threefold.__all__:
            value = getattr(threefold, name)
            if name == "__version__":
                continue
            self.assertTrue(value.__doc__, name)
            if isinstance(value, type) and value.__module__ == "threefold._engine":
                self.assertIn(name, named)
                for part in vars(value):
                    if not part.startswith("_"):
                        self.assertIn(part, named)
        self.assertTrue(pathlib.Path(threefold.__file__).with_name("py.typed").exists())


class Notebook(unittest.TestCase):
    def test_runs(self):
        notebook = json.loads((REPOSITORY / "examples/reconstruct.ipynb").read_text())
        names = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # noqa: S102
                self.assertEqual(cell["outputs"], [])
        self.assertEqual(names["result"].refined.shape, (2466, 3))


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sample = threefold.load_sample(threefold.bundled_samples()[0])
        cls.result = threefold.Reconstructor().reconstruct(cls.sample)

    def results(self, page):
        """The data of the page's results, as its script reads them."""
        found = re.findall(r'class="result">(.*?)</script>', page.text, re.DOTALL)
        return [json.loads(text) for text in found]

    def test_shows_a_result_beside_its_sample(self):
        (shown,) = self.results(threefold.show(self.result, self.sample))
        self.assertEqual([mesh["name"] for mesh in shown["meshes"]], ["coarse", "refined", "truth"])
        self.assertEqual(len(shown["photographs"]), len(self.sample.views))
        distances = numpy.sqrt(threefold.nearest(self.result.refined, self.sample.truth)[0])
        low, high = shown["meshes"][1]["values"]
        self.assertAlmostEqual(low, distances.min(), places=6)
        self.assertAlmostEqual(high, distances.max(), places=6)

    def test_shows_meshes_by_name_and_in_the_order_asked_for(self):
        page = threefold.show(self.result, mine=self.result, columns=["mine", "coarse"])
        self.assertEqual([mesh["name"] for mesh in self.results(page)[0]["meshes"]], ["mine", "coarse"])
        self.assertIsNone(self.results(page)[0]["meshes"][0]["values"])

    def test_each_shows_itself_in_a_frame_of_its_own(self):
        things = [self.result, self.sample, self.sample.truth, threefold.hull(self.sample, vertices=200)]
        for thing in things:
            frame = thing._repr_html_()
            self.assertTrue(frame.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;'), frame[:60])
            self.assertEqual(frame.count("<"), 2)

    def test_begins_with_the_colour_asked_for(self):
        self.assertIn('"chosen":"normals"', threefold.show(self.result, colour="normals").text)

    def test_saves_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = threefold.show(self.result)
            page.save(os.path.join(folder, "page.html"))
            self.assertEqual(pathlib.Path(folder, "page.html").read_text("utf-8"), page.text)

    def test_refuses_unknown_names(self):
        for wrong in ({"columns": ["fitted"]}, {"columns": ["truth"]}, {"colour": "red"}):
            with self.assertRaises(threefold.UsageError):
                threefold.show(self.result, **wrong)

    def test_refuses_things_that_it_would_not_show(self):
        for things in ([self.result.refined], [self.result, "title"], [self.result, self.result]):
            with self.assertRaises(threefold.UsageError):
                threefold.show(*things)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
