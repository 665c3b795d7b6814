#include "app/reconstruct/result_text.h"

#include <cstddef>
#include <optional>

#include <fmt/format.h>

namespace threefold {
namespace {

std::string measuresText(const ChamferAndFScores& measures) {
    return fmt::format("CD {:.6f}  F(τ) {:.2f} %  F(2τ) {:.2f} %", measures.chamfer,
                       measures.atTau().fScore, measures.atTwoTau().fScore);
}

/// Text about the start mesh: ", start mesh from depth (reliable on 62 % of the surface, 3456 ms)";
/// empty for the network's mesh.
std::string startMeshText(const FitSummary& fit) {
    if (fit.source == FitSource::network) return {};
    std::string text = fmt::format(", start mesh from {}", fitSourceName(fit.source));
    if (const auto& depth = fit.depth)
        text +=
            fmt::format(" ({}reliable on {:.0f} % of the surface, {:.0f} ms)",
                        depth->problem.empty() ? "" : "depth not used: ", 100 * depth->sureFraction,
                        depth->milliseconds);
    return text;
}

}  // namespace

std::string depthStepsText(const DepthResult& depth) {
    std::string text = "depth:";
    for (const StepTime& each : depth.times)
        text += fmt::format("{} {} {:.0f} ms", &each == depth.times.data() ? "" : ",", each.step,
                            each.milliseconds);
    return text;
}

std::string resultLine(const SampleResult& result) {
    constexpr double kBrief = 100;  // milliseconds; shorter times show hundredths
    const double milliseconds = result.measured.backendMilliseconds;
    std::string line = fmt::format("{}  {:.{}f} ms", result.found.name, milliseconds,
                                   milliseconds < kBrief ? 2 : 0);
    const std::optional<SampleMeasures>& truth = result.measured.measures;
    if (truth)
        for (const auto& [mesh, measures] : truth->meshes.entries())
            if (mesh != kFittedMesh) line += fmt::format("  {} {}", mesh, measuresText(measures));
    if (result.fit) {
        const std::size_t views = result.fit->result.agreements.size();
        line += views == 0
                    ? "  not fitted"
                    : fmt::format("  fitted to {} views{}", views, startMeshText(*result.fit));
        if (truth && truth->meshes.fitted() != nullptr)
            line += ' ' + measuresText(*truth->meshes.fitted());
    }
    if (const MeansByMesh means = meansOf(result.measured.silhouettes); !means.empty())
        line +=
            fmt::format("  overlap {:.3f} → {:.3f}", means.first().overlap, means.result().overlap);
    if (result.fit && !result.fit->result.agreements.empty())
        line += fmt::format("  overlap of the fitted views {:.3f} → {:.3f}",
                            result.fit->result.meanOverlapBefore(),
                            result.fit->result.meanOverlapAfter());
    if (result.hull) {
        line += fmt::format("  hull of {} views, {:.0f} ms", result.hull->photoCount,
                            result.hull->milliseconds);
        if (result.hull->measures) line += ' ' + measuresText(*result.hull->measures);
        line += fmt::format("  overlap {:.3f}", result.hull->overlap);
    }
    return line + '\n';
}

}  // namespace threefold
