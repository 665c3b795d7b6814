#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/meshes/mesh_writing.h"
#include "engine/network/cpu_backend.h"
#include "tests/app/bundled.h"
#include "tests/app/gpu_starts.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/engine/sample_rendering/shapes.h"
#include "tests/support/file_text.h"

// Every command with and without a GPU. A fake plug-in simulates the GPU.

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

/// Arguments of reconstructing() for a folder in `folder`, with a JSON document as output.
std::vector<std::string> reconstructingAsJson(const TempFolder& folder,
                                              std::vector<std::string> options) {
    options.emplace_back("--json");
    return reconstructing(folder / "out", options);
}

TEST(WithoutGpu, commandsFailWithOneLine_whenAskedForCuda) {
    const TempFolder folder;
    const std::vector<std::vector<std::string>> commands = {
        reconstructingAsJson(folder, {"--backend", "cuda"}),
        {"bench", "latency", "--backend", "cuda"},
        {"bench", "throughput", "--backend", "cuda"},
        {"bench", "ops", "--backend", "cuda"},
        {"bench", "kernels"},
        {"doctor", "--gpu"},
        {"doctor", "--gpu", "--json"},
    };
    for (const auto& command : commands) {
        for (const std::string plugin : {"", "fake_plugin_no_driver", "fake_plugin_old"}) {
            const ProcessResult result =
                runThreefold(command, plugin.empty() ? withoutPlugin() : withPlugin(plugin));
            const std::string reason = plugin.empty()                      ? "names no file"
                                       : plugin == "fake_plugin_no_driver" ? "no NVIDIA driver"
                                                                           : "another build";
            EXPECT_EQ(result.exitCode, 1) << testing::PrintToString(command);
            EXPECT_THAT(result.errors, HasSubstr(reason));
            EXPECT_EQ(lineCount(result.errors), 1U) << result.errors;
            EXPECT_THAT(result.output, IsEmpty());
        }
    }
}

TEST(WithoutGpu, renderFailsOnce_whenAskedToDrawOnTheGpu) {
    const TempFolder folder;
    for (const char* name : {"one.obj", "two.obj"})
        writeText(folder / "meshes" / name, encodeMesh(MeshFormat::obj, box({1, 2, 3})));
    const std::string out = (folder / "out").string();
    const ProcessResult result = runThreefold(
        {"render", (folder / "meshes").string(), "-o", out, "--tier", "cuda"}, withoutPlugin());
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("names no file"));
    EXPECT_EQ(lineCount(result.errors), 1U) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(WithoutGpu, reconstructUsesTheProcessor_whenTheBackendIsAutomatic) {
    const TempFolder folder;
    const ProcessResult result =
        runThreefold(reconstructingAsJson(folder, {"--verbose"}), withoutPlugin());
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("no GPU is used: GPU: /no/such/plugin.so"));
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("precision"), "float32");
    EXPECT_THAT(document.at("backend").get<std::string>(), testing::StartsWith("CPU"));
}

/// Options with which the program sees a sysfs in `root` that has an NVIDIA GPU on the PCI bus.
StartOptions onMachineWithGpu(const TempFolder& root, StartOptions options) {
    const std::filesystem::path device = root / "sys/bus/pci/devices/0000:01:00.0";
    writeText(device / "vendor", "0x10de\n");
    writeText(device / "class", "0x030200\n");
    options.environment["THREEFOLD_SYSTEM_ROOT"] = root.path().string();
    return options;
}

TEST(WithoutGpu, explainsInOneLine_whenTheMachinesGpuIsNotUsed) {
    const TempFolder root;
    const std::pair<StartOptions, std::string> reasons[] = {
        {withoutPlugin(), "GPU: /no/such/plugin.so: $THREEFOLD_CUDA_PLUGIN names no file."},
        {withPlugin("fake_plugin_no_driver"), "GPU: there is no NVIDIA driver."},
        {withPlugin("fake_plugin_old"), "is of another build"},
        {withGpu(), "GPU 1: stands in for a broken one."},
    };
    for (const auto& [machine, reason] : reasons) {
        const auto benchOps = [](const StartOptions& options, const std::string& backend) {
            return runThreefold({"bench", "ops", "--first", "64", "--second", "64", "--runs", "1",
                                 "--warmup", "0", "--device", "1", "--backend", backend},
                                options);
        };
        const ProcessResult result = benchOps(onMachineWithGpu(root, machine), "auto");
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        EXPECT_THAT(result.errors, testing::StartsWith("threefold: no GPU is used: "));
        EXPECT_THAT(result.errors, HasSubstr(reason));
        EXPECT_EQ(lineCount(result.errors), 1U) << result.errors;
        EXPECT_THAT(benchOps(onMachineWithGpu(root, machine), "cpu").errors, IsEmpty());
        EXPECT_THAT(benchOps(machine, "auto").errors, IsEmpty()) << "the machine has no GPU";
    }
}

