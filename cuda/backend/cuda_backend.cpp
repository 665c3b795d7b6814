#include "cuda/backend/cuda_backend.h"

#include "cuda/backend/device.h"
#include "engine/error.h"

namespace threefold::cuda {

std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<const Model> /*model*/,
                                         const CudaOptions& options) {
    const Device device = chooseDevice(options.device, options.precision);
    throw DeviceError({device.description.name, "", "this build has no kernels for the network",
                       "Use --backend cpu."});
}

}  // namespace threefold::cuda
