"""Trains one or both stages of the default model on a GPU in minutes (README.md).

    python3 train_gpu.py OUT --collected CACHE --start1 stage1.npz --minutes1 4 --start2 stage2.npz --minutes2 2

All collected objects are in the GPU's memory and are augmented there; other processes make procedural objects meanwhile.
The optimizer is AdamW with a learning rate that falls to 0 at the end of the time; the result is a moving average of the
weights. Forward and backward pass are captured in a CUDA graph for each number of views. Results are not reproducible in
all bits, since gradients of maps are summed with atomic operations.
"""
import argparse
import concurrent.futures
import json
import math
import multiprocessing
import os
import pathlib
import pickle
import time

import numpy as np
import torch
import torch.nn.functional as F

import data
import losses
import network
import objects
import ops_cuda
from stage_arrays import load_arrays, write_arrays
from unseen import MEANS, Unseen, tensors

IMAGES = 36  # images per step, and meshes: each view of each object is the reference view of one mesh
VIEWS = {3: .7, 2: .1, 4: .1, 6: .1}  # number of views: probability
MOST_VIEWS = max(VIEWS)
POOL_OBJECTS = 6000  # capacity for procedural objects; new ones replace the oldest
DROPPED, SHORTENED = 6, 1.5  # multiples of the usual gradient norm: larger gradients are skipped, or shortened
WARM_UP = 150  # steps in which the learning rate rises
LOST = 2.5  # loss of F(tau), in points, after which the best weights are restored, with half the rate


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="folder of template.dat, for the stages' npz files and the log")
    parser.add_argument("--collected", type=pathlib.Path, required=True, help="folder of collect.py")
    parser.add_argument("--share", type=float, default=.67, help="fraction of collected objects")
    for stage, rate in ((1, 2e-4), (2, 2e-4)):
        parser.add_argument(f"--start{stage}", type=pathlib.Path, help="npz with initial weights")
        parser.add_argument(f"--minutes{stage}", type=float, default=0, help="minutes of training")
        parser.add_argument(f"--rate{stage}", type=float, default=rate)
        parser.add_argument(f"--crease{stage}", type=float, default=(20, 8)[stage - 1], help="weight of 1 - cos between neighbouring faces")
    parser.add_argument("--meshes2", type=int, default=12, help="meshes per step of stage 2")
    parser.add_argument("--robust", type=float, default=50.0, help="weight of distances, beside that of their squares")
    parser.add_argument("--near", type=float, default=12.0, help="weight of the fraction outside the F-score's threshold")
    parser.add_argument("--kept", type=int, default=0, metavar="N", help="freezes the first N convolutions")
    parser.add_argument("--average", type=float, default=.998, help="decay of the weights' moving average per step")
    parser.add_argument("--every", type=float, default=60, help="seconds between measures of unseen objects")
    parser.add_argument("--workers", type=int, default=max(1, len(os.sched_getaffinity(0)) - 2))
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def worker(queue, first, stride):
    torch.set_num_threads(1)
    library, number = data.renderer(), first
    while True:
        queue.put(data.make(library, number, MOST_VIEWS))
        number += stride


class Procedural:
    """The newest POOL_OBJECTS procedural objects, on the GPU; other processes make them."""

    def __init__(self, workers, seed, device):
        os.environ["OMP_NUM_THREADS"] = "1"
        context = multiprocessing.get_context("spawn")
        self.queue = context.Queue(256)
        self.processes = [context.Process(target=worker, args=(self.queue, seed * 10_000_000 + i, workers), daemon=True)
                          for i in range(workers)]
        for process in self.processes:
            process.start()
        self.made, self.arrays = 0, [torch.zeros(POOL_OBJECTS, *shape, dtype=kind, device=device) for shape, kind in (
            ((MOST_VIEWS, 137, 137, 3), torch.uint8), ((MOST_VIEWS, 15), torch.float32), ((MOST_VIEWS, 12), torch.float32),
            ((data.POINTS, 6), torch.float32))]

    def take(self):
        """Copies finished objects to the GPU."""
        ready = [self.queue.get() for _ in range(self.queue.qsize())]
        if ready:
            at = torch.arange(self.made, self.made + len(ready), device=self.arrays[0].device) % POOL_OBJECTS
            for array, *parts in zip(self.arrays, *ready):
                array[at] = torch.from_numpy(np.stack(parts)).to(array.device)
            self.made += len(ready)

    def draw(self, count, views):
        """Draws objects: images [count, V, 3, 137, 137] in 0 to 1, cameras, references, truth in world space."""
        chosen = torch.randint(min(self.made, POOL_OBJECTS), (count,), device=self.arrays[0].device)
        images, cameras, references, truth = (array[chosen] for array in self.arrays)
        return images[:, :views].permute(0, 1, 4, 2, 3).float() / 255, cameras[:, :views], references[:, :views], truth

    def close(self):
        for process in self.processes:
            process.terminate()