TEST(WithoutGpu, explainsTheRefusal_whenThePrecisionNeedsAGpu) {
    for (const char* precision : {"float16", "tf32"}) {
        const ProcessResult result = runThreefold({"bench", "ops", "--precision", precision},
                                                  withPlugin("fake_plugin_no_driver"));
        EXPECT_EQ(result.exitCode, 1) << precision;
        EXPECT_THAT(result.errors, HasSubstr("no NVIDIA driver"));
        EXPECT_THAT(result.errors, testing::Not(HasSubstr("--backend cpu")));
        EXPECT_THAT(result.errors, HasSubstr("without such a GPU, use " +
                                             processorPrecisionNames() + " (--precision)"));
        const ProcessResult cpu =
            runThreefold({"bench", "ops", "--backend", "cpu", "--precision", precision}, withGpu());
        EXPECT_EQ(cpu.exitCode, 1);
        EXPECT_THAT(cpu.errors, HasSubstr("is for GPUs"));
        EXPECT_THAT(cpu.errors,
                    HasSubstr("Use " + processorPrecisionNames() + " (--precision), or"));
    }
}

TEST(WithoutGpu, doctorNamesTheRemedyAndSucceeds) {
    for (const StartOptions& options : {withoutPlugin(), withPlugin("fake_plugin_no_driver")}) {
        const ProcessResult result = runThreefold({"doctor", "--json"}, options);
        EXPECT_EQ(result.exitCode, 0);
        bool seen = false;
        const json document = json::parse(result.output);
        for (const json& check : document.at("checks")) {
            if (check.at("subject") != "GPU") continue;
            seen = true;
            EXPECT_EQ(check.at("status"), "warning");
            EXPECT_FALSE(check.at("remedy").get<std::string>().empty());
        }
        EXPECT_TRUE(seen);
    }
}

TEST(Calibrate, isRefused_whenThePrecisionIsNotInt8) {
    const ProcessResult result = runThreefold({"bench", "ops", "--calibrate", "x"}, withGpu());
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.errors, HasSubstr("is used by int8 alone"));
}

TEST(WithGpu, reconstructUsesTheGpu_whenTheBackendIsAutomatic) {
    const TempFolder folder;
    const ProcessResult result = runThreefold(
        reconstructingAsJson(folder, {"--precision", "int8", "--kernels", "library", "--calibrate",
                                      bundledSample("03001627").string() + "," +
                                          bundledSample("04379243").string()}),
        withGpu());
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("backend"), "CUDA · Stand-in · int8 · library · calibrated on 2");
    EXPECT_EQ(document.at("precision"), "int8");
    EXPECT_EQ(document.at("samples").at(0).at("network_ms"), 0.5);
}

TEST(WithGpu, theProcessorIsUsed_whenTheGpuIsBroken) {
    const TempFolder folder;
    const ProcessResult automatic =
        runThreefold(reconstructingAsJson(folder, {"--device", "1", "-v"}), withGpu());
    EXPECT_EQ(automatic.exitCode, 0) << automatic.errors;
    EXPECT_THAT(automatic.errors, HasSubstr("no GPU is used: GPU 1: stands in for a broken one"));
    const ProcessResult asked = runThreefold(
        reconstructingAsJson(folder, {"--device", "1", "--backend", "cuda"}), withGpu());
    EXPECT_EQ(asked.exitCode, 1);
    EXPECT_EQ(lineCount(asked.errors), 1U) << asked.errors;
    const ProcessResult none = runThreefold(
        reconstructingAsJson(folder, {"--device", "7", "--backend", "cuda"}), withGpu());
    EXPECT_EQ(none.exitCode, 1);
    EXPECT_THAT(none.errors, HasSubstr("--device: 7: there are 3 GPUs"));
}

