#include <cmath>
#include <stdexcept>

#include "engine/formats/pickle/pickle.h"
#include "engine/model/template_pickle.h"
#include "engine/sample/ground_truth.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {

void fuzzPickle(FuzzBytes bytes) {
    const PickleRef root = decodePickle(bytes, "input.pkl");
    if (!root) throw std::runtime_error("a pickle without a value");
    if (const auto* array = std::get_if<Array>(&root->value);
        array != nullptr && byteCount(array->dtype, array->shape) != array->data.size())
        throw std::runtime_error("an array whose data do not fit its shape");
}

void fuzzTruth(FuzzBytes bytes) {
    const GroundTruth truth = decodeGroundTruth(bytes, "input");
    if (truth.points.empty()) throw std::runtime_error("a truth without points");
    if (!truth.normals.empty() && truth.normals.size() != truth.points.size())
        throw std::runtime_error("the numbers of normals and points differ");
    for (const glm::vec3& point : truth.points)
        if (!std::isfinite(point.x + point.y * 0 + point.z * 0))
            throw std::runtime_error("a point that is not finite");
}

void fuzzTemplate(FuzzBytes bytes) {
    // decodeTemplate() itself checks its result.
    decodeTemplate(bytes, "input.dat", MissingCentre::complete);
}

}  // namespace threefold::test
