#include <algorithm>
#include <stdexcept>
#include <string>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/sample/test_list.h"
#include "engine/views/camera.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {

void fuzzMetadata(FuzzBytes bytes) {
    const auto rows = parseRenderingMetadata(asText(bytes), "input.txt");
    const std::string written = formatRenderingMetadata(rows);
    if (formatRenderingMetadata(parseRenderingMetadata(written, "written.txt")) != written)
        throw std::runtime_error("cameras that read back as others");
}

void fuzzTestList(FuzzBytes bytes) {
    const auto lines = parseTestList(asText(bytes), "input.txt");
    std::string written;
    for (const auto& [name, line] : lines) written += name + '\n';
    if (!std::ranges::equal(parseTestList(written, "written.txt"), lines, {}, &ListedName::name,
                            &ListedName::name))
        throw std::runtime_error("a test list that reads back as another");
}

}  // namespace threefold::test
