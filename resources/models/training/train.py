"""Trains one stage of the default model on procedural and collected objects; the same command resumes it (README.md)."""
import argparse
import json
import math
import os
import pathlib
import pickle
import time

import numpy as np
import torch
from schedulefree import AdamWScheduleFree

import losses
import network
import ops_cpu
import ops_plain
import stream
import template as template_builder
from stage_arrays import load_arrays, write_arrays
from unseen import MEANS, Unseen, tensors

STILL = 1e-5  # mean displacement below which a block counts as dead
WEIGHED = 100  # steps that only measure gradients when training continues from weights
NORMS = 200  # number of recent gradient norms, whose median is the usual norm
CLIP = 20.0  # largest norm of a gradient
DROPPED = 6  # gradients above this multiple of the usual norm are skipped


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="template.dat, checkpoints, log and the stages' npz files")
    parser.add_argument("--stage", type=int, choices=(1, 2), default=1, help="2 needs the folder's stage1.npz")
    parser.add_argument("--samples", type=int, default=50_000, help="number of training meshes")
    parser.add_argument("--unseen", type=int, default=39, help="objects for evaluation, equally many of each category")
    parser.add_argument("--objects", type=int, default=2, help="objects per step")
    parser.add_argument("--references", type=int, default=2, help="meshes per object, one for each reference view")
    parser.add_argument("--rate", type=float, help="learning rate after the warm-up; default 3e-4, with --start 1.5e-4")
    parser.add_argument("--cooldown", type=int, default=0, metavar="N", help="number of last meshes in which the rate "
                        "falls to 0")
    parser.add_argument("--warmup", type=int, default=200, help="steps in which the rate rises from 0")
    parser.add_argument("--history", type=int, default=3000, help="number of steps for which the weights of --start count")
    parser.add_argument("--collected", type=pathlib.Path, help="folder of collect.py; adds objects that artists made")
    parser.add_argument("--share", type=float, default=.67, help="fraction of these objects")
    parser.add_argument("--crease", type=float, default=20.0, help="weight of 1 - cos between neighbouring faces")
    parser.add_argument("--robust", type=float, default=50.0, help="weight of distances, beside that of their squares")
    parser.add_argument("--near", type=float, default=12.0, help="weight of the fraction outside the F-score's threshold")
    parser.add_argument("--subset", type=int, default=512, help="vertices of the patch that moves in a step of stage 2; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="seed of the objects and of all random choices")
    parser.add_argument("--start", type=pathlib.Path, help="npz with initial weights, instead of random ones")
    parser.add_argument("--kept", type=int, default=0, metavar="N", help="freezes the first N convolutions; "
                        "default 0, for random weights; 5 suits --start")
    parser.add_argument("--second-from-first", type=float, metavar="SHARE", help="stage 2's second block begins as "
                        "the first one of --start, the weights of its last layer times this")
    parser.add_argument("--every", type=float, default=10, help="minutes between checkpoints")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--workers", type=int, default=1, help="processes that render objects")
    return parser.parse_args()


def optimizer(trained, rate, warmup, history):
    """Returns a schedule-free AdamW. Layers whose outputs are coordinates have a quarter of the rate, since their steps add
    up over 192 channels. The initial weights count as the average of `history` steps; otherwise the first new steps would
    replace them."""
    moving = [p for p in trained.parameters() if p.requires_grad]
    last = [p for p in moving if p.ndim == 2 and p.shape[1] == 3]
    rest = [p for p in moving if not any(p is q for q in last)]
    made = AdamWScheduleFree([{"params": rest}, {"params": last, "lr": rate / 4}], lr=rate, weight_decay=1e-4,
                             betas=(.9, .99), warmup_steps=warmup, r=2)
    for group in made.param_groups if history else ():
        group.update(k=history, lr_max=group["lr"], weight_sum=group["lr"] ** 2 * sum(k * k for k in range(history + 1)))
    made.train()
    return made


def rate_factor(seen, samples, cooldown):
    """Returns the learning rate's factor after `seen` of `samples` meshes; it falls linearly in the last `cooldown`."""
    return min(1.0, max(0, samples - seen) / cooldown) if cooldown else 1.0


class Run:
    """Training of one stage, with its checkpoints."""

    def __init__(self, options):
        self.options, folder = options, options.folder
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "template.dat").exists():
            (folder / "template.dat").write_bytes(pickle.dumps(template_builder.build(), protocol=2))
        self.template = network.Template(folder / "template.dat").to(options.device)
        self.ops = ops_cpu if options.device == "cpu" else ops_plain
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        torch.manual_seed(options.seed)
        self.stage1 = self.ops.Stage1(self.template).to(options.device)
        self.stage2 = None
        if options.stage == 2:
            load_arrays(self.stage1, folder / "stage1.npz")
            self.stage1.requires_grad_(False)
            self.stage2 = self.ops.Stage2(self.template).to(options.device)
            self.stage2.cnn.load_state_dict(
                {k: v for k, v in self.stage1.cnn.state_dict().items() if k in self.stage2.cnn.state_dict()})
        self.trained = self.stage2 or self.stage1
        if options.start:
            load_arrays(self.trained, options.start)
        if options.second_from_first is not None:
            self.stage2.drb2.load_state_dict(self.stage2.drb1.state_dict())
            with torch.no_grad():
                for weight in self.stage2.drb2.local_conv6.weights:
                    weight.mul_(options.second_from_first)
        network.keep_first(self.trained.cnn, options.kept)
        self.parameters = [p for p in self.trained.parameters() if p.requires_grad]
        # With --start, a rate of 3e-4 and a crease weight of 25 lost 1.6 points of F(tau) in 2000 meshes; 1.5e-4 lost none.
        rate = options.rate or (1.5e-4 if options.start else 3e-4)
        self.optimizer = optimizer(self.trained, rate, options.warmup, options.start and options.history)
        self.rates = [group["lr"] for group in self.optimizer.param_groups]
        self.step, self.log, self.norms = 0, [], []
        self.checkpoint = folder / f"stage{options.stage}.pt"
        if self.checkpoint.exists():
            state = torch.load(self.checkpoint, map_location=options.device, weights_only=True)
            self.trained.load_state_dict(state["weights"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step, self.log, self.norms = state["step"], state["log"], state["norms"]

    @property
    def per_step(self):
        return self.options.objects * self.options.references

    def save(self):
        part = self.checkpoint.with_suffix(".part")
        torch.save({"weights": self.trained.state_dict(), "step": self.step, "log": self.log, "norms": self.norms,
                    "optimizer": self.optimizer.state_dict()}, part)
        part.replace(self.checkpoint)
        (self.options.folder / f"stage{self.options.stage}.json").write_text(
            "".join(json.dumps(row) + "\n" for row in self.log))

    def averaged(self):
        """Returns the plain network with the averaged weights, in float32 on the processor."""
        plain = (network.Stage2 if self.stage2 else network.Stage1)()
        self.optimizer.eval()
        plain.load_state_dict({k: v.cpu() for k, v in self.trained.state_dict().items()})
        self.optimizer.train()
        return plain

    def loss(self, images, cameras, reference, truth):
        levels = self.stage1(images, cameras, reference, self.template)
        if not self.stage2:
            return losses.stage1_loss(levels, truth, self.template, self.ops.nearest, self.options)
        patch = network.random_patch(self.template, self.options.subset)
        moved = self.stage2(images, levels[-1], cameras, reference, self.template, patch)
        return losses.stage2_loss(levels[-1], *moved, truth, self.template, self.ops.nearest, self.options, patch)

    @torch.no_grad()
    def weigh(self):
        """Adds the gradient to AdamW's mean of squares, without changing the weights."""
        for parameter in self.parameters:
            state = self.optimizer.state[parameter]
            if not state:
                state.update(z=parameter.clone(), exp_avg_sq=torch.zeros_like(parameter))
            state["exp_avg_sq"].lerp_(parameter.grad.square(), 1 / (self.step + 1))

    def advance(self, batch):
        """Makes one step. Returns loss, Chamfer distance and the gradient's norm."""
        options = self.options
        torch.manual_seed(options.seed * 1_000_003 + self.step)  # a resumed run draws the same numbers
        factor = rate_factor(self.step * self.per_step, options.samples, options.cooldown)
        for group, rate in zip(self.optimizer.param_groups, self.rates):
            group["lr"] = rate * factor
        self.optimizer.zero_grad(set_to_none=True)
        loss, distance = self.loss(*tensors(batch, options.device))
        loss.backward()
        norm = float(torch.nn.utils.clip_grad_norm_(self.parameters, CLIP))
        usual = float(np.median(self.norms)) if self.norms else norm
        if math.isfinite(norm):
            self.norms = [*self.norms[1 - NORMS:], norm]
        if norm <= DROPPED * usual:  # real textures make some gradients a thousand times larger
            self.weigh() if options.start and self.step < WEIGHED else self.optimizer.step()
        self.step += 1
        return float(loss.detach()), float(distance), norm


def main():
    options = arguments()
    run = Run(options)
    plain_template = network.Template(options.folder / "template.dat")
    unseen = Unseen(options.unseen, plain_template, options.collected)
    frozen = None
    if run.stage2:
        frozen = network.Stage1()
        load_arrays(frozen, options.folder / "stage1.npz")
    export = lambda: write_arrays(run.averaged(), options.folder / f"stage{options.stage}.npz")

    def judge():
        averaged = run.averaged()
        table = unseen.measures(frozen or averaged, averaged if frozen else None, ops_cpu.nearest)
        run.log.append({"step": run.step, "samples": run.step * run.per_step, "unseen": table})
        for stage, rows in table.items():
            for name in (n for n in rows if n in MEANS or n.startswith("collected")):
                print(f"{run.step * run.per_step:8} {stage} {name}: CD %.6f F %.2f %.2f crease %.4f moved %.6f"
                      % tuple(rows[name]), flush=True)
            if stage != "coarse" and rows["mean"][-1] < STILL:
                print(f"{run.step * run.per_step:8} {stage} moves nothing: its hypothesis \"stay\" has all the weight",
                      flush=True)

    batches = stream.Stream(run.step, options.workers, options.collected and options.collected / "train",
                            options.objects, options.references, options.seed,
                            options.share if options.collected else 0)
    saved = shown = time.monotonic()
    sums, count = np.zeros(3), 0
    if run.step == 0:
        judge()
    while run.step * run.per_step < options.samples:
        sums += run.advance(batches.get())
        count += 1
        if run.step % 50 == 0:
            now = time.monotonic()
            loss, distance, norm = (sums / count).tolist()
            run.log.append({"step": run.step, "samples": run.step * run.per_step, "loss": round(loss, 4),
                            "cd": round(distance, 6), "norm": round(norm, 2)})
            print(f"{run.step * run.per_step:8} loss {loss:.3f} cd {distance:.6f} norm {norm:.2f} "
                  f"{run.per_step * count / (now - shown):.2f} meshes/s", flush=True)
            sums[:], count, shown = 0, 0, now
            if now - saved > 60 * options.every:
                judge()
                run.save()
                export()
                saved = shown = time.monotonic()
    judge()
    run.save()
    export()
    batches.close()


if __name__ == "__main__":
    main()
