#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/bench/bench.h"
#include "app/bench/bench_samples.h"
#include "app/bench/device_report.h"
#include "app/bench/rates.h"
#include "app/configuration/number_range.h"
#include "app/options/add_option.h"
#include "app/options/fit_options.h"
#include "app/options/model_options.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/masked_views.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_steps/evaluate.h"
#include "engine/sample_steps/fit_sample.h"
#include "engine/sample_steps/reconstruct_sample.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kFitExamples =
    R"(Reconstructs every sample of a data set from its default views, then fits the mesh to 3 of the
sample's photographs, to 8 and to all. Photographs of your own are a folder with cameras, or a
folder of such folders; with `--surface depth` or auto a table has the time of each step of depth
from photographs. "fit ms" is the time from masks to mesh: median and maximum over the samples, of
which each counts with the median of its runs. "read ms" is the time from photographs to masks.
Further columns are means over the samples, network's mesh → fitted mesh: F(τ) under the published
and the surface protocol, Chamfer distance, and overlap of the silhouettes in the views of the fit.
"crease" is the median of 1 − cos of the angle between neighbouring faces' normals of the fitted
meshes. "folded" is the mean number of faces that are folded back onto a neighbour, "intersecting"
that of faces that intersect others. "worst ΔF" names the sample whose F(τ) rose least (or fell
most).

Examples:
  threefold bench fit
  threefold bench fit --samples ShapeNetRendering --fit-views 8,all --runs 5 --json
  threefold bench fit --samples mug --fit-views all --surface depth --runs 1)";

struct FitBenchOptions {
    std::filesystem::path samples;  ///< data set or own photographs; empty: bundled samples
    std::vector<std::string> views = {"chosen", "8", "all"};
    std::string surface;
    bool colour = false;
    std::optional<std::size_t> vertices;
    int runs = 3;

    /// Fit request for each of `views`. Throws UsageError.
    std::vector<FitRequest> requests() const {
        std::vector<FitRequest> parsed;
        for (const std::string& name : views) {
            FitRequest& each = parsed.emplace_back(fitRequestFromName(name));
            if (!surface.empty()) each.source = fitSourceFromName(surface);
            if (colour) each.photometric = true;
            if (vertices) each.vertices = vertices;
        }
        return parsed;
    }
};

/// Result of one sample, fitted to some of its views.
struct BenchedFit {
    std::string name;
    double milliseconds = 0;
    double readMilliseconds = 0;
    FitResult fit;
    std::optional<HullFit> hullFit;
    std::optional<SampleScores> published, surface;
};

/// Mean over the samples that have the value; nullopt if none has.
std::optional<double> meanValue(const std::vector<BenchedFit>& samples, const auto& value) {
    double sum = 0;
    std::size_t count = 0;
    for (const BenchedFit& sample : samples)
        if (const std::optional<double> one = value(sample)) {
            sum += *one;
            ++count;
        }
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
}

/// Truth of a sample under both protocols; empty without a truth.
struct Truths {
    explicit Truths(const GroundTruth& truth) {
        if (truth.points.empty()) return;
        published.emplace(scoredShapeOf(truth), ScoreOptions{.protocol = Protocol::published});
        surface.emplace(scoredShapeOf(truth), ScoreOptions{.protocol = Protocol::surface});
    }
    std::optional<PreparedTruth> published, surface;
};

