#include "engine/sample_steps/reconstruct_sample.h"

#include <utility>

#include "engine/error.h"

namespace threefold {

ReconstructedSample reconstructSample(Backend& backend, LoadedSample loaded,
                                      const ReconstructOptions& options) {
    BatchOptions run;
    run.cancel = options.cancel;
    run.progress = options.progress;
    if (options.onCoarseMesh)
        run.onCoarseMesh = [&](const Reconstruction& partial) {
            options.onCoarseMesh(loaded, partial);
        };
    Reconstruction reconstruction = backend.reconstruct(loaded.input, run);
    if (options.cancel.stop_requested()) throw Cancelled();
    reconstruction.timings.insert(reconstruction.timings.begin(),
                                  {RunStep::load, loaded.milliseconds});
    return {std::move(loaded), std::move(reconstruction)};
}

}  // namespace threefold
