"""Answers the open questions about the GPU back end from the results of the steps."""

from outputs import (ablations, case_name, cases, compared_runs, f_score, fits, list_run, medians,
                     operations, projection, sizes, speed_up)
from steps import MATCHED, PRECISIONS, SAMPLES

TESTS = ("tests", "primitives")  # their output is used even if they fail


class Known:
    """Results of the steps. Every function throws LookupError if its result is missing."""

    def __init__(self, records):
        self.records = {record["name"]: record for record in records}

    def record(self, name):
        record = self.records.get(name)
        if record is None:
            raise LookupError(f"'{name}' was not run")
        if record["output"] is None or (record["state"] == "failed" and name not in TESTS):
            raise LookupError(f"'{name}': {record['state']}. {record['reason']}")
        return record

    def output(self, name):
        return self.record(name)["output"]

    def times(self, name):
        return medians(self.output(f"latency {name}"))

    def against(self, name, reference):
        return self.record(f"meshes {name}")["against"][reference]

    def worst(self, name, value):
        meshes = self.against(name, "float32").values()
        if not meshes:
            raise LookupError("'meshes float32' was not run")
        return max(mesh[value] for mesh in meshes)

    def scores(self, name):
        return [f_score(sample) for sample in self.output(f"meshes {name}")["samples"]]


def tolerances(known):
    texts = []
    for precision in PRECISIONS:
        if precision == "float32" or f"meshes {precision}" not in known.records:
            continue
        pairs = zip(known.scores(precision), known.scores("float32"))
        texts.append(f"{precision} {known.worst(precision, 'p995'):.1e} (99.5 %), "
                     f"{known.worst(precision, 'most'):.1e} (largest), "
                     f"F(τ) {max(abs(a - b) for a, b in pairs):.3f}")
    return "distance from float32: " + ("; ".join(texts) or "no other precision was run")


def coordinates(known):
    return (f"median distance from float32: fused kernels {known.worst('float16', 'median'):.1e}, "
            f"libraries {known.worst('float16 library', 'median'):.1e}")


def edges(known):
    meshes = [f"{name} {mesh['beyond']} vertices beyond 1e-4, largest {mesh['most']:.1e}"
              for name, mesh in known.against("float32", "processor").items()]
    failed = [case_name(case) for case in cases(known.output("tests"))
              if case["name"].startswith("agreesOnEveryTensor") and case.get("failures")]
    return f"{'; '.join(meshes)}; golden tensors: {', '.join(failed) or 'all agree'}"


def primitives(known):
    return known.record("primitives")["said"][0]


def eight_bit(known):
    return (f"{known.times('int8')['one mesh']:.3f} ms against "
            f"{known.times('float16')['one mesh']:.3f} ms")


def context(known):
    record = known.record("latency float16")
    here, in_all = record["memoryMiB"]
    return (f"{here} MiB by Threefold; the device {in_all} MiB with context and libraries, "
            f"{record['memoryBeforeMiB']} MiB before")


def capture(known):
    return f"works: one mesh by the libraries {known.times('float16 library')['one mesh']:.3f} ms"


def one_mesh(known):
    times = known.times("float16")
    return (f"{times['one mesh']:.3f} ms (expected 1.0 to 1.35, bar 3.0, goal 1.0), blocks "
            f"{times['blocks']:.3f} (0.55 to 0.75), stage 1 {times['stage 1']:.3f} (0.32 to 0.42)")


def throughput(known):
    rates = sizes(known.output("throughput float16"))
    best = max(rates, key=rates.get)
    return f"{rates[best]:.0f} meshes/s by {best} (expected 900 to 1200, bar 800, goal 3000)"


def same_bits(known):
    meshes = known.against("float16 again", "float16")
    return ", ".join(f"{name} {'same bits' if mesh['identical'] else 'DIFFERS'}"
                     for name, mesh in meshes.items())


def variants(known):
    prefix = "latency float16, variant "
    names = [name[len(prefix):] for name in known.records if name.startswith(prefix)]
    texts = [f"{name} {known.times(f'float16, variant {name}')['one mesh']:.3f} ms"
             for name in names]
    plain = f"; as built {known.times('float16')['one mesh']:.3f} ms" if names else ""
    return ("; ".join(texts) or "none in this folder") + plain


def fit(known):
    processor = fits(known.output("fit processor"))
    texts = []
    for views, (time, score) in fits(known.output("fit cuda")).items():
        before, reference = processor[views]
        texts.append(f"{views} photographs {time:.1f} ms, by the processor {before:.1f} "
                     f"({before / time:.1f} times as long), F(τ) {score:.2f} and {reference:.2f}")
    right = {check["op"]: check for check in known.output("operations float16")["checks"]
             if check["op"].startswith("fit, ")}
    texts += [f"{name[5:]} {check['error']:.1e}" for name, check in right.items()]
    return "; ".join(texts)


