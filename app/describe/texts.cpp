#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/sample/data_set.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

/// Lines of a list, of which the first are named.
class Lines {
  public:
    void add(const ListedName& listed) {
        constexpr std::size_t kMostNamed = 10;
        if (++count_ <= kMostNamed)
            named_.push_back(fmt::format("line {} '{}'", listed.line, shortened(listed.name)));
    }
    void addTo(Description& description, const char* fact) const {
        if (count_ == 0) return;
        description.fact(fact, "{}: {}{}", count_, fmt::join(named_, ", "),
                         count_ > named_.size() ? ", …" : "");
    }

  private:
    std::size_t count_ = 0;
    std::vector<std::string> named_;
};

}  // namespace

Description describeTestList(const std::filesystem::path& file, Ranges) {
    const auto isOther = [&] {
        return NotThisFormat({file.string(), "", "names no sample that is there", ""});
    };
    if (!isTestList(file)) throw isOther();
    std::vector<ListedName> names;
    try {
        names = readTestList(file);
    } catch (const FormatError&) {
        throw isOther();  // no text: another reader may know it by its bytes
    }
    std::map<std::string, std::size_t> categories;
    std::map<std::string, std::size_t> seen;
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    std::size_t paths = 0;
    std::size_t found = 0;
    Lines missing;
    Lines again;
    for (const ListedName& listed : names) {
        const std::string& name = listed.name;
        if (++seen[name] > 1) again.add(listed);
        if (name.ends_with(".dat")) {
            ++categories[name.substr(0, std::min(name.find('_'), name.size()))];
            continue;
        }
        ++paths;
        if (pathExists(listedLocation(name, folder)))
            ++found;
        else
            missing.add(listed);
    }
    // Any text has lines; in a list some of them name a truth's file, or what is there.
    if (categories.empty() && found == 0) throw isOther();
    Description description{"test list", {}, {}};
    description.fact("samples", "{}", names.size());
    if (paths > 0) description.fact("paths", "{}", paths);
    missing.addTo(description, "not found");
    again.addTo(description, "named again");
    constexpr std::size_t kMostCategories = 100;
    for (const auto& [category, count] : categories) {
        if (description.facts.size() > kMostCategories) break;
        description.fact(category, "{}", count);
    }
    return description;
}

Description describeMetadata(const std::filesystem::path& file, Ranges) {
    // Any five numbers a line would do, so the name decides.
    if (file.extension() != ".txt") throw NotThisFormat({file.string(), "", "not named .txt", ""});
    Description description{"rendering metadata", {}, {}};
    int view = 0;
    const std::vector<CameraRow> rows = readRenderingMetadata(file);
    description.fact("views", "{}", rows.size());
    for (const CameraRow& row : rows)
        description.fact(fmt::format("view {:02}", view++),
                         "azimuth {:.3f}°, elevation {:.3f}°, distance {:.4f}", row.azimuth,
                         row.elevation, row.distance);
    return description;
}

}  // namespace threefold
