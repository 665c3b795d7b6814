#!/usr/bin/env python3
"""Tests of errors, Ctrl-C, threads and memory."""
import ctypes
import gc
import multiprocessing
import os
import pathlib
import pickle
import signal
import threading
import unittest

import numpy

import threefold
from support import SAMPLES, same


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

    def test_say_which_array_to_pass(self):
        for wrong in (numpy.zeros((5, 2), numpy.float32), 7, [["a", "b", "c"]]):
            with self.subTest(wrong=wrong), self.assertRaises(threefold.InputError) as caught:
                threefold.nearest(wrong, numpy.zeros((1, 3)))
            self.assertEqual(caught.exception.remedy, "Pass (N, 3) float32.")

    def test_name_the_back_ends(self):
        with self.assertRaises(threefold.UsageError) as caught:
            threefold.Reconstructor(backend="tpu")
        self.assertEqual(caught.exception.remedy, "Use auto, cpu or cuda.")

    def test_of_a_tensor_that_cannot_be_read_ask_for_the_processors_memory(self):
        class OnGpu:
            def __dlpack__(self, **_):
                raise BufferError("device memory")

            def __dlpack_device__(self):
                return 2, 0

        with self.assertRaises(threefold.InputError) as caught:
            threefold.nearest(OnGpu(), numpy.zeros((1, 3)))
        self.assertEqual(caught.exception.remedy, "Pass an array in the processor's memory.")

    def test_are_subclasses_of_builtin_types(self):
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

        for call in (lambda: reconstructor.reconstruct(sample), lambda: threefold.emd(points, points + 1),
                     lambda: threefold.fit(result, sample, views="all+100000vertices"),
                     lambda: threefold.render(result, views=1000, size=1024)):
            pressed = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            with self.assertRaises(KeyboardInterrupt):
                pressed.start()
                while True:  # a fast machine finishes calls before the signal comes
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

    def test_are_started_again_after_fork(self):
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
            Threads.reconstructor = None  # its threads do not exist in the child: its end must not wait for them
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


if __name__ == "__main__":
    unittest.main()