TEST(WithGpu, severalGpusShareTheSamples) {
    const TempFolder folder;
    const std::filesystem::path samples = std::filesystem::path(THREEFOLD_RESOURCES) / "samples";
    const std::string list = (samples / "list.txt").string();
    const auto evaluate = [&](const std::string& device, const std::string& output) {
        return runThreefold(
            {"eval", list, "-o", (folder / output).string(), "--backend", "cuda", "--precision",
             "float32", "--batch", "1", "--warmup", "0", "--json", "--device", device},
            withGpu());
    };
    const ProcessResult one = evaluate("0", "one");
    ASSERT_EQ(one.exitCode, 0) << one.errors;
    const ProcessResult both = evaluate("0,2", "both");
    ASSERT_EQ(both.exitCode, 0) << both.errors;
    EXPECT_THAT(both.output, HasSubstr("2 × Stand-in"));
    for (const char* mesh : {"02691156_p0001_00", "03001627_p0001_00"}) {
        const std::string name = std::string(mesh) + "_predict.xyz";
        EXPECT_EQ(readXyz(folder / "one" / name), readXyz(folder / "both" / name)) << name;
    }
    // `all` means all usable GPUs: GPU 1 is left out.
    const ProcessResult all =
        runThreefold(reconstructingAsJson(folder, {"--device", "all"}), withGpu());
    ASSERT_EQ(all.exitCode, 0) << all.errors;
    EXPECT_EQ(json::parse(all.output).at("backend"), "2 × CUDA · Stand-in · float16 · fused");
    EXPECT_THAT(all.errors, HasSubstr("without GPU 1: GPU 1: stands in for a broken one"));
    EXPECT_EQ(lineCount(all.errors), 1U) << all.errors;
}

TEST(WithGpu, evalNamesTheDeviceOfItsMeasures_andRefusesAMissingGpu) {
    const TempFolder folder;
    const std::filesystem::path samples = std::filesystem::path(THREEFOLD_RESOURCES) / "samples";
    const auto evaluate = [&](const std::vector<std::string>& options, const std::string& output) {
        std::vector<std::string> words = {"eval",     (samples / "list.txt").string(),
                                          "-o",       (folder / output).string(),
                                          "--warmup", "0",
                                          "--json"};
        words.insert(words.end(), options.begin(), options.end());
        return runThreefold(words, withGpu());
    };
    const auto runOf = [](const ProcessResult& result) {
        return json::parse(result.output).at("run");
    };
    EXPECT_EQ(runOf(evaluate({}, "auto")).at("measured_on"), "gpu");
    EXPECT_FALSE(runOf(evaluate({"--measure-on", "cpu"}, "cpu")).contains("measured_on"));
    EXPECT_FALSE(runOf(evaluate({"--backend", "cpu"}, "both")).contains("measured_on"));
    const ProcessResult none = evaluate({"--backend", "cpu", "--measure-on", "gpu"}, "none");
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_THAT(none.errors, HasSubstr("--measure-on: gpu: the network runs on the processor"));
    EXPECT_THAT(none.errors, HasSubstr("Use --measure-on auto"));
    // A resumed run keeps the device with which it began: here the processor.
    const ProcessResult resumed = evaluate({"--measure-on", "gpu", "--resume"}, "cpu");
    EXPECT_THAT(resumed.errors, HasSubstr("a resumed run keeps measuring on the processor"));
}

