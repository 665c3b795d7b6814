#include "app/reconstruct/result_text.h"

#include <fmt/format.h>

namespace threefold {
namespace {

std::string measuresText(const ChamferAndFScores& measures) {
    return fmt::format("CD {:.6f}  F(τ) {:.2f} %  F(2τ) {:.2f} %", measures.chamfer,
                       measures.atTau().fScore, measures.atTwoTau().fScore);
}

/// Text about the start mesh: ", start mesh from depth (reliable on 62 % of the surface, 3456 ms)";
/// empty for the network's mesh.
std::string surfaceText(const SampleSurface& surface) {
    if (surface.from == FitSource::network) return {};
    std::string text = fmt::format(", start mesh from {}", fitSourceName(surface.from));
    if (const auto& depth = surface.depth)
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
    std::string line = fmt::format("{}  {:.{}f} ms", result.name, result.backendMilliseconds,
                                   result.backendMilliseconds < kBrief ? 2 : 0);
    if (result.measures)
        for (const auto& [mesh, measures] : result.measures->meshes.entries())
            if (mesh != kFittedMesh) line += fmt::format("  {} {}", mesh, measuresText(measures));
    if (result.fit) {
        line += result.fit->agreements.empty()
                    ? "  not fitted"
                    : fmt::format("  fitted to {} views{}", result.fit->agreements.size(),
                                  surfaceText(result.surface));
        if (result.measures && result.measures->meshes.fitted() != nullptr)
            line += ' ' + measuresText(*result.measures->meshes.fitted());
    }
    if (const MeansByMesh means = meansOf(result.silhouettes); !means.empty())
        line +=
            fmt::format("  overlap {:.3f} → {:.3f}", means.first().overlap, means.result().overlap);
    if (result.fit && !result.fit->agreements.empty())
        line += fmt::format("  overlap of the fitted views {:.3f} → {:.3f}",
                            result.fit->meanOverlapBefore(), result.fit->meanOverlapAfter());
    if (result.hull) {
        line += fmt::format("  hull of {} views, {:.0f} ms", result.hull->photoCount,
                            result.hull->milliseconds);
        if (result.hull->measures) line += ' ' + measuresText(*result.hull->measures);
        line += fmt::format("  overlap {:.3f}", result.hull->overlap);
    }
    return line + '\n';
}

}  // namespace threefold
