#include "engine/pipeline/sample_record.h"

#include <utility>

namespace threefold {

void SampleRecord::fail(std::string why) {
    error = std::move(why);
    scores.clear();
    distances = {};
    silhouettes.clear();
    fitNote.reset();
    fit.reset();
    meshes.reset();
    truthHash.reset();
}

}  // namespace threefold