def read_object(path):
    with np.load(path) as arrays:
        return tuple(arrays[k] for k in ("images", "alpha", "world", "rows"))


class Collected:
    """All artists' objects, on the GPU, with the augmentation of objects.py."""

    def __init__(self, folder, device, truth=6000):
        self.files = objects.Objects(folder)
        self.chances = torch.tensor(self.files.chances, device=device)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            parts = list(pool.map(read_object, self.files.files))
        views = min(len(p[0]) for p in parts)
        random = np.random.default_rng(7)
        pick = lambda world: world[random.choice(len(world), truth, replace=len(world) < truth)]
        self.mirror = torch.tensor([1., 1, -1, 1, 1, -1], device=device)  # mirrors points and normals in the plane z = 0
        self.images = torch.stack([torch.from_numpy(np.concatenate([p[0], p[1][..., None]], -1)[:views]) for p in parts]).to(device)
        self.rows = torch.stack([torch.from_numpy(p[3][:views]) for p in parts]).to(device)
        self.world = torch.stack([torch.from_numpy(pick(p[2])) for p in parts]).to(device)

    def draw(self, count, views):
        device = self.images.device
        uniform = lambda low, high, *shape: low + (high - low) * torch.rand(*shape, device=device)
        happens = lambda chance, *shape: torch.rand(*shape, device=device) < chance
        chosen = torch.multinomial(self.chances, count, replacement=True)
        seen = torch.rand(count, self.images.shape[1], device=device).topk(views, 1).indices
        pixels = self.images[chosen[:, None], seen].float() / 255  # [O, V, 137, 137, 4]
        rows, world = self.rows[chosen[:, None], seen], self.world[chosen]
        world = world[:, torch.randperm(world.shape[1], device=device)[:data.POINTS]]
        mirrored = happens(.5, count)
        pixels = torch.where(mirrored.view(-1, 1, 1, 1, 1), pixels.flip(3), pixels)
        azimuth = torch.where(mirrored.view(-1, 1), -rows[..., 0], rows[..., 0])
        world = torch.where(mirrored.view(-1, 1, 1), world * self.mirror, world)

        image, cover = pixels[..., :3], pixels[..., 3:]
        own = torch.where(cover > 0, (image - (1 - cover)) / cover.clamp(min=1e-3), 1).clamp(0, 1)
        each = (count, 1, 1, 1)
        colour = uniform(.3, 1, *each, 3)
        own = torch.where(happens(.1, *each, 1), own.mean(-1, keepdim=True) * colour, own)
        order = torch.where(happens(.5, count, 1), torch.rand(count, 3, device=device).argsort(1), torch.arange(3, device=device))
        own = own.gather(-1, order.view(*each, 3).expand_as(own))
        own = own * torch.where(happens(.5, *each, 1), uniform(.75, 1.15, *each, 3), 1)
        own = own.clamp(0, 1)

        single = (count, views, 1, 1, 1)
        other = own.clamp(min=1e-3) ** uniform(.7, 1.45, *single) * uniform(.85, 1.12, *single)
        other = (other + torch.randn_like(own) * .012).clamp(0, 1)
        own = torch.where(happens(.7, *single), other, own)

        def grown(mask):
            m = F.pad(mask[..., 0], (1, 1, 1, 1))
            m = m[..., 1:-1, 1:-1] | m[..., :-2, 1:-1] | m[..., 2:, 1:-1] | m[..., 1:-1, :-2] | m[..., 1:-1, 2:]
            return m[..., None]
        narrow = torch.where(grown(cover <= .5), 1, own)
        wide = torch.where(grown(cover > .5), own * cover + (1 - cover) * uniform(0, 1, count, views, 1, 1, 3), 1)
        cut = torch.where(happens(.5, *single), wide, narrow)
        image = torch.where(happens(.15, *single), cut, torch.where(cover > 0, own, 1))

        cameras = network.published_camera(torch.stack([azimuth, rows[..., 1], azimuth, rows[..., 2]], -1))
        return image.permute(0, 1, 4, 2, 3), cameras, cameras[..., :12], world


