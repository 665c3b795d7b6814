#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/evaluation/evaluation_list.h"
#include "engine/pipeline/load_sample.h"
#include "engine/pipeline/sample_record.h"

namespace threefold {

/// Where the samples of a list are, and how they are read.
struct EntrySources {
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot = {};  ///< empty: truths are beside the images
    TruthSpace truthSpace = TruthSpace::unset;
    std::function<std::vector<int>(const Sample&)> views = {};  ///< empty: defaultViews()
    LoadOptions load = {};
};

/// Finds an entry's sample and reads it. The record gets position, given, category and truth, as
/// far as the sample is found. `found`: called before the sample is read, to name the record.
/// Where the entry has a `problem`, that becomes the record's error, and nothing is read. Throws as
/// findSample(), `found` and loadSample(). Thread-safe.
LoadedSample loadEntry(
    const ListEntry& entry, const EntrySources& sources, SampleRecord& record,
    const std::function<void(const Sample& sample, SampleRecord& record)>& found = {});

}  // namespace threefold
