#include "engine/formats/npz.h"

#include <fmt/format.h>

#include "app/inspect/describers.h"
#include "engine/formats/file_bytes.h"

namespace threefold {

Description describeNpz(const std::filesystem::path& file, const InspectOptions& options) {
    Description description{"npz", {}, {}};
    for (const auto& [name, array] : readNpz(file)) {
        description.arrays.push_back(describeArray(name, array, options.ranges));
    }
    description.facts.emplace_back("arrays", std::to_string(description.arrays.size()));
    return description;
}

Description describeNpy(const std::filesystem::path& file, const InspectOptions& options) {
    const MappedFile mapped(file);
    Description description{"npy", {}, {}};
    description.arrays.push_back(
        describeArray("array", decodeNpy(mapped.bytes(), file), options.ranges));
    return description;
}

}  // namespace threefold
