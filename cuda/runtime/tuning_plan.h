#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/log.h"
#include "engine/network/precision.h"

namespace threefold::cuda {

/// Key of a plan: everything that the plan depends on. Any difference makes the plan stale.
struct TuningPlanKey {
    std::string gpu;            ///< "NVIDIA H200"
    int computeCapability = 0;  ///< 90
    std::string driver;         ///< "580.65"
    std::string cuda;           ///< versions of the libraries, as they report them
    std::string cublasLt;
    std::string cudnn;
    std::string modelHash;
    Precision precision = Precision::float16;
    int batch = 1;
    int views = 3;
    std::string version;  ///< of Threefold: cudaPluginVersion()

    bool operator==(const TuningPlanKey&) const = default;
};

/// Choices and measurements for one key, by step name. Steps without an entry choose again.
struct TuningPlan {
    /// Descriptions in the format of each library.
    std::map<std::string, std::string> algorithms;
    /// Quantisation ranges by block: "hypothesis block 1" has six numbers, finite and not negative.
    std::map<std::string, std::vector<float>> ranges;

    bool operator==(const TuningPlan&) const = default;
};

/// SHA-256 of the key, in hexadecimal; names the plan's file.
std::string keyHash(const TuningPlanKey& key);

/// Encodes a plan file: JSON with key and checksum. Equal values give equal text. Throws InputError
/// when a value is not as described above or a string is not UTF-8.
std::string encodePlan(const TuningPlanKey& key, const TuningPlan& plan);

/// Decodes a plan file. Throws FormatError unless `text` is byte for byte what encodePlan() writes
/// (damaged, truncated, another schema), InputError for an intact plan of another key (stale).
/// Safe for untrusted bytes. `file` is only named in errors.
TuningPlan decodePlan(std::string_view text, const TuningPlanKey& key, const std::string& file);

/// $XDG_CACHE_HOME/threefold, else $HOME/.cache/threefold; empty where neither is an absolute path.
std::filesystem::path defaultPlanFolder();

/// TuningPlan cache on disk, one file per key. Failures are logged, not thrown; the plan is then
/// made again. Any number of processes may share the folder.
class TuningPlanStore {
  public:
    /// An empty `folder` disables the cache. `log` may be empty.
    explicit TuningPlanStore(std::filesystem::path folder, LogFunction log = {});

    /// Plan of this key; nullopt if missing (logged as debug), stale, damaged or unreadable
    /// (logged as a warning).
    std::optional<TuningPlan> load(const TuningPlanKey& key) const;

    /// Writes the file atomically, creating the folder if needed. False, with a warning, on
    /// failure; false if the cache is disabled. Throws InputError for a plan that encodePlan()
    /// refuses.
    bool save(const TuningPlanKey& key, const TuningPlan& plan) const;

    /// "plan-<16 hexadecimal digits of the key's hash>.json" in the folder.
    std::filesystem::path fileOf(const TuningPlanKey& key) const;

  private:
    void log(LogLevel level, const std::string& line) const {
        if (log_) log_(level, line);
    }

    std::filesystem::path folder_;
    LogFunction log_;
};

}  // namespace threefold::cuda