BenchedFit fitOnce(Backend& backend, const ReconstructedSample& reconstructed, const Truths& truths,
                   const FitRequest& request, const FitBenchOptions& options,
                   const std::stop_token& cancel) {
    const Sample& sample = *reconstructed.loaded.sample;
    const Camera& space = reconstructed.loaded.input.cameras.front();
    const ResolvedFit resolved = resolveFit(sample, request).value_or(ResolvedFit{});
    BenchedFit fitted;
    fitted.name = sample.name();
    const std::vector<int> chosen = viewsToFit(sample, reconstructed.loaded.views, resolved.views);
    const Stopwatch reading;
    const std::vector<MaskedView> masks =
        loadMaskedViews(sample, chosen, readViewPhoto, cancel, needsPhotographs(sample, resolved));
    fitted.readMilliseconds = reading.milliseconds();
    std::vector<double> times;
    FittedReconstruction meshes = reconstructed.reconstruction;
    FitOptions fitOptions;
    fitOptions.cancel = cancel;
    for (int run = 0; run < options.runs; ++run) {
        FittedMesh fittedMesh = fitToPhotos({.sample = sample,
                                             .fit = resolved,
                                             .referenceCamera = space,
                                             .photographs = masks,
                                             .options = fitOptions,
                                             .operations = &backend.meshOperations()},
                                            reconstructed.reconstruction);
        meshes.fitted = std::move(fittedMesh.mesh);
        fitted.fit = std::move(fittedMesh.result);
        fitted.hullFit = std::move(fittedMesh.hullFit);
        times.push_back(fitted.fit.milliseconds);
    }
    fitted.milliseconds = *medianOf(times);
    if (truths.published) fitted.published = sampleScores(meshes, *truths.published);
    if (truths.surface) fitted.surface = sampleScores(meshes, *truths.surface);
    return fitted;
}

double fAtTau(const Scores& scores) {
    return scores.measures.atTau().fScore;
}

/// Adds a cell "refined → fitted (change)" and its JSON; a dash where no sample has the value.
/// `value`: value of a sample's fitted or network mesh.
void addCompared(BenchRow& row, const char* header, const char* key,
                 const std::vector<BenchedFit>& samples, const auto& value, double scale,
                 int digits) {
    const auto mean = [&](bool fromFitted) {
        return meanValue(samples,
                         [&](const BenchedFit& sample) { return value(sample, fromFitted); });
    };
    if (!mean(false)) return row.addNumber(header, "–");
    const double before = *mean(false);
    const double after = mean(true).value_or(before);
    row.addNumber(header, fmt::format("{:.{}f} → {:.{}f} ({:+.{}f})", scale * before, digits,
                                      scale * after, digits, scale * (after - before), digits));
    row.json[key] = {{"refined", before}, {"fitted", after}};
}

/// Adds the times of fits and of reading photographs.
void addTimes(BenchRow& row, const std::vector<BenchedFit>& samples) {
    std::vector<double> times;
    double reading = 0;
    for (const BenchedFit& sample : samples) {
        times.push_back(sample.milliseconds);
        reading += sample.readMilliseconds / static_cast<double>(samples.size());
    }
    const double slowest = *std::max_element(times.begin(), times.end());
    row.addNumber("fit ms", fmt::format("{:.0f}, {:.0f}", *medianOf(times), slowest));
    row.addNumber("read ms", fmt::format("{:.1f}", reading));
    row.json["medianMs"] = *medianOf(times);
    row.json["slowestMs"] = slowest;
    row.json["readMs"] = reading;
}

/// Adds F-scores, Chamfer distance and overlap of the network's and of the fitted meshes.
void addScores(BenchRow& row, const std::vector<BenchedFit>& samples) {
    const auto scoreOf = [](std::optional<SampleScores> BenchedFit::*protocol, const auto& score) {
        return [=](const BenchedFit& sample, bool fromFitted) -> std::optional<double> {
            const std::optional<SampleScores>& scores = sample.*protocol;
            if (!scores) return std::nullopt;
            return score(fromFitted ? *scores->fitted() : scores->result());
        };
    };
    const auto chamfer = [](const Scores& scores) { return scores.measures.chamfer; };
    const auto overlap = [](const BenchedFit& sample, bool fromFitted) {
        return std::optional(fromFitted ? sample.fit.meanOverlapAfter()
                                        : sample.fit.meanOverlapBefore());
    };
    addCompared(row, "F(τ) published", "fPublished", samples,
                scoreOf(&BenchedFit::published, fAtTau), 1, 1);
    addCompared(row, "F(τ) surface", "fSurface", samples, scoreOf(&BenchedFit::surface, fAtTau), 1,
                1);
    addCompared(row, "CD·10³", "chamferPublished", samples,
                scoreOf(&BenchedFit::published, chamfer), 1e3, 3);
    addCompared(row, "overlap", "overlap", samples, overlap, 1, 3);
}