def two_pending(known):
    two = sizes(known.output("throughput float16"))
    one = sizes(known.output("throughput float16, one pending"))
    both = [size for size in one if size in two]
    return "; ".join(f"by {size} {two[size]:.0f} meshes/s, with one pending {one[size]:.0f} "
                     f"({100 * (two[size] / one[size] - 1):+.1f} %)" for size in both)


def download(known):
    steps = [step for step in known.output("kernels float16") if "step" in step]
    share = {name: 100 * sum(step["medianMs"] for step in steps if step["step"] == name) /
             known.times("float16")["one mesh"] for name in ("upload", "download")}
    return (f"{share['download']:.2f} % of a mesh, at most what a stream of its own could save "
            f"(expected 0.3); the upload, which has one, {share['upload']:.2f} %")


def lists(known):
    texts = []
    for name, sizing in [("float16", "sizes found while it runs"),
                         ("float16, batches of 16", "batches of 16")]:
        seconds, done, verdict = list_run(known.output(f"list {name}"))
        texts.append(f"{sizing}: {done} of {SAMPLES} samples in {seconds:.1f} s. {verdict}")
    return f"wanted 10 s; {' '.join(texts)}"


def against_processor(known):
    comparison = compared_runs(known.output("compare"))
    before, now, times = speed_up(comparison)
    return (f"{before:.1f} ms a sample by the processor in float32, {now:.2f} ms by the GPU in "
            f"float16: {times:.1f} times as fast (older scripts: 6.8); agreement "
            f"{comparison['agreement']:.2f} % (older scripts: 99.75)")


def processor(known):
    times = known.times("processor")
    shares = ", ".join(f"{stage} {100 * time / times['one mesh']:.0f} %"
                       for stage, time in (("blocks", times["blocks"]),
                                           ("stage 1", times["stage 1"])))
    return f"{times['one mesh']:.1f} ms a mesh, {shares}"


def parts_off(known):
    return "; ".join(f"by {size} {part} {ratio:.3f} times as many meshes/s" for (size, part), ratio
                     in ablations(known.output("throughput float16, parts off")).items())


def searches(known):
    gpu, own = operations(known.output("ops")), operations(known.output("ops processor"))
    return "; ".join(f"{name} {1000 * gpu[name]:.1f} µs, by the processor {own[name]:.2f} ms "
                     f"({own[name] / gpu[name]:.0f} times as long)" for name in own)


def matching(known):
    gpu, _, _ = list_run(known.output("list emd, by the GPU"))
    own, _, _ = list_run(known.output("list emd, by the processor"))
    return (f"{MATCHED} samples with --emd: {gpu:.1f} s where the GPU matches, {own:.1f} s where "
            f"the processor does")


def projections(known):
    pooled, _ = projection(known.output("kernels float16"))
    apart, whole = projection(known.output("kernels float16 library"))
    blocks = ("block1", "block2")
    share = 100 * sum(apart[block] for block in blocks) / sum(whole[block] for block in blocks)
    return (f"stage 1 {1000 * sum(pooled.values()):.0f} µs; stage 2, by the libraries' kernels, "
            f"{1000 * sum(apart[block] for block in blocks):.0f} µs, {share:.0f} % of its blocks")


QUESTIONS = {
    "Q1 tolerances": tolerances,
    "Q2 coordinates in half": coordinates,
    "Q3 texel edges in float32": edges,
    "Q4 primitives": primitives,
    "Q5 int8 against float16": eight_bit,
    "Q6 memory of the context": context,
    "Q7 cuSPARSE in a captured graph": capture,
    "Q8 one mesh": one_mesh,
    "Q9 throughput": throughput,
    "Q10 same input twice": same_bits,
    "Q11 variants": variants,
    "Q12 the fit": fit,
    "Q13 two batches pending": two_pending,
    "Q14 download behind the next batch": download,
    "Q15 a list from PNG": lists,
    "Q16 against the processor": against_processor,
    "Q17 the processor here": processor,
    "Q18 streams, graphs, page-locked memory": parts_off,
    "Q19 nearest and match": searches,
    "Q20 earth mover's distance": matching,
    "Q21 projection": projections,
}


def answers(records):
    """A line for each question: the answer, or the reason why there is none."""
    known = Known(records)
    lines = {}
    for question, answer in QUESTIONS.items():
        try:
            lines[question] = answer(known)
        except (LookupError, TypeError, ValueError) as error:  # also for missing keys of a document
            lines[question] = f"not answered: {error}"
    return lines
