#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::test {

struct Seed {
    std::string name;
    std::vector<std::byte> bytes;
};

/// Seeds of a target: the files of tests/engine/formats/data and tests/wild that its reader reads,
/// inputs made here, and inputs that fuzzing found (tests/fuzz/corpus/TARGET.zip).
std::vector<Seed> seedsOf(std::string_view target);

}  // namespace threefold::test
