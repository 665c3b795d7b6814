"""Tests of the fast paths against the plain network, of cameras, shapes and pictures, and of resumed runs:
python -m unittest test_training"""
import json
import math
import pathlib
import pickle
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import numpy as np
import torch

import collect
import data
import extremes
import families
import losses
import network
import objects
import ops_cpu
import ops_plain
import pack
import shapes
import stream
import template as template_builder
import train
from unseen import Unseen, tensors

HERE = pathlib.Path(__file__).parent
OPTIONS = types.SimpleNamespace(crease=2.0, robust=50.0, near=5.0)


def cosine(a, b):
    return torch.nn.functional.cosine_similarity(a.flatten(), b.flatten(), dim=0).item()


class FastPaths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(2)
        with tempfile.NamedTemporaryFile(suffix=".dat") as file:
            file.write(pickle.dumps(template_builder.build(), protocol=2))
            file.flush()
            cls.template = network.Template(file.name)
        cls.batch = tensors(stream.batch(data.renderer(), None, 0, 1, 2, 1, 0), "cpu")

    def pair(self, name, ops):
        torch.manual_seed(0)
        plain = getattr(network, name)()
        fast = getattr(ops, name)(self.template)
        fast.load_state_dict(plain.state_dict())
        return plain, fast

    def gradients(self, module, loss):
        module.zero_grad()
        loss.backward()
        return {n: p.grad for n, p in module.named_parameters()}

    def compare(self, plain, fast, loss, least):
        expected, seen = (self.gradients(m, loss(m)) for m in (plain, fast))
        for name, gradient in expected.items():
            if gradient.norm() > 1e-6:
                self.assertGreater(cosine(gradient, seen[name]), least, name)

    def test_stage1_agrees_with_the_plain_network(self):
        images, cameras, reference, truth = self.batch
        for ops in (ops_cpu, ops_plain):
            plain, fast = self.pair("Stage1", ops)
            with torch.no_grad():
                for a, b in zip(plain(images, cameras, reference, self.template),
                                fast(images, cameras, reference, self.template)):
                    self.assertLess((a - b).abs().mean().item(), 2e-3)

            def loss(module):
                torch.manual_seed(0)
                levels = module(images, cameras, reference, self.template)
                return losses.stage1_loss(levels, truth, self.template, ops.nearest, OPTIONS)[0]
            self.compare(plain, fast, loss, 0.9)

    def test_stage2_agrees_with_the_plain_network(self):
        images, cameras, reference, truth = self.batch
        start = truth[:, :300, :3].contiguous()
        for ops in (ops_cpu, ops_plain):
            plain, fast = self.pair("Stage2", ops)
            with torch.no_grad():
                for a, b in zip(plain(images, start, cameras, reference, self.template),
                                fast(images, start, cameras, reference, self.template)):
                    self.assertLess((a - b).abs().max().item(), 2e-3)
            self.compare(plain, fast, lambda m: (m(images, start, cameras, reference, self.template)[1][..., 0] ** 2)
                         .sum(), 0.9)

    def test_product_agrees_with_double_precision_whatever_it_multiplies_in(self):
        a, b, added = (torch.randn(shape).to(ops_cpu.BF) for shape in ((77, 33), (33, 65), (77, 65)))
        exact = a.double() @ b.double()
        for bfloat16 in (False, True):
            with unittest.mock.patch.object(ops_cpu, "multiplies_bfloat16", lambda: bfloat16):
                self.assertLess((ops_cpu.product(a, b) - exact).abs().max().item(), 0.13)  # half of bfloat16's step near 32
                self.assertLess((ops_cpu.product(a, b, added) - exact - added.double()).abs().max().item(), 0.13)

    def test_nearest_is_the_nearest_for_odd_sizes(self):
        for queries, targets in ((1, 1), (7, 33), (130, 15)):
            a, b = torch.randn(2, queries, 3), torch.randn(2, targets, 6)
            distance, index = torch.cdist(a, b[..., :3]).min(2)
            found, square = ops_cpu.nearest(a, b)
            self.assertTrue(torch.equal(found, index))
            self.assertTrue(torch.allclose(square, distance ** 2, rtol=1e-4, atol=1e-6))


