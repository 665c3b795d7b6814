#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench/raster.h"
#include "app/commands/bench.h"
#include "app/commands/commands.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "engine/compute/processor.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kExamples =
    R"(Draws a ball of so many triangles, both sides of it, with every tier of the rasteriser: face index
and barycentrics of each pixel. "ms" is one image, corners to pixels, the median. Rates are the
vectorised tier's (the first one's): triangles given and pixels covered, a second. "× basic" is the
ratio of medians.

Examples:
  threefold bench raster
  threefold bench raster --instructions avx512,avx2,portable
  threefold bench raster --triangles 10000,1000000 --size 1024 --runs 50 --json)";

constexpr int kMostRuns = 100000;
constexpr std::size_t kMostTriangles = 100'000'000;
constexpr double kMillisecondsInSecond = 1000;
constexpr double kMillion = 1e6;

struct RasterRequest {
    RasterBenchOptions options{{1'000, 5'000, 10'000, 20'000, 100'000, 1'000'000}};
    bool json = false;
};

double perSecond(std::size_t count, double milliseconds) {
    return static_cast<double>(count) * kMillisecondsInSecond / milliseconds;
}

/// What `vectorised` computes with.
std::string_view instructionsOf(const RasterBenchCell& cell) {
    return rasterInstructionsName(cell.instructions == RasterInstructions::automatic
                                      ? availableRasterInstructions().front()
                                      : cell.instructions);
}

std::string cellName(const RasterBenchCell& cell) {
    const std::string_view tier = rasterTierName(cell.tier);
    if (cell.tier != RasterTier::vectorised) return std::string(tier);
    return fmt::format("{} ({})", tier, instructionsOf(cell));
}

std::string rasterText(const RasterBenchOptions& options, const std::vector<RasterBenchRow>& rows) {
    using Align = Table::Align;
    std::vector<std::string> header = {"triangles"};
    for (const RasterBenchCell& cell : rows.front().cells) {
        header.push_back(fmt::format("{} ms", cellName(cell)));
    }
    header.insert(header.end(), {"× basic", "Mtriangles/s", "Mpixels/s"});
    Table table(std::vector<Align>(header.size(), Align::right));
    table.add(header);
    for (const RasterBenchRow& row : rows) {
        std::vector<std::string> cells = {std::to_string(row.triangles)};
        for (const RasterBenchCell& cell : row.cells) {
            cells.push_back(fmt::format("{:.2f}", cell.medianMs));
        }
        const double fastest = row.cell(RasterTier::vectorised).medianMs;
        cells.push_back(fmt::format("{:.1f}", row.cell(RasterTier::basic).medianMs / fastest));
        cells.push_back(fmt::format("{:.2f}", perSecond(row.triangles, fastest) / kMillion));
        cells.push_back(fmt::format("{:.1f}", perSecond(row.pixels, fastest) / kMillion));
        table.add(std::move(cells));
    }
    return fmt::format("{}\n{} × {} pixels, median of {} runs after {} to warm up\n\n{}",
                       processorName(), options.size, options.size, options.runs, options.warmup,
                       table.text());
}

nlohmann::ordered_json rasterJson(const RasterBenchOptions& options,
                                  const std::vector<RasterBenchRow>& rows) {
    nlohmann::ordered_json json;
    json["processor"] = processorName();
    json["instructions"] = rasterInstructionsName(availableRasterInstructions().front());
    json["size"] = options.size;
    json["runs"] = options.runs;
    json["warmup"] = options.warmup;
    json["threads"] = options.threads;
    json["meshes"] = nlohmann::ordered_json::array();
    for (const RasterBenchRow& row : rows) {
        nlohmann::ordered_json mesh = {{"triangles", row.triangles}, {"pixels", row.pixels}};
        for (const RasterBenchCell& cell : row.cells) {
            nlohmann::ordered_json tier = {
                {"tier", rasterTierName(cell.tier)},
                {"medianMs", cell.medianMs},
                {"leastMs", cell.leastMs},
                {"trianglesPerSecond", perSecond(row.triangles, cell.medianMs)},
                {"pixelsPerSecond", perSecond(row.pixels, cell.medianMs)}};
            if (cell.tier == RasterTier::vectorised) tier["instructions"] = instructionsOf(cell);
            mesh["tiers"].push_back(std::move(tier));
        }
        mesh["vectorisedToBasic"] =
            row.cell(RasterTier::basic).medianMs / row.cell(RasterTier::vectorised).medianMs;
        json["meshes"].push_back(std::move(mesh));
    }
    return json;
}

ExitCode runRaster(const RasterRequest& request) {
    const Interrupt interrupt;
    const std::vector<RasterBenchRow> rows = measureRaster(request.options, interrupt.token());
    if (request.json) {
        printJson(rasterJson(request.options, rows));
    } else {
        printText(rasterText(request.options, rows));
    }
    return ExitCode::done;
}

}  // namespace

void addBenchRaster(CLI::App& bench, CommandLine& line) {
    auto request = std::make_shared<RasterRequest>();
    RasterBenchOptions& options = request->options;
    CLI::App& command = *bench.add_subcommand("raster", "The rasteriser's tiers side by side");
    command.footer(kExamples);
    command
        .add_option("--triangles", options.triangles,
                    "Sizes of meshes, 1000,5000,10000,20000,100000,1000000 if not given")
        ->delimiter(',')
        ->check(CLI::Range(std::size_t{12}, kMostTriangles))
        ->option_text("N,N,...");
    command.add_option("--size", options.size, "Width and height, 1024 pixels if not given")
        ->check(CLI::Range(std::uint32_t{1}, kLargestRaster))
        ->option_text("N");
    command.add_option("--runs", options.runs, "Counted runs, 20 if not given")
        ->check(CLI::Range(1, kMostRuns))
        ->option_text("N");
    command.add_option("--warmup", options.warmup, "Runs before those, 2 if not given")
        ->check(CLI::Range(0, kMostRuns))
        ->option_text("N");
    command.add_option("--threads", options.threads, "0, the default: all that may be used")
        ->check(CLI::Range(0, 1024))
        ->option_text("N");
    const std::map<std::string, RasterInstructions> instructions = {
        {"automatic", RasterInstructions::automatic},
        {"avx512", RasterInstructions::avx512},
        {"avx2", RasterInstructions::avx2},
        {"portable", RasterInstructions::portable}};
    command
        .add_option("--instructions", options.instructions,
                    "What the vectorised tier computes with: avx512, avx2, portable; the widest "
                    "that this processor has if not given")
        ->delimiter(',')
        ->transform(CLI::CheckedTransformer(instructions).description(""))
        ->option_text("NAME,NAME,...");
    command.add_flag("--cuda", options.cuda,
                     "The GPU's tier, too, with its start and transfers in each image");
    command.add_option("--device", options.device, "The GPU for it, 0 if not given")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addVerbose(command, line);
    command.callback([&line, request] { line.action = [request] { return runRaster(*request); }; });
}

}  // namespace threefold
