"""The steps, the most important ones first, since the time limit may cut off the last ones."""

from dataclasses import dataclass, field

from kit import tool

SAMPLES = 1023  # length of the list whose evaluation is timed
MATCHED = 8  # length of the list evaluated with earth mover's distances
PRECISIONS = ["float16", "float32", "tfloat32", "bfloat16", "int8"]


@dataclass
class Step:
    name: str  # the first word determines how its output is parsed
    seconds: int
    command: list
    needed: bool = True  # False: the run succeeds even if this step fails
    environment: dict = field(default_factory=dict)


def json_to(kit):
    return f"--gtest_output=json:{kit.work}/tests.json"


def gpu_steps(kit):
    threefold = kit.program()

    def tests(name, seconds, program):
        return Step(name, seconds, [kit.program(program), json_to(kit)])

    def bench(kind, *options):
        return [threefold, "bench", kind, "--backend", "cuda", *options]

    def latency(name, *options, seconds=30, **more):
        command = bench("latency", "-v", "--warmup", "15", "--runs", "200", "--json", *options)
        return Step(f"latency {name}", seconds, command, **more)

    def kernels(name, *options, **more):
        return Step(f"kernels {name}", 45, bench("kernels", "--json-lines", *options), **more)

    def throughput(precision, *options):
        return Step(f"throughput {precision}", 40,
                    bench("throughput", "--json-lines", "--precision", precision, *options))

    def matched(name, *options):
        return Step(f"list emd, {name}", 60, [
            threefold, "eval", str(kit.list_of(MATCHED)), "-o",
            str(kit.work / "runs" / f"emd {name}"), "--backend", "cuda", "--precision", "float16",
            "--emd", "--no-meshes", "--overwrite", "--json", "--measure-on", *options])

    def whole_list(name, *options):
        return Step(f"list {name}", 40, [
            threefold, "eval", str(kit.list_of(SAMPLES)), "-o", str(kit.work / "runs" / name),
            "--backend", "cuda", "--precision", "float16", "--warmup", "0", "--no-meshes",
            "--overwrite", "--json", *options])

    yield tests("primitives", 30, "threefold_gpu_primitives_tests")
    yield Step("doctor", 15, [threefold, "doctor", "--json"])
    yield latency("float16", "--precision", "float16", seconds=60)
    yield kernels("float16", "--precision", "float16")
    yield Step("compare", 90, [
        threefold, "compare", "cpu:float32", "cuda:float16", "--list",
        str(kit.list_of(len(kit.bundled()))), "--json"])
    yield Step("latency processor", 40, [threefold, "bench", "latency", "--backend", "cpu",
                                         "--warmup", "2", "--runs", "10", "--json"])

    yield reconstruct(kit, "processor", "cpu", "float32")
    for precision in ["float32", "float16"]:
        yield reconstruct(kit, precision, "cuda", precision)
    yield reconstruct(kit, "float16 again", "cuda", "float16")
    yield reconstruct(kit, "float16 library", "cuda", "float16", "--kernels", "library")
    for precision in PRECISIONS[2:]:
        yield reconstruct(kit, precision, "cuda", precision)
    yield tests("tests", 150, "threefold_gpu_tests")
    yield Step("operations float16", 40, [threefold, "doctor", "--gpu", "--json"])
    for precision in PRECISIONS[1:]:
        yield latency(precision, "--precision", precision)
    yield latency("float16 library", "--precision", "float16", "--kernels", "library")
    for name in kit.about["variants"]:
        plugin = {"THREEFOLD_CUDA_PLUGIN": str(kit.work / f"lib/variants/{name}.so")}
        yield latency(f"float16, variant {name}", "--precision", "float16", environment=plugin)
        yield kernels(f"float16, variant {name}", "--precision", "float16", environment=plugin)
    yield throughput("float16")
    yield Step("throughput float16, one pending", 20,
               bench("throughput", "--json-lines", "--precision", "float16", "--pending", "1",
                     "--batches", "1,4,16", "--seconds", "1"))
    yield Step("throughput float16, parts off", 60,
               bench("throughput", "--json-lines", "--precision", "float16", "--ablate",
                     "--batches", "1,16", "--seconds", "2"))
    yield whole_list("float16")
    yield whole_list("float16, batches of 16", "--batch", "16")
    yield Step("raster", 40, [threefold, "bench", "raster", "--cuda", "--runs", "10",
                              "--json-lines"])
    yield Step("ops", 40, bench("ops", "--json"))
    yield Step("ops processor", 60, [threefold, "bench", "ops", "--backend", "cpu", "--warmup", "1",
                                     "--runs", "3", "--json"])
    yield matched("by the GPU", "gpu")
    yield matched("by the processor", "cpu")
    yield kernels("float16 library", "--precision", "float16", "--kernels", "library")
    for name, backend in [("processor", "cpu"), ("cuda", "cuda")]:
        yield Step(f"fit {name}", 40, [threefold, "bench", "fit", "--backend", backend,
                                       "--precision", "float32", "--runs", "2", "--json"])
    yield throughput("int8", "--batches", "1,8,32", "--seconds", "1")
    sanitizer = tool("compute-sanitizer")
    if sanitizer:
        def check(name, checker, *command):
            return Step(name, 60, [sanitizer, "--tool", checker, "--error-exitcode", "99",
                                   "--kernel-name", "kns=threefold", *command])
        primitives = [kit.program("threefold_gpu_primitives_tests"), "--gtest_brief=1"]
        mesh = bench("latency", "--precision", "float16", "--warmup", "0", "--runs", "1", "--json")
        yield check("memcheck primitives", "memcheck", *primitives)
        yield check("memcheck mesh", "memcheck", *mesh)
        yield check("racecheck primitives", "racecheck", *primitives)
    profiler = tool("ncu")
    if profiler:
        sections = ["SpeedOfLight", "ComputeWorkloadAnalysis", "WarpStateStats",
                    "MemoryWorkloadAnalysis", "LaunchStats", "Occupancy"]
        yield Step("counters", 60, [
            profiler, "--csv", "--page", "details", "--print-details", "all",
            "--clock-control", "none",
            *(word for section in sections for word in ("--section", section)),
            "--kernel-name", "regex:hypothesis|graphBlock", "--launch-count", "8",
            *bench("latency", "--precision", "float16", "--warmup", "0", "--runs", "1", "--json")],
            needed=False)
    for precision in ["bfloat16", "tfloat32", "float32"]:
        yield throughput(precision, "--batches", "1,8,32", "--seconds", "1")


