#pragma once

#include <span>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

/// Back end whose finish() does all the work, one input after another.
class SerialBackend : public Backend {
  public:
    void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) override;
    std::vector<Reconstruction> finish() override;

  protected:
    /// Computes the result of one input. Throws as begin() does.
    virtual Reconstruction compute(const NetworkInput& input, const BatchOptions& options) = 0;

  private:
    std::span<const NetworkInput> inputs_;
    BatchOptions options_;
    bool hasBatch_ = false;
};

}  // namespace threefold
