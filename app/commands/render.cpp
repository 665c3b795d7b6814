#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/console/process.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "app/options/output_folder.h"
#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/json_text.h"
#include "engine/network/cuda_plugin.h"
#include "engine/profile/stopwatch.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/render_sample.h"
#include "engine/sample_rendering/sample_folder.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Outcome = RenderResult::Outcome;

constexpr const char* kRenderExamples =
    R"(Writes DIR/{category}/{sample}/rendering/ (images with 4×4 supersampled alpha,
rendering_metadata.txt) and DIR/gt/{category}_{sample}_00.dat and .ply: the ground truth, points and
normals spread evenly by area, in the camera space of view 00. Meshes are centred and scaled to
ShapeNet's world: a box diagonal of 0.57. A folder of meshes becomes a data set with list.txt,
train.txt and test.txt; samples that are finished are skipped, so an ended run can be started again.

VALUES are one number (30), a list (0,90,180), first:last:step (0:345:15), or a range of random
values (25..30).

Examples:
  threefold render chair.obj -o samples
  threefold render meshes/ -o data --category 03001627 --test-fraction 0.1
  threefold render part.stl --up z --azimuth 0:345:15 --elevation 30 --distance 0.8 -o samples)";

struct RenderRequest {
    std::vector<std::string> meshes;  ///< files and folders
    std::filesystem::path output;
    std::string category;  ///< empty: by the folder's name
    std::string azimuth;   ///< as parseViewValues() reads it; empty: as ShapeNetRendering
    std::string elevation;
    std::string distance;
    RenderOptions settings;
    std::string device = "0";  ///< as ModelOptions has it
    double testFraction = 0.2;
    int threads = 0;
    bool dryRun = false;
    bool json = false;
};

constexpr std::uintmax_t kMaxFileBytes = 1 << 20;

/// Keys are the names of their options.
Json settingsJson(const RenderRequest& request) {
    const RenderOptions& settings = request.settings;
    return {{"--views", settings.views.count},     {"--azimuth", request.azimuth},
            {"--elevation", request.elevation},    {"--distance", request.distance},
            {"--seed", settings.views.seed},       {"--size", settings.side},
            {"--points", settings.points},         {"--up", settings.conversion.zUp ? "z" : "y"},
            {"--as-is", settings.conversion.asIs}, {"--allow-outside", settings.texturesAnywhere}};
}

constexpr const char* kSettingsName = "render.json";

/// Whether the data set has a `render.json`, which records the options of its samples so that a
/// resumed run uses the same. False where samples are overwritten.
bool hasSettings(const std::filesystem::path& root, const RenderRequest& request) {
    return !request.settings.overwrite && pathExists(root / kSettingsName);
}

/// Throws UsageError if the options differ from those of the data set's `render.json`, if it has
/// one and samples are not overwritten; FormatError if the file is malformed.
void requireSameSettings(const std::filesystem::path& root, const RenderRequest& request) {
    if (!hasSettings(root, request)) return;
    const std::filesystem::path file = root / kSettingsName;
    const std::vector<std::byte> bytes = readFile(file, kMaxFileBytes);
    const Json before = Json::parse(asText(bytes), nullptr, false);
    if (!before.is_object())
        throw FormatError({file.string(), "", "is not what `threefold render` writes there",
                           "Choose another -o, or remove the file."});
    const Json now = settingsJson(request);
    for (const auto& [name, value] : now.items()) {
        // Older versions had no --allow-outside.
        const Json old = before.value(name, Json(false));
        if (old != value)
            throw UsageError({root.string(), "",
                              fmt::format("{} was {} in this data set and is {} now", name,
                                          old.dump(), value.dump()),
                              "Use the same options, another -o, or --overwrite."});
    }
}

std::string resultName(const RenderResult& result) {
    return result.mesh.category + '_' + result.mesh.id;
}

Json sampleJson(const RenderResult& result, bool dryRun) {
    Json json = {{"mesh", result.mesh.file.string()},
                 {"category", result.mesh.category},
                 {"item", result.mesh.id},  // the key's published name
                 {"ok", result.outcome != Outcome::failed}};
    if (result.outcome == Outcome::failed) json["error"] = result.error;
    if (result.outcome == Outcome::skipped) json["skipped"] = true;
    if (result.outcome != Outcome::made) return json;
    json["folder"] = result.sample.folder.string();
    json["truth"] = result.sample.truth.string();
    if (dryRun) return json;
    json["views"] = result.sample.views;
    json["viewsCutOff"] = result.sample.cutOffViews;
    json["viewsEmpty"] = result.sample.emptyViews;
    json["faces"] = result.sample.faces;
    json["facesWithoutArea"] = result.sample.withoutArea;
    json["missing"] = result.sample.missing;
    json["milliseconds"] = result.milliseconds;
    return json;
}