def cpu_steps(kit):
    threefold = kit.program()
    for program in ["threefold_gpu_tests", "threefold_gpu_primitives_tests"]:
        yield Step(f"list {program}", 20, [kit.program(program), "--gtest_list_tests"])
    # Without CUDA's libraries the plug-in cannot be loaded, so it cannot report a missing GPU.
    if not kit.missing:
        yield Step("tests", 60, [kit.program("threefold_gpu_tests"), "--gtest_brief=1",
                                 json_to(kit)])
    yield Step("doctor", 60, [threefold, "doctor", "--json"])
    yield Step("raster", 60, [threefold, "bench", "raster", "--triangles", "1000", "--warmup", "0",
                              "--runs", "1", "--json-lines"])
    yield Step("latency processor", 120, [threefold, "bench", "latency", "--backend", "cpu",
                                          "--warmup", "1", "--runs", "1", "--json"])
    yield reconstruct(kit, "processor", "cpu", "float32")


def reconstruct(kit, name, backend, precision, *options):
    samples = kit.repository / "resources/samples"
    return Step(f"meshes {name}", 30, [
        kit.program(), "reconstruct", str(samples / "list.txt"), "--images",
        str(samples / "ShapeNetRendering"), "--backend", backend, "--precision", precision,
        "--format", "xyz", "-o", str(kit.work / "meshes" / name), "--json", *options])
