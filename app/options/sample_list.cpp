#include "app/options/sample_list.h"

#include <utility>

#include "engine/error.h"
#include "engine/sample/test_list.h"

namespace threefold {

std::vector<std::string> expandSamples(const std::vector<std::string>& given) {
    std::vector<std::string> samples;
    for (const std::string& name : given) {
        if (!isTestList(name)) {
            samples.push_back(name);
            continue;
        }
        for (std::string& line : readTestList(name)) samples.push_back(std::move(line));
    }
    if (samples.empty()) {
        throw InputError({given.empty() ? "samples" : given.front(), "", "names no sample",
                          "Write one name a line, such as 02691156_p0001_00.dat."});
    }
    return samples;
}

}  // namespace threefold
