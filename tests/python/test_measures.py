#!/usr/bin/env python3
"""Tests of measures and of the arrays that they take."""
import json
import math
import pathlib
import tempfile
import unittest

import numpy

import threefold
from support import SAMPLES, program, tetrahedron


class Measures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sample = threefold.load_sample(SAMPLES[0])
        cls.result = threefold.Reconstructor(backend="cpu").reconstruct(cls.sample)

    def test_scores_equal_those_of_the_command_line(self):
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

    def test_nearest_points_equal_those_of_scipy(self):
        try:
            from scipy.spatial import cKDTree
        except ImportError:
            self.skipTest("no scipy")
        mesh, truth = self.result.refined, self.sample.truth.points
        squared, index = threefold.nearest(mesh, truth)
        distance, other = cKDTree(truth).query(mesh)
        numpy.testing.assert_allclose(squared, distance**2, rtol=1e-12)
        self.assertGreater((index == other).mean(), 0.999)  # ties may have another index
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
        self.assertGreater(scores["chamfer"], 0)  # samples of the surface are not its vertices
        self.assertIsNone(threefold.score(points, triangle[0])["surface_mean"])

    def test_distances_keep_the_precision_of_lists(self):
        triangle = [[4.5e6, 0, 0], [4.5e6 + 1, 0, 0], [4.5e6, 1, 0]]
        points = [[4.5e6 + 0.25, 0.25, 0.125]]
        self.assertEqual(threefold.distances(points, (triangle, [[0, 1, 2]])).tolist(), [0.125])

    def test_surface_of_a_truth_is_that_of_its_file(self):
        figure = pathlib.Path(threefold.bundled_samples()[0]).parents[2] / "photographs"
        file = figure / "gt" / "wood_toy_00.ply"
        sample = threefold.load_sample(figure / "wood_toy")
        vertices, faces = sample.truth.surface
        self.assertEqual(vertices.shape[1:] + faces.shape[1:], (3, 3))
        self.assertEqual(threefold.distances(vertices, sample.truth).max(), 0)
        self.assertGreater(threefold.score(vertices, sample.truth)["chamfer"], 0)
        self.assertIsNone(self.sample.truth.surface)  # a truth of points
        report = json.loads(program("score", file, file, "--no-emd", "--json"))
        self.assertEqual(report["surface_largest"], threefold.score(file, file)["surface_largest"])

    def test_earth_movers_distance_is_exact_or_bounded(self):
        points = numpy.random.default_rng(0).normal(size=(60, 3))
        moved = points[::-1] + [0.25, 0, 0]
        distance, bound, exact = threefold.emd(points, moved)
        self.assertTrue(exact)
        self.assertAlmostEqual(distance, 0.25, 6)
        self.assertAlmostEqual(bound, distance, 6)
        bounded = threefold.emd(self.result, self.sample.truth)
        self.assertFalse(bounded.exact)
        self.assertLess(0, bounded.lower_bound)
        self.assertLessEqual(bounded.lower_bound, bounded.distance)
        scores = threefold.score(self.result, self.sample.truth, emd=True)
        self.assertEqual(scores["emd"], bounded.distance)


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
    """Wraps an array; offers only the array interface."""

    def __init__(self, array):
        self.kept = array
        self.__array_interface__ = array.__array_interface__


class WithDLPack:
    """Wraps an array; offers only DLPack."""

    def __init__(self, array):
        self.kept = array

    def __dlpack__(self, **options):
        return self.kept.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.kept.__dlpack_device__()


class Mesh:
    """Vertices and faces in float64 and int64, as in trimesh."""

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

    def test_score_keepsItsPrecision_besideAnOutlier(self) -> None:
        rng = numpy.random.default_rng(1)
        mesh = rng.random((200, 3))
        truth = rng.random((150, 3))
        far = numpy.array([5e6, 4e5, 100])
        outlier = numpy.zeros((1, 3))  # some scanners write invalid points as zeros
        moved = threefold.score(numpy.vstack([mesh + far, outlier]),
                                numpy.vstack([truth + far, outlier]))
        near = threefold.score(mesh, truth)
        self.assertAlmostEqual(moved["chamfer"] / near["chamfer"], 1, places=1)
        self.assertAlmostEqual(moved["f_tau"], near["f_tau"], delta=1)

    def test_far_from_0_give_the_scores_of_files(self) -> None:
        rng = numpy.random.default_rng(1)
        far = numpy.array([5_000_000, 400_000, 100])
        vertices, faces = tetrahedron()
        mesh, points, surface = rng.random((200, 3)) + far, rng.random((150, 3)) + far, vertices + far
        with tempfile.TemporaryDirectory() as folder:
            files = {name: pathlib.Path(folder, name) for name in ("mesh.npy", "points.npy", "surface.npz")}
            numpy.save(files["mesh.npy"], mesh)
            numpy.save(files["points.npy"], points)
            numpy.savez(files["surface.npz"], vertices=surface, faces=faces)
            for file, truth in ((files["points.npy"], points), (files["surface.npz"], (surface, faces))):
                expected = threefold.score(files["mesh.npy"], file)
                self.assertEqual(threefold.score(mesh, truth), expected)
                report = json.loads(program("score", files["mesh.npy"], file, "--no-emd", "--json"))
                for key in set(expected) - {"points"}:
                    self.assertEqual(report[key], expected[key], key)
                self.assertEqual(threefold.distances(mesh, truth).tolist(),
                                 threefold.distances(files["mesh.npy"], file).tolist())
            single = numpy.float32(mesh)
            numpy.save(files["mesh.npy"], single)
            self.assertEqual(threefold.score(single, points),
                             threefold.score(files["mesh.npy"], files["points.npy"]))

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
        for wrong, problem in ((numpy.zeros((3, 8, 8), numpy.uint8), "is (3, 8, 8) uint8, not "),
                               (numpy.zeros((8, 8, 3)), "is float64, not "),
                               (numpy.full((8, 8, 3), 256), "has values outside 0…255, not ")):
            with self.assertRaises(threefold.InputError) as caught:
                reconstructor.reconstruct([wrong], [])
            self.assertEqual(caught.exception.subject, "images[0]")
            self.assertEqual(caught.exception.problem, problem + "(height, width, 3 or 4) uint8")
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


if __name__ == "__main__":
    unittest.main()
