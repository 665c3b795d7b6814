#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/evaluation/record.h"
#include "engine/evaluation/run_description.h"

namespace threefold {

// How records and runs are kept in a journal. Numbers come back bit by bit; text that is not UTF-8
// comes back with U+FFFD in its place. Reading throws nlohmann::json::exception where something is
// missing or of another kind, UsageError for a protocol or stage that has no name.

nlohmann::json journalJson(const SampleRecord& record);
SampleRecord recordFromJson(const nlohmann::json& json);

/// As it is read back from a journal.
std::string afterRoundTrip(const std::string& text);
SampleRecord afterRoundTrip(SampleRecord record);

nlohmann::json journalJson(const MachineDescription& machine);
MachineDescription machineFromJson(const nlohmann::json& json);

/// Without its machines, beginning and seconds: those are of a session.
nlohmann::json journalJson(const RunDescription& about);
RunDescription descriptionFromJson(const nlohmann::json& json);

}  // namespace threefold
