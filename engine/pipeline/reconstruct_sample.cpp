#include "engine/pipeline/reconstruct_sample.h"

#include <utility>

#include "engine/error.h"

namespace threefold {

ReconstructedSample reconstructSample(Backend& backend, LoadedSample loaded,
                                      const ReconstructOptions& options) {
    RunOptions run;
    run.cancel = options.cancel;
    run.progress = options.progress;
    if (options.coarse)
        run.coarse = [&](const Reconstruction& soFar) { options.coarse(loaded, soFar); };
    Reconstruction made = backend.reconstruct(loaded.input, run);
    if (options.cancel.stop_requested()) throw Cancelled();
    made.begun = loaded.begun;
    made.timings.insert(made.timings.begin(), {Stage::load, loaded.milliseconds});
    return {std::move(loaded), std::move(made)};
}

}  // namespace threefold
