"""python -m unittest test_training: fast paths against the plain network, and a killed run against a whole one."""
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

import torch

import data
import losses
import network
import ops_cpu
import ops_plain
import template as template_builder
import train

HERE = pathlib.Path(__file__).parent
OPTIONS = types.SimpleNamespace(crease=2.0, robust=50.0, near=5.0)


def cosine(a, b):
    return torch.nn.functional.cosine_similarity(a.flatten(), b.flatten(), dim=0).item()


class FastPaths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import pickle
        torch.set_num_threads(2)
        with tempfile.NamedTemporaryFile(suffix=".dat") as file:
            file.write(pickle.dumps(template_builder.build(), protocol=2))
            file.flush()
            cls.template = network.Template(file.name)
        cls.batch = train.tensors(data.batch(data.renderer(), 0, 1, 2, 1), "cpu")

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

    def test_nearest_is_the_nearest_for_odd_sizes(self):
        for queries, targets in ((1, 1), (7, 33), (130, 15)):
            a, b = torch.randn(2, queries, 3), torch.randn(2, targets, 6)
            distance, index = torch.cdist(a, b[..., :3]).min(2)
            found, square = ops_cpu.nearest(a, b)
            self.assertTrue(torch.equal(found, index))
            self.assertTrue(torch.allclose(square, distance ** 2, rtol=1e-4, atol=1e-6))


class Resume(unittest.TestCase):
    def log(self, folder, samples):
        subprocess.run([sys.executable, HERE / "train.py", folder, "--samples", samples, "--unseen", "13"],
                       check=True, stdout=subprocess.DEVNULL)
        rows = [json.loads(row) for row in (pathlib.Path(folder) / "stage1.json").read_text().splitlines()]
        return {row["step"]: row for row in rows if "loss" in row}

    def test_a_resumed_run_gives_the_log_of_a_whole_one(self):
        with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as halves:
            expected = self.log(whole, "400")
            self.log(halves, "200")  # ends, as a kill after its last checkpoint would
            seen = self.log(halves, "400")
            self.assertEqual(expected.keys(), seen.keys())
            for step, row in expected.items():
                self.assertAlmostEqual(row["loss"], seen[step]["loss"], delta=0.01 * row["loss"])


if __name__ == "__main__":
    unittest.main()
