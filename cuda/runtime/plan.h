#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/backend.h"
#include "engine/progress.h"

namespace threefold::cuda {

/// Everything that a plan depends on. Any difference makes the plan stale.
struct PlanKey {
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

    bool operator==(const PlanKey&) const = default;
};

/// What was chosen and measured for one key, by the names of the steps. A plan may lack any of
/// them: the step then chooses anew.
struct Plan {
    /// A library's own description, any bytes in hexadecimal.
    std::map<std::string, std::string> algorithms;
    /// Largest magnitudes seen in calibration, for 8 bit: finite, not negative. "hypothesis block
    /// 1" has six.
    std::map<std::string, std::vector<float>> ranges;

    bool operator==(const Plan&) const = default;
};

/// SHA-256 of the key, in hexadecimal: what a plan's file is named by.
std::string keyHash(const PlanKey& key);

/// The whole file: JSON with a checksum, the key repeated inside. The same values always give the
/// same text. Throws InputError when a value is not as described above or a string is not UTF-8.
std::string encodePlan(const PlanKey& key, const Plan& plan);

/// The plan in `text`. Throws FormatError when it is not to the byte what encodePlan() writes
/// (damaged, truncated, another schema), InputError when it is sound but of another key: stale.
/// Safe for untrusted bytes. `file` is only named in errors.
Plan decodePlan(std::string_view text, const PlanKey& key, const std::string& file);

/// $XDG_CACHE_HOME/threefold, else $HOME/.cache/threefold; empty where neither is an absolute path.
std::filesystem::path defaultPlanFolder();

/// Plans on disk, one file for a key. A cache: nothing that goes wrong here is an error, it is
/// logged and the plan is made again. Any number of processes may share the folder.
class PlanStore {
  public:
    /// An empty folder keeps nothing. `log` may be empty.
    explicit PlanStore(std::filesystem::path folder, LogFunction log = {});

    /// The plan of this key; nothing where there is none, or it is stale, damaged or unreadable
    /// (the reason is logged: a missing one as debug, the rest as a warning).
    std::optional<Plan> load(const PlanKey& key) const;

    /// Writes whole or not at all, makes the folder if need be. False, with a warning, where that
    /// is not possible. Throws InputError for a plan that encodePlan() refuses.
    bool save(const PlanKey& key, const Plan& plan) const;

    /// "plan-<16 hexadecimal digits of the key's hash>.json" in the folder.
    std::filesystem::path fileOf(const PlanKey& key) const;

  private:
    void log(LogLevel level, const std::string& line) const {
        if (log_) log_(level, line);
    }

    std::filesystem::path folder_;
    LogFunction log_;
};

}  // namespace threefold::cuda
