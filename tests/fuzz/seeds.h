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

/// What a target begins with: the files of tests/engine/formats/data that are its reader's, meshes
/// and pickles made here, and tests/fuzz/corpus/TARGET.zip, where what fuzzing found lies.
std::vector<Seed> seedsOf(std::string_view target);

}  // namespace threefold::test
