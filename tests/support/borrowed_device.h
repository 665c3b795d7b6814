#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/network/service/network_service.h"

namespace threefold::test {

/// Backend that forwards to another Backend, which it does not own and which must outlive it.
class BorrowedDevice : public Backend {
  public:
    explicit BorrowedDevice(Backend& backend) : backend_(backend) {}

    std::string description() const override { return backend_.description(); }
    Precision precision() const override { return backend_.precision(); }
    std::shared_ptr<const Model> model() const override { return backend_.model(); }
    void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) override {
        backend_.begin(inputs, options);
    }
    std::vector<Reconstruction> finish() override { return backend_.finish(); }
    MeshOperations& meshOperations() override { return backend_.meshOperations(); }
    std::size_t maxUnfinishedBatches() const override { return backend_.maxUnfinishedBatches(); }
    std::size_t maxBatchSize() const override { return backend_.maxBatchSize(); }

  private:
    Backend& backend_;
};

/// Network service on a backend that the test owns and can examine after the service has ended.
class NetworkOn : public NetworkService {
  public:
    explicit NetworkOn(Backend& backend, BackendFactory makeFallback = {})
        : NetworkService(
              oneDevice(std::make_unique<BorrowedDevice>(backend), std::move(makeFallback))) {}
};

}  // namespace threefold::test
