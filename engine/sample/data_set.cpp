#include "engine/sample/data_set.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/formats/bytes/file_bytes.h"
#include "engine/sample/truth_files.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

std::vector<Path> sortedFolders(const Path& root) {
    std::vector<Path> folders = entriesIn(root);
    std::erase_if(folders, [](const Path& entry) { return !isFolder(entry); });
    std::ranges::sort(folders);
    return folders;
}

bool isItem(const Path& folder) {
    return !renderingFolderIn(folder).empty();
}

Path topOf(const Path& root) {
    const Path clean = std::filesystem::absolute(root).lexically_normal();
    const Path top = clean.has_filename() ? clean : clean.parent_path();
    return isFolder(top / kDataSetName) ? top / kDataSetName : top;
}

/// The item names of the truth files under a data set's folder. Listing a folder once costs less
/// than looking up each item.
class TruthNames {
  public:
    explicit TruthNames(const Path& dataSet)
        : folders_{dataSet.parent_path() / "gt", dataSet / "gt"} {
        for (const Path& folder : folders_) {
            for (const Path& file : entriesIn(folder)) {
                const auto base = truthBaseOf(file);
                if (!base) continue;
                names_.insert(*base);
                names_.insert(file.stem().string());  // an item whose name ends like a view
            }
        }
    }

    bool has(const DataSetItem& item) const {
        const std::string base =
            item.category.empty() ? item.item : item.category + '_' + item.item;
        return names_.contains(base) || std::ranges::any_of(folders_, [&](const Path& folder) {
                   return findNestedTruth(folder, item.category, item.item).has_value();
               });
    }

  private:
    std::array<Path, 2> folders_;
    std::unordered_set<std::string> names_;
};

DataSetItem describe(const Path& folder) {
    DataSetItem item;
    item.folder = folder;
    item.item = folder.filename().string();
    const bool inLayout = renderingFolderIn(folder) != folder;
    if (inLayout) item.category = folder.parent_path().filename().string();
    return item;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kCategories{{
    {"02691156", "airplane"},
    {"02828884", "bench"},
    {"02933112", "cabinet"},
    {"02958343", "car"},
    {"03001627", "chair"},
    {"03211117", "display"},
    {"03636649", "lamp"},
    {"03691459", "loudspeaker"},
    {"04090263", "rifle"},
    {"04256520", "sofa"},
    {"04379243", "table"},
    {"04401088", "telephone"},
    {"04530566", "watercraft"},
}};

}  // namespace

void walkDataSet(const Path& root, const std::stop_token& stop,
                 const std::function<void(DataSetItem)>& take) {
    const Path top = topOf(root);
    // The folder that holds the categories, or the items where there are none.
    Path dataSet = top;
    std::optional<TruthNames> truths;
    const auto give = [&](const Path& folder) {
        DataSetItem item = describe(folder);
        if (!truths) truths.emplace(dataSet);
        item.hasTruth = truths->has(item);
        take(std::move(item));
    };
    if (isItem(top)) {
        const bool inLayout = renderingFolderIn(top) != top;
        dataSet = inLayout ? top.parent_path().parent_path() : top.parent_path();
        give(top);
        return;
    }
    for (const Path& folder : sortedFolders(top)) {
        if (stop.stop_requested()) return;
        if (isItem(folder)) {
            // In ShapeNet's layout `top` is a category, and its truths lie beside all categories.
            if (renderingFolderIn(folder) != folder) dataSet = top.parent_path();
            give(folder);
            continue;
        }
        for (const Path& item : sortedFolders(folder)) {
            if (stop.stop_requested()) return;
            if (isItem(item)) give(item);
        }
    }
}

bool isDataSet(const Path& folder) {
    const Path top = topOf(folder);
    if (!isFolder(top) || isItem(top)) return false;
    std::stop_source stop;
    bool found = false;
    walkDataSet(top, stop.get_token(), [&](const DataSetItem&) {
        found = true;
        stop.request_stop();
    });
    return found;
}

Path firstRendering(const Path& itemFolder) {
    const Path folder = renderingFolderIn(itemFolder);
    if (folder.empty()) return {};
    if (isFile(folder / "00.png")) return folder / "00.png";
    Path first;
    for (const Path& file : entriesIn(folder))
        if (isImageName(file) && (first.empty() || file < first)) first = file;
    return first;
}

std::string categoryName(const std::string& category) {
    const auto* const found =
        std::ranges::find(kCategories, category, [](const auto& each) { return each.first; });
    return found == kCategories.end() ? std::string() : std::string(found->second);
}

}  // namespace threefold