/// Adds creases, folds and self-intersections.
void addDefects(BenchRow& row, const std::vector<BenchedFit>& samples) {
    std::vector<double> creases;
    for (const BenchedFit& sample : samples) creases.push_back(sample.fit.defectsAfter.crease);
    row.addNumber("crease", fmt::format("{:.3f}", *medianOf(creases)));
    row.json["medianCrease"] = *medianOf(creases);
    const auto countOf = [](std::size_t MeshDefects::*defect) {
        return [=](const BenchedFit& sample, bool fromFitted) {
            const MeshDefects& defects =
                fromFitted ? sample.fit.defectsAfter : sample.fit.defectsBefore;
            return std::optional(static_cast<double>(defects.*defect));
        };
    };
    addCompared(row, "folded", "foldedFaces", samples, countOf(&MeshDefects::foldedFaceCount), 1,
                0);
    addCompared(row, "intersecting", "intersectingFaces", samples,
                countOf(&MeshDefects::intersectingFaceCount), 1, 0);
}

/// Adds the sample whose F(τ) the fit raises least.
void addWorstGain(BenchRow& row, const std::vector<BenchedFit>& samples) {
    const BenchedFit* worst = nullptr;
    double gain = 0;
    for (const BenchedFit& sample : samples) {
        if (!sample.published) continue;
        const double change =
            fAtTau(*sample.published->fitted()) - fAtTau(sample.published->result());
        if (worst == nullptr || change < gain) {
            worst = &sample;
            gain = change;
        }
    }
    row.addLabel("worst ΔF", worst != nullptr ? fmt::format("{:+.1f} {}", gain, worst->name)
                                              : std::string("–"));
    if (worst != nullptr) row.json["minGain"] = {{"sample", worst->name}, {"f", gain}};
}

BenchRow makeRow(const std::string& views, std::size_t nameWidth,
                 const std::vector<BenchedFit>& samples) {
    BenchRow row;
    row.addLabel("views", fmt::format("{:<{}}", views, nameWidth));  // the first row sets the width
    row.addNumber("samples", std::to_string(samples.size()));
    row.json = {{"views", views}, {"samples", samples.size()}};
    addTimes(row, samples);
    addScores(row, samples);
    addDefects(row, samples);
    addWorstGain(row, samples);
    return row;
}

/// Means over the samples with depth estimation: fraction of sure depths, and time of each step.
/// nullopt without such samples.
std::optional<nlohmann::ordered_json> depthJson(const std::vector<BenchedFit>& samples) {
    std::vector<const HullFit*> surfaces;
    for (const BenchedFit& sample : samples)
        if (sample.hullFit && sample.hullFit->depth) surfaces.push_back(&*sample.hullFit);
    if (surfaces.empty()) return std::nullopt;
    const auto weight = 1.0 / static_cast<double>(surfaces.size());
    double sure = 0;
    double milliseconds = 0;
    nlohmann::ordered_json steps = nlohmann::ordered_json::object();
    for (const HullFit* each : surfaces) {
        sure += weight * each->depth->sureFraction;
        milliseconds += weight * each->depth->milliseconds;
        for (const StepTime& step : each->depth->times) {
            nlohmann::ordered_json& sum = steps[std::string(step.step)];
            sum = (sum.is_null() ? 0.0 : sum.get<double>()) + weight * step.milliseconds;
        }
    }
    return nlohmann::ordered_json{{"samples", surfaces.size()},
                                  {"taken", std::ranges::count_if(surfaces, &HullFit::depthUsed)},
                                  {"sure", sure},
                                  {"ms", milliseconds},
                                  {"stepsMs", std::move(steps)}};
}

