#include "engine/sample/bundled_samples.h"

#include <algorithm>
#include <string>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/resources.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/test_list.h"

namespace threefold {

std::vector<std::filesystem::path> bundledSamples() {
    const std::filesystem::path root = bundledSamplesFolder();
    std::vector<std::string> order;
    if (const auto list = root / "list.txt"; isFile(list))
        for (const ListedName& listed : readTestList(list))
            order.push_back(truthBaseOf(listed.name).value_or(listed.name));
    const auto listPosition = [&](const std::filesystem::path& folder) {
        const std::string category = folder.parent_path().filename().string();
        return std::ranges::find(order, category + '_' + folder.filename().string());
    };
    std::vector<std::filesystem::path> samples = listSamples(root);
    std::ranges::stable_sort(samples, {}, listPosition);
    return samples;
}

std::vector<std::filesystem::path> bundledPhotographs() {
    std::vector<std::filesystem::path> samples;
    const std::filesystem::path root = bundledSamplesFolder() / "photographs";
    if (!isFolder(root)) return samples;
    for (const std::filesystem::path& folder : tryListFolder(root))
        if (isFolder(folder) && !cameraFileIn(folder).empty()) samples.push_back(folder);
    std::ranges::sort(samples);
    return samples;
}

std::optional<std::filesystem::path> firstBundledSample() {
    for (const auto& samples : {bundledPhotographs(), bundledSamples()})
        if (!samples.empty()) return samples.front();
    return std::nullopt;
}

std::vector<NetworkInput> bundledQuantisationSamples() {
    std::vector<NetworkInput> inputs;
    for (const auto& folder : bundledSamples())
        inputs.push_back(loadViews(findSample(folder), kPublishedViews));
    return inputs;
}

}  // namespace threefold
