#include <algorithm>
#include <map>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/sample/test_list.h"

namespace threefold {

Description describeTestList(const std::filesystem::path& file, const InspectOptions&) {
    const auto isOther = [&] {
        return NotThisFormat({file.string(), "", "is not a list of '.dat' names", ""});
    };
    if (!isTestList(file)) throw isOther();
    std::vector<ListedName> names;
    try {
        names = readTestList(file);
    } catch (const FormatError&) {
        throw isOther();  // no text: another reader may know it by its bytes
    }
    // Lists may name anything; those that people call test lists name the truth's files.
    const auto isName = [](const ListedName& listed) { return listed.name.ends_with(".dat"); };
    if (names.empty() || !std::all_of(names.begin(), names.end(), isName)) throw isOther();
    std::map<std::string, std::size_t> categories;
    for (const auto& [name, line] : names)
        ++categories[name.substr(0, std::min(name.find('_'), name.size()))];
    Description description{"test list", {}, {}};
    description.facts.emplace_back("samples", std::to_string(names.size()));
    constexpr std::size_t kMostCategories = 100;
    for (const auto& [category, count] : categories) {
        if (description.facts.size() > kMostCategories) break;
        description.facts.emplace_back(category, std::to_string(count));
    }
    return description;
}

}  // namespace threefold
