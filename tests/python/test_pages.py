#!/usr/bin/env python3
"""Tests of show() and of the pages that it makes."""
import json
import os
import pathlib
import re
import tempfile
import unittest

import numpy

import threefold


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sample = threefold.load_sample(threefold.bundled_samples()[0])
        cls.result = threefold.Reconstructor().reconstruct(cls.sample)

    def results(self, page):
        """Returns the JSON of the page's results, which its script reads."""
        found = re.findall(r'class="result">(.*?)</script>', page.html, re.DOTALL)
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
        for colour, colouring in (("distance", "values"), ("plain", "plain"), ("normals", "normals")):
            self.assertIn(f'"initial_colouring":"{colouring}"', threefold.show(self.result, colour=colour).html)
        with self.assertRaises(threefold.UsageError) as caught:
            threefold.show(self.result, colour="red")
        self.assertEqual(caught.exception.problem, "colour: 'red' is unknown")
        self.assertEqual(caught.exception.remedy, "Use distance, plain, normals.")

    def test_saves_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = threefold.show(self.result)
            page.save(os.path.join(folder, "page.html"))
            self.assertEqual(pathlib.Path(folder, "page.html").read_text("utf-8"), page.html)

    def test_refuses_unknown_names(self):
        for wrong in ({"columns": ["fitted"]}, {"columns": ["truth"]}, {"colour": "red"}):
            with self.assertRaises(threefold.UsageError):
                threefold.show(self.result, **wrong)

    def test_refuses_names_that_are_taken(self):
        mine = self.result.refined
        for things, wrong in ([[self.result], {"coarse": mine}], [[self.result, self.sample], {"truth": mine}],
                              [[self.result], {"columns": ["coarse", "coarse"]}]):
            with self.assertRaises(threefold.UsageError):
                threefold.show(*things, **wrong)

    def test_colours_by_the_distance_from_the_truths_surface(self):
        photographs = pathlib.Path(threefold.bundled_samples()[0]).parents[2] / "photographs"
        truth = threefold.load_sample(photographs / "wood_toy").truth
        (shown,) = self.results(threefold.show(truth, mine=truth.surface))
        self.assertEqual(shown["meshes"][0]["values"], [0, 0])

    def test_names_the_columns_to_choose_from(self):
        with self.assertRaises(threefold.UsageError) as caught:
            threefold.show(self.result, columns=["truth"])
        self.assertEqual(caught.exception.remedy, "Choose from coarse, refined.")

    def test_refuses_things_that_it_would_not_show(self):
        for things in ([self.result.refined], [self.result, "title"], [self.result, self.result]):
            with self.assertRaises(threefold.UsageError):
                threefold.show(*things)

    def test_has_its_html_under_the_earlier_name_too(self):
        page = threefold.show(self.result)
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(page.text, page.html)


if __name__ == "__main__":
    unittest.main()
