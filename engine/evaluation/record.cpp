#include "engine/evaluation/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/evaluation/evaluation_list.h"

namespace threefold {
namespace {

/// The first digits of a hash: enough to distinguish two hashes and to search for one.
std::string shortHash(const std::string& hash) {
    constexpr std::size_t kShown = 12;
    return hash.substr(0, kShown);
}

std::string protocolsText(const std::vector<Protocol>& protocols) {
    std::vector<std::string_view> names;
    names.reserve(protocols.size());
    for (const Protocol protocol : protocols) names.push_back(protocolName(protocol));
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string viewNumbersText(const std::vector<int>& views) {
    return views.empty() ? "not given" : fmt::format("{}", fmt::join(views, ","));
}

}  // namespace

std::string differences(const RunDescription& before, const RunDescription& now, bool shards) {
    const RunIdentity& there = before.identity;
    const RunIdentity& here = now.identity;
    std::vector<std::string> lines;
    const auto compare = [&](const char* field, const auto& old, const auto& own,
                             const auto& text) {
        if (old == own) return;
        lines.push_back(fmt::format("{}: {} there, {} here", field, text(old), text(own)));
    };
    const auto plain = [](const auto& value) { return fmt::format("{}", value); };
    compare("version", there.version, here.version, plain);
    compare("samples in the list", there.listSize, here.listSize, plain);
    compare("names in the list (SHA-256)", there.listHash, here.listHash, shortHash);
    compare("model (SHA-256)", there.modelHash, here.modelHash, shortHash);
    compare("sampler", there.sampler, here.sampler, plain);
    compare("backend", there.backend, here.backend, plain);
    compare("precision", there.precision, here.precision, plain);
    compare("views", there.views, here.views, viewNumbersText);
    compare("protocol", there.protocols, here.protocols, protocolsText);
    compare("τ", there.tau, here.tau, plain);
    compare("earth mover's distance", there.earthMovers, here.earthMovers,
            [](bool wanted) { return wanted ? "yes" : "no"; });
    compare("space of the truth", there.truthSpace, here.truthSpace, [](TruthSpace space) {
        return space == TruthSpace::unset ? "not given" : truthSpaceName(space);
    });
    compare("fit", there.fit, here.fit, [](const auto& views) { return views.value_or("none"); });
    if (shards) compare("shard", before.shard, now.shard, shardText);
    return fmt::format("{}", fmt::join(lines, "; "));
}

}  // namespace threefold
