#include <algorithm>
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

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "app/options/output_folder.h"
#include "app/render/data_set_options.h"
#include "app/render/render_report.h"
#include "app/render/render_request.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/network/cuda_plugin.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/list_files.h"
#include "engine/sample_rendering/render_sample.h"
#include "engine/sample_rendering/render_samples.h"
#include "engine/sample_rendering/source_mesh.h"
#include "engine/sample_rendering/staged_sample.h"

namespace threefold {
namespace {

using Outcome = RenderResult::Outcome;

constexpr const char* kRenderExamples =
    R"(Writes DIR/{category}/{sample}/rendering/ (images with 4×4 supersampled alpha,
rendering_metadata.txt) and DIR/gt/{category}_{sample}_00.dat and .ply: the ground truth, points
and normals spread evenly by area, in the camera space of view 00. Meshes are centred and scaled to
ShapeNet's world: a box diagonal of 0.57. A folder of meshes becomes a data set with list.txt,
train.txt and test.txt; finished samples are skipped, so that the same command continues a run that
was interrupted.

VALUES are one number (30), a list (0,90,180), first:last:step (0:345:15), or a range of random
values (25..30).

Examples:
  threefold render chair.obj -o samples
  threefold render meshes/ -o data --category 03001627 --test-fraction 0.1
  threefold render part.stl --up z --azimuth 0:345:15 --elevation 30 --distance 0.8 -o samples)";

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
struct NamedMeshes {
    std::vector<SourceMesh> meshes;
    bool anyFolder = false;  ///< at least one folder was named
};
NamedMeshes namedMeshes(const RenderRequest& request) {
    NamedMeshes named;
    std::vector<SourceMesh>& meshes = named.meshes;
    for (const std::string& given : request.meshes) {
        if (!isFolder(given)) {
            meshes.push_back(nameMesh(given, request.category));
            continue;
        }
        named.anyFolder = true;
        std::error_code failure;
        if (std::filesystem::equivalent(given, request.output, failure))
            throw UsageError({"-o", request.output.string(), "is the folder of the meshes",
                              "Choose another folder."});
        const std::vector<SourceMesh> found = findMeshes(given, request.category, request.output);
        meshes.insert(meshes.end(), found.begin(), found.end());
    }
    removeSame(meshes);
    return named;
}

void resolveViews(RenderRequest& request) {
    ViewPlan& views = request.options.views;
    if (!request.azimuth.empty())
        views.azimuth = parseCameraParameter(request.azimuth, "--azimuth");
    if (!request.elevation.empty())
        views.elevation = parseCameraParameter(request.elevation, "--elevation");
    if (!request.distance.empty())
        views.distance = parseCameraParameter(request.distance, "--distance");
    requireValidOptions(request.options);
}

/// Prints the summary or the JSON document, and returns the exit code.
ExitCode conclude(const RenderRequest& request, const std::vector<RenderResult>& results,
                  const std::optional<ListCounts>& lists, double milliseconds, bool cancelled) {
    if (request.json)
        printJson(renderJson(request, results, lists, milliseconds, cancelled));
    else
        printText(renderSummary(request, results, lists, milliseconds));
    const auto succeeded = [](const RenderResult& result) {
        return result.outcome != Outcome::failed;
    };
    return cancelled ? ExitCode::failed : exitCodeOf(results, succeeded);
}

ExitCode plan(const RenderRequest& request, std::span<const SourceMesh> meshes) {
    requireSameOptions(request.output, request);
    const auto results = planSamples(meshes, request.output, request.options);
    RenderReporter reporter(request, meshes.size());
    for (const RenderResult& result : results) reporter.report(result);
    return conclude(request, results, {}, reporter.milliseconds(), false);
}

/// Throws UsageError if the folder, which holds no data set of Threefold, holds a file that the
/// lists of a data set would replace.
void requireNoLists(const std::filesystem::path& folder) {
    for (const char* name : {"list.txt", "train.txt", "test.txt"})
        if (pathExists(folder / name))
            throw UsageError({"-o", (folder / name).string(),
                              "already exists and belongs to no data set of Threefold",
                              "Choose another folder, or remove the file."});
}

