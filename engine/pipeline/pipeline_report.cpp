#include "engine/pipeline/pipeline_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

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
    switch (part) {
        case PipelinePart::load:
            return "load";
        case PipelinePart::network:
            return "network";
        case PipelinePart::fit:
            return "fit";
        case PipelinePart::measure:
            return "measure";
        case PipelinePart::write:
            return "write";
        case PipelinePart::store:
            return "store";
    }
    return "";
}

std::string_view crewName(PipelineCrew crew) {
    switch (crew) {
        case PipelineCrew::loaders:
            return "loaders";
        case PipelineCrew::network:
            return "network";
        case PipelineCrew::finishers:
            return "finishers";
        case PipelineCrew::store:
            return "store";
    }
    return "";
}

PipelineCrew crewOf(PipelinePart part) {
    switch (part) {
        case PipelinePart::load:
            return PipelineCrew::loaders;
        case PipelinePart::network:
            return PipelineCrew::network;
        case PipelinePart::fit:
        case PipelinePart::measure:
        case PipelinePart::write:
            return PipelineCrew::finishers;
        case PipelinePart::store:
            return PipelineCrew::store;
    }
    return PipelineCrew::network;
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
