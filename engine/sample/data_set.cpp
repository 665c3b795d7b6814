#include "engine/sample/data_set.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>
#include <utility>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/view_files.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

std::vector<Path> sortedFolders(const Path& root) {
    std::vector<Path> folders = tryListFolder(root);
    std::erase_if(folders, [](const Path& entry) { return !isFolder(entry); });
    std::ranges::sort(folders);
    return folders;
}

bool isSampleFolder(const Path& folder) {
    return !renderingFolderIn(folder).empty();
}

Path topOf(const Path& root) {
    const Path clean = absolutePath(root).lexically_normal();
    const Path top = clean.has_filename() ? clean : clean.parent_path();
    return isFolder(top / kShapeNetRenderingFolder) ? top / kShapeNetRenderingFolder : top;
}

/// Names of samples with a truth file. Listing a folder once costs less than looking up each file.
class TruthNames {
  public:
    explicit TruthNames(const Path& dataSet)
        : folders_{dataSet.parent_path() / "gt", dataSet / "gt"} {
        for (const Path& folder : folders_) {
            for (const Path& file : tryListFolder(folder)) {
                const auto base = truthBaseOf(file);
                if (!base) continue;
                names_.insert(*base);
                // A sample's own name may end in a number that truthBaseOf() takes for a view.
                names_.insert(file.stem().string());
            }
        }
    }

    bool has(const DataSetSample& sample) const {
        const std::string base =
            sample.category.empty() ? sample.id : sample.category + '_' + sample.id;
        return names_.contains(base) || std::ranges::any_of(folders_, [&](const Path& folder) {
                   return findNestedTruth(folder, sample.category, sample.id).has_value();
               });
    }

  private:
    std::array<Path, 2> folders_;
    std::unordered_set<std::string> names_;
};

DataSetSample describe(const Path& folder) {
    const bool inLayout = renderingFolderIn(folder) != folder;
    return {inLayout ? folder.parent_path().filename().string() : "", folder.filename().string(),
            folder};
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

void walkDataSet(const Path& root, const std::stop_token& stopEarly,
                 const std::function<void(DataSetSample)>& visit) {
    const Path top = topOf(root);
    std::map<Path, TruthNames> truths;
    // `dataSet`: the folder that holds the categories, or the samples if there are no categories.
    const auto visitSample = [&](const Path& folder, const Path& dataSet) {
        DataSetSample sample = describe(folder);
        sample.hasTruth = truths.try_emplace(dataSet, dataSet).first->second.has(sample);
        visit(std::move(sample));
    };
    const auto inLayout = [](const Path& sample) { return renderingFolderIn(sample) != sample; };
    if (isSampleFolder(top))
        return visitSample(top,
                           inLayout(top) ? top.parent_path().parent_path() : top.parent_path());
    for (const Path& folder : sortedFolders(top)) {
        if (stopEarly.stop_requested()) return;
        if (isSampleFolder(folder)) {
            // In ShapeNet's layout `top` is a category; truths lie beside the categories.
            visitSample(folder, inLayout(folder) ? top.parent_path() : top);
            continue;
        }
        for (const Path& sample : sortedFolders(folder)) {
            if (stopEarly.stop_requested()) return;
            if (isSampleFolder(sample)) visitSample(sample, top);
        }
    }
}

bool isDataSet(const Path& folder) {
    const Path top = topOf(folder);
    if (!isFolder(top) || isSampleFolder(top)) return false;
    std::stop_source stop;
    bool isFound = false;
    walkDataSet(top, stop.get_token(), [&](const DataSetSample&) {
        isFound = true;
        stop.request_stop();
    });
    return isFound;
}

Path firstImageOf(const Path& sampleFolder) {
    const Path folder = renderingFolderIn(sampleFolder);
    if (folder.empty()) return {};
    if (isFile(folder / "00.png")) return folder / "00.png";
    Path first;
    for (const Path& file : tryListFolder(folder))
        if (isPictureName(file) && (first.empty() || file < first)) first = file;
    return first;
}

std::string categoryName(const std::string& category) {
    const auto* const match =
        std::ranges::find(kCategories, category, [](const auto& entry) { return entry.first; });
    return match == kCategories.end() ? std::string() : std::string(match->second);
}

}  // namespace threefold
