#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/evaluation/list/evaluation_list.h"
#include "engine/pipeline/sample_record.h"
#include "engine/sample_steps/load_sample.h"

namespace threefold {

/// Locations and reading options of a list's samples.
struct EntryReadOptions {
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot = {};  ///< empty: truths are beside the images
    TruthSpaceChoice truthSpace = TruthSpaceChoice::byFormat;
    std::function<std::vector<int>(const Sample&)> chooseViews = {};  ///< empty: defaultViews()
    LoadOptions loadOptions = {};
};

/// Finds and reads an entry's sample. Sets the record's position and `listedName`, then its
/// category and truth once the sample is found. `onFound`: called before reading, to name the
/// record. If the entry has a `problem`, copies the problem into the record's error and reads
/// nothing. Throws as findSample() and loadSample() do; exceptions of `onFound` propagate.
/// Thread-safe.
LoadedSample loadEntry(
    const ListEntry& entry, const EntryReadOptions& options, SampleRecord& record,
    const std::function<void(const Sample& sample, SampleRecord& record)>& onFound = {});

}  // namespace threefold
