#!/usr/bin/env python3
"""Tests of reading, rendering and reconstructing samples."""
import gc
import json
import pathlib
import tempfile
import unittest

import numpy

import threefold
from support import SAMPLES, program, same, tetrahedron, xyz


class Reconstruct(unittest.TestCase):
    def test_equals_the_command_line_bit_for_bit(self):
        sample = threefold.load_sample(SAMPLES[0])
        reconstructor = threefold.Reconstructor(backend="cpu")
        result = reconstructor.reconstruct(sample)
        with tempfile.TemporaryDirectory() as folder:
            report = json.loads(program("reconstruct", SAMPLES[0], "-o", folder, "--stage", "all",
                                        "--format", "xyz", "--backend", "cpu", "--json"))
            same(self, result.refined, xyz(f"{folder}/{sample.name}_predict.xyz"))
            same(self, result.coarse, xyz(f"{folder}/{sample.name}_coarse.xyz"))
        self.assertEqual(report["model"]["sha256"], reconstructor.model_hash)
        self.assertEqual(report["samples"][0]["views"], sample.views)
        measured = report["samples"][0]["measures"]["refined"]
        self.assertEqual(threefold.score(result, sample.truth)["chamfer"], measured["chamfer"])
        self.assertEqual(set(result.timings), set(report["samples"][0]["steps_ms"]) - {"load"})

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
        numpy.testing.assert_allclose(
            camera.to_camera(camera.to_world(refined)), refined, atol=1e-6)
        numpy.testing.assert_allclose(
            camera.to_camera(refined), (refined - camera.centre) @ camera.rotation.T, atol=1e-6)

    def test_camera_has_its_centre_under_the_earlier_name_too(self):
        camera = threefold.load_sample(SAMPLES[0]).cameras[0]
        with self.assertWarns(DeprecationWarning):
            same(self, camera.origin, camera.centre)

    def test_camera_has_its_transformation_under_the_earlier_name_too(self):
        camera = threefold.load_sample(SAMPLES[0]).cameras[0]
        points = numpy.float32([[0, 0.1, 0.2]])
        with self.assertWarns(DeprecationWarning):
            same(self, camera.to_view(points), camera.to_camera(points))


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

    def test_equals_that_of_the_file_far_from_0(self):
        vertices, faces = tetrahedron()
        far = vertices + numpy.float64([5_000_000, 400_000, 100])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "far.npz")
            numpy.savez(file, vertices=far, faces=faces)
            views = {"views": 2, "size": 32, "points": 50, "name": "far"}
            for as_is in (False, True):
                written = threefold.render(file, as_is=as_is, **views)
                given = threefold.render((far, faces), as_is=as_is, **views)
                same(self, given.truth.points, written.truth.points)
                same(self, given.images[0], written.images[0])

    def test_makes_what_reconstruct_takes(self):
        sample = threefold.render(tetrahedron(), azimuth="0,120,240", elevation="30", distance="0.8")
        result = threefold.Reconstructor().reconstruct(sample)
        self.assertLess(threefold.score(result, sample.truth)["chamfer"], 1)

    def test_refuses_a_wrong_argument_by_name(self):
        for argument, wrong in (("views", 0), ("views", 1), ("azimuth", ""), ("elevation", ""), ("distance", "")):
            with self.assertRaises(threefold.UsageError) as caught:
                threefold.render(tetrahedron(), **{argument: wrong})
            self.assertEqual(caught.exception.subject, argument)


if __name__ == "__main__":
    unittest.main()
