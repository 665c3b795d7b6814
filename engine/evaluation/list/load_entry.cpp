#include "engine/evaluation/list/load_entry.h"

#include <memory>
#include <utility>

#include "engine/sample/view_candidates.h"

namespace threefold {

LoadedSample loadEntry(
    const ListEntry& entry, const EntryReadOptions& options, SampleRecord& record,
    const std::function<void(const Sample& sample, SampleRecord& record)>& onFound) {
    record.position = entry.position;
    record.listedName = entry.listedName;
    record.error = entry.problem;
    if (!record.succeeded()) return {};
    auto sample = std::make_shared<const Sample>(findSample({.location = entry.location,
                                                             .imageRoot = options.imageRoot,
                                                             .truthRoot = options.truthRoot,
                                                             .truthSpace = options.truthSpace}));
    record.category = sample->category;
    record.truth = sample->truthFile().string();
    if (onFound) onFound(*sample, record);
    std::vector<int> views =
        options.chooseViews ? options.chooseViews(*sample) : defaultViews(*sample);
    return loadSample(std::move(sample), std::move(views), options.loadOptions);
}

}  // namespace threefold