ExitCode render(RenderRequest request) {
    resolveViews(request);
    const auto [meshes, anyFolder] = namedMeshes(request);
    if (request.dryRun) return plan(request, meshes);
    const Interrupt interrupt;
    const OutputFolder folder(request.output);
    // Two runs in one folder would mix their options, and replace each other's samples.
    const FileDescriptor lock = openLockedFolder(folder.path());
    // Views are drawn one after another: a second GPU would not help.
    request.options.raster.deviceRaster =
        cudaRasterFactory(deviceNumbers(request.device).value_or(std::vector{0}).front());
    request.options.raster.fallback = std::make_shared<RasterFallback>();
    request.options.raster.fallback->log = logLine;
    requireSameOptions(folder.path(), request);
    bool mustWriteOptions = !mustKeepOptions(folder.path(), request);
    if (mustWriteOptions && !request.options.overwrite) requireNoLists(folder.path());
    RenderReporter reporter(request, meshes.size());
    const std::vector<RenderResult> results = renderSamples(
        meshes, folder.path(), request.options, request.threads, interrupt.token(),
        [&](const RenderResult& result) {
            if (result.outcome == Outcome::made && std::exchange(mustWriteOptions, false))
                writeFileOfDataSet(folder.path() / kRenderOptionsName, optionsText(request));
            reporter.report(result);
        });
    const double milliseconds = reporter.milliseconds();
    const RenderCounts counts(results);
    std::optional<ListCounts> lists;
    if ((anyFolder || meshes.size() > 1) && counts.made + counts.skipped > 0)
        lists = writeListFiles(folder.path(), request.testFraction);
    const bool cancelled = results.size() < meshes.size();
    if (cancelled)
        spdlog::error(
            "cancelled: {} of {} meshes were finished. Run the same command again to continue.",
            results.size(), meshes.size());
    return conclude(request, results, lists, milliseconds, cancelled);
}

void addViewOptions(CLI::App& command, RenderRequest& request) {
    // The literal rounds to 2^64. numberValidator() still refuses 2^64 itself, which is no 64-bit
    // integer.
    constexpr double kMaxSeed = 18446744073709551615.0;
    addValue(command, "--views", request.options.views.count, "N",
             "Views of each mesh; if not given, as many as the longest list of VALUES has, or 24 "
             "without a list")
        ->check(numberValidator(NumberRange::wholeNumber(kMinPlannedViews, kMaxPlannedViews)));
    addValue(command, "--azimuth", request.azimuth, "VALUES", "Degrees; 0..360 if not given");
    addValue(command, "--elevation", request.elevation, "VALUES", "Degrees; 25..30 if not given");
    addValue(command, "--distance", request.distance, "VALUES",
             "Distance of the camera from the mesh's centre (the mesh's box has a diagonal of "
             "0.57); 0.65..0.98 if not given");
    addValue(command, "--seed", request.options.views.seed, "N", "Seed of the random numbers")
        ->check(numberValidator(NumberRange::wholeNumber(0, kMaxSeed)));
    addSetting(command, setting::renderedSize, request.options.side);
    addSettingWord(command, setting::rasterTier, [&request](const std::string& word) {
        request.options.raster.tier = *std::ranges::find(kAllRasterTiers, word, rasterTierName);
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
             "Folder for the samples, created if missing")
        ->required();
    addViewOptions(command, *request);
    addSetting(command, setting::truthPoints, request->options.points);
    addValue(command, "--category", request->category, "NAME",
             "Category of all meshes; the name of each mesh's folder if not given");
    command
        .add_option_function<std::string>(
            "--up",
            [request](const std::string& axis) { request->options.conversion.isZUp = axis == "z"; },
            "The axis that points up in the files: y, or z")
        ->option_text("AXIS")
        ->check(CLI::IsMember({"y", "z"}));
    command.add_flag("--as-is", request->options.conversion.keepsCoordinates,
                     "Do not centre or scale: the files are in ShapeNet's world already");
    addValue(command, "--test-fraction,--test-share", request->testFraction, "FRACTION",
             fmt::format(
                 "Fraction of the samples for test.txt, by a hash of the name; {:g} if not given",
                 request->testFraction))
        ->check(numberValidator(NumberRange::fraction()));
    command.add_flag("--allow-outside", request->options.texturesAnywhere,
                     "Read materials and textures outside a mesh's folder, too: only of meshes "
                     "that you trust");
    command.add_flag("--overwrite", request->options.overwrite, "Replace existing samples");
    command.add_flag("--dry-run", request->dryRun,
                     "List the samples that would be made, and their sources; write nothing");
    addSetting(command, setting::threads, request->threads);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    setAction(command, line, [request] { return render(*request); });
}

}  // namespace threefold
