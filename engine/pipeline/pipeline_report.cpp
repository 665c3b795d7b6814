#include "engine/pipeline/pipeline_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

struct PartInfo {
    std::string_view name;
    PipelineCrew crew;
    const char* remedy;  ///< where it slows the others down
};
constexpr std::array<PartInfo, kPipelineParts.size()> kParts = {{
    {"load", PipelineCrew::loaders, "decoding: more cores, or smaller images, help"},
    {"network", PipelineCrew::network, "a faster device, or a smaller precision, helps"},
    {"fit", PipelineCrew::finishers, "more cores, or fewer photographs for --fit, help"},
    {"measure", PipelineCrew::finishers, "more cores, or fewer protocols, help"},
    {"write", PipelineCrew::finishers, "a faster disk for the output, or --no-meshes, helps"},
    {"store", PipelineCrew::store, "a faster disk for the output helps"},
}};
constexpr std::array<std::string_view, kPipelineCrews.size()> kCrewNames = {"loaders", "network",
                                                                            "finishers", "store"};

const PartInfo& infoOf(PipelinePart part) {
    return kParts.at(static_cast<std::size_t>(part));
}

/// Of the crew's parts the one that took longest.
PipelinePart longestPart(const PipelineReport& report, PipelineCrew crew) {
    PipelinePart longest = PipelinePart::network;
    double most = -1;
    for (const PipelinePart part : kPipelineParts) {
        if (crewOf(part) != crew || report.of(part).busy <= most) continue;
        most = report.of(part).busy;
        longest = part;
    }
    return longest;
}

}  // namespace

std::string_view partName(PipelinePart part) {
    return infoOf(part).name;
}

std::string_view crewName(PipelineCrew crew) {
    return kCrewNames.at(static_cast<std::size_t>(crew));
}

PipelineCrew crewOf(PipelinePart part) {
    return infoOf(part).crew;
}

double PipelineReport::busy(PipelineCrew crew) const {
    double sum = 0;
    for (const PipelinePart part : kPipelineParts) {
        if (crewOf(part) == crew) sum += of(part).busy;
    }
    return sum;
}

double PipelineReport::occupancy(PipelineCrew crew) const {
    const double had = of(crew).had;
    return had > 0 ? std::clamp(busy(crew) / had, 0.0, 1.0) : 0.0;
}

Bottleneck bottleneckOf(const PipelineReport& report) {
    Bottleneck found;
    double most = -1;
    for (const PipelineCrew crew : kPipelineCrews) {
        const double share = report.occupancy(crew);
        if (share <= most) continue;
        most = share;
        found.crew = crew;
        found.share = share;
    }
    found.part = longestPart(report, found.crew);
    const PartUse& use = report.of(found.part);
    found.waits = found.crew != PipelineCrew::network && use.onCore < use.busy / 2;
    return found;
}

std::string bottleneckText(const Bottleneck& bottleneck) {
    const std::string name = bottleneck.crew == PipelineCrew::finishers
                                 ? fmt::format("finishing (mostly {})", partName(bottleneck.part))
                                 : std::string(partName(bottleneck.part));
    return fmt::format("{}: {:.0f} % of the wall time; {}", name, 100 * bottleneck.share,
                       bottleneck.part == PipelinePart::load && bottleneck.waits
                           ? "waiting for files: a faster disk or a local copy helps"
                           : infoOf(bottleneck.part).remedy);
}

}  // namespace threefold
