#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/evaluation/run/run_description.h"
#include "engine/pipeline/sample_record.h"

namespace threefold {

/// Journal JSON of a SampleRecord, a MachineDescription, RunFolders, or a RunDescription without
/// machines, folders, start time and seconds, which belong to a session. Numbers are read back
/// exactly; bytes that are not UTF-8 as U+FFFD.
template <class Stored>
nlohmann::json journalJson(const Stored& stored);

/// Reads journalJson(). Throws nlohmann::json::exception for a field that is missing or of another
/// type, UsageError for an unknown name of a protocol, stage, truth space, fit source or measuring
/// device.
template <class Stored>
Stored fromJournalJson(const nlohmann::json& json);

/// The value after writing it to a journal and reading it back.
std::string afterRoundTrip(const std::string& text);
SampleRecord afterRoundTrip(SampleRecord record);

}  // namespace threefold
