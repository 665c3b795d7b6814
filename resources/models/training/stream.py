"""Batches of procedural and artists' objects. A batch depends only on the number of its step."""
import multiprocessing
import os

import numpy as np

import data
import objects


def plan(step, count, references, seed):
    """Returns the object numbers of a step, the number of views, and each object's reference views."""
    random = np.random.default_rng([seed, step])
    views = int(random.choice([2, 3, 4, 5], p=[.1, .7, .1, .1]))
    numbers = seed * 10_000_000 + np.arange(step * count, (step + 1) * count)
    chosen = [random.permutation(views)[:references] for _ in range(count)]
    return numbers, views, np.array([np.resize(c, references) for c in chosen])


def batch(library, collected, step, count, references, seed, share):
    """Makes the batch of a step: images [O, V, 137, 137, 3] bytes, cameras [O R, V, 15], reference [O R, 12], truth
    [O R, P, 6] in the reference's space. `share`: fraction of collected objects."""
    numbers, views, chosen = plan(step, count, references, seed)
    made = [collected.make(n, views) if np.random.default_rng([n, 3]).random() < share else data.make(library, n, views)
            for n in numbers]
    meshes = [(m, r) for m, refs in zip(made, chosen) for r in refs]
    return (np.stack([m[0] for m in made]), np.stack([m[1] for m, _ in meshes]),
            np.stack([m[2][r] for m, r in meshes]), np.stack([data.in_space(m[3], m[2][r]) for m, r in meshes]))


def worker(queue, first, stride, folder, *choices):
    os.nice(10)
    library, collected = data.renderer(), objects.Objects(folder) if folder else None
    step = first
    while True:
        queue.put(batch(library, collected, step, *choices))
        step += stride


class Stream:
    """Iterator of the batches from step `first` on, in order. `workers` processes make them."""

    def __init__(self, first, workers, *choices):
        context = multiprocessing.get_context("spawn")
        self.queues = [context.Queue(6) for _ in range(workers)]
        self.next = 0
        self.processes = [context.Process(target=worker, args=(q, first + i, workers, *choices), daemon=True)
                          for i, q in enumerate(self.queues)]
        for process in self.processes:
            process.start()

    def get(self):
        self.next += 1
        return self.queues[(self.next - 1) % len(self.queues)].get()

    def close(self):
        for process in self.processes:
            process.terminate()
