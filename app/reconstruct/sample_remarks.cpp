#include "app/reconstruct/sample_remarks.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace threefold {
namespace {

/// Sentence that names the detected space; empty if an option names the space.
std::string detectedSpaceNote(const Sample& sample, const GroundTruth& truth) {
    if (sample.truth->space) return {};
    const std::string space = truth.space == MeshSpace::world
                                  ? "world space"
                                  : fmt::format("the space of view {}", sample.truthView);
    return fmt::format(
        "{}: taken to be in {} (detected from its points); --gt-space overrides this",
        truth.source.string(), space);
}

}  // namespace

std::string_view remarkKey(RemarkKind kind) {
    switch (kind) {
        case RemarkKind::missingImages:
            return "missing_images";
        case RemarkKind::defaultFit:
            return "fit_default";
        case RemarkKind::masks:
            return "mask_warning";
        case RemarkKind::measures:
            return "warning";
        case RemarkKind::fit:
            return "fit_warning";
        case RemarkKind::overlap:
            return "overlap_warning";
        case RemarkKind::hull:
            return "hull_warning";
        case RemarkKind::texture:
            return "texture_warning";
    }
    return {};
}

void setRemark(Remarks& remarks, RemarkKind kind, std::string text) {
    if (!text.empty()) remarks.insert_or_assign(kind, std::move(text));
}

std::string maskRemark(const std::string& sample,
                       std::span<const ViewSilhouetteScores> silhouettes) {
    std::vector<int> without;
    for (const ViewSilhouetteScores& each : silhouettes)
        if (each.meshes.empty()) without.push_back(each.view);
    if (without.empty()) return {};
    // The network was trained with objects on a white background.
    return fmt::format(
        "{}: view{} {}: no mask, so the background counts as object. Use --cutout, or make the "
        "background transparent or white.",
        sample, without.size() == 1 ? "" : "s", fmt::join(without, ", "));
}

std::string overlapRemark(const std::string& sample, const FitResult& fit) {
    constexpr std::size_t kNamed = 5;
    if (!fit.hasLowOverlap()) return {};
    std::vector<FitAgreement> worst = fit.agreements;
    std::ranges::stable_sort(worst, {},
                             [](const FitAgreement& each) { return each.after.overlap; });
    worst.resize(std::min(kNamed, worst.size()));
    std::vector<std::string> views;
    for (const FitAgreement& each : worst)
        views.push_back(fmt::format("view {} ({:.2f})", each.view, each.after.overlap));
    return fmt::format(
        "{}: the fitted mesh overlaps the masks by {:.2f} on average, less than {:.1f}: masks or "
        "cameras are wrong, and so is the mesh. Check the masks first, beginning with {}.",
        sample, fit.meanOverlapAfter(), kMinFitOverlap, fmt::join(views, ", "));
}

std::string truthRemark(const Sample& sample, const GroundTruth& truth) {
    std::string remark = detectedSpaceNote(sample, truth);
    for (const std::string& note : truth.notes) remark += (remark.empty() ? "" : "; ") + note;
    return remark;
}

}  // namespace threefold
