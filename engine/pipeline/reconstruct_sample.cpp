#include "engine/pipeline/reconstruct_sample.h"

#include <utility>

#include "engine/error.h"

namespace threefold {

ReconstructedSample reconstructSample(Backend& backend, LoadedSample loaded,
                                      const ReconstructOptions& options) {
    RunOptions run;
    run.cancel = options.cancel;
    run.progress = options.progress;
    if (options.partial)
        run.partial = [&](const Reconstruction& soFar) { options.partial(loaded, soFar); };
    Reconstruction reconstruction = backend.reconstruct(loaded.input, run);
    if (options.cancel.stop_requested()) throw Cancelled();
    reconstruction.begun = loaded.begun;
    reconstruction.timings.insert(reconstruction.timings.begin(),
                                  {RunStep::load, loaded.milliseconds});
    return {std::move(loaded), std::move(reconstruction)};
}

}  // namespace threefold
