#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/metrics/scores.h"
#include "engine/network/backend.h"
#include "engine/network/gauges.h"
#include "engine/pipeline/sample_record.h"
#include "engine/sample/mesh_space.h"

namespace threefold {

/// What a run was computed on: recorded so that times can be compared later.
struct MachineDescription {
    std::string processor;     ///< "AMD EPYC 9R14"
    std::string instructions;  ///< widest instruction set used: "AVX-512 BF16"
    int threads = 0;           ///< the backend's
    std::string memory;        ///< "24.0 GiB"
    std::string system;        ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1"
    std::string gpu;           ///< empty: none used
    std::string driver;        ///< of the GPU
    std::string libraries;     ///< "oneDNN 2.6.3"; of a GPU "CUDA 13.0, …"
};

/// Records of two runs may be mixed if all these fields are equal. Times and output folders are not
/// part of the identity.
struct RunIdentity {
    std::string version;       ///< Threefold's
    std::string listHash;      ///< SHA-256 of the names in order
    std::size_t listSize = 0;  ///< of the whole list, all shards together
    std::string modelHash;
    std::string sampler;
    std::string backend;  ///< "cpu" or "cuda"
    std::string precision;
    std::vector<int> views;  ///< empty: defaultViews() of each sample
    std::vector<Protocol> protocols;
    double tau = kTau;
    bool earthMovers = false;
    TruthSpace truthSpace = TruthSpace::unset;
    /// Which photographs the refined meshes are fitted to, as fitRequestName(); none: not fitted.
    std::optional<std::string> fit = {};
    std::optional<std::size_t> truthPoints = {};  ///< at most as many of a truth's; none: all

    bool operator==(const RunIdentity&) const = default;
};

/// One part of a list that was given to several machines: samples at positions ≡ index (mod count).
struct Shard {
    std::size_t index = 0;  ///< from 0; written from 1: "1/4"
    std::size_t count = 1;

    bool operator==(const Shard&) const = default;
};
std::string shardText(const Shard& shard);  ///< "2/4": the second of four

struct RunDescription {
    RunIdentity identity;
    Shard shard;
    std::string list;  ///< as given, for display
    std::string modelFile;
    std::string backend;  ///< one line, Backend::description()
    /// "gpu": the network's device compares clouds, in float32; none: the processor. Samples that
    /// are resumed are measured where the run's first were.
    std::optional<std::string> measuredOn = {};
    int warmUpRuns = 0;                        ///< untimed runs before the first timed one
    std::vector<MachineDescription> machines;  ///< several after a merge
    std::string begun;                         ///< ISO 8601, UTC; the earliest of a resumed run
    std::optional<GpuUtilisation> utilisation = {};  ///< of this session alone; not kept
    std::optional<DeviceMemoryUse> memory = {};      ///< likewise, of the network's devices
    double seconds = 0;  ///< wall time, summed over all parts; 0: unknown
};

/// Why records of two runs must not be mixed: "τ: 0.0001 there, 0.0002 here; …". Empty if
/// nothing differs. `shards`: whether the runs must cover the same part of the list.
std::string differences(const RunDescription& before, const RunDescription& now, bool shards);

// JSON in a journal of a SampleRecord, a MachineDescription, or a RunDescription, which omits
// machines, start time and seconds: those belong to a session. Numbers are read back bit for bit;
// bytes that are not UTF-8 are read back as U+FFFD. Reading throws nlohmann::json::exception where
// a field is missing or of another type, UsageError for an unknown name of a protocol or stage.

template <class Stored>
nlohmann::json journalJson(const Stored& stored);
template <class Stored>
Stored fromJournalJson(const nlohmann::json& json);

/// The text as it would be read back from a journal.
std::string afterRoundTrip(const std::string& text);
SampleRecord afterRoundTrip(SampleRecord record);

}  // namespace threefold
