"""Reads the output of steps: numbers for the answers, and lines for users, the first a summary."""

import csv
import json


def parsed(text):
    """Parses a JSON document, or else the lines that are JSON objects; None if there are none."""
    try:
        return json.loads(text)
    except ValueError:
        documents = []
        for line in text.splitlines():
            try:
                documents += [json.loads(line)] if line.startswith("{") else []
            except ValueError:
                pass  # a line that was cut off when the step was stopped
        return documents or None


def cases(output):
    return [case for suite in output["testsuites"] for case in suite["testsuite"]]


def case_name(case):
    return f"{case['classname']}.{case['name']}"


def any_ran(output):
    return any(case["result"] != "SKIPPED" for case in cases(output or {"testsuites": []}))


def say_tests(output, most=5):
    failed = [case for case in cases(output) if case.get("failures")]
    skipped = [case for case in cases(output) if case["result"] == "SKIPPED"]
    passed = len(cases(output)) - len(failed) - len(skipped)
    yield f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped"
    for case in failed:
        lines = case["failures"][0]["failure"].splitlines()
        yield f"{case_name(case)}: {' '.join(line.strip() for line in lines[:4])}"
    if skipped:  # a skipped test is a gap in the check
        others = f" and {len(skipped) - most} more" if len(skipped) > most else ""
        yield f"skipped: {', '.join(map(case_name, skipped[:most]))}{others}"


def medians(output):
    """Milliseconds in a latency document: of each stage, and of the sums that have targets."""
    times = {stage["stage"]: stage["medianMs"] for stage in output["stages"]}
    times["one mesh"] = output["network"]["medianMs"]
    times["blocks"] = times["block1"] + times["block2"] + times.get("project2", 0)
    times["stage 1"] = sum(times[stage]
                           for stage in ("cnn1", "project1", "graph1", "graph2", "graph3"))
    return times


def say_latency(output):
    times = medians(output)
    yield ", ".join(f"{name} {times[name]:.3f} ms" for name in ("one mesh", "blocks", "stage 1"))


def say_kernels(output, most=30):
    steps = sorted((line for line in output if "step" in line), key=lambda step: -step["medianMs"])
    yield f"{len(steps)} steps, {sum(step['medianMs'] for step in steps):.3f} ms one by one"
    for step in steps[:most]:
        yield (f"{1000 * step['medianMs']:7.1f} µs  {step['stage']}: {step['step']}, "
               f"{step['teraflops']:.1f} TFLOP/s, {step['gigabytesPerSecond']:.0f} GB/s")
    if len(steps) > most:
        rest = sum(step["medianMs"] for step in steps[most:])
        yield f"{1000 * rest:7.1f} µs  the others together"


def sizes(output):
    """Meshes per second for each batch size that could be run."""
    return {row["batch"]: row["meshesPerSecond"] for row in output if "meshesPerSecond" in row}


def say_throughput(output):
    parts = ablations(output)
    if parts:
        yield ", ".join(f"{part} {ratio:.2f}× by {size}" for (size, part), ratio in parts.items())
        return
    rates = sizes(output)
    yield "meshes/s: " + ", ".join(f"{rates[size]:.0f} by {size}" for size in rates)


def list_run(output):
    """Returns seconds, number of successful samples, and verdict of an evaluated list."""
    run = output["run"]
    done = sum(not sample["error"] for sample in output["samples"])
    return run["seconds"], done, output["timing"]["verdict"]


def say_list(output):
    seconds, done, verdict = list_run(output)
    yield f"{done} samples in {seconds:.1f} s. {verdict}"


def say_doctor(output):
    found = {check["subject"]: check["found"] for check in output["checks"]}
    yield found.get("CUDA libraries", "no CUDA libraries")
    for subject in found:
        if subject in ("CUDA plug-in", "NVIDIA driver") or subject.startswith("GPU"):
            yield f"{subject}: {found[subject]}"


def say_operations(output):
    wrong = [check for check in output["checks"] if not check["ok"]]
    yield f"{len(output['checks']) - len(wrong)} of {len(output['checks'])} right"
    for check in wrong:
        yield (f"wrong: {check['op']}, error {check['error']:.1e}, allowed {check['allowed']:.1e}. "
               f"{check['remark']}")


def say_ops(output):
    yield ", ".join(f"{op['op']} {1000 * op['medianMs']:.1f} µs" for op in output["ops"])


