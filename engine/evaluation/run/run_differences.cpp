#include "engine/evaluation/run/run_differences.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace threefold {
namespace {

std::string_view fieldName(RunField field) {
    switch (field) {
        case RunField::version:
            return "version";
        case RunField::listSize:
            return "samples in the list";
        case RunField::listHash:
            return "names in the list (SHA-256)";
        case RunField::modelHash:
            return "model (SHA-256)";
        case RunField::sampler:
            return "sampler";
        case RunField::backend:
            return "backend";
        case RunField::precision:
            return "precision";
        case RunField::views:
            return "views";
        case RunField::protocols:
            return "protocol";
        case RunField::tau:
            return "τ";
        case RunField::earthMovers:
            return "earth mover's distance";
        case RunField::truthSpace:
            return "space of the truth";
        case RunField::fit:
            return "fit";
        case RunField::truthPoints:
            return "points of the truth";
        case RunField::shard:
            return "shard";
        case RunField::measuringDevice:
            return "measured on";
        case RunField::images:
            return "folder of the images";
        case RunField::truths:
            return "folder of the truths";
    }
    return {};
}

/// First digits of a hash: enough to distinguish hashes and to search for one.
std::string shortHash(const std::string& hash) {
    constexpr std::size_t kShown = 12;
    return hash.substr(0, kShown);
}

std::string protocolsText(const std::vector<Protocol>& protocols) {
    std::vector<std::string_view> names;
    for (const Protocol protocol : protocols) names.push_back(protocolName(protocol));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Appends the difference of a field, if its values are not equal.
void addDifference(std::vector<RunDifference>& differences, RunField field, const auto& stored,
                   const auto& current, const auto& textOf) {
    if (stored == current) return;
    differences.push_back({field, std::string(textOf(stored)), std::string(textOf(current))});
}

std::vector<RunDifference> differencesOf(const RunIdentity& stored, const RunIdentity& current) {
    std::vector<RunDifference> differences;
    const auto add = [&](RunField field, const auto member, const auto& textOf) {
        addDifference(differences, field, stored.*member, current.*member, textOf);
    };
    const auto addMeasure = [&](RunField field, const auto member, const auto& textOf) {
        addDifference(differences, field, stored.measures.*member, current.measures.*member,
                      textOf);
    };
    const auto plain = [](const auto& value) { return fmt::format("{}", value); };
    add(RunField::version, &RunIdentity::version, plain);
    add(RunField::listSize, &RunIdentity::listSize, plain);
    add(RunField::listHash, &RunIdentity::listHash, shortHash);
    add(RunField::modelHash, &RunIdentity::modelHash, shortHash);
    add(RunField::sampler, &RunIdentity::sampler, plain);
    add(RunField::backend, &RunIdentity::backend, plain);
    add(RunField::precision, &RunIdentity::precision, plain);
    addMeasure(RunField::views, &MeasureChoices::views, [](const std::vector<int>& views) {
        return views.empty() ? "not given" : fmt::format("{}", fmt::join(views, ","));
    });
    addMeasure(RunField::protocols, &MeasureChoices::protocols, protocolsText);
    addMeasure(RunField::tau, &MeasureChoices::tau, plain);
    addMeasure(RunField::earthMovers, &MeasureChoices::earthMovers,
               [](bool wanted) { return wanted ? "yes" : "no"; });
    addMeasure(RunField::truthSpace, &MeasureChoices::truthSpace, [](TruthSpaceChoice space) {
        return space == TruthSpaceChoice::byFormat ? std::string_view("not given")
                                                   : truthSpaceName(space);
    });
    add(RunField::fit, &RunIdentity::fit,
        [](const std::optional<std::string>& name) { return name.value_or("none"); });
    add(RunField::truthPoints, &RunIdentity::truthPoints,
        [](const std::optional<std::size_t>& points) {
            return points ? std::to_string(*points) : std::string("all");
        });
    return differences;
}

}  // namespace

std::vector<RunDifference> differencesToResume(const RunDescription& stored,
                                               const RunDescription& current) {
    std::vector<RunDifference> differences = differencesOf(stored.identity, current.identity);
    addDifference(differences, RunField::shard, stored.shard, current.shard, shardText);
    if (!stored.folders || !current.folders) return differences;
    const auto addFolder = [&](RunField field, const auto member) {
        const std::string& before = (*stored.folders).*member;
        const std::string& now = (*current.folders).*member;
        if (before.empty() || now.empty()) return;
        addDifference(differences, field, before, now, [](const auto& folder) { return folder; });
    };
    addFolder(RunField::images, &RunFolders::images);
    addFolder(RunField::truths, &RunFolders::truths);
    return differences;
}

std::vector<RunDifference> differencesToMerge(const RunDescription& stored,
                                              const RunDescription& current) {
    std::vector<RunDifference> differences = differencesOf(stored.identity, current.identity);
    addDifference(
        differences, RunField::measuringDevice, stored.measuringDevice, current.measuringDevice,
        [](MeasuringDevice device) { return device == MeasuringDevice::gpu ? "gpu" : "cpu"; });
    return differences;
}

std::string differencesText(const std::vector<RunDifference>& differences,
                            std::string_view storedSide, std::string_view currentSide) {
    std::vector<std::string> parts;
    for (const RunDifference& each : differences)
        parts.push_back(fmt::format("{}: {} {}, {} {}", fieldName(each.field), each.stored,
                                    storedSide, each.current, currentSide));
    return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace threefold
