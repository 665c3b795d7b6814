#!/usr/bin/env python3
"""Tests of fit() and hull()."""
import gc
import pathlib
import tempfile
import unittest

import numpy

import threefold
from support import SAMPLES, disc, program, same, xyz


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

    def test_refuses_a_wrong_argument_by_name(self):
        sample = threefold.load_sample(SAMPLES[0])
        result = threefold.Reconstructor().reconstruct(sample)
        for argument, wrong in (("views", "none"), ("surface", "moon"), ("surface", ""), ("vertices", 0),
                                ("vertices", 10), ("vertices", 1000.5)):
            with self.assertRaises(threefold.UsageError) as caught:
                threefold.fit(result, sample, **{argument: wrong})
            self.assertEqual(caught.exception.subject, argument)


if __name__ == "__main__":
    unittest.main()
