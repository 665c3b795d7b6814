#include "engine/pipeline/pipeline_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

constexpr std::array<std::string_view, kPipelineParts.size()> kPartNames = {
    "load", "network", "fit", "measure", "write", "store"};
constexpr std::array<std::string_view, kPipelineCrews.size()> kCrewNames = {"loaders", "network",
                                                                            "finishers", "store"};
constexpr std::array<PipelineCrew, kPipelineParts.size()> kCrewsOfParts = {
    PipelineCrew::loaders,   PipelineCrew::network,   PipelineCrew::finishers,
    PipelineCrew::finishers, PipelineCrew::finishers, PipelineCrew::store};

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

const char* remedyFor(const Bottleneck& bottleneck) {
    switch (bottleneck.part) {
        case PipelinePart::load:
            return bottleneck.waits ? "waiting for files: a faster disk or a local copy helps"
                                    : "decoding: more cores, or smaller images, help";
        case PipelinePart::network:
            return "a faster device, or a smaller precision, helps";
        case PipelinePart::fit:
            return "more cores, or fewer photographs for --fit, help";
        case PipelinePart::measure:
            return "more cores, or fewer protocols, help";
        case PipelinePart::write:
            return "a faster disk for the output, or --no-meshes, helps";
        case PipelinePart::store:
            return "a faster disk for the output helps";
    }
    return "";
}

}  // namespace

std::string_view partName(PipelinePart part) {
    return kPartNames.at(static_cast<std::size_t>(part));
}

std::string_view crewName(PipelineCrew crew) {
    return kCrewNames.at(static_cast<std::size_t>(crew));
}

PipelineCrew crewOf(PipelinePart part) {
    return kCrewsOfParts.at(static_cast<std::size_t>(part));
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
                       remedyFor(bottleneck));
}

}  // namespace threefold
