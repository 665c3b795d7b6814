#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/evaluation/record.h"

namespace threefold {

// JSON of records and runs in a journal. Numbers are read back bit for bit; bytes that are not
// UTF-8 are read back as U+FFFD. Reading throws nlohmann::json::exception where a field is missing
// or of another type, UsageError for an unknown name of a protocol or stage.

nlohmann::json journalJson(const SampleRecord& record);
SampleRecord recordFromJson(const nlohmann::json& json);

/// The text as it would be read back from a journal.
std::string afterRoundTrip(const std::string& text);
SampleRecord afterRoundTrip(SampleRecord record);

nlohmann::json journalJson(const MachineDescription& machine);
MachineDescription machineFromJson(const nlohmann::json& json);

/// Omits machines, start time and seconds, which belong to a session.
nlohmann::json journalJson(const RunDescription& about);
RunDescription descriptionFromJson(const nlohmann::json& json);

}  // namespace threefold
