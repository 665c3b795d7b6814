#include "engine/pipeline/reconstruct_sample.h"

#include <utility>

#include "engine/error.h"

namespace threefold {

ReconstructedSample reconstructSample(Backend& backend, LoadedSample loaded,
                                      const ReconstructOptions& options) {
    BatchOptions run;
    run.cancel = options.cancel;
    run.progress = options.progress;
    if (options.onStage1)
        run.onStage1 = [&](const Reconstruction& soFar) { options.onStage1(loaded, soFar); };
    Reconstruction reconstruction = backend.reconstruct(loaded.input, run);
    if (options.cancel.stop_requested()) throw Cancelled();
    reconstruction.timings.insert(reconstruction.timings.begin(),
                                  {RunStep::load, loaded.milliseconds});
    return {std::move(loaded), std::move(reconstruction)};
}

}  // namespace threefold
