"""Draws the best, the median and the worst sample of each category, by F(tau) of the refined mesh.

    python3 extremes.py RUN SAMPLES OUT.png [--threefold threefold] [--pixels 320]

RUN is the folder of `threefold eval SAMPLES/list.txt -o RUN`, SAMPLES a folder of make_samples.py. OUT.png has three
sheets of `threefold figure` (photograph, refined, truth) side by side, with a row for each category. Names and values are
printed.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

from PIL import Image, ImageDraw, ImageFont

PLACES = "best", "median", "worst"
TITLE = 32  # height of the title line, pixels


def chosen(samples):
    """Returns {category: (best, median, worst)} of a report's samples. Of two middle ones the better is the median."""
    kinds = {}
    for sample in samples:
        kinds.setdefault(sample["category"], []).append(sample)
    return {kind: (ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1])
            for kind, found in sorted(kinds.items())
            for ordered in [sorted(found, key=lambda sample: -f_tau(sample))]}


def f_tau(sample):
    return sample["scores"]["published"]["refined"]["f_tau"]


def drawn(names, options):
    """Returns the sheet of these samples, one below the other, drawn at twice the size and reduced."""
    with tempfile.TemporaryDirectory() as folder:
        lines, sheet = pathlib.Path(folder) / "list.txt", pathlib.Path(folder) / "sheet.png"
        lines.write_text("".join(f"{name}.dat\n" for name in names))
        subprocess.run([options.threefold, "figure", lines, "--images", options.samples / "ShapeNetRendering", "--gt",
                        options.samples / "gt", "--columns", "photo,refined,truth", "--fit-views", "off", "--precision",
                        "bf16", "--light", "--colour", "plain", "--pixels", str(2 * options.pixels), "-o", sheet],
                       check=True)
        return Image.open(sheet).convert("RGB").reduce(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--threefold", default="threefold", help="path of threefold, which draws")
    parser.add_argument("--pixels", type=int, default=320, help="width of each of the three sheets")
    options = parser.parse_args()
    rows = chosen(json.loads((options.run / "report.json").read_text())["samples"])
    sheets = [drawn([row[place]["name"] for row in rows.values()], options) for place in range(len(PLACES))]
    whole = Image.new("RGB", (sum(s.width for s in sheets), TITLE + max(s.height for s in sheets)), "white")
    left = 0
    for title, sheet in zip(PLACES, sheets):
        ImageDraw.Draw(whole).text((left + 6, 4), title, "black", ImageFont.load_default(22))
        whole.paste(sheet, (left, TITLE))
        left += sheet.width
    whole.save(options.out, optimize=True)
    for kind, row in rows.items():
        print(kind, *(f"{sample['name']} {f_tau(sample):.1f}" for sample in row), sep=" | ")


if __name__ == "__main__":
    main()
