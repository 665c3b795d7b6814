#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/bench/bench.h"
#include "app/bench/bench_samples.h"
#include "app/bench/device_report.h"
#include "app/options/model_options.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_steps/measure_sample.h"

namespace threefold {
namespace {

constexpr const char* kViewsExamples =
    R"(Reconstructs every sample of a data set twice, from its default views and from the views that the
window suggests. Prints F(τ) of both results under the published protocol, and the means. Samples
without a truth are left out.

Examples:
  threefold bench views
  threefold bench views --samples ShapeNetRendering --json)";

double fOf(Backend& backend, const std::shared_ptr<const Sample>& sample, std::vector<int> views,
           const std::stop_token& cancel) {
    LoadedSample loaded =
        loadSample(sample, std::move(views), {.truthRequired = true, .strictTruth = true});
    ReconstructedSample reconstructed =
        reconstructSample(backend, std::move(loaded), {.cancel = cancel});
    const MeasuredSample measured = measureSample(
        {std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)},
        {.silhouettes = false, .strictTruth = true, .cancel = cancel}, &backend.meshOperations());
    return measured.evaluation->result().measures.atTau().fScore;
}

BenchRow rowOf(const std::string& name, const std::string& views, const std::string& suggestedViews,
               double defaultF, double suggestedF) {
    BenchRow row;
    row.addLabel("sample", name);
    row.addLabel("views", views);
    row.addNumber("F(τ)", fmt::format("{:.1f}", defaultF));
    row.addLabel("suggested", suggestedViews);
    row.addNumber("F(τ), suggested", fmt::format("{:.1f}", suggestedF));
    row.addNumber("Δ", fmt::format("{:+.1f}", suggestedF - defaultF));
    row.json = {{"sample", name}, {"f", defaultF}, {"suggestedF", suggestedF}};
    return row;
}

BenchReport runViews(const std::filesystem::path& samples, const ModelOptions& model,
                     const std::stop_token& cancel, const BenchProgress& progress) {
    const auto folders = benchSamples(samples);
    const OpenedNetwork opened = openNetwork(model);
    BenchReport report = reportOn(opened, "samples");
    report.totalKey = "mean";
    std::size_t measured = 0;
    double sumOfDefaultF = 0;
    double sumOfSuggestedF = 0;
    for (const auto& folder : folders) {
        const auto sample = std::make_shared<const Sample>(findSample(folder));
        if (!sample->truth) continue;
        ++measured;
        const std::vector<int> views = defaultViews(*sample);
        const std::vector<int> best =
            ViewChooser(viewCandidates(*sample, readNetworkImage, cancel)).best();
        const auto fWith = [&](const std::vector<int>& chosen) {
            return opened.network->withDevice(
                [&](Backend& device) { return fOf(device, sample, chosen, cancel); });
        };
        const double defaultF = fWith(views);
        const double suggestedF = fWith(best);
        sumOfDefaultF += defaultF;
        sumOfSuggestedF += suggestedF;
        BenchRow row = rowOf(sample->name(), fmt::format("{}", fmt::join(views, ",")),
                             fmt::format("{}", fmt::join(best, ",")), defaultF, suggestedF);
        row.json["views"] = views;
        row.json["suggested"] = best;
        report.rows.push_back(std::move(row));
        progress(report);
    }
    if (measured == 0)
        throw InputError({samples.string(), "", "holds no sample with a truth",
                          "Put the truths into gt/ beside the samples."});
    const auto count = static_cast<double>(measured);
    report.rows.push_back(rowOf("mean", "", "", sumOfDefaultF / count, sumOfSuggestedF / count));
    return report;
}

}  // namespace

extern const Bench kViewsBench{"views", "Compare the default with the suggested views",
                               kViewsExamples, true,
                               prepared<std::filesystem::path, addSamplesOption, runViews>};

}  // namespace threefold