/// "vectorised, avx512"
std::string tierText(RasterTier tier) {
    std::string text(rasterTierName(tier));
    if (tier != RasterTier::vectorised) return text;
    return text + ", " + std::string(availableRasterInstructions().front());
}

/// The counts of left out faces and of bad views, in parentheses.
std::string remarks(const RenderedSample& sample) {
    std::string text;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
    };
    add(sample.withoutArea, "face without area left out", "faces without area left out");
    add(sample.cutOffViews, "view cuts it off", "views cut it off");
    add(sample.emptyViews, "view is empty", "views are empty");
    return text.empty() ? text : "  (" + text + ')';
}

/// How many samples were made, skipped and failed.
struct RenderCounts {
    explicit RenderCounts(const std::vector<RenderResult>& results) {
        for (const RenderResult& result : results)
            ++(result.outcome == Outcome::made      ? made
               : result.outcome == Outcome::skipped ? skipped
                                                    : failed);
    }

    std::size_t made = 0;
    std::size_t skipped = 0;
    std::size_t failed = 0;
};

/// A dry run's line for one sample: "chairs/a.obj → data/chairs/a".
std::string planLine(const RenderResult& result) {
    return fmt::format("{} → {}\n", result.mesh.file.string(),
                       result.outcome == Outcome::made ? result.sample.folder.string()
                                                       : resultName(result) + " is there already");
}

/// Summary of the run, or of a dry run. `lists`: where list files were written.
std::string renderSummary(const RenderRequest& request, const std::vector<RenderResult>& results,
                          const std::optional<ListCounts>& lists, double milliseconds) {
    const RenderCounts counts(results);
    const std::string skipped =
        fmt::format("{} skipped{}", counts.skipped,
                    counts.skipped > 0 ? " (there already; --overwrite makes them again)" : "");
    if (request.dryRun)
        return fmt::format(
            "dry run, nothing is written: {} to make, {}, {} blocked by other files\n", counts.made,
            skipped, counts.failed);
    std::string text;
    if (results.size() > 1)
        text = fmt::format("{} made, {}, {} failed in {:.1f} s ({:.1f} samples/s)\n", counts.made,
                           skipped, counts.failed, milliseconds / kMillisecondsInSecond,
                           perSecond(counts.made, milliseconds));
    if (lists)
        text += fmt::format("{}: {} samples, {} to train and {} to test with\n",
                            (request.output / "list.txt").string(), lists->all, lists->train,
                            lists->test);
    return text;
}

Json renderJson(const RenderRequest& request, const std::vector<RenderResult>& results,
                const std::optional<ListCounts>& lists, double milliseconds, bool cancelled) {
    const RenderCounts counts(results);
    Json json = {{"output", request.output.string()},
                 {"size", request.settings.side},
                 {"supersampling", kSupersampling},
                 {"points", request.settings.points},
                 {"seed", request.settings.views.seed},
                 {"dryRun", request.dryRun},
                 {"made", counts.made},
                 {"skipped", counts.skipped},
                 {"failed", counts.failed},
                 {"cancelled", cancelled},
                 {"milliseconds", milliseconds},
                 {"samplesPerSecond", perSecond(counts.made, milliseconds)},
                 {"peakMemoryMb", peakMemoryMegabytes()}};
    if (lists)
        json["lists"] = {{"all", lists->all}, {"train", lists->train}, {"test", lists->test}};
    json["samples"] = jsonList(
        results, [&](const RenderResult& result) { return sampleJson(result, request.dryRun); });
    return json;
}

/// Removes duplicates: files named twice, or also contained in a named folder.
void removeSame(std::vector<SourceMesh>& meshes) {
    std::set<std::tuple<std::filesystem::path, std::string, std::string>> seen;
    const auto isKnown = [&](const SourceMesh& mesh) {
        std::error_code error;
        const auto file = std::filesystem::canonical(mesh.file, error);
        return !error && !seen.emplace(file, mesh.category, mesh.id).second;
    };
    std::erase_if(meshes, isKnown);
}

/// Meshes in named folders and individually named meshes.
std::vector<SourceMesh> namedMeshes(const RenderRequest& request, bool& anyFolder) {
    std::vector<SourceMesh> meshes;
    for (const std::string& given : request.meshes) {
        if (!isFolder(given)) {
            meshes.push_back(nameMesh(given, request.category));
            continue;
        }
        anyFolder = true;
        std::error_code failure;
        if (std::filesystem::equivalent(given, request.output, failure))
            throw UsageError({"-o", request.output.string(), "is the folder of the meshes",
                              "Choose another folder."});
        const std::vector<SourceMesh> found = findMeshes(given, request.category, request.output);
        meshes.insert(meshes.end(), found.begin(), found.end());
    }
    removeSame(meshes);
    return meshes;
}