def in_space(truth, reference):
    """Transforms points and normals [M, P, 6] from world space to the references' space [M, 12]."""
    axes, origin = reference[:, :9].unflatten(-1, (3, 3)).transpose(1, 2), reference[:, None, 9:]
    return torch.cat([(truth[..., :3] - origin) @ axes, truth[..., 3:] @ axes], -1)


class Batches:
    def __init__(self, collected, procedural, share):
        self.collected, self.procedural, self.share = collected, procedural, share

    def draw(self, views, images, references):
        """Draws a batch: images [O, V, 3, 224, 224], cameras [O R, V, 15], reference [O R, 12], truth [O R, P, 6]."""
        count = images // views
        real = round(count * self.share)
        parts = zip(self.collected.draw(real, views), self.procedural.draw(count - real, views))
        image, cameras, all_references, truth = (torch.cat(p) for p in parts)
        image = F.interpolate(image.flatten(0, 1), size=(224, 224), mode="bilinear", align_corners=False).unflatten(0, (count, views))
        each = lambda t: t.repeat_interleave(references, 0)
        reference = all_references[:, :references].flatten(0, 1)
        return image, each(cameras), reference, in_space(each(truth), reference)


class Judge:
    """Evaluation in float32 on the unseen objects of train.py, collected and procedural."""

    def __init__(self, file, collected, count, template, device, together=10):
        """Reads the objects from `file`, which the first call writes."""
        if not file.exists():
            made = Unseen(count, template, collected).items
            file.write_bytes(pickle.dumps([(next(n for n in names if n in MEANS or n == "collected"), item)
                                           for names, *item in made]))
        self.template, self.batches = template, []
        kinds = {}
        for name, item in pickle.loads(file.read_bytes()):
            kinds.setdefault(name, []).append(item)
        for name, items in kinds.items():
            for at in range(0, len(items), together):
                parts = [np.concatenate(arrays) for arrays in zip(*items[at:at + together])]
                self.batches.append((name, tensors(parts, device)))

    @torch.no_grad()
    def measures(self, stage1, stage2=None):
        """Returns {stage: {mean, any lens, other kinds, collected: [CD, F(tau), F(2 tau), crease, moved]}}."""
        allowed, torch.backends.cuda.matmul.allow_tf32 = torch.backends.cuda.matmul.allow_tf32, False
        results = {}
        for name, (images, cameras, reference, truth) in self.batches:
            meshes = {"coarse": stage1(images, cameras, reference, self.template)[-1]}
            if stage2:
                meshes |= zip(("block 1", "refined"), stage2(images, meshes["coarse"], cameras, reference, self.template))
            before = meshes["coarse"]
            for stage, mesh in meshes.items():
                moved = (mesh - before).norm(dim=-1).mean(1, keepdim=True)
                value = torch.cat([losses.measures(mesh, truth, self.template, ops_cuda.nearest), moved], 1)
                results.setdefault(stage, {}).setdefault(name, []).append(value)
                before = mesh
        torch.backends.cuda.matmul.allow_tf32 = allowed
        return {stage: {name: [round(v, 6) for v in torch.cat(values).mean(0).tolist()] for name, values in rows.items()}
                for stage, rows in results.items()}


def score(measured):
    """Returns F(tau) of the last stage: the mean of its values for collected and for procedural objects."""
    last = list(measured.values())[-1]
    return (last["collected"][1] + last["mean"][1]) / 2


