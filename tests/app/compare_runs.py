"""compare_runs.py A B: prints the JSON that `threefold compare A B --json` must print for two folders
of `threefold eval`. Computed from their metrics_results.csv and meshes, without code of Threefold."""
import csv
import json
import math
import pathlib
import sys


def rows(folder):
    with open(folder / "metrics_results.csv", newline="") as file:
        return {row["sample_id"]: row for row in csv.DictReader(file)}


def vertices(file):
    return [tuple(map(float, line.split()[1:4])) for line in open(file) if line.startswith("v ")]


def mean(values):
    return math.fsum(values) / len(values)


def correlation(a, b):
    if a == b:
        return 1.0
    x, y = mean(a), mean(b)
    both = math.fsum((p - x) * (q - y) for p, q in zip(a, b))
    return both / math.sqrt(math.fsum((p - x) ** 2 for p in a) * math.fsum((q - y) ** 2 for q in b))


def main():
    folders = [pathlib.Path(word) for word in sys.argv[1:3]]
    first, second = map(rows, folders)
    names = [name for name in first if name in second]
    column = lambda table, key: [float(table[name][key]) for name in names]
    result = {}
    for key in ("chamfer", "f_tau", "f_2tau", "normal_consistency"):
        a, b = (column(table, f"published_refined_{key}") for table in (first, second))
        result[key] = {"a": mean(a), "b": mean(b), "correlation": correlation(a, b),
                       "difference": mean([q - p for p, q in zip(a, b)]),
                       "within": sum(abs(q - p) <= 0.01 * abs(p) for p, q in zip(a, b))}
    a, b = (column(table, "time_ms") for table in (first, second))
    result["speedup"] = math.exp(mean([math.log(p / q) for p, q in zip(a, b)]))
    moved = sorted(math.dist(p, q) for name in names for p, q in
                   zip(*(vertices(folder / f"{name}_predict.obj") for folder in folders)))
    result["meshes"] = {"mean": mean(moved), "p99_5": moved[math.ceil(0.995 * len(moved)) - 1],
                        "largest": moved[-1]}
    json.dump(result, sys.stdout)


main()
