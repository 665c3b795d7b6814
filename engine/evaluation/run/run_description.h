#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/measures/scores.h"
#include "engine/pipeline/sample_record.h"
#include "engine/sample/mesh_space.h"

namespace threefold {

/// The machine of a run, recorded so that times can be compared later.
struct MachineDescription {
    std::string processor;     ///< "AMD EPYC 9R14"
    std::string instructions;  ///< widest instruction set used: "AVX-512 BF16"
    int threads = 0;           ///< threads of the back end
    std::string memory;        ///< "24.0 GiB"
    std::string system;        ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1"
    std::string gpu;           ///< empty: no GPU used
    std::string driver;        ///< the GPU's driver
    std::string libraries;     ///< "oneDNN 2.6.3"; of a GPU "CUDA 13.0, …"
};

/// What a run computes and measures of each sample, except its fit.
struct MeasureChoices {
    std::vector<int> views = {};  ///< empty: defaultViews() of each sample
    std::vector<Protocol> protocols = {Protocol::published};
    double tau = kTau;
    bool earthMovers = false;
    TruthSpaceChoice truthSpace = TruthSpaceChoice::byFormat;

    bool operator==(const MeasureChoices&) const = default;
};

/// Identity of a run: records of two runs may be mixed only if all fields are equal
/// (differencesToMerge()). Excludes times and output folders.
struct RunIdentity {
    std::string version;       ///< version of Threefold
    std::string listHash;      ///< EvaluationList::hash
    std::size_t listSize = 0;  ///< samples of the whole list, over all shards
    std::string modelHash;
    std::string sampler;
    std::string backend;  ///< "cpu" or "cuda"
    std::string precision;
    MeasureChoices measures;
    /// The photographs of the fit, as fitRequestName() writes them; nullopt: not fitted.
    std::optional<std::string> fit = {};
    std::optional<std::size_t> truthPoints = {};  ///< maximum points of a truth; nullopt: all

    bool operator==(const RunIdentity&) const = default;
};

/// One part of a list that is divided among machines: samples at positions ≡ index (mod count).
struct Shard {
    std::size_t index = 0;  ///< from 0; written from 1: "1/4"
    std::size_t count = 1;

    bool operator==(const Shard&) const = default;
};
std::string shardText(const Shard& shard);  ///< "2/4": the second of four

/// Folders that a session reads its samples from, as canonical paths; empty: unknown, since the
/// list's lines are paths or the folder does not exist.
struct RunFolders {
    std::string images;
    std::string truths;

    bool operator==(const RunFolders&) const = default;
};

/// Device that compares point clouds.
enum class MeasuringDevice {
    processor,
    gpu,  ///< on the network's device, in float32
};

/// Description of a run, for journals and reports.
struct RunDescription {
    RunIdentity identity;
    Shard shard;
    std::string list;  ///< as given, for display
    std::string modelFile;
    std::string backendDescription;  ///< one line, Backend::description()
    MeasuringDevice measuringDevice =
        MeasuringDevice::processor;            ///< a resumed run keeps this choice
    int warmUpRuns = 0;                        ///< untimed runs before the first timed one
    std::vector<MachineDescription> machines;  ///< several after a merge or a resumption
    /// Folders of the latest session; nullopt: unknown, or several.
    std::optional<RunFolders> folders = {};
    std::string startedAt;  ///< ISO 8601, UTC; the earliest start of a resumed run
    double seconds = 0;     ///< wall time, summed over sessions and merged runs; 0: unknown
};

}  // namespace threefold