class Training:
    """Training of one stage: CUDA graphs, optimizer and averaged weights."""

    def __init__(self, trained, loss, batches, images, references, rate):
        self.trained, self.loss, self.batches, self.images, self.references = trained, loss, batches, images, references
        self.names, self.parameters = map(list, zip(*((n, p) for n, p in trained.named_parameters() if p.requires_grad)))
        last = [p for p in self.parameters if p.ndim == 2 and p.shape[1] == 3]  # layers whose outputs are coordinates
        rest = [p for p in self.parameters if not any(p is q for q in last)]
        device = self.parameters[0].device
        self.rates = [torch.zeros((), device=device) for _ in range(2)]
        self.optimizer = torch.optim.AdamW([{"params": rest, "lr": self.rates[0]}, {"params": last, "lr": self.rates[1]}],
                                           betas=(.9, .99), weight_decay=1e-4, fused=True, capturable=True)
        self.optimizer.grad_scale, self.optimizer.found_inf = torch.ones((), device=device), torch.zeros((), device=device)
        self.rate, self.usual, self.step = rate, torch.zeros((), device=device), 0
        self.average = [p.detach().clone() for p in self.parameters]
        self.sums = torch.zeros(4, device=device)  # loss, distance, norm, skipped steps
        for p in self.parameters:
            p.grad = torch.zeros_like(p)
        self.graphs, self.inputs, self.outputs = {}, {}, {}
        self.capture()

    def forward_backward(self, views):
        torch._foreach_zero_([p.grad for p in self.parameters])
        loss, distance = self.loss(*self.inputs[views])
        loss.backward()
        return loss.detach(), distance.detach()

    def capture(self):
        pool = None
        for views in VIEWS:
            self.inputs[views] = [t.clone() for t in self.batches.draw(views, self.images, self.references(views))]
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(2):
                    self.forward_backward(views)
            torch.cuda.current_stream().wait_stream(side)
            self.graphs[views] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graphs[views], pool=pool):
                self.outputs[views] = self.forward_backward(views)
            pool = pool or self.graphs[views].pool()

    @torch.no_grad()
    def advance(self, progress, random, keep):
        """Makes one step. `progress`: elapsed fraction of the time, 0 to 1."""
        views = int(random.choice(list(VIEWS), p=list(VIEWS.values())))
        for held, drawn in zip(self.inputs[views], self.batches.draw(views, self.images, self.references(views))):
            held.copy_(drawn)
        self.graphs[views].replay()
        norm = torch.stack(torch._foreach_norm([p.grad for p in self.parameters])).norm()
        usual = torch.where(self.usual > 0, self.usual, norm)
        left_out = ~(norm <= DROPPED * usual)
        self.optimizer.found_inf.copy_(left_out.float())
        self.optimizer.grad_scale.copy_((norm / (SHORTENED * usual)).clamp(min=1))
        # The usual norm changes by at most 2 % per step, so it approximates a running median.
        self.usual.copy_(torch.where(torch.isfinite(norm), usual * torch.where(norm > usual, 1.02, 1 / 1.02), usual) if self.step
                         else torch.where(torch.isfinite(norm), norm, 1))
        rate = self.rate * min(1, (self.step + 1) / WARM_UP) * .5 * (1 + math.cos(math.pi * min(progress, 1)))
        self.rates[0].fill_(rate)
        self.rates[1].fill_(rate / 4)
        self.optimizer.step()
        torch._foreach_lerp_(self.average, self.parameters, 1 - min(keep, (1 + self.step) / (10 + self.step)))
        self.sums += torch.stack([*self.outputs[views], norm, left_out.float()])
        self.step += 1

    def restore(self, best):
        """Restores the weights `best`, and halves the rate."""
        with torch.no_grad():
            torch._foreach_copy_(self.parameters, best)
            torch._foreach_copy_(self.average, best)
        self.optimizer.state.clear()
        self.rate, self.step = self.rate / 2, 0

    def averaged(self, plain):
        """Fills the plain network with the averaged weights and returns it."""
        return self.filled(plain, self.average)

    def filled(self, plain, values):
        """Fills the plain network with these values of the trained parameters and returns it."""
        plain.load_state_dict(self.trained.state_dict() | dict(zip(self.names, values)))
        return plain


