#include "engine/sample_rendering/list_files.h"

#include <charconv>
#include <cstdint>
#include <stop_token>
#include <string>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/sample/data_set.h"
#include "engine/sample_rendering/staged_sample.h"

namespace threefold {

bool isInTestSplit(std::string_view id, double testFraction) {
    const std::string digest = sha256(asBytes(id));
    constexpr std::size_t kDigits = 13;  // 52 bits, as many as a double holds
    std::uint64_t number = 0;
    std::from_chars(digest.data(), digest.data() + kDigits, number, 16);
    return static_cast<double>(number) * 0x1p-52 < testFraction;
}

ListCounts writeListFiles(const std::filesystem::path& root, double testFraction) {
    ListCounts counts;
    std::string all;
    std::string train;
    std::string test;
    walkDataSet(root, std::stop_token(), [&](const DataSetSample& sample) {
        if (!sample.hasTruth || sample.category.empty()) return;
        const std::string line = fmt::format("{}_{}_00.dat\n", sample.category, sample.id);
        const bool isTest = isInTestSplit(sample.id, testFraction);
        all += line;
        (isTest ? test : train) += line;
        ++counts.all;
        ++(isTest ? counts.test : counts.train);
    });
    writeFileOfDataSet(root / "list.txt", all);
    writeFileOfDataSet(root / "train.txt", train);
    writeFileOfDataSet(root / "test.txt", test);
    return counts;
}

}  // namespace threefold