TEST(WithGpu, olderScriptsFlagsChooseTheirSettings_andPrintThem) {
    const TempFolder folder;
    const SmallDataSet data(folder / "data", 1);
    writeText(folder / "cpu.toml",
              "[network]\nprecision = \"bfloat16\"\n[evaluation]\nmeasure_on = \"cpu\"\n");
    writeText(folder / "gpu.toml", "[evaluation]\nmeasure_on = \"gpu\"\n");
    const auto evaluate = [&](const std::string& backend, const std::string& file,
                              const std::vector<std::string>& flags) {
        std::vector<std::string> words = {"eval",      data.list().string(),
                                          "-o",        (folder / "out").string(),
                                          "--backend", backend,
                                          "--config",  (folder / file).string(),
                                          "--warmup",  "0",
                                          "--json",    "--overwrite"};
        words.insert(words.end(), flags.begin(), flags.end());
        return runThreefold(words, withGpu());
    };
    const auto runOf = [](const ProcessResult& result) {
        return json::parse(result.output).at("run");
    };
    const std::vector<std::string> flags = {"--amp", "--compile", "--compile-mode", "max-autotune",
                                            "--force-chamfer-cuda"};
    const ProcessResult gpu = evaluate("cuda", "cpu.toml", flags);
    ASSERT_EQ(gpu.exitCode, 0) << gpu.errors;
    EXPECT_EQ(runOf(gpu).at("measured_on"), "gpu");
    EXPECT_EQ(runOf(gpu).at("precision"), "float16");
    for (const char* line :
         {"--amp: computes in float16", "--compile: nothing is left to compile: fused kernels",
          "--compile-mode max-autotune: nothing is left to compile: fused kernels",
          "--force-chamfer-cuda: the GPU measures the meshes"})
        EXPECT_THAT(gpu.errors, HasSubstr(std::string("threefold: ") + line));
    EXPECT_EQ(linesWith(gpu.errors, "threefold: --"), 4U) << gpu.errors;

    const ProcessResult cpu = evaluate("cpu", "gpu.toml", {"--no-amp", "--force-chamfer-cuda"});
    ASSERT_EQ(cpu.exitCode, 0) << cpu.errors;
    EXPECT_FALSE(runOf(cpu).contains("measured_on"));
    EXPECT_EQ(runOf(cpu).at("precision"), "float32");
    EXPECT_THAT(cpu.errors, HasSubstr("--no-amp: computes in float32"));
    EXPECT_THAT(cpu.errors, HasSubstr("--force-chamfer-cuda: the network runs on the processor"));
    EXPECT_EQ(linesWith(cpu.errors, "threefold: --"), 2U) << cpu.errors;

    EXPECT_EQ(evaluate("cpu", "gpu.toml", {"--force-chamfer-cuda", "--measure-on", "cpu"}).exitCode,
              2);
}

TEST(WithGpu, evalShowsTheGpusUtilisation_andWarnsOfAnIdleGpu) {
    const TempFolder folder;
    const SmallDataSet data(folder / "data", 8);
    const auto evaluate = [&](const std::string& device, const std::string& library) {
        return runThreefold(
            {"eval", data.list().string(), "-o", (folder / device).string(), "--backend", "cuda",
             "--device", device, "--warmup", "1", "--overwrite", "-v", "--nvml", library},
            withGpu());
    };
    const std::string nvml = std::string(THREEFOLD_FAKE_NVML) + "/libfake_nvml.so";
    const ProcessResult idle = evaluate("0", nvml);
    ASSERT_EQ(idle.exitCode, 0) << idle.errors;
    EXPECT_THAT(idle.errors, testing::ContainsRegex(
                                 "samples/s.*  GPU [23]0 %, 12.3 of 80.0 GB, 1980 MHz, 412 W\n"));
    EXPECT_THAT(idle.errors, testing::ContainsRegex(
                                 "threefold: the GPU was busy for 2[0-9] % of the time; slowest"));
    const auto report = [&](const std::string& device) {
        return json::parse(fileText(folder / device / "report.json")).at("run");
    };
    EXPECT_EQ(report("0").at("gpu_utilisation").at("lowest"), 20);
    EXPECT_EQ(report("0").at("gpu_memory").at("peak_bytes"), 300'000'000);
    const std::string times = fileText(folder / "0" / "combined_timings.txt");
    EXPECT_THAT(times, testing::ContainsRegex("GPU        busy for 2[0-9] % of the time "
                                              "\\(mean of [0-9]+ readings, lowest 20 %\\)"));
    EXPECT_THAT(times, HasSubstr("GPU memory 0.30 GB at most, 0.20 GB of it"));
    EXPECT_THAT(times, HasSubstr("GPU pools  1200 blocks reused, 3 given back, 2 allocated after"));
    EXPECT_EQ(report("0").at("gpu_memory").at("pool_hits"), 1200);
    EXPECT_EQ(report("0").at("gpu_memory").at("pool_frees"), 3);
    EXPECT_EQ(report("0").at("gpu_memory").at("pool_late_allocations"), 2);
    const ProcessResult busy = evaluate("2", nvml);
    EXPECT_THAT(busy.errors,
                testing::ContainsRegex("utilisation 6[0-9] % in the mean, lowest reading 60 %"));
    EXPECT_THAT(busy.errors, testing::Not(HasSubstr("threefold: the GPU was busy")));
    // Without NVML the output has no GPU figures.
    const ProcessResult none = evaluate("2", "/no/such/library.so");
    EXPECT_THAT(none.errors,
                testing::Not(testing::ContainsRegex("GPU [0-9]|utilisation|busy for")));
    EXPECT_FALSE(report("2").contains("gpu_utilisation"));
}

