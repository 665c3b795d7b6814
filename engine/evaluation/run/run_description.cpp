#include "engine/evaluation/run/run_description.h"

#include <fmt/format.h>

namespace threefold {

std::string shardText(const Shard& shard) {
    return fmt::format("{}/{}", shard.index + 1, shard.count);
}

}  // namespace threefold