std::string depthText(const std::string& views, const nlohmann::ordered_json& depth) {
    const double total = depth.at("ms");
    std::string text = fmt::format(
        "\ndepth from photographs ({}): used for {} of {} samples, reliable on {}, {:.0f} ms\n",
        views, depth.at("taken").get<std::size_t>(), depth.at("samples").get<std::size_t>(),
        percentText(depth.at("sure")), total);
    TextTable table("lrr");
    table.add({"step", "ms", "fraction"});
    for (const auto& [step, milliseconds] : depth.at("stepsMs").items())
        table.add({step, fmt::format("{:.0f}", milliseconds.get<double>()),
                   percentText(milliseconds.get<double>() / total)});
    return text + table.text("  ");
}

/// Folders of photographs: `folder` itself or its subfolders. None if `folder` is a data set or
/// empty.
std::vector<std::filesystem::path> ownPhotographs(const std::filesystem::path& folder) {
    if (folder.empty()) return {};
    if (mayBePhotographs(folder)) return {folder};
    std::vector<std::filesystem::path> folders;
    for (const std::filesystem::path& each : tryListFolder(folder))
        if (isFolder(each) && mayBePhotographs(each)) folders.push_back(each);
    std::ranges::sort(folders);
    return folders;
}

BenchReport runFit(const FitBenchOptions& options, const ModelOptions& model,
                   const std::stop_token& cancel, const BenchProgress& progress) {
    const std::vector<FitRequest> views = options.requests();
    std::vector<std::filesystem::path> folders = ownPhotographs(options.samples);
    if (folders.empty()) folders = benchSamples(options.samples);
    const OpenedNetwork opened = openNetwork(model);
    BenchReport report = reportOn(opened, "fits");
    std::vector<std::vector<BenchedFit>> fitted(views.size());
    for (const auto& folder : folders) {
        auto sample = std::make_shared<const Sample>(findSample(folder));
        std::vector<int> chosen = defaultViews(*sample);
        const LoadedSample loaded = loadSample(std::move(sample), std::move(chosen));
        const ReconstructedSample reconstructed = opened.network->withDevice(
            [&](Backend& device) { return reconstructSample(device, loaded, {.cancel = cancel}); });
        const Truths truths(reconstructed.loaded.truth);
        for (std::size_t i = 0; i < views.size(); ++i)
            fitted[i].push_back(opened.network->withDevice([&](Backend& device) {
                return fitOnce(device, reconstructed, truths, views[i], options, cancel);
            }));
    }
    const std::size_t nameWidth = std::ranges::max(options.views, {}, &std::string::size).size();
    for (std::size_t i = 0; i < views.size(); ++i) {
        report.rows.push_back(makeRow(options.views[i], nameWidth, fitted[i]));
        if (const auto depth = depthJson(fitted[i])) {
            report.rows.back().json["depth"] = *depth;
            report.remarks += depthText(options.views[i], *depth);
        }
        progress(report);
    }
    return report;
}

void addOptions(CLI::App& command, FitBenchOptions& options) {
    addSamplesOption(command, options.samples);
    addValue(command, "--fit-views,--fit", options.views, "VIEWS,...",
             fmt::format("Photographs to fit to: chosen, all, or a number of them; {} if not given",
                         fmt::join(options.views, ",")))
        ->delimiter(',');
    addSurface(command, options.surface);
    command.add_flag("--fit-colour", options.colour, "Fit to the photographs' colours as well");
    addFittedVertices(
        command, [&options](std::size_t count) { options.vertices = count; },
        "Vertices of the fitted mesh");
    addValue(command, "--runs", options.runs, "N",
             fmt::format("Fits of each sample, {} if not given", options.runs))
        ->check(numberValidator(NumberRange::wholeNumber(1, 1000)));
}

}  // namespace

extern const Bench kFitBench{"fit", "Time and gain of the third stage, the fit", kFitExamples, true,
                             prepared<FitBenchOptions, addOptions, runFit>};

}  // namespace threefold