@unittest.skipUnless(torch.cuda.is_available(), "needs a GPU and CuPy")
class GpuPath(unittest.TestCase):
    def test_both_stages_agree_with_the_plain_network_for_each_number_of_views(self):
        import ops_cuda
        device, objects_, references = "cuda", 2, 2
        torch.backends.cuda.matmul.allow_tf32 = False
        with tempfile.NamedTemporaryFile(suffix=".dat") as file:
            file.write(pickle.dumps(template_builder.build(), protocol=2))
            file.flush()
            template = network.Template(file.name).to(device)
        for views in ops_cuda.VIEWS:
            torch.manual_seed(views)
            images = torch.rand(objects_, views, 3, 224, 224, device=device)
            low, wide = (torch.tensor(v, device=device) for v in ([0., 10, 0, .7], [360., 30, 0, .2]))
            cameras = network.published_camera(low + wide * torch.rand(objects_, views, 4, device=device))
            reference = cameras[:, :references, :12].flatten(0, 1)
            cameras = cameras.repeat_interleave(references, 0)
            start = torch.randn(objects_ * references, 300, 3, device=device) * .1 - torch.tensor([0, 0, .8], device=device)
            for name in ("Stage1", "Stage2"):
                plain = getattr(network, name)().to(device)
                fast = getattr(ops_cuda, name)(template).to(device)
                fast.load_state_dict(plain.state_dict())
                gradients, meshes = [], []
                for module in (plain, fast):
                    given = (images, cameras, reference, template) if name == "Stage1" else (images, start, cameras, reference, template)
                    meshes.append(module(*given)[-1])
                    (meshes[-1][..., 0] ** 2).sum().backward()
                    gradients.append({n: p.grad for n, p in module.named_parameters()})
                self.assertLess((meshes[0] - meshes[1]).abs().max().item(), 5e-3, (name, views))
                for n, gradient in gradients[0].items():
                    if gradient.norm() > 1e-6:
                        self.assertGreater(cosine(gradient, gradients[1][n]), .9, (name, views, n))


def published_projection(points, reference, cameras):
    """Projects points as in METHOD.md, 2, for cameras of rendering_metadata.txt."""
    theta, phi, distance = cameras[..., 0] * math.pi / 180, cameras[..., 1] * math.pi / 180, cameras[..., 3]
    camy, lens = distance * torch.sin(phi), distance * torch.cos(phi)
    z = torch.stack([lens * torch.cos(theta), camy, lens * torch.sin(theta)], -1)
    y = torch.stack([camy * torch.cos(theta + math.pi), lens, camy * torch.sin(theta + math.pi)], -1)
    rows = torch.stack([a / a.norm(dim=-1, keepdim=True) for a in (torch.linalg.cross(y, z), y, z)], -2)
    chosen = torch.arange(len(points))
    world = points @ rows[chosen, reference] + z[chosen, reference][:, None]
    q = (world[:, None] - z[:, :, None]) @ rows.transpose(-1, -2)
    return ((248 * q[..., 1] / q[..., 2] + 112).clamp(0, 223), (-248 * q[..., 0] / q[..., 2] + 112).clamp(0, 223))


