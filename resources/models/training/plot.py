"""Plots the log of a training. Usage: plot.py FOLDER/stage1.json [FOLDER/stage2.json] OUT.svg"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PANELS = [("F(τ), %", 1), ("chamfer distance", 0), ("mean 1 − cos between faces", 3)]


def main():
    *logs, out = sys.argv[1:]
    figure, axes = plt.subplots(1, 3, figsize=(15, 4.5), layout="constrained")
    for log in logs:
        rows = [json.loads(line) for line in pathlib.Path(log).read_text().splitlines()]
        rows = [row for row in rows if "unseen" in row]
        samples = [row["samples"] for row in rows]
        for stage in rows[-1]["unseen"]:
            for axis, (title, column) in zip(axes, PANELS):
                axis.set(title=title, xlabel="meshes seen")
                axis.grid(alpha=0.3)
                for name in rows[-1]["unseen"][stage]:
                    values = [row["unseen"][stage][name][column] for row in rows]
                    mean = name == "mean"
                    axis.plot(samples, values, linewidth=3 if mean else 1, alpha=1 if mean else 0.5,
                              label=f"{stage} {name}")
    axes[1].set_yscale("log")
    axes[2].legend(fontsize=6, ncols=2)
    figure.savefig(out)


if __name__ == "__main__":
    main()
