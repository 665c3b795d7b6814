#pragma once

#include <span>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

/// A backend whose finish() does all the work, one input after another.
class SerialBackend : public Backend {
  public:
    void begin(std::span<const NetworkInput> inputs, const RunOptions& options) override;
    std::vector<Reconstruction> finish() override;

  protected:
    /// Throws as begin() does.
    virtual Reconstruction compute(const NetworkInput& input, const RunOptions& options) = 0;

  private:
    std::span<const NetworkInput> inputs_;
    RunOptions options_;
    bool hasBatch_ = false;
};

}  // namespace threefold