class Cameras(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        rows = torch.rand(4, 3, 5, dtype=torch.float64) * torch.tensor([360, 45, 0, .33, 25])
        self.rows = rows + torch.tensor([0, 5, 0, .65, 0])
        self.points = torch.randn(4, 500, 3, dtype=torch.float64) * .1 - torch.tensor([0, 0, .8])

    def test_published_cameras_project_as_published(self):
        cameras = network.published_camera(self.rows)
        for reference in range(3):
            seen = network.project(self.points, cameras[:, reference, :12], cameras)
            for a, b in zip(seen, published_projection(self.points, reference, self.rows)):
                self.assertLess((a - b).abs().max().item(), 1e-9)

    def test_rendering_and_pooling_have_the_same_cameras(self):
        cameras = network.published_camera(self.rows)
        for row, camera in zip(self.rows.flatten(0, 1).tolist(), cameras.flatten(0, 1)):
            made = data.camera(*row[:2], row[3])
            self.assertLess(np.abs(made - camera.numpy()).max(), 1e-6)

    def test_an_object_of_shapenet_before_its_own_cameras_is_measured_from_the_camera(self):
        _, cameras, references, _ = data.make(data.renderer(), 5, 3, other=False, any_lens=False)
        self.assertTrue(np.array_equal(cameras[:, :12], references))
        self.assertTrue(np.array_equal(cameras[:, 12:], np.float32([[248, 112, 112]] * 3)))

    def test_any_lens_keeps_the_size_in_the_picture_and_the_trained_coordinates(self):
        library, far = data.renderer(), []
        for number in range(12):
            _, cameras, references, _ = data.make(library, number, 2, any_lens=True)
            true, counted = np.linalg.norm(cameras[:, 9:12], axis=1), np.linalg.norm(references[:, 9:], axis=1)
            far += list(true / .57)
            np.testing.assert_allclose(cameras[:, 12], 248 * true / counted, rtol=1e-5)
            np.testing.assert_allclose(cameras[:, :9], references[:, :9], atol=1e-6)
            # The references' origins are points on the cameras' axes, at the distances of the published cameras.
            np.testing.assert_allclose(references[:, 9:] / counted[:, None], references[:, 6:9], atol=1e-6)
            self.assertTrue(((counted > .6499) & (counted < .9801)).all())
            self.assertTrue((np.abs(cameras[:, 13:] - 112) <= 8).all())
        self.assertTrue(1.049 < min(far) < 2 and 4 < max(far) < 8.001, far)

    def test_a_point_of_the_surface_is_projected_onto_the_picture_of_it(self):
        library, light = data.renderer(), np.float32([0, 1, 0, .3, .3, .3, 0, 0])
        for number in range(16):
            other, any_lens = number % 2 == 1, number % 4 < 2
            _, cameras, _, truth = data.make(library, number, 2, False, other, any_lens)
            shape = families.make(number)[0] if other else shapes.make(number, data.category(number))[0]
            for camera in cameras:
                fine = np.zeros((274, 274, 4), np.float32)
                library.render(*map(data.to_pointer, (shape, camera, light, fine)), 274)
                shown = fine[..., 3] > 0
                q = (truth[:, :3] - camera[9:12]) @ camera[:9].reshape(3, 3).T
                row, column = camera[12] * q[:, 1] / q[:, 2] + camera[14], -camera[12] * q[:, 0] / q[:, 2] + camera[13]
                inside = (np.minimum(row, column) > 1) & (np.maximum(row, column) < 223)
                at = tuple((x[inside] * 274 / 224).astype(int) for x in (row, column))
                # Dilated, since a ray that grazes a side may miss it.
                self.assertGreater(data.grown(data.grown(shown))[at].mean(), .995, number)
                # The points must cover the whole object, not only lie inside it.
                reached = np.zeros_like(shown)
                reached[at] = True
                for axis in (0, 1):
                    a, b = (np.flatnonzero(m.any(axis)) for m in (reached, shown))
                    self.assertLess(max(abs(a[0] - b[0]), abs(a[-1] - b[-1])), 6, number)


class Shapes(unittest.TestCase):
    def surface(self, shape, box, count=1500):
        library, points = data.renderer(), np.zeros((count, 6), np.float32)
        identity = np.float32([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
        library.surface(*map(data.to_pointer, (shape, box, identity, points)), count, 1)
        return points[:, :3], points[:, 3:]

    def distance(self, shape, points):
        points, out = np.ascontiguousarray(points, np.float32), np.zeros(len(points), np.float32)
        data.renderer().distances(*map(data.to_pointer, (shape, points, out)), len(points))
        return out

    def objects(self):
        for category in range(13):
            yield shapes.CATS[category], *shapes.make(category, category)
        for number in range(60):
            yield f"{families.NAMES[families.family(number)]} {number}", *families.make(number)

    def test_surfaces_are_closed_and_in_their_box(self):
        for name, shape, box in self.objects():
            with self.subTest(name):
                points, normals = self.surface(shape, box)
                # In the thinnest plates of ShapeNet's categories some points lie inside, at most 0.003 deep.
                least = .85 if name in shapes.CATS else .99
                self.assertTrue(np.isfinite(points).all())
                low, high = points.min(0), points.max(0)
                self.assertTrue((low > box[:3] - .006).all() and (high < box[3:] + .006).all())
                self.assertLess(abs(np.linalg.norm(high - low) - .57), .07)  # thin rods get few points; fillets add some
                self.assertLess(np.linalg.norm(points, axis=1).max(), .32)  # shapes.cpp renders only inside this radius
                self.assertGreater((np.abs(self.distance(shape, points)) < 1e-3).mean(), least)
                # Normals point outwards.
                self.assertGreater((self.distance(shape, points + .001 * normals) > 0).mean(), least - .02)
                self.assertGreater((self.distance(shape, points - .001 * normals) < 0).mean(), least - .02)
                # The shape is closed: points around the box are outside.
                around = np.random.default_rng(0).uniform(-1, 1, (2000, 3))
                around *= .34 / np.abs(around).max(1, keepdims=True)
                self.assertGreater(self.distance(shape, around).min(), 0)

    def test_a_distance_is_never_longer_than_the_way_to_the_surface(self):
        """Otherwise sphere tracing would step through a wall. Distances of ellipsoids are lower bounds."""
        random = np.random.default_rng(0)
        for name, shape, box in self.objects():
            if (shape[:24 * shapes.ROWS:24] == 2).any():
                continue
            with self.subTest(name):
                a, b = random.uniform(-.3, .3, (2, 2000, 3))
                slope = np.abs(self.distance(shape, a) - self.distance(shape, b)) / np.linalg.norm(a - b, axis=1)
                self.assertLess(slope.max(), 1.01)

    def test_families_are_as_different_as_their_numbers(self):
        seen = [families.family(n) for n in range(300)]
        self.assertGreater(min(np.bincount(seen, minlength=5)), 35)
        self.assertEqual(len({families.make(n)[0].tobytes() for n in range(40)}), 40)

    def test_a_quarter_is_of_other_families_and_half_before_any_lens(self):
        drawn = [np.random.default_rng([n, 17]).random(2) < data.CHANCES for n in range(2000)]
        np.testing.assert_allclose(np.mean(drawn, 0), [.25, .5], atol=.03)
        for number in range(3):  # make() uses the same random numbers
            told = data.make(data.renderer(), number, 1, True, *drawn[number])
            for a, b in zip(data.make(data.renderer(), number, 1), told):
                np.testing.assert_array_equal(a, b)


class Masks(unittest.TestCase):
    def test_a_cut_moves_the_border_by_a_pixel(self):
        y, x = np.mgrid[:137, :137]
        cover = np.clip(40.5 - np.hypot(x - 68, y - 68), 0, 1)[..., None]
        own, background = np.full((137, 137, 3), .3), np.array([.9, .5, .1])
        shown = lambda picture: (picture < 1).any(2)
        extent = lambda mask: np.ptp(np.flatnonzero(mask.any(0)))
        whole = shown(data.on_white(own, cover))
        wide, narrow = (data.cut_out(own, cover, w, background) for w in (True, False))
        self.assertEqual(extent(shown(wide)), extent(cover[..., 0] > .5) + 2)
        self.assertEqual(extent(shown(narrow)), extent(cover[..., 0] > .5) - 2)
        ring = shown(wide) & ~whole
        np.testing.assert_allclose(wide[ring], np.tile(background, (ring.sum(), 1)))
        inside = cover[..., 0] == 1
        np.testing.assert_array_equal(wide[inside], own[inside])
        np.testing.assert_array_equal(narrow[shown(narrow)], own[shown(narrow)])

    def test_pictures_are_those_that_the_program_makes_of_a_file_with_alpha(self):
        """Pixels are white where alpha is 0; others have the object's colours (METHOD.md, 3), for all objects."""
        cover = np.float32([0, .1, .5, 1]).reshape(1, 4, 1)
        own = np.full((1, 4, 3), .25, np.float32)
        shown = data.on_white(data.own_colours(own * cover + (1 - cover), cover), cover)
        np.testing.assert_allclose(shown[0, :, 0], [1, .25, .25, .25], atol=1e-5)
        with tempfile.TemporaryDirectory() as folder:
            blended = np.uint8(np.round((own * cover + (1 - cover)) * 255)).repeat(3, 0)[:, None].repeat(7, 1)
            np.savez(pathlib.Path(folder) / "chair_one.npz", images=blended.repeat(3, 0),
                     alpha=np.uint8(cover[..., 0] * 255).repeat(3, 0)[:, None].repeat(7, 1).repeat(3, 0),
                     world=np.ones((9000, 6), np.float32), rows=np.float32([[20, 25, .8]] * 9))
            images = objects.Objects(pathlib.Path(folder)).to_judge(0)[0]
        np.testing.assert_allclose(images[0, 0, :, 0], [255, 64, 64, 64], atol=6)

    def test_some_of_the_pictures_that_are_trained_on_are_cut_amiss(self):
        """Bad cutouts change pixels along the border, and inside the object only gaps narrower than a pixel."""
        library, changed = data.renderer(), 0
        for number in range(20):
            cut = data.make(library, number, 2, other=False, any_lens=False)[0]
            with unittest.mock.patch.object(data, "cut_out", lambda own, cover, *_: data.on_white(own, cover)):
                plain = data.make(library, number, 2, other=False, any_lens=False)[0]
            for a, b in zip(cut, plain):
                changed += not np.array_equal(a, b)
                core = ~data.grown(data.grown(b.min(2) == 255))
                self.assertLess((np.abs(a[core].astype(int) - b[core]) > 1).mean(), .01)
        self.assertTrue(3 <= changed <= 20, changed)


class Collected(unittest.TestCase):
    def test_points_are_seen_where_the_pictures_show_the_object_though_mirrored_and_recoloured(self):
        library, light = data.renderer(), np.float32([0, 1, 0, .3, .3, .3, 0, 0])
        rows = np.float32([[20 + 70 * v, 25 + v, .8] for v in range(5)])
        shape, box = shapes.make(3, 4)  # a chair has only one plane of symmetry
        fine = np.zeros((5, 274, 274, 4), np.float32)
        for row, picture in zip(rows, fine):
            library.render(*map(data.to_pointer, (shape, data.camera(*row), light, picture)), 274)
        pixels = fine.reshape(5, 137, 2, 137, 2, 4).mean((2, 4)) * 255
        world = np.zeros((4000, 6), np.float32)
        library.surface(*map(data.to_pointer, (shape, box, np.float32([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), world)),
                        len(world), 1)
        with tempfile.TemporaryDirectory() as folder:
            np.savez(pathlib.Path(folder) / "chair_one.npz", images=pixels[..., :3].astype(np.uint8),
                     alpha=pixels[..., 3].astype(np.uint8), world=world, rows=rows)
            files = objects.Objects(pathlib.Path(folder))
            mirrored = 0
            for number in range(12):
                images, cameras, references, points = files.make(number, 3)
                self.assertEqual((images.shape, points.shape), ((3, 137, 137, 3), (data.POINTS, 6)))
                self.assertTrue(np.array_equal(cameras[:, :12], references))
                mirrored += points[:, 2].mean() * world[:, 2].mean() < 0
                for image, camera in zip(images, cameras):
                    q = (points[:, :3] - camera[9:12]) @ camera[:9].reshape(3, 3).T
                    at = camera[12] * np.stack([q[:, 1], -q[:, 0]]) / q[:, 2] + 112
                    row, column = (at * 137 / 224).astype(int).clip(0, 136)
                    shown = data.grown(data.grown(image.min(2) < 250))
                    self.assertGreater(shown[row, column].mean(), .95, number)  # bad cutouts may be a pixel too narrow
        self.assertTrue(2 <= mirrored <= 10, mirrored)

    def test_stretched_objects_keep_normals_across_their_surface(self):
        text = "v 0 0 0 .5 .5 .5\nv 1 1 0\nv 0 0 1\nvn 0.70711 -0.70711 0\nf 1//1 2//1 3//1\n"
        made = [line.split() for line in collect.stretched(text, (2, .5, 1)).splitlines()]
        a, b, c, normal = (np.array([float(x) for x in line[1:4]]) for line in made[:4])
        self.assertEqual(made[0][4:], [".5", ".5", ".5"])
        self.assertTrue(np.array_equal(b, [2, .5, 0]))
        for side in (b - a, c - a):
            self.assertAlmostEqual(side @ normal, 0, delta=1e-4)

    def test_names_say_the_kind_and_the_split(self):
        for name, category, kind in (("Bedside table", "Bedroom", "cabinet"), ("Table lamp", "Lights", "lamp"),
                                     ("Office chair", "Office", "chair"), ("Front door", "Doors and windows", "other"),
                                     ("Vase", "Miscellaneous", "other")):
            self.assertEqual(collect.kind_of(name, category), kind, name)
        of = lambda name, author: collect.Source("chair", name, "", author, "", None).is_unseen()
        self.assertTrue(all(of(str(n), collect.UNSEEN_LIBRARY) for n in range(20)))
        self.assertTrue(150 < sum(of(str(n), "another") for n in range(800)) < 250)


class Pack(unittest.TestCase):
    def test_points_and_normals_come_back_to_the_digits_that_are_kept(self):
        random = np.random.default_rng(3)
        world = np.concatenate([random.uniform(-.5, .4998, (777, 3)), random.normal(size=(777, 3))], 1)
        world[:, 3:] /= np.linalg.norm(world[:, 3:], axis=1, keepdims=True)
        seen = pack.unpack_points(pack.pack_points(world))
        nearest = ((seen[:, None, :3] - world[None, :, :3]) ** 2).sum(-1).argmin(1)
        self.assertEqual(len(set(nearest)), 777)
        self.assertLess(np.abs(seen[:, :3] - world[nearest, :3]).max(), .51 / 2 ** pack.BITS)
        self.assertGreater((seen[:, 3:] * world[nearest, 3:]).sum(1).min(), .9998)

    def test_an_object_comes_back_with_the_views_that_were_chosen(self):
        random = np.random.default_rng(4)
        images = np.repeat(np.repeat(random.integers(0, 256, (6, 17, 17, 3), dtype=np.uint8), 9, 1), 9, 2)[:, :137, :137]
        alpha = np.full((6, 137, 137), 255, np.uint8)
        rows = np.arange(18, dtype=np.float32).reshape(6, 3)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "chair_Author-1-x.npz"
            np.savez(path, images=images, alpha=alpha, world=np.zeros((40, 6), np.float32) + [.1, .2, .3, 0, 0, 1], rows=rows)
            packed = pack.pack_object(path, 4, 30, 95)
            pack.unpack_object(pathlib.Path(folder), "again", *packed[1:])
            again = np.load(pathlib.Path(folder) / "again.npz")
            self.assertEqual(again["images"].shape, (4, 137, 137, 3))
            chosen = [int(row[0]) // 3 for row in again["rows"]]
            self.assertTrue(np.array_equal(again["rows"], rows[chosen]))
            self.assertLess(np.abs(again["images"].astype(int) - images[chosen]).mean(), 12)
            self.assertEqual(again["world"].shape, (30, 6))


class Judged(unittest.TestCase):
    def test_the_log_has_both_extensions_beside_the_thirteen(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "template.dat"
            path.write_bytes(pickle.dumps(template_builder.build(), protocol=2))
            unseen = Unseen(13, network.Template(path))
        names = [name for item in unseen.items for name in item[0]]
        counts = {name: names.count(name) for name in names}
        self.assertEqual(counts, {"mean": 13, "any lens": 13, "other kinds": 5, **dict.fromkeys(shapes.CATS, 1),
                                  **dict.fromkeys(families.NAMES, 1)})
        usual = {"mean": True, "any lens": False, "other kinds": True}
        for (*_, name), images, cameras, reference, truth in unseen.items:
            self.assertEqual(np.array_equal(cameras[0, 0, :12], reference[0]), usual[name])
        for own, other in zip(unseen.items[:26:2], unseen.items[1:26:2]):  # the same objects with another lens
            self.assertFalse(np.array_equal(own[2], other[2]))


class Extremes(unittest.TestCase):
    def test_best_median_and_worst_are_of_each_category(self):
        values = {"lamp": (50, 90, 10), "car": (30, 20), "sofa": (5,)}
        samples = [{"name": f"{kind}{v}", "category": kind, "scores": {"published": {"refined": {"f_tau": v}}}}
                   for kind, found in values.items() for v in found]
        names = {kind: [s["name"] for s in row] for kind, row in extremes.chosen(samples).items()}
        self.assertEqual(names, {"car": ["car30", "car30", "car20"], "lamp": ["lamp90", "lamp50", "lamp10"],
                                 "sofa": ["sofa5"] * 3})


class Kept(unittest.TestCase):
    def test_the_first_convolutions_keep_their_weights_and_the_others_move(self):
        stage = network.Stage1()
        before = {name: value.clone() for name, value in stage.state_dict().items()}
        network.keep_first(stage.cnn, 2)
        moving = [p for p in stage.parameters() if p.requires_grad]
        images = torch.rand(1, 2, 3, 224, 224)
        sum(m.square().mean() for m in stage.maps(images)).backward()
        with torch.no_grad():
            for parameter in moving:
                if parameter.grad is not None:
                    parameter -= parameter.grad.sign()
        for name, value in stage.state_dict().items():
            if name.startswith("cnn."):
                self.assertEqual(torch.equal(value, before[name]), name.startswith(("cnn.conv1.", "cnn.conv2.")), name)


class Patch(unittest.TestCase):
    def test_the_border_of_a_patch_pulls_at_no_vertex(self):
        template = network.Template(template_builder.build())
        torch.manual_seed(3)
        patch = network.random_patch(template, 200)
        vertices, pairs = losses.inside(template, patch)
        before = template.sphere[None]
        after = before.clone()
        after[:, patch] += .01  # a translated patch is bent only along its border
        self.assertGreater(float(losses.shape_change(before, after, template, 3, 0)), 1e-3)
        self.assertLess(float(losses.shape_change(before, after, template, 3, 0, vertices)), 1e-9)
        points = before.clone().requires_grad_()
        losses.crease(points, template, 3, pairs=pairs).backward()
        moved = points.grad[0].abs().sum(1) > 0
        self.assertTrue(set(moved.nonzero().flatten().tolist()) <= set(patch.tolist()))
        self.assertGreater(int(moved.sum()), 150)

    def test_without_a_patch_all_weigh_the_same(self):
        template = network.Template(template_builder.build())
        self.assertIsNone(network.random_patch(template, 0))
        self.assertEqual(losses.inside(template, None), (1, 1))


class Cooldown(unittest.TestCase):
    def test_the_rate_falls_over_the_last_meshes_alone(self):
        factors = [train.rate_factor(seen, 1000, 400) for seen in (0, 600, 800, 999, 1000)]
        np.testing.assert_allclose(factors, [1, 1, .5, .0025, 0])
        self.assertEqual(train.rate_factor(999, 1000, 0), 1)


class Resume(unittest.TestCase):
    def log(self, folder, samples):
        subprocess.run([sys.executable, HERE / "train.py", folder, "--samples", samples, "--unseen", "13"],
                       check=True, stdout=subprocess.DEVNULL)
        rows = [json.loads(row) for row in (pathlib.Path(folder) / "stage1.json").read_text().splitlines()]
        return {row["step"]: row for row in rows if "loss" in row}

    def test_a_resumed_run_gives_the_log_of_a_whole_one(self):
        with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as halves:
            expected = self.log(whole, "400")
            self.log(halves, "200")  # ends like a run that is killed after a checkpoint
            seen = self.log(halves, "400")
            self.assertEqual(expected.keys(), seen.keys())
            for step, row in expected.items():
                self.assertAlmostEqual(row["loss"], seen[step]["loss"], delta=0.01 * row["loss"])


if __name__ == "__main__":
    unittest.main()