void resolveViews(RenderRequest& request) {
    ViewPlan& views = request.settings.views;
    if (!request.azimuth.empty()) views.azimuth = parseViewValues(request.azimuth, "--azimuth");
    if (!request.elevation.empty())
        views.elevation = parseViewValues(request.elevation, "--elevation");
    if (!request.distance.empty()) views.distance = parseViewValues(request.distance, "--distance");
    checkOptions(request.settings);
}

/// Reports each result as it comes.
class Reporter {
  public:
    Reporter(const RenderRequest& request, std::size_t all) : request_(request), all_(all) {}

    void report(const RenderResult& result) {
        ++number_;
        if (result.outcome == Outcome::failed) return spdlog::error("{}", result.error);
        if (result.outcome == Outcome::made) ++made_;
        for (const RasterTier tier : result.sample.tiers)
            spdlog::debug("{}: rasteriser: {}", resultName(result), tierText(tier));
        for (const std::string& line : result.sample.missing)
            spdlog::warn("{}: {}", result.mesh.file.string(), line);
        const std::string line = request_.dryRun ? planLine(result) : renderLine(result);
        if (!request_.json)
            printText(line);
        else if (terminal_)
            std::fputs(printable(line, "\n").c_str(), stderr);
    }

    double milliseconds() const { return watch_.milliseconds(); }

  private:
    /// "[3/40] 02691156_p0001 24 views 5120 faces 10000 points 212 ms 0:41 left", or the reason of
    /// a failure. Empty for a skipped sample among others: the summary counts them.
    std::string renderLine(const RenderResult& result) const {
        const std::string name = resultName(result);
        if (result.outcome == Outcome::skipped)
            return all_ > 1 ? ""
                            : name + "  is there already: skipped (--overwrite makes it again)\n";
        std::string line =
            fmt::format("{}  {} views  {} faces  {} points  {:.0f} ms", name, result.sample.views,
                        result.sample.faces, request_.settings.points, result.milliseconds);
        if (number_ < all_ && made_ > 0)
            line +=
                remainingTimeText(watch_.milliseconds() / kMillisecondsInSecond *
                                  static_cast<double>(all_ - number_) / static_cast<double>(made_));
        line += remarks(result.sample) + '\n';
        if (all_ == 1) return line;
        return fmt::format("[{:{}}/{}] {}", number_, std::to_string(all_).size(), all_, line);
    }

    const RenderRequest& request_;
    const std::size_t all_;
    const bool terminal_ = ::isatty(STDERR_FILENO) == 1;  // progress goes to a terminal only

    std::size_t number_ = 0;  ///< index of this result, from 1
    std::size_t made_ = 0;    ///< counts so far, including this result
    const Stopwatch watch_;
};

/// Prints the summary or the document and returns the exit code.
ExitCode conclude(const RenderRequest& request, const std::vector<RenderResult>& results,
                  const std::optional<ListCounts>& lists, double milliseconds, bool cancelled) {
    request.json ? printJson(renderJson(request, results, lists, milliseconds, cancelled))
                 : printText(renderSummary(request, results, lists, milliseconds));
    const auto isThere = [](const RenderResult& result) {
        return result.outcome != Outcome::failed;
    };
    return cancelled ? ExitCode::failed : exitCodeOf(results, isThere);
}

ExitCode plan(const RenderRequest& request, std::span<const SourceMesh> meshes) {
    requireSameSettings(request.output, request);
    const auto results = planSamples(meshes, request.output, request.settings);
    Reporter reporter(request, meshes.size());
    for (const RenderResult& result : results) reporter.report(result);
    return conclude(request, results, {}, reporter.milliseconds(), false);
}

/// Throws UsageError if a folder without a data set of Threefold's holds a file that would be
/// replaced by the lists of one.
void requireNoLists(const std::filesystem::path& folder) {
    for (const char* name : {"list.txt", "train.txt", "test.txt"})
        if (pathExists(folder / name))
            throw UsageError({"-o", (folder / name).string(),
                              "already exists and belongs to no data set of Threefold",
                              "Choose another folder, or remove the file."});
}

