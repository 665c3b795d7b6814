#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/network/service/network_service.h"

namespace threefold::test {

/// A backend that is somebody else's and outlives it.
class BorrowedDevice : public Backend {
  public:
    explicit BorrowedDevice(Backend& owned) : owned_(owned) {}

    std::string description() const override { return owned_.description(); }
    Precision precision() const override { return owned_.precision(); }
    const Model& model() const override { return owned_.model(); }
    void begin(std::span<const NetworkInput> inputs, const RunOptions& options) override {
        owned_.begin(inputs, options);
    }
    std::vector<Reconstruction> finish() override { return owned_.finish(); }
    MeshOperations& meshOperations() override { return owned_.meshOperations(); }
    std::size_t maxPending() const override { return owned_.maxPending(); }
    std::size_t maxBatch() const override { return owned_.maxBatch(); }

  private:
    Backend& owned_;
};

/// A network on a test's own backend, which may be looked at once the network has gone.
class NetworkOn : public NetworkService {
  public:
    explicit NetworkOn(Backend& backend, BackendFactory spare = {})
        : NetworkService(
              NetworkDevices(std::make_unique<BorrowedDevice>(backend), std::move(spare))) {}
};

}  // namespace threefold::test