TEST(WithGpu, evalTimesTheStagesOfSomeBatches_andPreprocessingOfAll) {
    const TempFolder folder;
    const SmallDataSet data(folder / "data", 3);
    const auto evaluate = [&](const std::string& stages) {
        const ProcessResult result = runThreefold(
            {"eval", data.list().string(), "-o", (folder / stages).string(), "--backend", "cuda",
             "--batch", "1", "--warmup", "1", "--json", "--step-times", stages},
            withGpu());
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        std::vector<std::size_t> timed;
        std::size_t preprocessed = 0;
        const json report = json::parse(result.output);
        for (const json& sample : report.at("samples")) {
            const json& times = sample.at("times");
            timed.push_back(times.at("stages").size());
            preprocessed += times.at("preprocess") > 0 ? 1 : 0;
        }
        std::sort(timed.begin(), timed.end());
        return std::pair(timed, preprocessed);
    };
    using Counts = std::vector<std::size_t>;
    EXPECT_EQ(evaluate("sampled"), std::pair(Counts({1, 1, 10}), std::size_t{3}));
    const std::string times = fileText(folder / "sampled" / "combined_timings.txt");
    EXPECT_THAT(times, HasSubstr("stages of the network, ms"));
    EXPECT_THAT(times, HasSubstr("First hypothesis block"));
    EXPECT_EQ(evaluate("all"), std::pair(Counts({10, 10, 10}), std::size_t{3}));
    EXPECT_EQ(evaluate("off"), std::pair(Counts({0, 0, 0}), std::size_t{0}));
    EXPECT_THAT(fileText(folder / "off" / "combined_timings.txt"),
                testing::Not(HasSubstr("stages of the network")));
}

TEST(WithGpu, severalGpusAreRefused_whenTheCommandUsesOneGpu) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"doctor", "--gpu"}, {"bench", "kernels"}}) {
        std::vector<std::string> words = command;
        words.insert(words.end(), {"--device", "0,2"});
        const ProcessResult result = runThreefold(words, withGpu());
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("names several GPUs"));
    }
}

TEST(WithGpu, doctorListsTheGpu_whenAskedForTheMachine) {
    const ProcessResult result = runThreefold({"doctor"}, withGpu());
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output,
                testing::ContainsRegex("ok +CUDA plug-in .*libfake_plugin.so.* code for 9.0"));
    EXPECT_THAT(result.output, testing::ContainsRegex("ok +NVIDIA driver +000.00"));
    EXPECT_THAT(result.output,
                testing::ContainsRegex("ok +GPU 1 +Stand-in, compute capability 9.0"));
}

TEST(WithGpu, doctorPrintsEveryOperation_whenAskedForTheGpu) {
    const ProcessResult table = runThreefold({"doctor", "--gpu", "--precision", "bf16"}, withGpu());
    EXPECT_EQ(table.exitCode, 0) << table.errors;
    EXPECT_THAT(table.output, HasSubstr("ok  pooling, bfloat16"));
    EXPECT_THAT(table.output, HasSubstr("50 %"));
    const ProcessResult result = runThreefold({"doctor", "--gpu", "--json"}, withGpu());
    EXPECT_EQ(result.exitCode, 0);
    const json document = json::parse(result.output);
    EXPECT_EQ(document.at("precision"), "float16");
    const json& check = document.at("checks").at(1);
    EXPECT_EQ(check.at("op"), "convolutions, float16");
    for (const char* key : {"error", "allowed", "ms", "utilisation"}) {
        EXPECT_TRUE(check.at(key).is_number()) << key;
    }
    EXPECT_EQ(check.at("ok"), true);
}

TEST(WithGpu, doctorFails_whenAnOperationIsWrong) {
    const ProcessResult result = runThreefold({"doctor", "--gpu", "--device", "1"}, withGpu());
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("wrong  convolutions, float16"));
    EXPECT_THAT(result.errors, IsEmpty());
}

