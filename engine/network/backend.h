#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/model/model.h"
#include "engine/network/reconstruction.h"
#include "engine/report.h"
#include "engine/sample/network_input.h"

namespace threefold {

enum class Precision { float32, bfloat16 };
std::string_view precisionName(Precision precision);  ///< "float32", "bfloat16"

/// Looks at an intermediate tensor, for tests and for those who compare implementations. `name` as
/// in the golden files ("stage1_map_64", "level1_hidden", "stage2_features_1", "score_1", …);
/// C order; maps are (view, S, S, C), all else (row, column…). The span dies with the call.
/// Called from the thread that called reconstruct().
using TensorProbe = std::function<void(std::string_view name, std::span<const float> values,
                                       std::span<const std::size_t> shape)>;

struct RunOptions {
    std::stop_token cancel;  ///< polled at least every 100 ms of work
    ProgressFunction progress;
    TensorProbe probe;  ///< slows the run down; leave empty
};

/// What turns views into meshes: the seam between the processor's and a GPU's implementation.
/// Not thread-safe: one thread at a time.
class Backend {
  public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    /// One line for people: "CPU · AMD EPYC … · 2 threads · float32".
    virtual std::string description() const = 0;
    virtual Precision precision() const = 0;
    virtual const Model& model() const = 0;

    /// Throws InputError (see checkInput), Cancelled, std::bad_alloc. After any of them the backend
    /// can be used again.
    virtual Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) = 0;
};

}  // namespace threefold