def compared_runs(output):
    """The first comparison of a document. Throws LookupError unless B is a GPU."""
    comparison = output["comparisons"][0]
    if comparison["b"]["backend"].startswith("CPU"):
        raise LookupError("the processor computed B, not the GPU")
    return comparison


def speed_up(comparison):
    """Milliseconds per sample of A and of B, and the speed-up of B."""
    network = comparison["times"][0]
    return network["a"]["mean"], network["b"]["mean"], network["speedup"]


def say_compare(output):
    comparison = compared_runs(output)
    before, now, times = speed_up(comparison)
    yield f"{before:.1f} ms and {now:.2f} ms, {times:.1f}×, agreement {comparison['agreement']} %"


def ablations(output):
    """Gain of each GPU feature, by batch size: {(1, "graphs"): 1.25}."""
    return {(row["batch"], row["without"]): row["ratio"] for row in output
            if row.get("without") and "ratio" in row}


def projection(output):
    """Returns the milliseconds of pooling, and those of all kernels, by run step."""
    pooled, whole = {}, {}
    for step in output:
        if "step" in step:
            whole[step["stage"]] = whole.get(step["stage"], 0) + step["medianMs"]
            if step["step"] == "pooling":
                pooled[step["stage"]] = pooled.get(step["stage"], 0) + step["medianMs"]
    return pooled, whole


def operations(output):
    """Returns the milliseconds of each operation."""
    return {op["op"]: op["medianMs"] for op in output["ops"]}


def say_raster(output):
    rows = [row for row in output if "tiers" in row]
    yield f"{len(rows)} sizes"
    for mesh in rows:
        tiers = ", ".join(f"{tier['tier']} {tier['medianMs']:.2f} ms" for tier in mesh["tiers"])
        yield f"{mesh['triangles']} triangles: {tiers}"


def f_score(sample):
    """Returns F(τ) of a reconstructed sample's refined mesh, in percent."""
    return sample["measures"]["refined"]["f_tau"]


def say_meshes(output):
    yield "F(τ) " + ", ".join(f"{f_score(sample):.2f} %" for sample in output["samples"])


def fits(output):
    """Returns milliseconds and F(τ) of the fitted meshes (or None), by choice of photographs."""
    return {row["views"]: (row["medianMs"], row.get("fPublished", {}).get("fitted"))
            for row in output["fits"]}


def say_fit(output):
    yield ", ".join(f"{views} {time:.1f} ms" for views, (time, _) in fits(output).items())


SAYERS = {"primitives": say_tests, "tests": say_tests, "latency": say_latency,
          "kernels": say_kernels, "throughput": say_throughput, "doctor": say_doctor,
          "operations": say_operations, "ops": say_ops, "raster": say_raster, "meshes": say_meshes,
          "fit": say_fit, "list": say_list, "compare": say_compare}


def points(file):
    return [[float(word) for word in line.split()[:3]] for line in file.read_text().splitlines()]


def compared(folder, reference):
    """For each mesh in both folders: distances between vertices of the same index."""
    result = {}
    for file in sorted(folder.glob("*.xyz")):
        other = reference / file.name
        if not other.is_file():
            continue
        distances = sorted(sum((a - b) ** 2 for a, b in zip(one, two)) ** 0.5
                           for one, two in zip(points(file), points(other)))
        last = len(distances) - 1
        result[file.name.partition("_")[0]] = {
            "median": distances[last // 2], "p995": distances[int(0.995 * last)],
            "most": distances[last], "beyond": sum(distance > 1e-4 for distance in distances),
            "identical": file.read_bytes() == other.read_bytes()}
    return result


def counters(text):
    """Nsight Compute's CSV without other output, and a line for each section of a kernel."""
    rows = [line for line in text.splitlines() if line.startswith('"')]
    sections = {}
    for row in csv.DictReader(rows):
        title = f"{row['ID']} {row['Kernel Name'].partition('(')[0]}, {row['Section Name']}: "
        value = f"{row['Metric Name']} {row['Metric Value']} {row['Metric Unit']}".strip()
        sections.setdefault(title, []).append(value)
    kernels = len({title.partition(" ")[0] for title in sections})
    lines = [title + ", ".join(sections[title]) for title in sections]
    return "\n".join(rows) + "\n", [f"{kernels} kernels", *lines]
