// write_seeds TARGET FOLDER writes the seeds of a target into a folder, for libFuzzer.

#include <cstdio>
#include <exception>
#include <filesystem>

#include "engine/formats/files/write_file.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"

int main(int count, char** arguments) {
    if (count != 3) return 2;
    try {
        const std::filesystem::path folder = arguments[2];
        const auto& target = threefold::test::fuzzTarget(arguments[1]);
        std::filesystem::create_directories(folder);
        for (const threefold::test::Seed& seed : threefold::test::seedsOf(target.name))
            threefold::writeFileAtomically(folder / seed.name, seed.bytes);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_seeds: %s\n", error.what());
        return 1;
    }
    return 0;
}
