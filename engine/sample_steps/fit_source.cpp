#include "engine/sample_steps/fit_source.h"

#include <algorithm>
#include <string>

#include "engine/error.h"

namespace threefold {

std::string_view fitSourceName(FitSource source) {
    for (const auto& [name, each] : kFitSourceNames)
        if (each == source) return name;
    return {};
}

FitSource fitSourceFromName(std::string_view name) {
    const auto match =
        std::ranges::find(kFitSourceNames, name, &std::pair<std::string_view, FitSource>::first);
    if (match == kFitSourceNames.end())
        throw UsageError({"surface", std::string(name), "is not known",
                          "Use network, hull, silhouettes, depth or auto."});
    return match->second;
}

}  // namespace threefold