ExitCode render(RenderRequest request) {
    resolveViews(request);
    bool anyFolder = false;
    const std::vector<SourceMesh> meshes = namedMeshes(request, anyFolder);
    if (request.dryRun) return plan(request, meshes);
    const Interrupt interrupt;
    const OutputFolder folder(request.output);
    // Views are drawn one after another: a second GPU would not help.
    request.settings.raster.deviceRaster =
        cudaRaster(deviceNumbers(request.device).value_or(std::vector{0}).front());
    request.settings.raster.fallback = std::make_shared<RasterFallback>();
    request.settings.raster.fallback->log = logLine;
    requireSameSettings(folder.path(), request);
    bool written = hasSettings(folder.path(), request);
    if (!written && !request.settings.overwrite) requireNoLists(folder.path());
    Reporter reporter(request, meshes.size());
    const std::vector<RenderResult> results =
        renderSamples(meshes, folder.path(), request.settings, request.threads, interrupt.token(),
                      [&](const RenderResult& result) {
                          if (result.outcome == Outcome::made && !std::exchange(written, true))
                              writeFileOfDataSet(folder.path() / kSettingsName,
                                                 settingsJson(request).dump(2) + '\n');
                          reporter.report(result);
                      });
    const double milliseconds = reporter.milliseconds();
    const RenderCounts counts(results);
    std::optional<ListCounts> lists;
    if ((anyFolder || meshes.size() > 1) && counts.made + counts.skipped > 0)
        lists = writeListFiles(folder.path(), request.testFraction);
    const bool cancelled = results.size() < meshes.size();
    if (cancelled)
        spdlog::error("cancelled: {} of {} meshes were finished. The same command goes on.",
                      results.size(), meshes.size());
    return conclude(request, results, lists, milliseconds, cancelled);
}

void addViewOptions(CLI::App& command, RenderRequest& request) {
    constexpr double kMaxSeed = 18446744073709551615.0;  // 2^64 as a double; problemOf() is exact
    addValue(command, "--views", request.settings.views.count, "N",
             "Views of each mesh; 24, or as many as a list has, if not given")
        ->check(numberValidator(NumberRange::count(kMinPlannedViews, kMaxPlannedViews)));
    addValue(command, "--azimuth", request.azimuth, "VALUES", "Degrees; 0..360 if not given");
    addValue(command, "--elevation", request.elevation, "VALUES", "Degrees; 25..30 if not given");
    addValue(command, "--distance", request.distance, "VALUES",
             "Distance of the camera from the mesh's centre (the mesh's box has a diagonal of "
             "0.57); 0.65..0.98 if not given");
    addValue(command, "--seed", request.settings.views.seed, "N", "Seed of the random numbers")
        ->check(numberValidator(NumberRange::count(0, kMaxSeed)));
    addSetting(command, setting::renderedSize, request.settings.side);
    addSettingWord(command, setting::rasterTier, [&request](const std::string& word) {
        request.settings.raster.tier = *std::ranges::find(kAllRasterTiers, word, rasterTierName);
    });
    addSetting(command, setting::device, request.device);
}

}  // namespace

void addRender(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<RenderRequest>();
    CLI::App& command =
        addCommand(program, "render",
                   "Render meshes into samples: images, cameras and ground truth", kRenderExamples);
    addValue(command, "meshes", request->meshes, "MESH...",
             fmt::format("{} files (OBJ with its MTL), or folders of them",
                         meshFormatNames(" or ", mesh_format_filters::withFaces)))
        ->required();
    addValue(command, "-o,--output", request->output, "DIR",
             "Folder for the samples, made if missing")
        ->required();
    addViewOptions(command, *request);
    addSetting(command, setting::truthPoints, request->settings.points);
    addValue(command, "--category", request->category, "NAME",
             "Category of all meshes; the name of each mesh's folder if not given");
    command
        .add_option_function<std::string>(
            "--up",
            [request](const std::string& axis) { request->settings.conversion.zUp = axis == "z"; },
            "The axis that points up in the files: y, or z")
        ->option_text("AXIS")
        ->check(CLI::IsMember({"y", "z"}));
    command.add_flag("--as-is", request->settings.conversion.asIs,
                     "Do not centre or scale: the files are in ShapeNet's world already");
    addValue(command, "--test-fraction,--test-share", request->testFraction, "FRACTION",
             "Fraction of the samples for test.txt, by a hash of the name; 0.2 if not given")
        ->check(numberValidator(NumberRange::fraction()));
    command.add_flag("--allow-outside", request->settings.texturesAnywhere,
                     "Read materials and textures outside a mesh's folder, too: only of meshes "
                     "that you trust");
    command.add_flag("--overwrite", request->settings.overwrite, "Replace existing samples");
    command.add_flag("--dry-run", request->dryRun,
                     "List the samples that would be made, and their sources; write nothing");
    addSetting(command, setting::threads, request->threads);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    setAction(command, line, [request] { return render(*request); });
}

}  // namespace threefold