TEST(Eval, reportsWhetherTargetsAreMet) {
    const TempFolder folder;
    const SmallDataSet data(folder / "data", 1);
    const auto evaluate = [&](const std::vector<std::string>& options) {
        std::vector<std::string> words = {"eval",       data.list().string(),
                                          "-o",         (folder / "out").string(),
                                          "--warmup",   "0",
                                          "--backend",  "cpu",
                                          "--overwrite"};
        words.insert(words.end(), options.begin(), options.end());
        return runThreefold(words);
    };
    // Every machine is faster than an hour per sample and slower than a million samples per second.
    const ProcessResult table = evaluate({"--target-ms", "3600000", "--target-rate", "1e6"});
    EXPECT_EQ(table.exitCode, 0) << table.errors;
    EXPECT_THAT(table.output, HasSubstr("\ntarget 3600000 ms a sample: met with "));
    EXPECT_THAT(table.output, HasSubstr("\ntarget 1000000 samples/s: missed with "));
    EXPECT_THAT(evaluate({}).output, testing::Not(HasSubstr("target")));
    const ProcessResult document = evaluate({"--target-rate", "1e6", "--json"});
    EXPECT_TRUE(json::accept(document.output));
    EXPECT_THAT(document.errors, HasSubstr("threefold: target 1000000 samples/s: missed with "));
}

TEST(WithGpu, theBackEndGetsItsSettings_fromTheCommandLineAndTheFile) {
    const TempFolder folder;
    writeText(folder / "threefold.toml",
              "[network]\nstreams = 2\ngraph_cache = 7\nplans = \"kept\"\n");
    const std::vector<std::string> words = {
        "bench", "ops",    "--backend", "cuda",     "--first", "64", "--second",
        "64",    "--runs", "1",         "--warmup", "0",       "-v"};
    EXPECT_THAT(runThreefold(words, withGpu()).errors,
                HasSubstr("stand-in · 3 streams, graphs, pinned, 0 and 2048 MiB, plans in \n"));
    std::vector<std::string> configured = words;
    configured.insert(configured.end(),
                      {"--config", (folder / "threefold.toml").string(), "--graphs", "off",
                       "--pinned", "off", "--gpu-memory", "300"});
    EXPECT_THAT(runThreefold(configured, withGpu()).errors,
                HasSubstr("stand-in · 2 streams, launches, pageable, 300 and 7 MiB, plans in " +
                          (folder / "kept").string()));
    std::vector<std::string> wrong = words;
    wrong.insert(wrong.end(), {"--streams", "4"});
    EXPECT_EQ(runThreefold(wrong, withGpu()).exitCode, 2);
}

TEST(WithGpu, renderNamesTheRasteriser_andUsesTheGpuForLargeImages) {
    const TempFolder folder;
    // 4096² multisamples times the ball's 25280 triangles exceed kMinTrianglePixelsForGpu; 4096²
    // times the box's 12 triangles do not.
    for (const auto& [name, mesh] : {std::pair{"fine.obj", ball(80)}, {"box.obj", box({1, 2, 3})}})
        writeText(folder / "in" / name, encodeMesh(MeshFormat::obj, mesh));
    const auto render = [&](const std::string& device) {
        return runThreefold(
            {"render", (folder / "in").string(), "-o", (folder / "out").string(), "--size", "1024",
             "--views", "2", "--points", "10", "--device", device, "--overwrite", "-v"},
            withGpu());
    };
    const ProcessResult drawn = render("0");
    ASSERT_EQ(drawn.exitCode, 0) << drawn.errors;
    EXPECT_THAT(drawn.errors, HasSubstr("in_fine: rasteriser: cuda\n"));
    EXPECT_THAT(drawn.errors, HasSubstr("in_box: rasteriser: vectorised, "));
    const ProcessResult broken = render("1");
    ASSERT_EQ(broken.exitCode, 0) << broken.errors;
    EXPECT_THAT(broken.errors,
                HasSubstr("rasteriser: uses the processor instead of the GPU: GPU 1"));
    EXPECT_THAT(broken.errors, HasSubstr("in_fine: rasteriser: vectorised, "));
}

}  // namespace
}  // namespace threefold::test