def main():
    options, began = arguments(), time.monotonic()
    device, folder = torch.device("cuda"), options.folder
    folder.mkdir(parents=True, exist_ok=True)
    log = open(folder / "gpu.jsonl", "a", buffering=1)

    def say(**row):
        row = {"seconds": round(time.monotonic() - began, 1), **row}
        log.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)

    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = True
    random = np.random.default_rng(options.seed)
    procedural = Procedural(options.workers, options.seed, device)
    template = network.Template(folder / "template.dat").to(device)
    collected = Collected(options.collected / "train", device)
    say(collected=len(collected.images), procedural=procedural.made)
    judge = Judge(folder / "unseen.pickle", options.collected, 39, template, device)
    while procedural.made < 100:
        procedural.take()
        time.sleep(.01)
    say(judged=sum(len(b[1][1]) for b in judge.batches), procedural=procedural.made)
    batches = Batches(collected, procedural, options.share)

    def run(number, trained, plain, loss, images, references, measured):
        minutes, rate = getattr(options, f"minutes{number}"), getattr(options, f"rate{number}")
        if minutes <= 0:
            return
        network.keep_first(trained.cnn, options.kept)
        training = Training(trained, loss, batches, images, references, rate)
        torch.cuda.synchronize()
        best = measured(training.averaged(plain))
        say(stage=number, captured=True, memory=round(torch.cuda.max_memory_allocated() / 2 ** 30, 1), unseen=best)
        highest, kept = score(best), [p.clone() for p in training.average]
        training.sums.zero_()
        first = shown = judged = time.monotonic()
        counted = 0
        while True:
            now = time.monotonic()
            if now - first > 60 * minutes:
                break
            training.advance((now - first) / (60 * minutes), random, options.average)
            if training.step % 10 == 0:
                procedural.take()
                torch.cuda.synchronize()  # so that the measured time includes the GPU's work
            if training.step in (20, 100) or time.monotonic() - shown > 10:
                loss_, distance, norm, left_out = (training.sums / (training.step - counted)).tolist()
                say(stage=number, step=training.step, loss=round(loss_, 3), cd=round(distance, 6), norm=round(norm, 1), left_out=round(left_out, 3),
                    usual=round(float(training.usual), 1), milliseconds=round(1000 * (time.monotonic() - shown) / (training.step - counted), 1),
                    procedural=procedural.made)
                training.sums.zero_()
                counted, shown = training.step, time.monotonic()
            if time.monotonic() - judged > options.every:
                now_measured = measured(training.averaged(plain))
                say(stage=number, step=training.step, unseen=now_measured)
                if score(now_measured) > highest:
                    highest, kept = score(now_measured), [p.clone() for p in training.average]
                    write_arrays(training.averaged(plain), folder / f"stage{number}.npz")
                elif not score(now_measured) > highest - LOST:
                    training.restore(kept)
                    counted = 0
                    training.sums.zero_()
                    say(stage=number, restored=True, rate=training.rate)
                judged = time.monotonic()
        average = training.averaged(plain)
        say(stage=number, step=training.step, final=True, unseen=measured(average))
        write_arrays(average, folder / f"stage{number}.npz")
        say(stage=number, last_iterate=True, unseen=measured(training.filled(plain, training.parameters)))
        trained.load_state_dict(training.averaged(plain).state_dict())

    with_stage = lambda **more: argparse.Namespace(**vars(options), **more)
    stage1, plain1 = ops_cuda.Stage1(template).to(device), network.Stage1().to(device)
    if options.start1:
        load_arrays(stage1, options.start1)
        load_arrays(plain1, options.start1)
    settings = with_stage(crease=options.crease1)
    run(1, stage1, plain1, lambda images, cameras, reference, truth: losses.stage1_loss(
        stage1(images, cameras, reference, template), truth, template, ops_cuda.nearest, settings),
        IMAGES, lambda views: views, judge.measures)
    if options.minutes2 > 0:
        torch.cuda.empty_cache()
        stage1.requires_grad_(False)
        stage2, plain2 = ops_cuda.Stage2(template).to(device), network.Stage2().to(device)
        if options.start2:
            load_arrays(stage2, options.start2)
            load_arrays(plain2, options.start2)
        settings2 = with_stage(crease=options.crease2)

        def loss2(images, cameras, reference, truth):
            with torch.no_grad():
                coarse = stage1(images, cameras, reference, template)[-1]
            blocks = stage2(images, coarse, cameras, reference, template)
            return losses.stage2_loss(coarse, *blocks, truth, template, ops_cuda.nearest, settings2)
        run(2, stage2, plain2, loss2, options.meshes2, lambda views: views, lambda plain: judge.measures(plain1, plain))
    procedural.close()


if __name__ == "__main__":
    main()
